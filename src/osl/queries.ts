import { and, asc, desc, eq, getTableColumns, ilike, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, rows } from '../../db/client'
import { locations, oslEntries, oslNotes } from '../../db/schema'
import type { Actor } from '../audit/actor'
import { audit, changeRecord, changesBetween, createRecord } from '../audit/write'
import type { Clock } from '../clock'
import { type Listing, listing } from '../listing'
import { Missing } from '../refusals'
import { beginningWith, containing } from '../search'
import { ensureVehicle } from '../vehicles/queries'
import { checkFees, type oslEntry, type oslFilters, type oslStatusChange } from './rules'

export type OslFilters = z.output<typeof oslFilters>
type NewOslEntry = z.output<typeof oslEntry>
type Day = Pick<Clock, 'today' | 'timeZone'>

/** The day up to which an entry counts: the business date of its completion, else today. */
const until = (clock: Day) => sql`coalesce((${oslEntries.completed_at} at time zone ${clock.timeZone})::date, ${clock.today()}::date)`

/** Calendar days out of service; the first day counts 0. */
const days = (clock: Day) => sql<number>`greatest(${until(clock)} - ${oslEntries.osl_date}, 0)`.mapWith(Number)

/** Days × daily rate, to the cent; 0 when fees do not apply. The one place where the fee is computed. */
const fees = (clock: Day) =>
  sql<number>`case when ${oslEntries.storage_fees_applicable} then greatest(${until(clock)} - ${oslEntries.osl_date}, 0) * coalesce(${oslEntries.storage_fee_daily_rate}, 0) else 0 end`.mapWith(
    Number,
  )

const withFees = (db: Db, clock: Day) =>
  db
    .select({
      ...getTableColumns(oslEntries),
      location_name: locations.location_name,
      days_out_of_service: days(clock).as('days_out_of_service'),
      storage_fees_total: fees(clock).as('storage_fees_total'),
    })
    .from(oslEntries)
    .innerJoin(locations, eq(locations.id, oslEntries.location_id))
    .$dynamic()

/** An OSL entry with its location's name, its days and its fees as of today. */
export type OslEntry = Awaited<ReturnType<typeof findOslEntry>>

// Written out, not as parameters: the planner takes the partial indexes only when it can read the status.
const ACTIVE = sql`${oslEntries.status} <> 'Completed'`
const COMPLETED = sql`${oslEntries.status} = 'Completed'`

const SORTS: Record<OslFilters['sort'], SQL> = {
  osl_date: sql`${oslEntries.osl_date}`,
  unit_number: sql`${oslEntries.unit_number}`,
  location_name: sql`${locations.location_name}`,
  status: sql`${oslEntries.status}`,
  completed_at: sql`${oslEntries.completed_at}`,
  created_at: sql`${oslEntries.created_at}`,
}

function filtered(query: OslFilters): SQL | undefined {
  return and(
    query.q
      ? or(
          sql`${oslEntries.unit_number} like ${beginningWith(query.q)}`,
          ilike(oslEntries.problem, containing(query.q)),
          ilike(oslEntries.ra_number, beginningWith(query.q)),
          sql`${oslEntries.location_id} = any(array(select id from ${locations} where location_name ilike ${containing(query.q)} or location_code ilike ${containing(query.q)}))`,
        )
      : undefined,
    query.unit_number ? eq(oslEntries.unit_number, query.unit_number) : undefined,
    query.status ? eq(oslEntries.status, query.status) : undefined,
    query.location_id ? eq(oslEntries.location_id, query.location_id) : undefined,
    query.storage_fees_applicable === undefined ? undefined : eq(oslEntries.storage_fees_applicable, query.storage_fees_applicable),
  )
}

function listed(db: Db, clock: Day, query: OslFilters, where: SQL | undefined): Listing<OslEntry> {
  const direction = query.order === 'asc' ? asc : desc
  return listing(db, { select: () => withFees(db, clock), table: oslEntries, where, order: [direction(SORTS[query.sort]), direction(oslEntries.id)], query })
}

/** The lists of OSL entries; each to be read by the page or from end to end. */
export const oslListings = {
  all: (db: Db, clock: Day, query: OslFilters) => listed(db, clock, query, filtered(query)),
  /** Every status but Completed. */
  active: (db: Db, clock: Day, query: OslFilters) => listed(db, clock, query, and(ACTIVE, filtered(query))),
  /** Completed, by the business date of the completion; both ends included. */
  completed(db: Db, clock: Day, query: OslFilters & { start_date: string; end_date: string }) {
    const from = sql`${oslEntries.completed_at} >= ${query.start_date}::date::timestamp at time zone ${clock.timeZone}`
    const to = sql`${oslEntries.completed_at} < (${query.end_date}::date + 1)::timestamp at time zone ${clock.timeZone}`
    return listed(db, clock, query, and(COMPLETED, from, to, filtered(query)))
  },
}

export const listOsl = (db: Db, clock: Day, query: OslFilters) => oslListings.all(db, clock, query).page()
export const listActiveOsl = (db: Db, clock: Day, query: OslFilters) => oslListings.active(db, clock, query).page()
export const listCompletedOsl = (db: Db, clock: Day, query: OslFilters & { start_date: string; end_date: string }) =>
  oslListings.completed(db, clock, query).page()

export async function findOslEntry(db: Db, clock: Day, id: number) {
  const [found] = await withFees(db, clock).where(eq(oslEntries.id, id))
  if (!found) throw new Missing('OSL entry')
  return found
}

/** All entries of a vehicle, newest first. */
export const oslOfVehicle = (db: Db, clock: Day, unit: string) =>
  withFees(db, clock).where(eq(oslEntries.unit_number, unit)).orderBy(desc(oslEntries.osl_date), desc(oslEntries.id))

/** All entries at a location, newest first. */
export const oslAtLocation = (db: Db, clock: Day, id: number) =>
  withFees(db, clock).where(eq(oslEntries.location_id, id)).orderBy(desc(oslEntries.osl_date), desc(oslEntries.id))

export const countActiveOsl = (db: Db) => db.$count(oslEntries, ACTIVE)

/** The latest entries, for the dashboard. */
export const recentOsl = (db: Db, clock: Day, limit: number) => withFees(db, clock).orderBy(desc(oslEntries.osl_date), desc(oslEntries.id)).limit(limit)

/** What the active entries with fees have run up so far. */
export async function totalStorageFees(db: Db, clock: Day): Promise<number> {
  const [sum] = await rows<{ total: string }>(
    db,
    sql`select coalesce(sum(${fees(clock)}), 0) as total from ${oslEntries} where ${ACTIVE} and ${oslEntries.storage_fees_applicable}`,
  )
  return Number(sum?.total ?? 0)
}

/** The active entries with fees, the dearest first, and their sum. */
export async function storageFees(db: Db, clock: Day) {
  const [total, entries] = await Promise.all([
    totalStorageFees(db, clock),
    withFees(db, clock)
      .where(and(ACTIVE, eq(oslEntries.storage_fees_applicable, true)))
      .orderBy(desc(sql`storage_fees_total`), asc(oslEntries.id)),
  ])
  return { total, entries }
}

/** The working of one entry's fees. `as_of` is the day up to which they count. */
export async function calculateFees(db: Db, clock: Day, id: number) {
  const [found] = await db
    .select({
      days_out_of_service: days(clock),
      storage_fee_daily_rate: oslEntries.storage_fee_daily_rate,
      storage_fees_total: fees(clock),
      as_of: sql<string>`to_char(${until(clock)}, 'YYYY-MM-DD')`,
    })
    .from(oslEntries)
    .where(eq(oslEntries.id, id))
  if (!found) throw new Missing('OSL entry')
  return found
}

/** @throws Refused for fees without a rate or an unknown location */
export async function createOslEntry(db: Db, actor: Actor, clock: Day, values: NewOslEntry): Promise<OslEntry> {
  checkFees(values)
  return db.transaction(async (tx) => {
    await ensureVehicle(tx, actor, values.unit_number)
    const completed_at = values.status === 'Completed' ? actor.now : null
    const { id } = await createRecord(tx, actor, oslEntries, { ...values, completed_at })
    return findOslEntry(tx, clock, id)
  })
}

/** Changes the fields given; Completed sets `completed_at`, any other status clears it. @throws Missing, Stale, Refused */
export async function updateOslEntry(
  db: Db,
  actor: Actor,
  clock: Day,
  id: number,
  version: number | undefined,
  change: Partial<NewOslEntry>,
): Promise<OslEntry> {
  return db.transaction(async (tx) => {
    if (change.unit_number) await ensureVehicle(tx, actor, change.unit_number)
    await changeRecord(tx, actor, oslEntries, {
      id,
      version,
      what: 'OSL entry',
      values: (stored) => {
        const next = { ...stored, ...change }
        checkFees(next)
        return { ...change, completed_at: next.status === 'Completed' ? (stored.completed_at ?? actor.now) : null }
      },
    })
    return findOslEntry(tx, clock, id)
  })
}

export const changeOslStatus = (db: Db, actor: Actor, clock: Day, id: number, { version, status }: z.output<typeof oslStatusChange>) =>
  updateOslEntry(db, actor, clock, id, version, { status })

const noteColumns = { id: oslNotes.id, note_text: oslNotes.note_text, created_at: oslNotes.created_at, created_by: oslNotes.created_by }

/** An entry's notes, newest first. @throws Missing when there is no such entry */
export async function listOslNotes(db: Db, osl_id: number) {
  const [entry] = await db.select({ id: oslEntries.id }).from(oslEntries).where(eq(oslEntries.id, osl_id))
  if (!entry) throw new Missing('OSL entry')
  return db.select(noteColumns).from(oslNotes).where(eq(oslNotes.osl_id, osl_id)).orderBy(desc(oslNotes.id))
}

/** Adds a note, which is never edited. @throws Missing when there is no such entry */
export async function addOslNote(db: Db, actor: Actor, osl_id: number, note_text: string) {
  return db.transaction(async (tx) => {
    await listOslNotes(tx, osl_id)
    const [added] = await tx.insert(oslNotes).values({ osl_id, note_text, created_at: actor.now, created_by: actor.username }).returning(noteColumns)
    await audit(tx, actor, 'create', 'osl_notes', added!.id, changesBetween(null, { osl_id, note_text }))
    return added!
  })
}
