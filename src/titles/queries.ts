import { and, asc, desc, eq, getTableColumns, ilike, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, rows } from '../../db/client'
import { locations, titleNotes, titles, vehicles } from '../../db/schema'
import type { Clock } from '../clock'
import type { Actor } from '../records/actor'
import { type Listing, listing } from '../records/listing'
import { notesOf } from '../records/notes'
import { beginningWith, containing } from '../records/search'
import { changeRecord, createRecord, removeRecord, restoreRecord } from '../records/write'
import { Missing, Refused } from '../refusals'
import { ensureVehicle, itsVehicle } from '../vehicles/queries'
import { checkDates, OVERDUE_DAYS, type title, type titleFilters } from './rules'
import { daysPending, isOverdue, isPending, isTransferred } from './sql'

export type TitleFilters = z.output<typeof titleFilters>
type NewTitle = z.output<typeof title>
type Day = Pick<Clock, 'today'>

const withDays = (db: Db, clock: Day) =>
  db
    .select({
      ...getTableColumns(titles),
      location_name: locations.location_name,
      days_pending: daysPending(titles, clock.today()).as('days_pending'),
    })
    .from(titles)
    .innerJoin(locations, eq(locations.id, titles.location_id))
    .$dynamic()

/** A title with its location's name and the days that it has been pending. */
export type Title = Awaited<ReturnType<typeof findTitle>>

const PENDING = isPending(titles)
const TRANSFERRED = isTransferred(titles)
const overdue = (clock: Day, days: number) => isOverdue(titles, clock.today(), days)

const sorts = (clock: Day): Record<TitleFilters['sort'], SQL> => ({
  submitted_date: sql`${titles.submitted_date}`,
  unit_number: sql`${titles.unit_number}`,
  location_name: sql`${locations.location_name}`,
  dealer_name: sql`${titles.dealer_name}`,
  days_pending: sql`${daysPending(titles, clock.today())}`,
  transferred_date: sql`${titles.transferred_date}`,
  last_chased_on: sql`${titles.last_chased_on}`,
  next_chase_on: sql`${titles.next_chase_on}`,
  created_at: sql`${titles.created_at}`,
})

function filtered(query: TitleFilters): SQL | undefined {
  return and(
    query.q
      ? or(
          sql`${titles.unit_number} like ${beginningWith(query.q)}`,
          ilike(titles.dealer_name, containing(query.q)),
          sql`${titles.location_id} = any(array(select id from ${locations} where location_name ilike ${containing(query.q)} or location_code ilike ${containing(query.q)}))`,
        )
      : undefined,
    query.unit_number ? eq(titles.unit_number, query.unit_number) : undefined,
    query.location_id ? eq(titles.location_id, query.location_id) : undefined,
  )
}

function listed(db: Db, clock: Day, query: TitleFilters, where: SQL | undefined): Listing<Title> {
  const direction = query.order === 'asc' ? asc : desc
  return listing(db, {
    select: () => withDays(db, clock),
    table: titles,
    where,
    order: [direction(sorts(clock)[query.sort]), direction(titles.id)],
    query,
  })
}

/** The lists of titles; each to be read by the page or from end to end. */
export const titleListings = {
  all: (db: Db, clock: Day, query: TitleFilters) => listed(db, clock, query, filtered(query)),
  pending: (db: Db, clock: Day, query: TitleFilters) => listed(db, clock, query, and(PENDING, filtered(query))),
  transferred: (db: Db, clock: Day, query: TitleFilters) => listed(db, clock, query, and(TRANSFERRED, filtered(query))),
  /** Pending for more than `days`. */
  overdue: (db: Db, clock: Day, query: TitleFilters & { days: number }) =>
    listed(db, clock, query, and(overdue(clock, query.days), filtered(query))),
}

export async function findTitle(db: Db, clock: Day, id: number) {
  const [found] = await withDays(db, clock).where(eq(titles.id, id))
  if (!found) throw new Missing('Title')
  return found
}

const newestFirst = [desc(titles.submitted_date), desc(titles.id)]

export const titlesOfVehicle = (db: Db, clock: Day, unit: string) =>
  withDays(db, clock)
    .where(eq(titles.unit_number, unit))
    .orderBy(...newestFirst)

export const titlesOfVin = (db: Db, clock: Day, vin: string) =>
  withDays(db, clock)
    .where(
      inArray(
        titles.unit_number,
        db.select({ unit: vehicles.unit_number }).from(vehicles).where(eq(vehicles.vin, vin)),
      ),
    )
    .orderBy(...newestFirst)

export const titlesAtLocation = (db: Db, clock: Day, id: number) =>
  withDays(db, clock)
    .where(eq(titles.location_id, id))
    .orderBy(...newestFirst)

export const countPendingTitles = (db: Db) => db.$count(titles, PENDING)

export async function totalTitles(
  db: Db,
  clock: Day,
): Promise<{ pending: number; transferred: number; overdue: number }> {
  const [counts] = await rows<{ pending: number; transferred: number; overdue: number }>(
    db,
    sql`select count(*) filter (where ${PENDING})::int as pending, count(*) filter (where ${TRANSFERRED})::int as transferred,
          count(*) filter (where ${overdue(clock, OVERDUE_DAYS)})::int as overdue from ${titles}`,
  )
  return counts ?? { pending: 0, transferred: 0, overdue: 0 }
}

/** Submitted today unless told. @throws Refused for an unknown location */
export async function createTitle(db: Db, actor: Actor, clock: Day, values: NewTitle): Promise<Title> {
  return db.transaction(async (tx) => {
    await ensureVehicle(tx, actor, values.unit_number)
    const dated = { ...values, submitted_date: values.submitted_date ?? clock.today() }
    checkDates(dated)
    const { id } = await createRecord(tx, actor, titles, dated)
    return findTitle(tx, clock, id)
  })
}

type Change = Partial<NewTitle> & { transferred_date?: string | null | 'today' }

/** Changes the fields given. @throws Missing, Stale, Refused */
export async function updateTitle(
  db: Db,
  actor: Actor,
  clock: Day,
  id: number,
  version: number | undefined,
  { submitted_date, ...change }: Change,
): Promise<Title> {
  return db.transaction(async (tx) => {
    if (change.unit_number) await ensureVehicle(tx, actor, change.unit_number)
    await changeRecord(tx, actor, titles, {
      id,
      version,
      what: 'Title',
      values: (stored) => {
        const submitted = submitted_date ?? stored.submitted_date
        const today = clock.today()
        // A title that is transferred already keeps its day; one that is submitted ahead of time closes on that day.
        const transferred =
          change.transferred_date === 'today'
            ? { transferred_date: stored.transferred_date ?? ([today, submitted].sort()[1] as string) }
            : {}
        const values = { ...change, ...transferred, submitted_date: submitted }
        checkDates({ ...stored, ...values })
        return values
      },
    })
    return findTitle(tx, clock, id)
  })
}

/** Marks a title transferred, today unless told. */
export const transferTitle = (
  db: Db,
  actor: Actor,
  clock: Day,
  id: number,
  version?: number,
  transferred_date?: string | null,
) => updateTitle(db, actor, clock, id, version, { transferred_date: transferred_date ?? 'today' })

/** Undoes a transfer. */
export const reopenTitle = (db: Db, actor: Actor, clock: Day, id: number, version?: number) =>
  updateTitle(db, actor, clock, id, version, { transferred_date: null })

export const titleEntryNotes = notesOf({
  table: titleNotes,
  parent: titleNotes.title_id,
  key: 'title_id',
  records: titles,
  what: 'Title',
})

/** Notes that somebody asked for a title today, and when to ask again. @throws Missing, Refused for a day that is over */
export async function chaseTitle(
  db: Db,
  actor: Actor,
  clock: Day,
  id: number,
  { note_text, next_on }: { note_text: string; next_on: string | null },
): Promise<Title> {
  const today = clock.today()
  if (next_on && next_on < today) throw Refused.field('next_on', 'The next day is over already')
  return db.transaction(async (tx) => {
    await changeRecord(tx, actor, titles, {
      id,
      what: 'Title',
      values: { last_chased_on: today, next_chase_on: next_on },
    })
    await titleEntryNotes.add(tx, actor, id, note_text)
    return findTitle(tx, clock, id)
  })
}

/** Deletes a title with its notes. @throws Missing */
export const removeTitle = (db: Db, actor: Actor, id: number) =>
  removeRecord(db, actor, titles, id, 'Title', titleEntryNotes.kept)

/** Takes a deletion back, notes included. @throws Missing, Conflict */
export async function restoreTitle(db: Db, actor: Actor, clock: Day, id: number): Promise<Title> {
  await restoreRecord(db, actor, titles, id, 'Title', {
    prepare: itsVehicle(actor),
    belongings: titleEntryNotes.restore,
  })
  return findTitle(db, clock, id)
}
