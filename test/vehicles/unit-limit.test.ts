import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { RECORDS_PER_UNIT } from '../../src/platform/records/unit-limit'
import { testContext } from '../support/context'
import { makeRegistration, makeTitle, makeTransport } from '../support/entries'

/** A unit can have at most `RECORDS_PER_UNIT` records of each kind. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const FULL = '100200'
const REFUSED: unknown[] = [
  422,
  [{ field: 'unit_number', message: `Unit ${FULL} can have at most 5,000 records of this kind` }],
]
const refusal = ({ status, body }: { status: number; body: { errors?: unknown } }) => [status, body.errors]
const move = (more: object = {}) => ({
  unit_number: FULL,
  location_out_id: h.cast.phoenix,
  location_in_id: h.cast.tempe,
  transport_company_id: h.cast.desert,
  move_date: '2026-03-10',
  ...more,
})
/** Copies the first transport of the unit, so that the unit has `count` transports. */
const fillTo = async (count: number) => {
  const first = await makeTransport(h.cast, { unit_number: FULL })
  await h.ctx.db.execute(sql`
    insert into transports (unit_number, location_out_id, location_in_id, transport_company_id, move_date, status)
    select unit_number, location_out_id, location_in_id, transport_company_id, date '2020-01-01' + n / 10, status
    from transports, generate_series(2, ${count}::int) n`)
  return first
}

describe('a unit with the maximum number of transports', () => {
  test('gets no more transports by creating, renaming or restoring one, and keeps those it has', async () => {
    const { ben, ada } = h.cast
    const first = await fillTo(RECORDS_PER_UNIT - 1)
    expect((await ben.post('/transports', move())).status).toBe(201)
    expect(refusal(await ben.post('/transports', move()))).toEqual(REFUSED)
    const other = await makeTransport(h.cast, { unit_number: '100201' })
    expect(refusal(await ben.put(`/transports/${other}`, { unit_number: FULL }))).toEqual(REFUSED)

    const changed = await ben.put(`/transports/${first}`, move({ notes: 'Two keys' }))
    expect([changed.status, changed.body.data]).toMatchObject([200, { notes: 'Two keys' }])

    await ada.delete(`/transports/${first}`)
    expect((await ben.put(`/transports/${other}`, { unit_number: FULL })).status).toBe(200)
    expect(refusal(await ada.post(`/transports/${first}/restore`))).toEqual(REFUSED)
  })

  test('can still have records of other kinds', async () => {
    await fillTo(RECORDS_PER_UNIT)
    expect(await makeRegistration(h.cast, {})).toBeNumber()
    expect(await makeTitle(h.cast, {})).toBeNumber()
  })

  test('skips the rows of an import that would exceed it, with the reason', async () => {
    await fillTo(RECORDS_PER_UNIT - 1)
    const text = `unit_number,location_out,location_in,move_date,transport_company,status
${FULL},Phoenix,Tempe,2026-03-01,Desert Auto Haul,In Transit
${FULL},Phoenix,Tempe,2026-03-02,Desert Auto Haul,In Transit
100201,Phoenix,Tempe,2026-03-01,Desert Auto Haul,In Transit`
    const shown = await h.cast.ben.begin('transports', 'a.csv', text)
    const preview = (await h.cast.ben.get(`/files/${shown.id}/rows`)).body.data as unknown as object[]
    const message = `Unit ${FULL} can have at most 5,000 records of this kind`
    expect(preview).toMatchObject([{ outcome: 'create' }, { outcome: 'duplicate', message }, { outcome: 'create' }])
    await h.cast.ben.post(`/files/${shown.id}/commit`)
    expect(await h.cast.ben.settled(shown.id)).toMatchObject({ imported: 2, duplicates: 1, failed: 0 })
  })

  test('skips rows that no longer fit when the import writes them', async () => {
    await fillTo(RECORDS_PER_UNIT - 1)
    const text = `unit_number,location_out,location_in,move_date,transport_company,status
${FULL},Phoenix,Tempe,2026-03-01,Desert Auto Haul,In Transit`
    const shown = await h.cast.ben.begin('transports', 'a.csv', text)
    expect((await h.cast.ben.post('/transports', move())).status).toBe(201)
    await h.cast.ben.post(`/files/${shown.id}/commit`)
    expect(await h.cast.ben.settled(shown.id)).toMatchObject({ imported: 0, duplicates: 1, failed: 0 })
  })
})
