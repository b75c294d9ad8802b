/**
 * Waits for one cycle of the event loop, so that other requests are served. Long calculations call it between parts
 * that take a few milliseconds.
 */
export const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
