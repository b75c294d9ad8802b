import { and, asc, desc, eq, gte, lte, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { type Db, oneOf, rows } from '../../db/client'
import { auditEntries, locations, transportCompanies, transports } from '../../db/schema'
import type { MoveType } from '../../db/vocabulary'
import type { Clock } from '../clock'
import type { Actor } from '../records/actor'
import { type Listing, listing } from '../records/listing'
import { beginningWith, containing } from '../records/search'
import { changeRecord, createRecord, removeRecord, restoreRecord } from '../records/write'
import { Missing } from '../refusals'
import { followRecord, traceOfTransport } from '../vehicles/follow'
import { ensureVehicle, itsVehicle } from '../vehicles/queries'
import {
  arrivalFor,
  checkDates,
  type statusChange,
  type totalsFilters,
  type transport,
  type transportFilters,
} from './rules'
import { arrivesWithin, isDelivered, isLate, isUnderWay } from './sql'

const locationOut = alias(locations, 'location_out')
const locationIn = alias(locations, 'location_in')

const columns = {
  id: transports.id,
  unit_number: transports.unit_number,
  ra_number: transports.ra_number,
  location_out_id: transports.location_out_id,
  location_out_name: locationOut.location_name,
  location_out_code: locationOut.location_code,
  location_in_id: transports.location_in_id,
  location_in_name: locationIn.location_name,
  location_in_code: locationIn.location_code,
  move_date: transports.move_date,
  estimated_arrival_date: transports.estimated_arrival_date,
  actual_arrival_date: transports.actual_arrival_date,
  mileage: transports.mileage,
  move_type: transports.move_type,
  transport_company_id: transports.transport_company_id,
  transport_company_name: transportCompanies.company_name,
  status: transports.status,
  estimated_cost: transports.estimated_cost,
  final_cost: transports.final_cost,
  issue_po: transports.issue_po,
  po_number: transports.po_number,
  notes: transports.notes,
  version: transports.version,
  created_at: transports.created_at,
  created_by: transports.created_by,
  updated_at: transports.updated_at,
  updated_by: transports.updated_by,
}

/** A transport with the names of its locations and company beside their ids. */
export type Transport = Awaited<ReturnType<typeof findTransport>>
export type TransportFilters = z.output<typeof transportFilters>
/** Which transports count; not how they are listed. */
type Counted = z.output<typeof totalsFilters>
type Day = Pick<Clock, 'today'>
type NewTransport = z.output<typeof transport>

const withNames = (db: Db) =>
  db
    .select(columns)
    .from(transports)
    .innerJoin(locationOut, eq(locationOut.id, transports.location_out_id))
    .innerJoin(locationIn, eq(locationIn.id, transports.location_in_id))
    .innerJoin(transportCompanies, eq(transportCompanies.id, transports.transport_company_id))
    .$dynamic()

const SORTS: Record<TransportFilters['sort'], SQL> = {
  move_date: sql`${transports.move_date}`,
  unit_number: sql`${transports.unit_number}`,
  ra_number: sql`${transports.ra_number}`,
  location_out_name: sql`${locationOut.location_name}`,
  location_in_name: sql`${locationIn.location_name}`,
  estimated_arrival_date: sql`${transports.estimated_arrival_date}`,
  move_type: sql`${transports.move_type}`,
  transport_company_name: sql`${transportCompanies.company_name}`,
  status: sql`${transports.status}`,
  estimated_cost: sql`${transports.estimated_cost}`,
  final_cost: sql`${transports.final_cost}`,
  created_at: sql`${transports.created_at}`,
}

/** Unit, RA and PO numbers by their beginning, places and companies by any part of their name. */
function matching(q: string): SQL | undefined {
  const begins = beginningWith(q)
  const contains = containing(q)
  const places = sql`array(select id from ${locations} where location_name ilike ${contains} or location_code ilike ${contains})`
  return or(
    sql`${transports.unit_number} like ${begins}`,
    sql`lower(${transports.ra_number}) like ${begins.toLowerCase()}`,
    sql`lower(${transports.po_number}) like ${begins.toLowerCase()}`,
    sql`${transports.location_out_id} = any(${places})`,
    sql`${transports.location_in_id} = any(${places})`,
    sql`${transports.transport_company_id} = any(array(select id from ${transportCompanies} where company_name ilike ${contains}))`,
  )
}

/**
 * The same for the whole table: each way to match is a search of its own, so that each uses its index. Tried row by row
 * over a million transports, a number that nobody has takes seconds.
 */
function matchingAnywhere(q: string): SQL {
  const begins = beginningWith(q)
  const contains = containing(q)
  const named = sql`(l.location_name ilike ${contains} or l.location_code ilike ${contains})`
  return sql`${transports.id} in (
    select id from ${transports} where unit_number like ${begins}
    union all select id from ${transports} where lower(ra_number) like ${begins.toLowerCase()}
    union all select id from ${transports} where lower(po_number) like ${begins.toLowerCase()}
    union all select t.id from ${locations} l join ${transports} t on t.location_out_id = l.id where ${named}
    union all select t.id from ${locations} l join ${transports} t on t.location_in_id = l.id where ${named}
    union all select t.id from ${transportCompanies} c join ${transports} t on t.transport_company_id = c.id where c.company_name ilike ${contains})`
}

function filtered(query: Counted, search: (q: string) => SQL | undefined = matching): SQL | undefined {
  return and(
    query.q ? search(query.q) : undefined,
    query.unit_number ? eq(transports.unit_number, query.unit_number) : undefined,
    query.status ? eq(transports.status, query.status) : undefined,
    query.move_type ? eq(transports.move_type, query.move_type) : undefined,
    query.location_id ? atLocation(query.location_id) : undefined,
    query.transport_company_id ? eq(transports.transport_company_id, query.transport_company_id) : undefined,
    query.start_date ? gte(transports.move_date, query.start_date) : undefined,
    query.end_date ? lte(transports.move_date, query.end_date) : undefined,
  )
}

const ACTIVE = isUnderWay(transports)
const DELIVERED = isDelivered(transports)
const atLocation = (id: number) => or(eq(transports.location_out_id, id), eq(transports.location_in_id, id))

function listed(db: Db, query: TransportFilters, where: SQL | undefined): Listing<Transport> {
  const direction = query.order === 'asc' ? asc : desc
  return listing(db, {
    select: () => withNames(db),
    table: transports,
    where,
    order: [direction(SORTS[query.sort]), direction(transports.id)],
    query,
  })
}

/** So many of the newest entries of somebody's trail are looked through: what was entered before is not the last. */
const LOOKED_THROUGH = 200
const RECENT = 5

/** The transports that somebody typed in last, the newest first; imports are not typed. */
export async function transportsEnteredBy(db: Db, username: string): Promise<Transport[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select e.entity_id as id from (select * from ${auditEntries} where actor = ${username} order by id desc limit ${LOOKED_THROUGH}) e
      join ${transports} t on t.id = e.entity_id
      where e.entity = 'transports' and e.action = 'create' and e.upload_id is null order by e.id desc limit ${RECENT}`,
  )
  const ids = found.map(({ id }) => id)
  const recent = ids.length ? await withNames(db).where(oneOf(transports.id, ids)) : []
  return recent.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

const WEEK = 7

/** Which of those that are under way, by when they are to arrive. */
function dueBy({ due }: Pick<TransportFilters, 'due'>, today: string): SQL | undefined {
  if (due === 'late') return isLate(transports, today)
  return due ? arrivesWithin(transports, today, due === 'today' ? 0 : WEEK) : undefined
}

/** The lists of transports; each to be read by the page or from end to end. */
export const transportListings = {
  all: (db: Db, clock: Day, query: TransportFilters) =>
    listed(db, query, and(filtered(query, matchingAnywhere), dueBy(query, clock.today()))),
  /** Every status but Delivered. */
  active: (db: Db, clock: Day, query: TransportFilters) =>
    listed(db, query, and(ACTIVE, filtered(query), dueBy(query, clock.today()))),
  /** Delivered, with a move date in the period; both ends included. */
  completed: (db: Db, _clock: Day, query: TransportFilters) => listed(db, query, and(DELIVERED, filtered(query))),
}

export type TransportTotal = { move_type: MoveType; count: number; total_cost: number }

/** Count and final cost of the completed transports by move type. */
export async function totalTransports(db: Db, query: Counted): Promise<TransportTotal[]> {
  return db
    .select({
      move_type: transports.move_type,
      count: sql<number>`count(*)::int`,
      total_cost: sql`coalesce(sum(${transports.final_cost}), 0)`.mapWith(Number),
    })
    .from(transports)
    .where(and(DELIVERED, filtered(query)))
    .groupBy(transports.move_type)
    .orderBy(transports.move_type)
}

/** More of them are only said to be more. */
const LATER_LIMIT = 1000

/**
 * The figures above the completed report: its totals, and how many delivered transports it leaves out because they move
 * after its last day (counted up to one more than `LATER_LIMIT`).
 */
export async function completedFigures(
  db: Db,
  query: TransportFilters & { end_date: string },
): Promise<{ totals: TransportTotal[]; later: number }> {
  const found = await rows<TransportTotal & { move_type: MoveType | null; later: number }>(
    db,
    sql`select t.move_type, coalesce(t.count, 0)::int as count, coalesce(t.total_cost, 0) as total_cost,
        (select count(*)::int from (select 1 from ${transports} where ${DELIVERED} and ${transports.move_date} > ${query.end_date}::date limit ${LATER_LIMIT + 1}) l) as later
      from (select 1) one left join (
        select move_type, count(*) as count, sum(final_cost) as total_cost from ${transports} where ${and(DELIVERED, filtered(query))} group by move_type) t on true
      order by t.move_type`,
  )
  const totals = found.flatMap(({ move_type, count, total_cost }) =>
    move_type ? [{ move_type, count, total_cost: Number(total_cost) }] : [],
  )
  return { totals, later: found[0]?.later ?? 0 }
}

const BATCH = 2000

/** The completed transports in batches, oldest move first, for an export that never holds them all. */
export async function* eachCompletedTransport(db: Db, query: TransportFilters): AsyncGenerator<Transport[]> {
  let after: Transport | undefined
  do {
    const beyond = after && sql`(${transports.move_date}, ${transports.id}) > (${after.move_date}, ${after.id})`
    const batch = await withNames(db)
      .where(and(DELIVERED, filtered(query), beyond))
      .orderBy(asc(transports.move_date), asc(transports.id))
      .limit(BATCH)
    if (batch.length) yield batch
    after = batch.length === BATCH ? batch.at(-1) : undefined
  } while (after)
}

export async function findTransport(db: Db, id: number) {
  const [found] = await withNames(db).where(eq(transports.id, id))
  if (!found) throw new Missing('Transport')
  return found
}

/** All moves of a vehicle, newest first. */
export const transportsOfVehicle = (db: Db, unit: string) =>
  withNames(db).where(eq(transports.unit_number, unit)).orderBy(desc(transports.move_date), desc(transports.id))

/** All moves from or to a location, newest first. */
export const transportsAtLocation = (db: Db, id: number) =>
  withNames(db).where(atLocation(id)).orderBy(desc(transports.move_date), desc(transports.id))

/** @throws Refused for dates out of order or an unknown location or company */
export async function createTransport(db: Db, actor: Actor, clock: Day, values: NewTransport): Promise<Transport> {
  checkDates(values)
  const actual_arrival_date = arrivalFor(values.status, values.actual_arrival_date, null, clock.today())
  return db.transaction(async (tx) => {
    await ensureVehicle(tx, actor, values.unit_number)
    const created = await createRecord(tx, actor, transports, { ...values, actual_arrival_date })
    await followRecord(tx, actor, null, traceOfTransport(created))
    return findTransport(tx, created.id)
  })
}

/** Changes the fields given. @throws Missing, Stale, or Refused like createTransport */
export async function updateTransport(
  db: Db,
  actor: Actor,
  clock: Day,
  id: number,
  version: number | undefined,
  change: Partial<NewTransport>,
): Promise<Transport> {
  return db.transaction(async (tx) => {
    if (change.unit_number) await ensureVehicle(tx, actor, change.unit_number)
    const { before, after } = await changeRecord(tx, actor, transports, {
      id,
      version,
      what: 'Transport',
      values: (stored) => {
        const next = { ...stored, ...change }
        // A form sends the arrival back that Delivered took by itself; nobody typed that one.
        const isTyped =
          (change.actual_arrival_date !== undefined && change.actual_arrival_date !== stored.actual_arrival_date) ||
          (change.move_date !== undefined && change.move_date !== stored.move_date)
        checkDates({ ...next, actual_arrival_date: isTyped ? (next.actual_arrival_date ?? null) : null })
        return {
          ...change,
          actual_arrival_date: arrivalFor(
            next.status,
            change.actual_arrival_date,
            stored.actual_arrival_date,
            clock.today(),
          ),
        }
      },
    })
    await followRecord(tx, actor, traceOfTransport(before), traceOfTransport(after))
    return findTransport(tx, id)
  })
}

/** Changes the status alone; Delivered takes an arrival date, today unless told, and leaving it clears that. */
export function changeTransportStatus(
  db: Db,
  actor: Actor,
  clock: Day,
  id: number,
  { version, ...change }: z.output<typeof statusChange>,
) {
  return updateTransport(db, actor, clock, id, version, change)
}

/** @throws Missing */
export const removeTransport = (db: Db, actor: Actor, id: number) =>
  db.transaction(async (tx) => {
    const removed = await removeRecord(tx, actor, transports, id, 'Transport')
    await followRecord(tx, actor, traceOfTransport(removed), null)
    return removed
  })

/** Takes a deletion back. @throws Missing, Conflict */
export const restoreTransport = (db: Db, actor: Actor, id: number): Promise<Transport> =>
  db.transaction(async (tx) => {
    const restored = await restoreRecord(tx, actor, transports, id, 'Transport', { prepare: itsVehicle(actor) })
    await followRecord(tx, actor, null, traceOfTransport(restored))
    return findTransport(tx, id)
  })

/** How many are under way; the same count as the active list's. */
export const countActiveTransports = (db: Db) => db.$count(transports, ACTIVE)

/** The latest moves, for the dashboard. */
export const recentTransports = (db: Db, limit: number) =>
  withNames(db).orderBy(desc(transports.move_date), desc(transports.id)).limit(limit)
