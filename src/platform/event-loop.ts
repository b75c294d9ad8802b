/**
 * Waits for one cycle of the event loop. Other requests are served in the meantime. Call this function every few
 * milliseconds in a long calculation.
 */
export const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
