import { and, asc, desc, eq, getTableColumns, ilike, inArray, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, rows } from '../../../db/client'
import { locations, titles, vehicles } from '../../../db/schema'
import { TITLE_OVERDUE_DAYS } from '../../../db/vocabulary'
import type { Calendar } from '../../platform/clock'
import { HISTORY_LIMIT } from '../../platform/records/kind'
import { type Listing, listing } from '../../platform/records/listing'
import { naturally } from '../../platform/records/natural-order'
import { prepared } from '../../platform/records/prepared-statements'
import { whileUnchanged } from '../../platform/records/query-cache'
import { beginningWith, containing, matchingWords } from '../../platform/records/search'
import { Missing } from '../../platform/refusals'
import { isName, placesLike } from '../places'
import type { title, titleFilters } from './rules'
import { daysPending, isOverdue, isPending, isTransferred, stageOf } from './sql'

export type TitleFilters = z.output<typeof titleFilters>
export type NewTitle = z.output<typeof title>

const withDays = (db: Db, clock: Calendar) =>
  db
    .select({
      ...getTableColumns(titles),
      location_name: locations.location_name,
      days_pending: daysPending(titles, clock.today()).as('days_pending'),
      stage: stageOf(titles).as('stage'),
    })
    .from(titles)
    .innerJoin(locations, eq(locations.id, titles.location_id))
    .$dynamic()

export type Title = Awaited<ReturnType<typeof findTitle>>

const PENDING = isPending(titles)
const TRANSFERRED = isTransferred(titles)
const overdue = (clock: Calendar, days: number) => isOverdue(titles, clock.today(), days)

const sorts = (clock: Calendar): Record<TitleFilters['sort'], SQL> => ({
  submitted_date: sql`${titles.submitted_date}`,
  unit_number: sql`${titles.unit_number}`,
  location_name: naturally(locations.location_name),
  dealer_name: naturally(titles.dealer_name),
  days_pending: sql`${daysPending(titles, clock.today())}`,
  transferred_date: sql`${titles.transferred_date}`,
  last_chased_on: sql`${titles.last_chased_on}`,
  next_chase_on: sql`${titles.next_chase_on}`,
  created_at: sql`${titles.created_at}`,
  updated_at: sql`${titles.updated_at}`,
})

const matching = (q: string) =>
  or(
    sql`${titles.unit_number} like ${beginningWith(q)}`,
    ilike(titles.dealer_name, containing(q)),
    sql`${titles.location_id} = any(${placesLike(q)})`,
  )

function filterCondition(query: TitleFilters): SQL | undefined {
  return and(
    query.q ? matchingWords(query.q, matching, isName(query.q)) : undefined,
    query.unit_number ? eq(titles.unit_number, query.unit_number) : undefined,
    query.location_id ? eq(titles.location_id, query.location_id) : undefined,
    query.stage ? sql`${stageOf(titles)} = ${query.stage}` : undefined,
  )
}

function createListing(db: Db, clock: Calendar, query: TitleFilters, where: SQL | undefined): Listing<Title> {
  const direction = query.order === 'asc' ? asc : desc
  return listing(db, {
    select: () => withDays(db, clock),
    from: { of: withDays, on: clock.today() },
    table: titles,
    where,
    order: [direction(sorts(clock)[query.sort]), direction(titles.id)],
    query,
  })
}

export const titleListings = {
  all: (db: Db, clock: Calendar, query: TitleFilters) => createListing(db, clock, query, filterCondition(query)),
  pending: (db: Db, clock: Calendar, query: TitleFilters) =>
    createListing(db, clock, query, and(PENDING, filterCondition(query))),
  transferred: (db: Db, clock: Calendar, query: TitleFilters) =>
    createListing(db, clock, query, and(TRANSFERRED, filterCondition(query))),
  overdue: (db: Db, clock: Calendar, query: TitleFilters & { days: number }) =>
    createListing(db, clock, query, and(overdue(clock, query.days), filterCondition(query))),
}

export async function findTitle(db: Db, clock: Calendar, id: number) {
  const [stored] = await withDays(db, clock).where(eq(titles.id, id))
  if (!stored) throw new Missing('Title')
  return stored
}

const newestFirst = [desc(titles.submitted_date), desc(titles.id)]

export const titlesOfVehicle = (db: Db, clock: Calendar, unit: string | Placeholder) =>
  withDays(db, clock)
    .where(eq(titles.unit_number, unit))
    .orderBy(...newestFirst)

export const latestTitles = (db: Db, clock: Calendar, unit: string): Promise<Title[]> =>
  prepared(
    db,
    'latest_titles',
    () => titlesOfVehicle(db, clock, sql.placeholder('unit')).limit(HISTORY_LIMIT).prepare('latest_titles'),
    clock.today(),
  ).execute({ unit })

export const titlesOfVin = (db: Db, clock: Calendar, vin: string) =>
  withDays(db, clock)
    .where(
      inArray(
        titles.unit_number,
        db.select({ unit: vehicles.unit_number }).from(vehicles).where(eq(vehicles.vin, vin)),
      ),
    )
    .orderBy(...newestFirst)

export const titlesAtLocation = (db: Db, clock: Calendar, id: number) =>
  withDays(db, clock)
    .where(eq(titles.location_id, id))
    .orderBy(...newestFirst)

export const countPendingTitles = (db: Db) => db.$count(titles, PENDING)

type TitleTotals = { pending: number; transferred: number; overdue: number }

export const totalTitles = (db: Db, clock: Calendar): Promise<TitleTotals> =>
  whileUnchanged(db, `totals of titles ${clock.today()}`, () => countTitles(db, clock))

async function countTitles(db: Db, clock: Calendar): Promise<TitleTotals> {
  const [counts] = await rows<TitleTotals>(
    db,
    sql`select count(*) filter (where ${PENDING})::int as pending, count(*) filter (where ${TRANSFERRED})::int as
      transferred,
          count(*) filter (where ${overdue(clock, TITLE_OVERDUE_DAYS)})::int as overdue from ${titles}`,
  )
  return counts ?? { pending: 0, transferred: 0, overdue: 0 }
}
