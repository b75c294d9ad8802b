import { statfsSync } from 'node:fs'
import { Refusal } from './refusals'

const LOOK_AGAIN_MS = 1000

export type Disk = {
  /** @throws a 507 refusal when less than the reserve, and what is about to be written, is left */
  mustHaveRoom(bytes?: number): void
}

/**
 * Watches the disk that a folder lies on. Postgres in WebAssembly does not survive a write to a full disk, so writing
 * stops while there is still a reserve; reading goes on.
 */
export function diskOf(folder: string, reserveBytes: number): Disk {
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
  return {
    mustHaveRoom(bytes = 0) {
      if (look() < reserveBytes + bytes) throw new Refusal(507, FULL)
    },
  }
}

export const FULL = 'The disk of the server is full, so nothing can be saved now. Please tell your administrator.'
