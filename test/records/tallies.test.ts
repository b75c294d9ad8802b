import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { rows } from '../../db/client'
import { MOVE_TYPES, TRANSPORT_STATUSES } from '../../db/vocabulary'
import { COST_REPORTS } from '../../src/features/reports/cost-reports'
import { reportSql } from '../../src/features/reports/define'
import { foldTallies } from '../../src/platform/records/tallies'
import { testContext } from '../support/context'
import { cents, nearDay, seeded } from '../support/property'

/** Tallies of the database equal counts of the rows after any inserts, updates and deletes. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
  await h.ctx.db.execute(
    sql`insert into vehicles (unit_number) select (100200 + n)::text from generate_series(0, 4) n
      on conflict do nothing`,
  )
})

type Answer = { body: { data?: unknown; meta?: Record<string, unknown> | undefined } }
const idOf = ({ body }: Answer) => (body.data as { id: number }).id
const totalOf = ({ body }: Answer) => body.meta?.total

const differing = () =>
  rows(
    h.ctx.db,
    sql`select * from (
        select tally, day, type, sum(count)::int as count, sum(amount) as amount from tallies
        group by tally, day, type having sum(count) <> 0 or sum(amount) <> 0) kept
      full join (
        select 'delivered transports'::varchar as tally, move_date as day, move_type as type, count(*)::int as count,
          sum(coalesce(final_cost, 0)) as amount
        from transports where status = 'Delivered' group by move_date, move_type
        union all select 'received registrations', date_expires, registration_type, count(*)::int,
          sum(coalesce(cost, 0) + coalesce(vlt, 0))
        from registrations where received group by date_expires, registration_type
        union all select 'issued registrations', date_issued, registration_type, count(*)::int,
          sum(coalesce(cost, 0) + coalesce(vlt, 0))
        from registrations group by date_issued, registration_type) counted
      using (tally, day, type, count, amount) where kept.tally is null or counted.tally is null`,
  )

const move = fc.record({
  day: nearDay,
  type: fc.constantFrom(...MOVE_TYPES),
  status: fc.constantFrom(...TRANSPORT_STATUSES, 'Delivered' as const),
  cost: fc.option(cents),
})
const step = fc.oneof(
  fc.record({ what: fc.constant('add' as const), count: fc.integer({ min: 1, max: 30 }), move }),
  fc.record({ what: fc.constant('change' as const), every: fc.integer({ min: 1, max: 4 }), move }),
  fc.record({ what: fc.constant('remove' as const), every: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ what: fc.constantFrom('fold' as const, 'empty' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

async function take(step: Step) {
  const { db } = h.ctx
  if (step.what === 'add')
    return db.execute(sql`insert into transports (unit_number, location_out_id, location_in_id, transport_company_id,
      move_date, move_type, status, final_cost)
      select (100200 + n % 5)::text, 1, 2, 1, ${step.move.day}::date + n % 3, ${step.move.type}, ${step.move.status},
      ${step.move.cost}::bigint / 100.0
      from generate_series(1, ${step.count}::int) n`)
  if (step.what === 'change')
    return db.execute(sql`update transports set move_date = ${step.move.day}::date, move_type = ${step.move.type},
      status = ${step.move.status},
      final_cost = ${step.move.cost}::bigint / 100.0 where id % ${step.every}::int = 0`)
  if (step.what === 'remove') return db.execute(sql`delete from transports where id % ${step.every}::int = 0`)
  if (step.what === 'fold') return foldTallies(db)
  return db.execute(sql`truncate transports cascade`)
}

test('tallies match the rows after statements of any size and after folding', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      await h.ctx.db.execute(sql`truncate transports cascade`)
      for (const one of steps) {
        await take(one)
        expect([one, await differing()]).toEqual([one, []])
      }
    }),
    seeded(25),
  )
})

/** Returns the months of the cost report twice: from tallies, and from every record. */
async function months() {
  const { monthly_costs } = COST_REPORTS
  const parameters = {
    ...{ start_date: '2025-06-01', end_date: '2027-06-30', location_id: null },
    ...{ today: h.ctx.clock.today(), timeZone: h.ctx.clock.timeZone },
  }
  const { sums: _, ...read } = monthly_costs
  // `0` and `0.00` are one amount.
  const asAmounts = ({ month, ...amounts }: Record<string, unknown>) => [month, ...Object.values(amounts).map(Number)]
  return Promise.all(
    [monthly_costs, read].map(async (report) => (await rows(h.ctx.db, reportSql(report, parameters))).map(asAmounts)),
  )
}

const paper = fc.record({ issued: nearDay, cost: fc.option(cents), vlt: fc.option(cents) })
const papers = fc.oneof(
  fc.record({ what: fc.constant('add' as const), count: fc.integer({ min: 1, max: 9 }), paper }),
  fc.record({ what: fc.constant('change' as const), every: fc.integer({ min: 1, max: 3 }), paper }),
  fc.record({ what: fc.constant('remove' as const), every: fc.integer({ min: 1, max: 4 }) }),
)

test('monthly costs from tallies equal those computed from every record', async () => {
  const { ctx, cast } = h
  await cast.ben.post('/osl', {
    ...{ unit_number: '100201', osl_date: '2026-01-20', location_id: 1, problem: 'Does not start at all' },
    storage_fee_daily_rate: 12.5,
  })
  const move = { type: 'TA', status: 'Delivered', cost: 1050 } as const
  await take({ what: 'add', count: 9, move: { ...move, day: '2026-02-27' } })
  await fc.assert(
    fc.asyncProperty(fc.array(papers, { minLength: 2, maxLength: 8 }), async (steps) => {
      await ctx.db.execute(sql`truncate registrations cascade`)
      for (const one of steps) {
        if (one.what === 'add')
          await ctx.db.execute(sql`insert into registrations (unit_number, plate_number, state_province,
            registration_type, location_id, date_issued, date_expires, cost, vlt)
            select '100200', 'P' || n, 'AZ', 'Renewal', 1, ${one.paper.issued}::date - n * 9,
            ${one.paper.issued}::date + 365, ${one.paper.cost}::bigint / 100.0, ${one.paper.vlt}::bigint / 100.0
            from generate_series(1, ${one.count}::int) n`)
        else if (one.what === 'change')
          await ctx.db.execute(sql`update registrations set date_issued = ${one.paper.issued}::date,
            date_expires = ${one.paper.issued}::date + 365,
            cost = ${one.paper.cost}::bigint / 100.0, vlt = ${one.paper.vlt}::bigint / 100.0
            where id % ${one.every}::int = 0`)
        else await ctx.db.execute(sql`delete from registrations where id % ${one.every}::int = 0`)
        const [fromTallies, read] = await months()
        expect([one, fromTallies]).toEqual([one, read])
      }
      expect(await differing()).toEqual([])
    }),
    seeded(15),
  )
  // A month without costs has no row.
  await ctx.db.execute(sql`truncate registrations cascade`)
  const before = await months()
  expect([before[0]?.length, before[0]]).toEqual([3, before[1]])
  await ctx.db.execute(sql`update transports set move_date = move_date + 365`)
  await ctx.db.execute(sql`update transports set status = 'In Transit'`)
  const [fromTallies, read] = await months()
  expect(fromTallies).toEqual(read)
})

test('folding reduces a day to one row', async () => {
  for (let n = 0; n < 25; n++)
    await take({ what: 'add', count: 1, move: { day: '2026-03-01', type: 'TA', status: 'Delivered', cost: 1050 } })
  const count = async () =>
    (await rows<{ n: number }>(h.ctx.db, sql`select count(*)::int as n from tallies where day = '2026-03-02'`))[0]?.n
  expect(await count()).toBe(25)
  await foldTallies(h.ctx.db)
  expect([await count(), await differing()]).toEqual([1, []])
  await foldTallies(h.ctx.db)
  expect(await count()).toBe(1)
})

test('tallies stay correct through API changes, bulk edits, undo, delete and restore', async () => {
  const { ben } = h.cast
  const base = { location_out_id: 1, location_in_id: 2, transport_company_id: 1, status: 'Delivered' }
  const ids: number[] = []
  for (const [n, day] of ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'].entries())
    for (const [at, move_type] of MOVE_TYPES.entries())
      ids.push(
        idOf(
          await ben.post('/transports', {
            ...base,
            unit_number: String(100_200 + n),
            move_date: day,
            move_type,
            final_cost: at ? 10.5 * at : null,
          }),
        ),
      )
  const within = 'start_date=2026-02-28&end_date=2026-03-01'
  const readTotals = async () => [
    totalOf(await ben.get(`/transports/completed?${within}`)),
    totalOf(await ben.get(`/transports/completed?${within}&move_type=TA`)),
    (await ben.get(`/transports/totals?${within}`)).body.data,
    totalOf(await ben.get('/transports')),
    totalOf(await ben.get(`/transports/completed?${within}&location_id=1`)),
  ]
  const totals = (count: number, each: number[]) =>
    MOVE_TYPES.map((move_type, at) => ({ move_type, count, total_cost: each[at] })).sort((a, b) =>
      a.move_type.localeCompare(b.move_type),
    )
  expect(await readTotals()).toEqual([8, 2, totals(2, [0, 21, 42, 63]), 16, 8])
  await ben.patch(`/transports/${ids[4]}/status`, { status: 'In Transit' })
  await ben.put(`/transports/${ids[5]}`, { final_cost: 100, move_date: '2026-02-27' })
  await ben.delete(`/transports/${ids[6]}`)
  expect(await readTotals()).toMatchObject([5, 1, { length: 4 }, 15, 5])
  expect(await differing()).toEqual([])
  await ben.post(`/transports/${ids[6]}/restore`)
  const bulk = await ben.post('/transports/bulk', { ids: ids.slice(8), set: { status: 'Awaiting Pickup' } })
  expect(await readTotals()).toMatchObject([2, 1, { length: 2 }, 16, 2])
  expect(await differing()).toEqual([])
  await ben.post(`/bulk/${idOf(bulk)}/undo`)
  expect([(await readTotals())[0], await differing()]).toEqual([6, []])
})

test('registration tallies follow received papers', async () => {
  const { ben } = h.cast
  const papers = { unit_number: '100200', location_id: 1, state_province: 'AZ', date_issued: '2026-01-01' }
  const ids: number[] = []
  for (const plate_number of ['A1', 'A2', 'A3'])
    ids.push(
      idOf(
        await ben.post('/registrations', { ...papers, plate_number, date_expires: '2027-01-01', cost: 92.5, vlt: 10 }),
      ),
    )
  const received = async () => [
    totalOf(await ben.get('/registrations/completed')),
    totalOf(await ben.get('/registrations/completed?location_id=1')),
    await differing(),
  ]
  expect(await received()).toEqual([0, 0, []])
  for (const id of ids) await ben.patch(`/registrations/${id}/toggle-received`)
  expect(await received()).toEqual([3, 3, []])
  await ben.patch(`/registrations/${ids[0]}/toggle-received`)
  await ben.delete(`/registrations/${ids[1]}`)
  expect(await received()).toEqual([1, 1, []])
})
