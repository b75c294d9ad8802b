import { expect, test } from 'bun:test'
import { testContext } from '../support/context'
import { fuzz, lastingToken } from './fuzz'

/** `bun run fuzz` sends 20,000. */
test('six hundred requests with something wrong in them: never a 500, never a hang, always an answer in the contract’s words', async () => {
  const h = await testContext()
  await h.cast.ben.post('/transports', {
    unit_number: '100200',
    location_out_id: 1,
    location_in_id: 2,
    move_date: '2026-03-10',
    transport_company_id: 1,
  })
  const { broken, statuses } = await fuzz(
    h.app,
    Number(process.env.FUZZ_SEED ?? 20260314),
    await lastingToken(h),
    600,
    10_000,
  )
  expect(broken).toEqual([])
  expect([...statuses.keys()].filter((status) => [200, 404, 422].includes(status)).length).toBe(3)
})
