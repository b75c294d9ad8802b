import { expect, test } from 'bun:test'
import { fuzz } from './fuzz'

/** `bun run fuzz` sends 20,000. */
test('600 malformed requests never cause a 500, a hang or an invalid response', async () => {
  const { broken, statuses } = await fuzz({
    count: 600,
    seed: Number(process.env.FUZZ_SEED ?? 20260314),
    limitMs: 10_000,
    // Shorter than the time limit of the test, so that a failure is still reported.
    withinMs: 50_000,
  })
  expect(broken).toBeNull()
  expect([...statuses.keys()].filter((status) => [200, 404, 422].includes(status)).length).toBe(3)
})
