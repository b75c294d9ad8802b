import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { testContext } from '../support/context'

/**
 * The database stores on each vehicle until when it is registered.
 * The date must be right after any change of its registrations.
 */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const PLATE = {
  unit_number: '100200',
  location_id: 1,
  plate_number: 'CDA4821',
  state_province: 'AZ',
  date_issued: '2026-01-01',
  date_expires: '2026-12-31',
}
const readStoredDays = async () =>
  Object.fromEntries(
    (
      await rows<{ unit: string; day: string | null }>(
        h.ctx.db,
        sql`select unit_number as unit, to_char(registered_until, 'YYYY-MM-DD') as day from vehicles order by 1`,
      )
    ).map(({ unit, day }) => [unit, day]),
  )
const create = async (more: object = {}) =>
  ((await h.cast.ben.post('/registrations', { ...PLATE, ...more })).body.data as { id: number }).id

test('registered_until follows creates, updates, deletes and restores', async () => {
  const first = await create()
  expect(await readStoredDays()).toMatchObject({ '100200': '2026-12-31' })
  const second = await create({ date_expires: '2027-06-30' })
  expect(await readStoredDays()).toMatchObject({ '100200': '2027-06-30' })
  await h.cast.ben.put(`/registrations/${second}`, { date_expires: '2026-06-30' })
  expect(await readStoredDays()).toMatchObject({ '100200': '2026-12-31' })
  await h.cast.ben.put(`/registrations/${first}`, { unit_number: '100201' })
  expect(await readStoredDays()).toMatchObject({ '100200': '2026-06-30', '100201': '2026-12-31' })
  await h.cast.ben.delete(`/registrations/${second}`)
  expect(await readStoredDays()).toMatchObject({ '100200': null, '100201': '2026-12-31' })
  await h.cast.ben.post(`/registrations/${second}/restore`)
  expect(await readStoredDays()).toMatchObject({ '100200': '2026-06-30' })
})

test('registered_until follows an import and its undo', async () => {
  await create()
  const header = 'unit_number,location,plate_number,state_province,date_issued,date_expires'
  const csv = `${header}\n100200,Phoenix,ABC1,AZ,2026-02-01,2028-01-31\n100300,Phoenix,ABC2,AZ,2026-02-01,2027-01-31\n`
  const { id } = (await h.cast.ben.upload('registrations', 'plates.csv', csv)).body.data as unknown as { id: number }
  expect(await readStoredDays()).toMatchObject({ '100200': '2028-01-31', '100300': '2027-01-31' })
  await h.cast.ben.post(`/files/${id}/undo`)
  await h.cast.ben.settled(id)
  expect((await readStoredDays())['100200']).toBe('2026-12-31')
})

test('registered_until is correct after concurrent changes of one vehicle', async () => {
  for (let round = 0; round < 5; round++) {
    const unit_number = `30000${round}`
    await Promise.all(
      ['2027-01-31', '2029-01-31', '2028-01-31'].map((date_expires, n) =>
        create({ unit_number, date_expires, plate_number: `P${round}${n}` }),
      ),
    )
    expect((await readStoredDays())[unit_number]).toBe('2029-01-31')
  }
})
