import { and, asc, desc, eq, getTableColumns, ilike, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, rows } from '../../../db/client'
import { locations, oslEntries, vendors } from '../../../db/schema'
import type { Calendar } from '../../platform/clock'
import { rowsWithin } from '../../platform/http/answers'
import { HISTORY_LIMIT } from '../../platform/records/kind'
import { type Listing, listing } from '../../platform/records/listing'
import { naturally } from '../../platform/records/natural-order'
import { prepared } from '../../platform/records/prepared-statements'
import { whileUnchanged } from '../../platform/records/query-cache'
import { beginningWith, containing, matchingWords } from '../../platform/records/search'
import { Missing } from '../../platform/refusals'
import { isName, placesLike } from '../places'
import type { oslEntry, oslFilters } from './rules'
import { completedOn, countsUntil, daysOutOfService, feeOf, isActive, isCompleted, rateOn } from './sql'

export type OslFilters = z.output<typeof oslFilters>
export type NewOslEntry = z.output<typeof oslEntry>

const fees = (clock: Calendar) => feeOf(oslEntries, clock)
const isoDate = (day: SQL) => sql<string | null>`to_char(${day}, 'YYYY-MM-DD')`

const withFees = (db: Db, clock: Calendar) =>
  db
    .select({
      ...getTableColumns(oslEntries),
      location_name: locations.location_name,
      vendor_name: vendors.vendor_name,
      completed_on: isoDate(completedOn(oslEntries, clock)).as('completed_on'),
      days_out_of_service: daysOutOfService(oslEntries, clock).as('days_out_of_service'),
      storage_fees_total: fees(clock).as('storage_fees_total'),
      current_daily_rate: sql<number | null>`case when ${oslEntries.storage_fees_applicable}
        then ${rateOn(oslEntries, sql`${countsUntil(oslEntries, clock)}`)} end`
        .mapWith(Number)
        .as('current_daily_rate'),
    })
    .from(oslEntries)
    .innerJoin(locations, eq(locations.id, oslEntries.location_id))
    .leftJoin(vendors, eq(vendors.id, oslEntries.vendor_id))
    .$dynamic()

export type OslEntry = Awaited<ReturnType<typeof findOslEntry>>

const ACTIVE = isActive(oslEntries)
const COMPLETED = isCompleted(oslEntries)

const SORTS: Record<OslFilters['sort'], SQL> = {
  osl_date: sql`${oslEntries.osl_date}`,
  unit_number: sql`${oslEntries.unit_number}`,
  location_name: naturally(locations.location_name),
  status: sql`${oslEntries.status}`,
  completed_at: sql`${oslEntries.completed_at}`,
  created_at: sql`${oslEntries.created_at}`,
  updated_at: sql`${oslEntries.updated_at}`,
}

/**
 * Start of the problem text, in which lists search. A text can have 5,000 characters, and searching all of them in
 * thousands of entries takes seconds.
 */
const PROBLEM = sql`left(${oslEntries.problem}, 500)`

const matching = (q: string) =>
  or(
    sql`${oslEntries.unit_number} like ${beginningWith(q)}`,
    ilike(PROBLEM, containing(q)),
    ilike(oslEntries.ra_number, beginningWith(q)),
    sql`${oslEntries.location_id} = any(${placesLike(q)})`,
  )

function filterCondition(query: OslFilters): SQL | undefined {
  return and(
    query.q ? matchingWords(query.q, matching, isName(query.q)) : undefined,
    query.unit_number ? eq(oslEntries.unit_number, query.unit_number) : undefined,
    query.status ? eq(oslEntries.status, query.status) : undefined,
    query.location_id ? eq(oslEntries.location_id, query.location_id) : undefined,
    query.vendor_id ? eq(oslEntries.vendor_id, query.vendor_id) : undefined,
    query.waiting_on ? eq(oslEntries.waiting_on, query.waiting_on) : undefined,
    query.owner ? eq(oslEntries.owner, query.owner) : undefined,
    query.storage_fees_applicable === undefined
      ? undefined
      : eq(oslEntries.storage_fees_applicable, query.storage_fees_applicable),
  )
}

function createListing(db: Db, clock: Calendar, query: OslFilters, where: SQL | undefined): Listing<OslEntry> {
  const direction = query.order === 'asc' ? asc : desc
  return listing(db, {
    select: () => withFees(db, clock),
    from: { of: withFees, on: `${clock.today()} ${clock.timeZone}` },
    table: oslEntries,
    where,
    order: [direction(SORTS[query.sort]), direction(oslEntries.id)],
    query,
  })
}

export const oslListings = {
  all: (db: Db, clock: Calendar, query: OslFilters) => createListing(db, clock, query, filterCondition(query)),
  active: (db: Db, clock: Calendar, query: OslFilters) =>
    createListing(db, clock, query, and(ACTIVE, filterCondition(query))),
  /**
   * Lists OSL entries that were completed between two dates. Both dates are included, and are dates in the business
   * time zone.
   */
  completed(db: Db, clock: Calendar, query: OslFilters & { start_date: string; end_date: string }) {
    const from = sql`${oslEntries.completed_at} >= ${query.start_date}::date::timestamp at time zone ${clock.timeZone}`
    const to = sql`${oslEntries.completed_at} < (${query.end_date}::date + 1)::timestamp at time zone ${clock.timeZone}`
    return createListing(db, clock, query, and(COMPLETED, from, to, filterCondition(query)))
  },
}

export async function findOslEntry(db: Db, clock: Calendar, id: number) {
  const [entry] = await withFees(db, clock).where(eq(oslEntries.id, id))
  if (!entry) throw new Missing('OSL entry')
  return entry
}

export const oslOfVehicle = (db: Db, clock: Calendar, unit: string | Placeholder) =>
  withFees(db, clock).where(eq(oslEntries.unit_number, unit)).orderBy(desc(oslEntries.osl_date), desc(oslEntries.id))

export const latestOsl = (db: Db, clock: Calendar, unit: string): Promise<OslEntry[]> =>
  prepared(
    db,
    'latest_osl',
    () => oslOfVehicle(db, clock, sql.placeholder('unit')).limit(HISTORY_LIMIT).prepare('latest_osl'),
    `${clock.today()} ${clock.timeZone}`,
  ).execute({ unit })

export const oslAtLocation = (db: Db, clock: Calendar, id: number) =>
  withFees(db, clock).where(eq(oslEntries.location_id, id)).orderBy(desc(oslEntries.osl_date), desc(oslEntries.id))

export const countActiveOsl = (db: Db) => db.$count(oslEntries, ACTIVE)

export const recentOsl = (db: Db, clock: Calendar, limit: number) =>
  withFees(db, clock).orderBy(desc(oslEntries.osl_date), desc(oslEntries.id)).limit(limit)

export const sumOfStorageFees = (clock: Calendar): SQL =>
  sql`(select coalesce(sum(${fees(clock)}), 0) from ${oslEntries}
    where ${ACTIVE} and ${oslEntries.storage_fees_applicable})`

export const totalStorageFees = (db: Db, clock: Calendar): Promise<number> =>
  whileUnchanged(db, `storage fees ${clock.today()}`, async () => {
    const [sum] = await rows<{ total: string }>(db, sql`select ${sumOfStorageFees(clock)} as total`)
    return Number(sum?.total ?? 0)
  })

/** Loads the total of the storage fees of all active entries, and the entries with the highest fees. */
export async function storageFees(db: Db, clock: Calendar) {
  const [total, { found }] = await Promise.all([
    totalStorageFees(db, clock),
    rowsWithin(db, (db) =>
      withFees(db, clock)
        .where(and(ACTIVE, eq(oslEntries.storage_fees_applicable, true)))
        .orderBy(desc(sql`storage_fees_total`), asc(oslEntries.id)),
    ),
  ])
  return { total, entries: found }
}
