/** Maximum time in milliseconds. A loop that never ended would disturb the tests that follow. */
const LIMIT_MS = 300_000

/**
 * Polls until the condition is true.
 * @throws Error when this takes too long
 */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + LIMIT_MS
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`The condition was still false: ${isTrue}`)
    await Bun.sleep(50)
  }
}
