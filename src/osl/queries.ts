import { and, asc, desc, eq, getTableColumns, ilike, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, rows } from '../../db/client'
import { locations, oslEntries, oslNotes, vendors } from '../../db/schema'
import { type Clock, dateIn, noonOf } from '../clock'
import type { Actor } from '../records/actor'
import { type Listing, listing } from '../records/listing'
import { notesOf } from '../records/notes'
import { beginningWith, containing } from '../records/search'
import { changeRecord, createRecord, removeRecord, restoreRecord, withoutMissing } from '../records/write'
import { Missing } from '../refusals'
import { followRecord, traceOfOsl } from '../vehicles/follow'
import { ensureVehicle, itsVehicle } from '../vehicles/queries'
import { oslEntryRates } from './rates'
import { completionDay, type oslEntry, type oslFilters, type oslStatusChange, settleFees } from './rules'
import { completedOn, daysOutOfService, feeOf, isActive, isCompleted } from './sql'

export type OslFilters = z.output<typeof oslFilters>
type NewOslEntry = z.output<typeof oslEntry>
type Day = Pick<Clock, 'today' | 'timeZone'>

const fees = (clock: Day) => feeOf(oslEntries, clock)
const isoDate = (day: SQL) => sql<string | null>`to_char(${day}, 'YYYY-MM-DD')`

const withFees = (db: Db, clock: Day) =>
  db
    .select({
      ...getTableColumns(oslEntries),
      location_name: locations.location_name,
      vendor_name: vendors.vendor_name,
      completed_on: isoDate(completedOn(oslEntries, clock)).as('completed_on'),
      days_out_of_service: daysOutOfService(oslEntries, clock).as('days_out_of_service'),
      storage_fees_total: fees(clock).as('storage_fees_total'),
    })
    .from(oslEntries)
    .innerJoin(locations, eq(locations.id, oslEntries.location_id))
    .leftJoin(vendors, eq(vendors.id, oslEntries.vendor_id))
    .$dynamic()

/** An OSL entry with the names of its location and vendor, its days and its fees as of today. */
export type OslEntry = Awaited<ReturnType<typeof findOslEntry>>

const ACTIVE = isActive(oslEntries)
const COMPLETED = isCompleted(oslEntries)

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
    query.vendor_id ? eq(oslEntries.vendor_id, query.vendor_id) : undefined,
    query.storage_fees_applicable === undefined
      ? undefined
      : eq(oslEntries.storage_fees_applicable, query.storage_fees_applicable),
  )
}

function listed(db: Db, clock: Day, query: OslFilters, where: SQL | undefined): Listing<OslEntry> {
  const direction = query.order === 'asc' ? asc : desc
  return listing(db, {
    select: () => withFees(db, clock),
    table: oslEntries,
    where,
    order: [direction(SORTS[query.sort]), direction(oslEntries.id)],
    query,
  })
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
export const recentOsl = (db: Db, clock: Day, limit: number) =>
  withFees(db, clock).orderBy(desc(oslEntries.osl_date), desc(oslEntries.id)).limit(limit)

/** What the active entries with fees have run up so far. */
export const sumOfStorageFees = (clock: Day): SQL =>
  sql`(select coalesce(sum(${fees(clock)}), 0) from ${oslEntries}
    where ${ACTIVE} and ${oslEntries.storage_fees_applicable})`

export async function totalStorageFees(db: Db, clock: Day): Promise<number> {
  const [sum] = await rows<{ total: string }>(db, sql`select ${sumOfStorageFees(clock)} as total`)
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

/** When an entry was completed: the instant that it has, else now, or noon where the day is another one. */
function completedAt(
  day: string | null,
  stored: { completed_at: Date | null } | null,
  { now }: Actor,
  clock: Day,
): Date | null {
  if (day === null) return null
  const known = [stored?.completed_at ?? null, now].find(
    (instant) => instant && dateIn(instant, clock.timeZone) === day,
  )
  return known ?? noonOf(day, clock.timeZone)
}

/** A new entry of a vendor begins with the vendor's terms, where it says nothing else; later changes do not touch it. */
async function withTermsOf(tx: Db, values: Omit<NewOslEntry, 'completed_on'>) {
  const [vendor] = values.vendor_id
    ? await tx.select().from(vendors).where(eq(vendors.id, values.vendor_id)).for('share')
    : []
  const isFree = values.storage_fees_applicable === false
  return {
    ...values,
    storage_grace_days: values.storage_grace_days ?? vendor?.storage_grace_days ?? 0,
    storage_fee_daily_rate: values.storage_fee_daily_rate ?? (isFree ? null : (vendor?.storage_daily_rate ?? null)),
  }
}

/** @throws Refused for fees without a rate, a completion out of order, or an unknown location or vendor */
export async function createOslEntry(
  db: Db,
  actor: Actor,
  clock: Day,
  { completed_on, ...values }: NewOslEntry,
): Promise<OslEntry> {
  const completed_at = completedAt(completionDay(values, completed_on, null, clock.today()), null, actor, clock)
  return db.transaction(async (tx) => {
    const fees = settleFees(await withTermsOf(tx, values))
    await ensureVehicle(tx, actor, values.unit_number)
    const created = await createRecord(tx, actor, oslEntries, { ...values, ...fees, completed_at })
    await followRecord(tx, actor, null, traceOfOsl(created))
    return findOslEntry(tx, clock, created.id)
  })
}

type Change = { [Key in keyof NewOslEntry]?: NewOslEntry[Key] | undefined }

/**
 * Changes the fields given; Completed has a day of completion, any other status has none. @throws Missing, Stale,
 * Refused
 */
export async function updateOslEntry(
  db: Db,
  actor: Actor,
  clock: Day,
  id: number,
  version: number | undefined,
  { completed_on, ...change }: Change,
): Promise<OslEntry> {
  return db.transaction(async (tx) => {
    if (change.unit_number) await ensureVehicle(tx, actor, change.unit_number)
    const { before, after } = await changeRecord(tx, actor, oslEntries, {
      id,
      version,
      what: 'OSL entry',
      values: (stored) => {
        const next = { ...stored, ...withoutMissing(change) }
        const isTouched = [completed_on, change.status, change.osl_date].some((value) => value !== undefined)
        const completed = stored.completed_at && dateIn(stored.completed_at, clock.timeZone)
        const day = isTouched ? completionDay(next, completed_on, completed, clock.today()) : completed
        const fees = settleFees(change, stored)
        return { ...change, ...fees, completed_at: completedAt(day, stored, actor, clock) }
      },
    })
    await followRecord(tx, actor, traceOfOsl(before), traceOfOsl(after))
    return findOslEntry(tx, clock, id)
  })
}

export const changeOslStatus = (
  db: Db,
  actor: Actor,
  clock: Day,
  id: number,
  { version, ...change }: z.output<typeof oslStatusChange>,
) => updateOslEntry(db, actor, clock, id, version, change)

export const oslEntryNotes = notesOf({
  table: oslNotes,
  parent: oslNotes.osl_id,
  key: 'osl_id',
  records: oslEntries,
  what: 'OSL entry',
})

/** Deletes an entry with its notes and rates. @throws Missing */
export const removeOslEntry = (db: Db, actor: Actor, id: number) =>
  db.transaction(async (tx) => {
    const removed = await removeRecord(tx, actor, oslEntries, id, 'OSL entry', async (tx, id) => ({
      ...(await oslEntryNotes.kept(tx, id)),
      ...(await oslEntryRates.kept(tx, id)),
    }))
    await followRecord(tx, actor, traceOfOsl(removed), null)
    return removed
  })

/** Takes a deletion back, notes and rates included. @throws Missing, Conflict */
export const restoreOslEntry = (db: Db, actor: Actor, clock: Day, id: number): Promise<OslEntry> =>
  db.transaction(async (tx) => {
    const restored = await restoreRecord(tx, actor, oslEntries, id, 'OSL entry', {
      prepare: itsVehicle(actor),
      async belongings(tx, id, deletion) {
        await oslEntryNotes.restore(tx, id, deletion)
        await oslEntryRates.restore(tx, id, deletion)
      },
    })
    await followRecord(tx, actor, null, traceOfOsl(restored))
    return findOslEntry(tx, clock, id)
  })
