import { nextRound } from '../event-loop'
import { RateLimited } from '../refusals'

const RETRY_SECONDS = 5
/** Size, in bytes, from which bodies are parsed one at a time. Parsing and validating 2 MB takes up to 40 ms. */
const LARGE_BODY = 64 * 1024

/** @throws RateLimited when too many bodies are being read, from one caller or in total */
export function limitConcurrency(limits: { caller: number; instance: number }) {
  const byCaller = new Map<string | undefined, number>()
  let total = 0
  return async <T>(caller: string | undefined, read: () => Promise<T>): Promise<T> => {
    const own = byCaller.get(caller) ?? 0
    if (own >= limits.caller || total >= limits.instance) throw new RateLimited(RETRY_SECONDS)
    byCaller.set(caller, own + 1)
    total++
    try {
      return await read()
    } finally {
      total--
      const remaining = (byCaller.get(caller) ?? 1) - 1
      if (remaining > 0) byCaller.set(caller, remaining)
      else byCaller.delete(caller)
    }
  }
}

/**
 * Parses large bodies one at a time. Other requests are served in between. Otherwise, several large bodies would block
 * the server until all of them are parsed.
 */
export function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(bytes: number, parse: () => Promise<T>): Promise<T> => {
    if (bytes < LARGE_BODY) return parse()
    const turn = last.then(parse)
    // Wait one cycle of the event loop, so that this body is validated before the next one is parsed.
    last = turn.then(nextRound, nextRound)
    return turn
  }
}
