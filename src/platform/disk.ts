import { statfsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Log } from './log'
import { Refusal } from './refusals'

const LOOK_AGAIN_MS = 1000
const MB = 1024 * 1024

export type Disk = {
  /** @throws a 507 refusal when less than the reserve, and what is about to be written, is left */
  mustHaveRoom(bytes?: number): void
  /**
   * Looks, and tells the operator when the reserve has been reached, or left again. @returns the bytes that are
   * free, where the system says
   */
  watch(): number | null
}

/**
 * Watches the disk that a folder lies on. Postgres in WebAssembly does not survive a write to a full disk, so writing
 * stops while there is still a reserve; reading goes on.
 */
export function diskOf(folder: string, reserveBytes: number, log: Log = () => {}): Disk {
  let wasFull = false
  let free = Number.POSITIVE_INFINITY
  let lookedAt = 0
  const look = () => {
    if (Date.now() - lookedAt < LOOK_AGAIN_MS) return free
    lookedAt = Date.now()
    try {
      const { bavail, bsize } = statfsSync(folder)
      free = bavail * bsize
    } catch {
      // Not made yet, or a system that does not say: the write itself will tell.
      free = Number.POSITIVE_INFINITY
    }
    return free
  }
  const watch = () => {
    const isFull = look() < reserveBytes
    const figures = { folder: resolve(folder), free_mb: Math.floor(free / MB), reserve_mb: reserveBytes / MB }
    if (isFull && !wasFull) log('warn', 'the disk has reached its reserve (MIN_FREE_MB): changes are refused', figures)
    if (!isFull && wasFull) log('warn', 'the disk has room again', figures)
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

/** Of a data folder that cannot be written: refuses every change. */
export const READ_ONLY_DISK: Disk = {
  watch: () => null,
  mustHaveRoom() {
    throw new Refusal(507, READ_ONLY)
  },
}
const READ_ONLY =
  'The server cannot write its data folder, so nothing can be saved now. Please tell your administrator.'

export const FULL = 'The disk of the server is full, so nothing can be saved now. Please tell your administrator.'
