import { and, asc, desc, eq, getTableColumns, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, oneOf, rows } from '../../../db/client'
import { locations, registrations } from '../../../db/schema'
import { addDays, type Calendar } from '../../platform/clock'
import { HISTORY_LIMIT } from '../../platform/records/kind'
import { type Listing, listing } from '../../platform/records/listing'
import { naturally } from '../../platform/records/natural-order'
import { prepared } from '../../platform/records/prepared-statements'
import { whileUnchanged } from '../../platform/records/query-cache'
import { beginningWith, matchingWords } from '../../platform/records/search'
import { countFromTallies } from '../../platform/records/tallies'
import { Missing } from '../../platform/refusals'
import { isName, placesLike } from '../places'
import { EXPIRING_WINDOW_DAYS, type registration, type registrationFilters } from './rules'
import { daysUntilExpiry, isExpiring, isLatest, isPlate, overdueFrom, plateStartsWith } from './sql'

export type RegistrationFilters = z.output<typeof registrationFilters>
export type NewRegistration = z.output<typeof registration>

const columns = (clock: Calendar) => ({
  ...getTableColumns(registrations),
  location_name: locations.location_name,
  days_until_expiry: daysUntilExpiry(registrations, clock.today()).as('days_until_expiry'),
})

const withDays = (db: Db, clock: Calendar) =>
  db
    .select(columns(clock))
    .from(registrations)
    .innerJoin(locations, eq(locations.id, registrations.location_id))
    .$dynamic()

/**
 * Registrations with the column `is_renewed`, which only the lists on pages need. The API omits it, because its value
 * can change without a new `version`. For example, creating a newer registration of the vehicle changes
 * `is_renewed` of the old one.
 */
const withRenewals = (db: Db, clock: Calendar) =>
  db
    .select({ ...columns(clock), is_renewed: sql<boolean>`not ${isLatest(registrations)}`.as('is_renewed') })
    .from(registrations)
    .innerJoin(locations, eq(locations.id, registrations.location_id))
    .$dynamic()

export type Registration = Awaited<ReturnType<typeof findRegistration>>
export type RegistrationRow = Awaited<ReturnType<typeof findRegistrationRow>>

const expiring = (clock: Calendar, days: number) =>
  isExpiring(registrations, { start: clock.today(), end: addDays(clock.today(), days) })

const isOverdue = (clock: Calendar) => sql`${registrations.id} in (select g.id from ${overdueFrom(clock.today())})`

const SORTS: Record<RegistrationFilters['sort'], SQL> = {
  date_expires: sql`${registrations.date_expires}`,
  unit_number: sql`${registrations.unit_number}`,
  plate_number: sql`${registrations.plate_number}`,
  state_province: sql`${registrations.state_province}`,
  date_issued: sql`${registrations.date_issued}`,
  registration_type: sql`${registrations.registration_type}`,
  location_name: naturally(locations.location_name),
  cost: sql`${registrations.cost}`,
  created_at: sql`${registrations.created_at}`,
  updated_at: sql`${registrations.updated_at}`,
}

const matching = (q: string) =>
  or(
    sql`${registrations.unit_number} like ${beginningWith(q)}`,
    plateStartsWith(registrations.plate_number, q),
    sql`${registrations.location_id} = any(${placesLike(q)})`,
  )

function filterCondition(query: RegistrationFilters): SQL | undefined {
  return and(
    query.q ? matchingWords(query.q, matching, isName(query.q)) : undefined,
    query.unit_number ? eq(registrations.unit_number, query.unit_number) : undefined,
    query.status ? eq(registrations.status, query.status) : undefined,
    query.registration_type ? eq(registrations.registration_type, query.registration_type) : undefined,
    query.location_id ? eq(registrations.location_id, query.location_id) : undefined,
  )
}

function createListing<Row extends { id: number } = Registration>(
  db: Db,
  clock: Calendar,
  query: RegistrationFilters,
  where: SQL | undefined,
  {
    length,
    select = withDays,
  }: { length?: SQL<number> | undefined; select?: typeof withDays | typeof withRenewals } = {},
): Listing<Row> {
  const direction = query.order === 'asc' ? asc : desc
  return listing<Row>(db, {
    select: () => select(db, clock),
    from: { of: select, on: clock.today() },
    table: registrations,
    where,
    length,
    order: [direction(SORTS[query.sort]), direction(registrations.id)],
    query,
  })
}

const listingsOf = <Row extends { id: number }>(select: typeof withDays | typeof withRenewals) => ({
  pending: (db: Db, clock: Calendar, query: RegistrationFilters) =>
    createListing<Row>(db, clock, query, and(eq(registrations.received, false), filterCondition(query)), { select }),
  completed: (db: Db, clock: Calendar, query: RegistrationFilters) =>
    createListing<Row>(db, clock, query, and(eq(registrations.received, true), filterCondition(query)), {
      select,
      length: filterCondition(query) ? undefined : countFromTallies('received registrations'),
    }),
  expiring: (db: Db, clock: Calendar, query: RegistrationFilters & { days: number }) =>
    createListing<Row>(db, clock, query, and(expiring(clock, query.days), filterCondition(query)), { select }),
  overdue: (db: Db, clock: Calendar, query: RegistrationFilters) =>
    createListing<Row>(db, clock, query, and(isOverdue(clock), filterCondition(query)), { select }),
})

export const registrationListings = {
  all: (db: Db, clock: Calendar, query: RegistrationFilters) => createListing(db, clock, query, filterCondition(query)),
  ...listingsOf<Registration>(withDays),
}
/** Lists for pages. Unlike the lists of the API, these lists contain the column `is_renewed`. */
export const registrationRows = listingsOf<RegistrationRow>(withRenewals)

export async function findRegistration(db: Db, clock: Calendar, id: number) {
  const [stored] = await withDays(db, clock).where(eq(registrations.id, id))
  if (!stored) throw new Missing('Registration')
  return stored
}

/** Loads registrations in the order of `ids`, without deleted ones. */
export async function findRegistrations(db: Db, clock: Calendar, ids: number[]): Promise<Registration[]> {
  const stored = await withDays(db, clock).where(oneOf(registrations.id, ids))
  const byId = new Map(stored.map((row) => [row.id, row]))
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])
}

export async function findRegistrationRow(db: Db, clock: Calendar, id: number) {
  const [stored] = await withRenewals(db, clock).where(eq(registrations.id, id))
  if (!stored) throw new Missing('Registration')
  return stored
}

export const latestRegistrations = (db: Db, clock: Calendar, unit: string): Promise<Registration[]> =>
  prepared(
    db,
    'latest_registrations',
    () =>
      withDays(db, clock)
        .where(eq(registrations.unit_number, sql.placeholder('unit')))
        .orderBy(desc(registrations.date_expires), desc(registrations.id))
        .limit(HISTORY_LIMIT)
        .prepare('latest_registrations'),
    clock.today(),
  ).execute({ unit })

export const registrationsAtLocation = (db: Db, clock: Calendar, id: number) =>
  withDays(db, clock)
    .where(eq(registrations.location_id, id))
    .orderBy(desc(registrations.date_expires), desc(registrations.id))

export const countPendingRegistrations = (db: Db) => db.$count(registrations, eq(registrations.received, false))

export type RegistrationTotals = {
  pending: number
  completed: number
  expiring: number
  expired: number
  /** Expired registrations that are not renewed. Not part of the API response. */
  overdue: number
  total_cost: number
  total_vlt: number
}

export const totalRegistrations = (db: Db, clock: Calendar): Promise<RegistrationTotals> =>
  whileUnchanged(db, `totals of registrations ${clock.today()}`, () => sumRegistrations(db, clock))

async function sumRegistrations(db: Db, clock: Calendar): Promise<RegistrationTotals> {
  const [sums] = await rows<Record<keyof RegistrationTotals, string | number>>(
    db,
    sql`select count(*) filter (where not received)::int as pending, count(*) filter (where received)::int as completed,
          count(*) filter (where status = 'Expired')::int as expired, coalesce(sum(cost), 0) as total_cost,
          coalesce(sum(vlt), 0) as total_vlt,
          (select count(*)::int from ${registrations} where ${expiring(clock, EXPIRING_WINDOW_DAYS)}) as expiring,
          (select count(*)::int from ${overdueFrom(clock.today())}) as overdue
        from ${registrations}`,
  )
  const number = (key: keyof RegistrationTotals) => Number(sums?.[key] ?? 0)
  return {
    pending: number('pending'),
    completed: number('completed'),
    expiring: number('expiring'),
    expired: number('expired'),
    overdue: number('overdue'),
    total_cost: number('total_cost'),
    total_vlt: number('total_vlt'),
  }
}

/** Returns the first units whose latest registration has a plate, at most `limit`. */
export async function unitsWithPlate(db: Db, plate: string, limit: number): Promise<string[]> {
  const found = await db
    .selectDistinct({ unit_number: registrations.unit_number })
    .from(registrations)
    .where(and(isPlate(registrations.plate_number, plate), isLatest(registrations)))
    .orderBy(registrations.unit_number)
    .limit(limit)
  return found.map(({ unit_number }) => unit_number)
}
