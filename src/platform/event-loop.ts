/**
 * Waits for one cycle of the event loop, so that other requests are served.
 * Call this function every few milliseconds in a long calculation.
 */
export const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
