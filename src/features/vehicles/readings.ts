import { asc, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, idList, rows } from '../../../db/client'
import { auditEntries, oslEntries, transports, vehicleReadings, vehicles } from '../../../db/schema'
import { accept } from '../../platform/accept'
import { auditEntry, changesBetween } from '../../platform/records/audit-entry'
import { type Listing, listing } from '../../platform/records/listing'
import { inTransaction, type Write } from '../../platform/records/transactions'
import { Refusal, Refused } from '../../platform/refusals'
import type { Vehicle } from './find'
import { type readingFilters, vehicleReading } from './rules'
import { placeDayByRecords } from './sql'

type Given = z.output<typeof vehicleReading>
type Reading = Pick<Given, 'at' | 'mileage' | 'location'> & { unit_number: string }
type StoredReading = typeof vehicleReadings.$inferSelect
export type ReadingResult = { accepted: number; ignored: number; errors: { index: number; message: string }[] }

/**
 * How far in the future a reading can be, in milliseconds. The clock of a device can be fast. A reading dated next week
 * would remain the latest reading for a week and hide correct readings.
 */
const AHEAD_MS = 60 * 60 * 1000

/**
 * Maximum number of later readings of all units of a request. All of them are checked again when older readings arrive.
 */
const LATER_LIMIT = 100_000

/** Returns the time of the oldest acceptable reading of each unit that would exceed `LATER_LIMIT`. */
async function oldestTimes(tx: Db, readings: Reading[]): Promise<Map<string, Date>> {
  const first = [...Map.groupBy(readings, ({ unit_number }) => unit_number)].map(([unit_number, all]) => ({
    unit_number,
    at: new Date(Math.min(...all.map(({ at }) => at.getTime()))),
  }))
  const found = await rows<{ unit_number: string; at: string }>(
    tx,
    sql`with counted as materialized (
        select f.*, (select count(*) from (select from ${vehicleReadings} g
          where g.unit_number = f.unit_number and g.at > f.at limit ${LATER_LIMIT + 1}::int) l) as later
        from json_to_recordset(${JSON.stringify(first)}::json) f (unit_number varchar, at timestamptz)),
      allowed as (select *, greatest(0, ${LATER_LIMIT}::int - coalesce(sum(later) over (order by unit_number
          rows between unbounded preceding and 1 preceding), 0))::int as most from counted)
      select f.unit_number, l.at from allowed f
      cross join lateral (select g.at from ${vehicleReadings} g
        where g.unit_number = f.unit_number and g.at > f.at order by g.at desc offset f.most limit 1) l
      where f.later > f.most`,
  )
  return new Map(found.map(({ unit_number, at }) => [unit_number, new Date(at)]))
}

function readGiven(item: unknown, now: Date): Given {
  if (typeof item !== 'object' || item === null) throw new Refusal(422, 'Must be a telematics reading (a JSON object)')
  const given = accept(vehicleReading, item)
  if (!given.unit_number && !given.vin) throw Refused.field('unit_number', 'Send a unit number or a VIN')
  if (given.mileage === null && given.location === null) throw Refused.field('mileage', 'Send a mileage or a location')
  if (given.at.getTime() > now.getTime() + AHEAD_MS) throw Refused.field('at', 'Must not be in the future')
  return given
}

const messageOf = ({ errors = [], message }: Refusal) =>
  errors.map((error) => `${error.field}: ${error.message}`).join('; ') || message

/** Locks vehicles in unit-number order, so that concurrent batches cannot deadlock. */
const holdVehicles = (tx: Db, given: Given[]) =>
  tx
    .select()
    .from(vehicles)
    .where(
      or(
        inArray(vehicles.unit_number, [...new Set(given.flatMap(({ unit_number: unit }) => unit ?? []))]),
        inArray(vehicles.vin, [...new Set(given.flatMap(({ vin }) => vin ?? []))]),
      ),
    )
    .orderBy(asc(vehicles.unit_number))
    .for('no key update')

/**
 * Stores telematics readings and updates their vehicles. Each reading is accepted or rejected separately.
 * A reading with a lower mileage than an older reading or record is stored, but reported as ignored. A reading that is
 * already stored counts as ignored, too.
 */
export const recordReadings = (write: Write, items: unknown[]): Promise<ReadingResult> =>
  inTransaction(write, async (write) => {
    const errors: ReadingResult['errors'] = []
    const attempt = <T>(index: number, work: () => T): T[] => {
      try {
        return [work()]
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        errors.push({ index, message: messageOf(error) })
        return []
      }
    }
    const given = items.flatMap((item, index) => attempt(index, () => ({ index, ...readGiven(item, write.actor.now) })))
    const lockedVehicles = given.length ? await holdVehicles(write.db, given) : []
    const byUnit = new Map(lockedVehicles.map((vehicle) => [vehicle.unit_number, vehicle]))
    const byVin = new Map(lockedVehicles.map((vehicle) => [vehicle.vin, vehicle]))
    const unitOf = ({ unit_number, vin }: Given) => {
      const vehicle = unit_number ? byUnit.get(unit_number) : byVin.get(vin ?? null)
      if (!vehicle) throw new Refusal(422, 'Vehicle not found')
      if (vin && vin !== vehicle.vin && (vehicle.vin || byVin.has(vin)))
        throw Refused.field('vin', 'This VIN belongs to another unit')
      return vehicle.unit_number
    }
    const ofUnits = given.flatMap(({ index, ...one }) =>
      attempt(index, () => ({ index, ...one, unit_number: unitOf(one) })),
    )
    const oldest = ofUnits.length ? await oldestTimes(write.db, ofUnits) : new Map<string, Date>()
    const readings = ofUnits.flatMap(({ index, ...one }) =>
      attempt(index, () => {
        if (one.at < (oldest.get(one.unit_number) ?? one.at))
          throw Refused.field('at', `Too old. The units have more than ${LATER_LIMIT} later readings`)
        return one
      }),
    )
    const stored = readings.length ? await storeReadings(write, readings) : []
    await updateVehicles(write, byUnit, stored)
    const accepted = countAccepted(readings, stored)
    return {
      accepted,
      ignored: readings.length - accepted,
      errors: errors.sort((a, b) => a.index - b.index),
    }
  })

const keyOf = ({ unit_number, at }: Pick<Reading, 'unit_number' | 'at'>) => `${unit_number} ${at.getTime()}`

/** Identical readings count once. */
function countAccepted(readings: Reading[], stored: StoredReading[]): number {
  const byKey = new Map(stored.filter(({ is_ignored }) => !is_ignored).map((one) => [keyOf(one), one]))
  const accepted = readings.filter((reading) => {
    const row = byKey.get(keyOf(reading))
    return row && [null, row.mileage].includes(reading.mileage) && [null, row.location].includes(reading.location)
  })
  return new Set(accepted.map((one) => `${keyOf(one)} ${one.mileage} ${one.location}`)).size
}

/**
 * Stores new readings. For a reading that is already stored (same unit and time), only fills in missing values.
 * Then updates `is_ignored` of the new and all later readings of each unit. A reading is ignored if an older reading or
 * record has a higher mileage.
 */
async function storeReadings(write: Write, readings: Reading[]): Promise<StoredReading[]> {
  const { db: tx, actor, clock } = write
  const list = sql`json_to_recordset(${JSON.stringify(readings)}::json)
    as n(unit_number varchar, at timestamptz, mileage int, location varchar)`
  const added = await rows<{ id: number }>(
    tx,
    sql`insert into ${vehicleReadings} as g (unit_number, at, mileage, location, created_at, created_by)
      select n.unit_number, n.at, (array_agg(n.mileage) filter (where n.mileage is not null))[1],
        (array_agg(n.location) filter (where n.location is not null))[1],
        ${actor.now.toISOString()}::timestamptz, ${actor.username}::varchar
      from ${list} group by n.unit_number, n.at
      on conflict (unit_number, at) do update
        set mileage = coalesce(g.mileage, excluded.mileage), location = coalesce(g.location, excluded.location)
        where (g.mileage is null and excluded.mileage is not null)
          or (g.location is null and excluded.location is not null)
      returning id`,
  )
  const ids = added.map(({ id }) => id)
  if (ids.length === 0) return []
  // Sort the readings and records of a unit together. A subquery for each reading would read all records of the unit
  // each time.
  await tx.execute(sql`
    with first as materialized (
      select unit_number, min(at) as at from ${vehicleReadings} where id = any(${idList(ids)}::int[]) group by 1),
    earlier as materialized (
      select f.unit_number, f.at, (select b.mileage from ${vehicleReadings} b where b.unit_number = f.unit_number
        and b.at < f.at and not b.is_ignored and b.mileage is not null order by b.at desc limit 1) as mileage
      from first f),
    readings as materialized (
      select g.id, g.unit_number, (g.at at time zone ${clock.timeZone})::date as day, g.mileage,
        greatest(f.mileage, max(g.mileage) over (partition by g.unit_number order by g.at
          rows between unbounded preceding and 1 preceding)) as earlier_reading
      from ${vehicleReadings} g join earlier f on f.unit_number = g.unit_number and g.at >= f.at),
    records as (
      select t.unit_number, t.move_date as day, t.mileage from ${transports} t
      where t.unit_number in (select unit_number from first) and t.mileage is not null
      union all select e.unit_number, e.osl_date, e.osl_mileage from ${oslEntries} e
      where e.unit_number in (select unit_number from first) and e.osl_mileage is not null),
    compared as materialized (
      select id, mileage, earlier_reading, max(recorded) over (partition by unit_number order by day
        range between unbounded preceding and interval '1 day' preceding) as earlier_record
      from (select id, unit_number, day, mileage, earlier_reading, null::int as recorded from readings
        union all select null, unit_number, day, null, null, mileage from records) r)
    update ${vehicleReadings} r set is_ignored = not r.is_ignored from compared c
    where r.id = c.id
      and r.is_ignored <> coalesce(c.mileage < greatest(c.earlier_reading, c.earlier_record), false)`)
  return tx
    .select()
    .from(vehicleReadings)
    .where(sql`${vehicleReadings.id} = any(${idList(ids)}::int[])`)
    .orderBy(asc(vehicleReadings.at))
}

/**
 * Updates mileage and location of the vehicles with new readings. The mileage never falls. The location is that of the
 * latest reading, unless a later delivery or OSL entry (out-of-service period) has set the location.
 */
async function updateVehicles(write: Write, byUnit: Map<string, Vehicle>, stored: StoredReading[]) {
  const { db: tx, actor, clock } = write
  const mileages = new Map<string, number>()
  for (const { unit_number, mileage, is_ignored } of stored)
    if (mileage !== null && !is_ignored) mileages.set(unit_number, Math.max(mileage, mileages.get(unit_number) ?? 0))
  const located = stored.filter(({ location }) => location !== null)
  const places = new Map(
    (located.length ? await latestPlaces(tx, clock.timeZone, located) : []).map((one) => [one.unit_number, one]),
  )
  const changed = [...byUnit.values()].flatMap((vehicle) => {
    const reading = mileages.get(vehicle.unit_number) ?? null
    const values = {
      current_mileage: reading === null ? vehicle.current_mileage : Math.max(reading, vehicle.current_mileage ?? 0),
      current_location: places.get(vehicle.unit_number)?.location ?? vehicle.current_location,
    }
    const changes = changesBetween(vehicle, { ...vehicle, ...values })
    return Object.keys(changes).length ? [{ id: vehicle.id, ...values, changes }] : []
  })
  if (changed.length === 0) return
  const list = JSON.stringify(changed.map(({ changes: _, ...one }) => one))
  await tx.execute(sql`
    update ${vehicles} v set current_mileage = n.current_mileage, current_location = n.current_location,
      version = v.version + 1, updated_at = ${actor.now.toISOString()}::timestamptz,
      updated_by = ${actor.username}::varchar
    from json_to_recordset(${list}::json) as n(id int, current_mileage int, current_location varchar)
    where v.id = n.id`)
  const entries = changed.map(({ id, changes }) => auditEntry(write, 'update', 'vehicles', id, changes))
  for (let at = 0; at < entries.length; at += AUDIT_BATCH)
    await tx.insert(auditEntries).values(entries.slice(at, at + AUDIT_BATCH))
}

/** Number of audit entries per statement. Postgres accepts at most 65,535 parameters in one statement. */
const AUDIT_BATCH = 1000

/**
 * Loads the new location of each unit from its latest reading. Readings without a location do not count. Leaves out two
 * kinds of units:
 * - Units whose latest reading is not one of the new readings, which are in `located`.
 * - Units with a transport or OSL entry (out-of-service period) that sets the location on a later day.
 */
const latestPlaces = (tx: Db, timeZone: string, located: StoredReading[]) =>
  rows<{ unit_number: string; location: string }>(
    tx,
    sql`select g.unit_number, g.location from (
      select distinct on (r.unit_number) r.id, r.unit_number, r.at, r.location from ${vehicleReadings} r
      where r.unit_number = any(${`{${[...new Set(located.map(({ unit_number: unit }) => unit))].join()}}`}::varchar[])
        and r.location is not null order by r.unit_number, r.at desc) g
    where g.id = any(${idList(located.map(({ id }) => id))}::int[])
      and coalesce((g.at at time zone ${timeZone})::date >= ${placeDayByRecords(sql`g.unit_number`)}, true)`,
  )

export function readingListing(db: Db, unit: string, query: z.output<typeof readingFilters>): Listing<StoredReading> {
  const direction: (column: typeof vehicleReadings.at) => SQL = query.order === 'desc' ? desc : asc
  return listing<StoredReading>(db, {
    select: () => db.select().from(vehicleReadings).$dynamic(),
    from: { of: vehicleReadings },
    table: vehicleReadings,
    where: eq(vehicleReadings.unit_number, unit),
    order: [direction(vehicleReadings.at)],
    query,
  })
}
