import { beforeEach, describe, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../db/client'
import { nameOtherInvoices } from '../../src/features/billing/billed-twice'
import { movesChecked } from '../../src/features/billing/moves'
import { testContext } from '../support/context'
import { makeTransport } from '../support/entries'
import { FEBRUARY, storeInvoice } from '../support/invoices'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const DESERT = 1
const DESERT_PATH = `/transport-companies/${DESERT}`

type Plan = { [figure: string]: unknown; Plans?: Plan[] }

/** Counts the rows that a query plan reads or compares, over all its steps. */
function countRows(plan: Plan): number {
  const figure = (name: string) => Number(plan[name] ?? 0)
  const own = figure('Actual Rows') + figure('Rows Removed by Filter') + figure('Rows Removed by Join Filter')
  return own * figure('Actual Loops') + (plan.Plans ?? []).reduce((sum, part) => sum + countRows(part), 0)
}

describe('an invoice', () => {
  test('names at most five other invoices that bill the same transport', async () => {
    const delivery = { status: 'Delivered', move_date: '2026-02-03', actual_arrival_date: '2026-02-03' }
    await makeTransport(h.cast, { unit_number: '100001', ...delivery })
    const bill = (number: string) =>
      storeInvoice(h.cast, DESERT_PATH, { number, lines: [{ unit_number: '100001', amount: 100 }] })
    for (const number of ['A', 'B', 'C', 'D', 'E', 'F']) await bill(number)
    const named = ['A', 'B', 'C', 'D', 'E'].map((number) => `invoice ${number}, 02/01/2026 to 02/28/2026`)
    expect((await bill('G')).lines[0]?.reason).toBe(`Already billed on ${named.join('; ')}; and 1 more`)
  })

  test('is compared with other invoices of the same units in few steps', async () => {
    const UNITS = 4
    await h.ctx.db.execute(sql`insert into vehicles (unit_number)
      select (100100 + n)::text from generate_series(1, ${UNITS}) n`)
    await h.ctx.db.execute(sql`insert into transports (unit_number, location_out_id, location_in_id,
        transport_company_id, move_date, actual_arrival_date, move_type, status)
      select (100101 + n % ${UNITS})::text, (select min(id) from locations), (select max(id) from locations),
        ${DESERT}::int, date '2026-02-02', date '2026-02-02', 'Fleet', 'Delivered'
      from generate_series(1, ${UNITS * 100}) n`)
    const lines = Array.from({ length: UNITS * 100 }, (_, at) => ({
      unit_number: String(100_101 + (at % UNITS)),
      amount: at + 1,
      move_date: null,
    }))
    for (const number of ['A', 'B', 'C', 'D']) await storeInvoice(h.cast, DESERT_PATH, { number, lines })
    const { db, clock } = h.ctx
    const checked = await movesChecked(db, clock, DESERT, FEBRUARY, lines)
    let count = 0
    const explaining = {
      async execute(query: SQL) {
        const [explained] = await rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          db,
          sql`explain (analyze, timing off, format json) ${query}`,
        )
        count += countRows((explained as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan)
        return db.execute(query)
      },
    } as unknown as Db
    const named = await nameOtherInvoices(
      { db: explaining, clock },
      { column: 'transport_company_id', id: DESERT },
      FEBRUARY,
      checked,
    )
    expect(named[0]?.billed_on).toHaveLength(4)
    expect(count).toBeGreaterThan(lines.length)
    expect(count).toBeLessThan(lines.length * 200)
  })

  test('is refused if a billed unit has more than 20 OSL entries in the period', async () => {
    const { body } = await h.cast.ada.post('/vendors', { vendor_name: 'Yard One' })
    const { id: vendor } = body.data as { id: number }
    await h.ctx.db.execute(sql`insert into vehicles (unit_number) values ('100001')`)
    await h.ctx.db.execute(sql`insert into osl_entries (unit_number, osl_date, location_id, problem, vendor_id,
        storage_fees_applicable, storage_fee_daily_rate, status)
      select '100001', date '2026-02-01', (select min(id) from locations), 'Flat tire', ${vendor}::int, true, 10,
        'Out of Service' from generate_series(1, 21)`)
    const refused = await h.cast.ben.post(`/vendors/${vendor}/invoices`, {
      number: 'A',
      lines: [{ unit_number: '100001', amount: 10 }],
      ...FEBRUARY,
    })
    const message = 'Unit 100001 has more than 20 OSL entries in this period. Choose a shorter period.'
    expect([refused.status, refused.body.errors?.[0]]).toEqual([422, { field: 'end_date', message }])
  })

  test('is refused if the vendor has too many OSL entries and invoices in the period', async () => {
    const { body } = await h.cast.ada.post('/vendors', { vendor_name: 'Yard One' })
    const { id: vendor } = body.data as { id: number }
    const { db } = h.ctx
    await db.execute(sql`insert into vehicles (unit_number) select (100100 + n)::text from generate_series(1, 100) n`)
    await db.execute(sql`insert into osl_entries (unit_number, osl_date, location_id, problem, vendor_id,
        storage_fees_applicable, storage_fee_daily_rate, status)
      select (100100 + u)::text, date '2025-01-01', (select min(id) from locations), 'Flat tire', ${vendor}::int, true,
        10, 'Out of Service' from generate_series(1, 100) u, generate_series(1, 20) n`)
    await db.execute(sql`insert into vendor_invoices (vendor_id, number, start_date, end_date)
      select ${vendor}::int, n::text, date '2025-01-01' + 2 * n, date '2025-01-01' + 2 * n
      from generate_series(1, 101) n`)
    await db.execute(sql`insert into vendor_invoice_lines (invoice_id, unit_number, amount, expected, status)
      select i.id, (100100 + u)::text, 10, 10, 'matched' from vendor_invoices i, generate_series(1, 100) u`)
    const send = (end_date: string) =>
      h.cast.ben.post(`/vendors/${vendor}/invoices`, {
        number: end_date,
        lines: [{ unit_number: '100101', amount: 10 }],
        start_date: '2025-01-01',
        end_date,
      })
    const message = 'This vendor has too many OSL entries and invoices in this period. Choose a shorter period.'
    expect((await send('2026-02-28')).body.errors?.[0]).toEqual({ field: 'end_date', message })
    expect((await send('2025-03-01')).status).toBe(201)
  })
})
