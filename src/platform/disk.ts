import { statfsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Log } from './log'
import { Refusal } from './refusals'

const LOOK_AGAIN_MS = 1000
const MB = 1024 * 1024

export type Disk = {
  /**
   * Checks that `bytes` more bytes fit without using the reserve.
   * @throws Refusal (507) when there is not enough space
   */
  mustHaveRoom(bytes?: number): void
  /**
   * Measures the free space. Writes a line to the log when the free space falls below the reserve, and when it rises
   * above the reserve again.
   * @returns free bytes, or null if the system does not report them
   */
  watch(): number | null
}

/**
 * Monitors the free space on the disk of a folder. Changes are refused as soon as only `reserveBytes` are free, because
 * Postgres in WebAssembly does not survive a write to a full disk. Reading remains possible.
 */
export function diskOf(folder: string, reserveBytes: number, log: Log = () => {}): Disk {
  let wasFull = false
  let free = Number.POSITIVE_INFINITY
  let lookedAt = 0
  const measure = () => {
    if (Date.now() - lookedAt < LOOK_AGAIN_MS) return free
    lookedAt = Date.now()
    try {
      const { bavail, bsize } = statfsSync(folder)
      free = bavail * bsize
    } catch {
      // Treat unknown free space as unlimited. The free space is unknown if the folder does not exist yet or the system
      // does not report it. Changes are then accepted, and fail if the disk is full.
      free = Number.POSITIVE_INFINITY
    }
    return free
  }
  const watch = () => {
    const isFull = measure() < reserveBytes
    const figures = { folder: resolve(folder), free_mb: Math.floor(free / MB), reserve_mb: reserveBytes / MB }
    if (isFull && !wasFull) log('warn', 'free disk space is below MIN_FREE_MB: changes are refused', figures)
    if (!isFull && wasFull) log('warn', 'free disk space is above MIN_FREE_MB again: changes are accepted', figures)
    wasFull = isFull
    return Number.isFinite(free) ? free : null
  }
  return {
    watch,
    mustHaveRoom(bytes = 0) {
      watch()
      if (free < reserveBytes + bytes) throw new Refusal(507, FULL)
    },
  }
}

export const READ_ONLY_DISK: Disk = {
  watch: () => null,
  mustHaveRoom() {
    throw new Refusal(507, READ_ONLY)
  },
}
const READ_ONLY =
  'The server cannot write to its data folder, so nothing can be saved now. Please tell your administrator.'

export const FULL = 'The disk of the server is full, so nothing can be saved now. Please tell your administrator.'
