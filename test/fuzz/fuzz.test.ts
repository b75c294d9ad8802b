import { expect, test } from 'bun:test'
import { fuzz } from './fuzz'

/** `bun run fuzz` sends 20,000. */
test('six hundred requests with something wrong in them: never a 500, never a hang, always an answer in the contract’s words', async () => {
  const { broken, statuses } = await fuzz({
    count: 600,
    seed: Number(process.env.FUZZ_SEED ?? 20260314),
    limitMs: 10_000,
    // Before the test's own end, so that what failed is still told.
    withinMs: 50_000,
  })
  expect(broken).toBeNull()
  expect([...statuses.keys()].filter((status) => [200, 404, 422].includes(status)).length).toBe(3)
})
