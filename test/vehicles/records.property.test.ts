import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { rows } from '../../db/client'
import { MOVE_TYPES, OSL_STATUSES, TRANSPORT_STATUSES } from '../../db/vocabulary'
import { mileageByRecords, placeByRecords, statusByRecords } from '../../src/features/vehicles/sql'
import { testContext } from '../support/context'
import { inBatches, nearDay, rowsOf } from '../support/property'

/** Compares the SQL with a vehicle's state that is derived from its records by the contract. */

const UNITS = Array.from({ length: 12 }, (_, n) => String(100_200 + n))
const unit_number = fc.constantFrom(...UNITS)
const mileage = fc.option(fc.integer({ min: 0, max: 200 }))
const place = fc.integer({ min: 1, max: 3 })
const move = fc.record({
  kind: fc.constant('move' as const),
  unit_number,
  status: fc.constantFrom(...TRANSPORT_STATUSES, 'Delivered' as const, 'Delivered' as const),
  move_type: fc.constantFrom(...MOVE_TYPES),
  move_date: nearDay,
  actual_arrival_date: fc.option(nearDay),
  location_in_id: place,
  mileage,
})
const osl = fc.record({
  kind: fc.constant('osl' as const),
  unit_number,
  status: fc.constantFrom(...OSL_STATUSES, 'Completed' as const, 'Completed' as const),
  osl_date: nearDay,
  location_id: place,
  osl_mileage: mileage,
})
type Stored<Arbitrary> = Arbitrary extends fc.Arbitrary<infer One> ? One & { id: number } : never
type Move = Stored<typeof move>
type Osl = Stored<typeof osl>

/** Returns the item with the greatest key, or the newest one of several. */
const latest = <One extends { id: number }>(all: One[], key: (one: One) => string) =>
  all.toSorted((a, b) => key(a).localeCompare(key(b)) || a.id - b.id).at(-1)
const arrivedOn = (one: Move) => one.actual_arrival_date ?? one.move_date

function expectedOf(moves: Move[], entries: Osl[], placeNames: string[]) {
  const delivered = latest(
    moves.filter(({ status }) => status === 'Delivered'),
    arrivedOn,
  )
  const entry = latest(entries, (one) => one.osl_date)
  const isOut = entries.some(({ status }) => status !== 'Completed')
  const isMoving = moves.some(({ status }) => status === 'In Transit')
  const isSold = delivered?.move_type === 'Sales'
  const byEntry = entry && (!delivered || entry.osl_date > arrivedOn(delivered))
  const place = byEntry ? entry.location_id : delivered?.location_in_id
  // Readings in the order of their days. A reading below an older one does not count.
  const readings = [
    ...moves.map((one) => ({ day: one.move_date, reading: one.mileage })),
    ...entries.map((one) => ({ day: one.osl_date, reading: one.osl_mileage })),
  ].toSorted((a, b) => a.day.localeCompare(b.day))
  let counted: number | null = null
  for (const { reading } of readings) if (reading !== null && reading >= (counted ?? 0)) counted = reading
  return {
    status: isOut ? 'Out of Service' : isMoving ? 'In Transit' : isSold ? 'Sold' : 'Available',
    place: place ? (placeNames[place - 1] as string) : null,
    mileage: counted,
  }
}

test('status, location and mileage match the records', async () => {
  const { ctx, cast } = await testContext()
  expect([cast.phoenix, cast.tempe, cast.mesa]).toEqual([1, 2, 3])
  await ctx.db.execute(sql`insert into vehicles (unit_number) select unnest(${`{${UNITS}}`}::text::text[])`)
  await inBatches(
    fc.oneof(move, osl),
    fc.constant(null),
    async (batch) => {
      const stored = batch.map((one, at) => ({ ...one, id: at + 1 }))
      const moves = stored.filter((one) => one.kind === 'move')
      const entries = stored.filter((one) => one.kind === 'osl')
      await ctx.db.execute(sql`truncate transports, osl_entries cascade`)
      await ctx.db.execute(sql`insert into transports (id, unit_number, location_out_id, location_in_id, move_date,
        actual_arrival_date, mileage, move_type, transport_company_id, status)
        select t.id, t.unit_number, 1, t.location_in_id, t.move_date, t.actual_arrival_date, t.mileage, t.move_type,
        ${cast.desert}::int, t.status from ${rowsOf('transports', moves, 't')}`)
      await ctx.db.execute(sql`insert into osl_entries (id, unit_number, osl_date, location_id, problem, status,
        osl_mileage)
        select e.id, e.unit_number, e.osl_date, e.location_id, 'Transmission slips', e.status, e.osl_mileage
        from ${rowsOf('osl_entries', entries, 'e')}`)
      const unit = sql`v.unit_number`
      const found = await rows(
        ctx.db,
        sql`select ${statusByRecords(unit)} as status, ${placeByRecords(unit)} as place,
          ${mileageByRecords(unit)} as mileage
          from vehicles v order by v.unit_number`,
      )
      const of = (unit: string) => (one: { unit_number: string }) => one.unit_number === unit
      expect(found).toEqual(
        UNITS.map((unit) => expectedOf(moves.filter(of(unit)), entries.filter(of(unit)), ['Phoenix', 'Tempe', 'Mesa'])),
      )
    },
    { upTo: 40 },
  )
})
