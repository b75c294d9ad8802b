import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { rows } from '../../db/client'
import { type TransportStatus, VEHICLE_STATUSES } from '../../db/vocabulary'
import { createTransport, updateTransport } from '../../src/features/transports/mutations'
import { transport } from '../../src/features/transports/rules'
import { accept } from '../../src/platform/accept'
import { scheduleWrite } from '../../src/platform/records/transactions'
import { testContext } from '../support/context'
import { inBatches, rowsOf } from '../support/property'

/**
 * Importing a record changes its vehicle as entering the record does.
 * Each case has two vehicles with the same past. The next record is entered for one and imported for the other.
 */

const STATUSES: TransportStatus[] = ['Awaiting Pickup', 'Searching For Driver', 'In Transit', 'Delivered']
const moved = fc.constantFrom('2026-03-09', '2026-03-10', '2026-03-11')
const few = fc.option(fc.integer({ min: 1, max: 9 }))
const transportFields = fc.record({
  status: fc.constantFrom(...STATUSES, 'Delivered' as const),
  move_type: fc.constantFrom('Fleet', 'Sales', 'TA'),
  mileage: few,
  final_cost: few,
  arrival: fc.constantFrom('2026-03-12', '2026-03-13'),
})
const one = fc.record({
  vehicle: fc.record({
    current_status: fc.option(fc.constantFrom(...VEHICLE_STATUSES)),
    current_location: fc.option(fc.constantFrom('Tempe', 'Somewhere else')),
    current_mileage: few,
  }),
  earlier: transportFields,
  /** True if the vehicle also has an active OSL entry, with the reading `osl_mileage`. */
  isOut: fc.constantFrom(false, false, true),
  osl_mileage: few,
  moved,
  /** True if the row updates the earlier transport. `differs` lists the fields that it changes. */
  isSame: fc.boolean(),
  differs: fc.subarray(['status', 'move_type', 'mileage', 'final_cost', 'arrival'] as const),
  next: transportFields,
})
type Case = typeof one extends fc.Arbitrary<infer T> ? T : never

const unitOf = (side: 1 | 2, at: number) => String(side * 100_000 + at)
const arrivalOf = ({ status, arrival }: { status: string; arrival: string }) =>
  status === 'Delivered' ? arrival : null
/** Returns the values of the row. A row for the earlier transport changes only the fields in `differs`. */
const buildRow = ({ earlier, isSame, differs, next }: Case) => {
  const now = isSame ? { ...earlier, ...Object.fromEntries(differs.map((field) => [field, next[field]])) } : next
  const { arrival, ...fields } = now
  return { ...fields, actual_arrival_date: arrivalOf(now) }
}
const given = (values: object) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

const HEADER =
  'unit_number,move_date,status,move_type,mileage,final_cost,actual_arrival_date,location_out,location_in,' +
  'transport_company'

test('importing a record updates its vehicle as typing it does', async () => {
  const { ctx, cast, clock } = await testContext()
  const { db } = ctx
  const write = scheduleWrite(db, clock)
  const route = { location_out_id: cast.phoenix, transport_company_id: cast.desert }

  /** Stores the vehicles and records of both sides. The id of a transport is its vehicle's unit number. */
  async function store(cases: Case[]) {
    await db.execute(sql`truncate transports, osl_entries, vehicles cascade`)
    const both = ([1, 2] as const).flatMap((side) =>
      cases.map((each, at) => ({ ...each, unit_number: unitOf(side, at) })),
    )
    const vehicles = both.map(({ unit_number, vehicle }) => ({ unit_number, ...vehicle }))
    await db.execute(sql`insert into vehicles (unit_number, current_status, current_location, current_mileage)
      select v.unit_number, v.current_status, v.current_location, v.current_mileage
      from ${rowsOf('vehicles', vehicles, 'v')}`)
    const moves = both.map(({ unit_number, moved, earlier }) => ({
      ...{
        ...earlier,
        unit_number,
        id: Number(unit_number),
        move_date: moved,
        actual_arrival_date: arrivalOf(earlier),
      },
    }))
    await db.execute(sql`insert into transports (id, unit_number, location_out_id, location_in_id, move_date,
      actual_arrival_date, mileage, move_type, transport_company_id, status, final_cost)
      select t.id, t.unit_number, ${cast.phoenix}::int, ${cast.tempe}::int, t.move_date, t.actual_arrival_date,
      t.mileage, t.move_type, ${cast.desert}::int, t.status, t.final_cost
      from ${rowsOf('transports', moves, 't')}`)
    await db.execute(sql`insert into osl_entries (unit_number, osl_date, location_id, problem, osl_mileage)
      select e.unit_number, '2026-03-10', ${cast.mesa}::int, 'Transmission slips', e.osl_mileage
      from ${rowsOf(
        'osl_entries',
        both.filter(({ isOut }) => isOut),
        'e',
      )}`)
  }

  async function type(each: Case, at: number) {
    const unit_number = unitOf(1, at)
    const values = { ...given(buildRow(each)), move_date: each.moved }
    if (each.isSame) await updateTransport(write, Number(unit_number), undefined, values)
    else
      await createTransport(write, accept(transport, { ...values, ...route, unit_number, location_in_id: cast.mesa }))
  }

  const lineOf = (each: Case, at: number) => {
    const { status, move_type, mileage, final_cost, actual_arrival_date } = buildRow(each)
    const cells = [status, move_type, mileage, final_cost, actual_arrival_date].map((cell) => cell ?? '')
    return [unitOf(2, at), each.moved, ...cells, 'Phoenix', each.isSame ? 'Tempe' : 'Mesa', 'Desert Auto Haul'].join()
  }

  await inBatches(
    one,
    fc.constant(null),
    async (cases) => {
      await store(cases)
      for (const [at, each] of cases.entries()) await type(each, at)
      const file = [HEADER, ...cases.map(lineOf)].join('\n')
      const { id } = await cast.ben.begin('transports', 'moves.csv', file, { existing: 'update' })
      await cast.ben.post(`/files/${id}/commit`)
      expect(await cast.ben.settled(id)).toMatchObject({
        failed: 0,
        imported: cases.filter(({ isSame }) => !isSame).length,
      })
      const found = await rows<{ unit_number: string }>(
        db,
        sql`select unit_number, current_status, current_location, current_mileage from vehicles order by unit_number`,
      )
      const typed = found.slice(0, cases.length)
      expect(found.slice(cases.length)).toEqual(typed.map((all, at) => ({ ...all, unit_number: unitOf(2, at) })))
    },
    { runs: 2, upTo: 25 },
  )
})
