import { beforeEach, describe, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../db/client'
import { nameOtherInvoices } from '../../src/features/billing/billed-twice'
import { movesChecked } from '../../src/features/billing/moves'
import { expectedByUnit } from '../../src/features/billing/statement'
import { storageChecked } from '../../src/features/billing/storage'
import { testContext } from '../support/context'
import { makeTransport } from '../support/entries'
import { FEBRUARY, storeInvoice } from '../support/invoices'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const DESERT = 1
const DESERT_PATH = `/transport-companies/${DESERT}`

const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

type Plan = { [figure: string]: unknown; Plans?: Plan[] }

/** Counts the rows that a query plan reads or compares, over all its steps. */
function countRows(plan: Plan): number {
  const figure = (name: string) => Number(plan[name] ?? 0)
  const own = figure('Actual Rows') + figure('Rows Removed by Filter') + figure('Rows Removed by Join Filter')
  return own * figure('Actual Loops') + (plan.Plans ?? []).reduce((sum, part) => sum + countRows(part), 0)
}

/** Counts the rows that the queries of `work` read or compare. */
async function rowsReadBy(db: Db, work: (db: Db) => Promise<unknown>): Promise<number> {
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
  await work(explaining)
  return count
}

/** Creates a vendor whose OSL entries of these units cost $10 a day since 2025-01-01. Returns the id of the vendor. */
async function storeUnits(units: number): Promise<number> {
  const { body } = await h.cast.ada.post('/vendors', { vendor_name: 'Yard One' })
  const { id: vendor } = body.data as { id: number }
  await h.ctx.db.execute(sql`insert into vehicles (unit_number)
    select (100100 + n)::text from generate_series(1, ${units}) n`)
  await h.ctx.db.execute(sql`insert into osl_entries (unit_number, osl_date, location_id, problem, vendor_id,
      storage_fees_applicable, storage_fee_daily_rate, status)
    select (100100 + u)::text, date '2025-01-01', (select min(id) from locations), 'Flat tire', ${vendor}::int, true,
      10, 'Out of Service' from generate_series(1, ${units}) u`)
  return vendor
}

/** Stores one-day invoices, on every second day from 2025-01-03 on. Each bills the first units of `storeUnits`. */
async function storeDays(vendor: number, invoices: number, units: number) {
  await h.ctx.db.execute(sql`insert into vendor_invoices (vendor_id, number, start_date, end_date)
    select ${vendor}::int, n::text, date '2025-01-01' + 2 * n, date '2025-01-01' + 2 * n
    from generate_series(1, ${invoices}) n`)
  await h.ctx.db.execute(sql`insert into vendor_invoice_lines (invoice_id, unit_number, amount, expected, status)
    select i.id, (100100 + u)::text, 10, 10, 'matched' from vendor_invoices i, generate_series(1, ${units}) u`)
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
    const count = await rowsReadBy(db, async (db) => {
      const by = { column: 'transport_company_id', id: DESERT } as const
      const named = await nameOtherInvoices({ db, clock }, by, FEBRUARY, checked)
      expect(named[0]?.billed_on).toHaveLength(4)
    })
    expect(count).toBeGreaterThan(lines.length)
    expect(count).toBeLessThan(lines.length * 200)
  })

  test('reads the transports of each unit once to explain its lines', async () => {
    await h.ctx.db.execute(sql`insert into vehicles (unit_number) values ('100101'), ('100102')`)
    await h.ctx.db.execute(sql`insert into transports (unit_number, location_out_id, location_in_id,
        transport_company_id, move_date, status)
      select (100101 + n % 2)::text, (select min(id) from locations), (select max(id) from locations),
        ${DESERT}::int, date '2016-01-01' + n / 2, 'Delivered' from generate_series(1, 4000) n`)
    const lines = Array.from({ length: 200 }, (_, at) => ({
      unit_number: String(100_101 + (at % 2)),
      amount: at + 1,
      move_date: '2026-02-03',
    }))
    const { db, clock } = h.ctx
    const count = await rowsReadBy(db, async (db) => {
      const checked = await movesChecked(db, clock, DESERT, FEBRUARY, lines)
      expect(checked[0]?.reason).toContain('was moved by Desert Auto Haul on 06/23/2021, outside the invoice period')
    })
    expect(count).toBeLessThan(100_000)
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

  test('compares lines of a unit that differ only in their amounts once', async () => {
    const vendor = await storeUnits(2)
    await storeDays(vendor, 90, 2)
    const { db, clock } = h.ctx
    const period = { start_date: '2025-01-01', end_date: '2025-07-31' }
    // The first 99 amounts are all different, and the last one makes the sum equal to the expected charge.
    const cents = [...Array.from({ length: 99 }, (_, at) => at + 1), 0]
    const [charge] = await expectedByUnit(db, clock, vendor, period)
    cents[99] = Math.round((charge?.expected ?? 0) * 100) - cents.reduce((sum, one) => sum + one, 0)
    const lines = ['100101', '100102'].flatMap((unit_number) =>
      cents.map((amount) => ({ unit_number, amount: amount / 100, days: null, daily_rate: null })),
    )
    const checked = await storageChecked(db, clock, vendor, period, lines)
    expect(new Set(checked.map(({ status }) => status))).toEqual(new Set(['matched']))
    const count = await rowsReadBy(db, (db) =>
      nameOtherInvoices({ db, clock }, { column: 'vendor_id', id: vendor }, period, checked),
    )
    expect(count).toBeGreaterThan(180)
    expect(count).toBeLessThan(180 * 40)
  })

  test('is refused if its lines would be compared with too many invoices', async () => {
    const vendor = await storeUnits(1)
    await storeDays(vendor, 2001, 1)
    const { db, clock } = h.ctx
    const compared = (
      count: number,
      record: { unit_number?: string; transport_id?: number; osl_ids?: number[] } = {},
    ) =>
      nameOtherInvoices(
        { db, clock },
        { column: 'vendor_id', id: vendor },
        FEBRUARY,
        Array.from({ length: count }, (_, at) => ({
          ...{ unit_number: '100101', amount: 10, expected: 0, status: 'not_ours', reason: null },
          ...{ osl_id: null, osl_ids: [], transport_id: null, billed_on: [], ...record },
          // Each line bills other days, so that no two lines are compared together.
          billed_days: `{[2024-01-01,${dayAfter('2024-01-01', at + 1)})}`,
        })),
      ).then(
        (named) => named.length,
        (error) => error.errors[0].message,
      )
    const message = 'The units of these lines are on too many other invoices. Divide the invoice.'
    expect([await compared(99), await compared(100)]).toEqual([99, message])
    // An invoice can have many equal lines.
    await db.execute(sql`insert into vendor_invoice_lines (invoice_id, unit_number, amount, expected, status)
      select (select min(id) from vendor_invoices), '100101', 1, 0, 'differs' from generate_series(1, 100000)`)
    expect(await compared(1)).toBe(message)
    // The unit of a record can be changed after it was billed.
    const renamed = { unit_number: '100102' }
    expect(await compared(1, renamed)).toBe(1)
    await db.execute(sql`update vendor_invoice_lines set osl_ids = '{7}'`)
    expect(await compared(1, { ...renamed, osl_ids: [7] })).toBe(message)
    const transport_id = await makeTransport(h.cast, renamed)
    await db.execute(sql`update vendor_invoice_lines set osl_ids = '{}', transport_id = ${transport_id}`)
    expect(await compared(1, { ...renamed, transport_id })).toBe(message)
  })

  test('is refused if more than 100 invoices already bill a unit in the period', async () => {
    const vendor = await storeUnits(2)
    await storeDays(vendor, 101, 1)
    const send = (unit_number: string, end_date: string) =>
      h.cast.ben.post(`/vendors/${vendor}/invoices`, {
        number: `${unit_number} ${end_date}`,
        lines: [{ unit_number, amount: 10 }],
        start_date: '2025-01-01',
        end_date,
      })
    const message =
      'Unit 100101 is on more than 100 other invoices for days of this period. ' +
      'Dispute or delete some of them, or choose a shorter period.'
    const refused = await send('100101', '2025-07-31')
    expect([refused.status, refused.body.errors?.[0]]).toEqual([422, { field: 'end_date', message }])
    expect([(await send('100102', '2025-07-31')).status, (await send('100101', '2025-07-20')).status]).toEqual([
      201, 201,
    ])
  })

  test('is refused if more than 3,000 other units have storage fees in the period', async () => {
    const vendor = await storeUnits(3002)
    const send = (lines: number) =>
      h.cast.ben.post(`/vendors/${vendor}/invoices`, {
        number: String(lines),
        lines: Array.from({ length: lines }, (_, at) => ({ unit_number: String(100_101 + at), amount: 10 })),
        ...FEBRUARY,
      })
    const message = 'More than 3000 other units of this vendor have storage fees in this period. Add more lines.'
    expect((await send(1)).body.errors?.[0]).toEqual({ field: 'lines', message })
    expect((await send(2)).status).toBe(201)
  })

  test('with a number that exists is refused before its lines are checked', async () => {
    const vendor = await storeUnits(1)
    const lines = [{ unit_number: '100101', amount: 10 }]
    const send = (number: string, unit: string) =>
      h.cast.ben.post(`/vendors/${vendor}/invoices`, {
        number,
        lines: lines.map((line) => ({ ...line, unit_number: unit })),
        ...FEBRUARY,
      })
    expect((await send('Inv-1', '100101')).status).toBe(201)
    // More entries than an invoice may have would be refused by the check of the lines.
    await h.ctx.db.execute(sql`insert into osl_entries (unit_number, osl_date, location_id, problem, status)
      select '100101', date '2026-02-01', (select min(id) from locations), 'Flat tire', 'Out of Service'
      from generate_series(1, 21)`)
    const answers = [await send('INV-1', '100101'), await send('Inv-2', '100101')]
    expect(answers.map(({ status, body }) => [status, body.errors?.[0]?.field])).toEqual([
      [409, 'number'],
      [422, 'end_date'],
    ])
  })

  test('is refused if the vendor has too many OSL entries and invoices in the period', async () => {
    const vendor = await storeUnits(100)
    await h.ctx.db.execute(sql`insert into osl_entries (unit_number, osl_date, location_id, problem, vendor_id,
        storage_fees_applicable, storage_fee_daily_rate, status)
      select e.unit_number, e.osl_date, e.location_id, e.problem, e.vendor_id, true, 10, e.status
      from osl_entries e, generate_series(2, 20) n`)
    await storeDays(vendor, 101, 100)
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
