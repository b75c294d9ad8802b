import { and, asc, desc, eq, type Placeholder, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, oneOf, rows } from '../../../db/client'
import { auditEntries, transportCompanies, transports, vehicles } from '../../../db/schema'
import { HISTORY_LIMIT } from '../../platform/records/kind'
import { prepared } from '../../platform/records/prepared-statements'
import { Missing } from '../../platform/refusals'
import { ACTIVE, atLocation, DELIVERED, filterCondition, locationIn, locationOut } from './filters'
import type { transport, transportFilters } from './rules'

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
  external_id: transports.external_id,
  version: transports.version,
  created_at: transports.created_at,
  created_by: transports.created_by,
  updated_at: transports.updated_at,
  updated_by: transports.updated_by,
}

export type Transport = Awaited<ReturnType<typeof findTransport>>
export type TransportFilters = z.output<typeof transportFilters>
export type NewTransport = z.output<typeof transport>

export const withNames = (db: Db) =>
  db
    .select(columns)
    .from(transports)
    .innerJoin(locationOut, eq(locationOut.id, transports.location_out_id))
    .innerJoin(locationIn, eq(locationIn.id, transports.location_in_id))
    .innerJoin(transportCompanies, eq(transportCompanies.id, transports.transport_company_id))
    .$dynamic()

/**
 * Loads the values that are printed on a transport order.
 * @throws Missing when the transport does not exist
 */
export async function findOrder(db: Db, id: number) {
  const [order] = await db
    .select({
      transport: columns,
      out: { address: locationOut.address, phone: locationOut.phone },
      in: { address: locationIn.address, phone: locationIn.phone },
      company: {
        contact_person: transportCompanies.contact_person,
        phone: transportCompanies.phone,
        email: transportCompanies.email,
      },
      vehicle: { vin: vehicles.vin, model_year: vehicles.model_year },
    })
    .from(transports)
    .innerJoin(locationOut, eq(locationOut.id, transports.location_out_id))
    .innerJoin(locationIn, eq(locationIn.id, transports.location_in_id))
    .innerJoin(transportCompanies, eq(transportCompanies.id, transports.transport_company_id))
    .innerJoin(vehicles, eq(vehicles.unit_number, transports.unit_number))
    .where(eq(transports.id, id))
  if (!order) throw new Missing('Transport')
  return order
}

export type Order = Awaited<ReturnType<typeof findOrder>>

/** Number of a user's latest audit entries to search for transports. */
const MAX_ENTRIES_READ = 200
const RECENT = 5

/** Lists the latest transports of a user, newest first. Imported transports are left out. */
export async function transportsEnteredBy(db: Db, username: string): Promise<Transport[]> {
  const entryRows = await rows<{ id: number }>(
    db,
    sql`select e.entity_id as id from (select * from ${auditEntries} where actor = ${username} order by id desc
      limit ${MAX_ENTRIES_READ}) e
      join ${transports} t on t.id = e.entity_id
      where e.entity = 'transports' and e.action = 'create' and e.upload_id is null order by e.id desc limit ${RECENT}`,
  )
  const ids = entryRows.map(({ id }) => id)
  const recent = ids.length ? await withNames(db).where(oneOf(transports.id, ids)) : []
  return recent.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

const BATCH = 2000

/** Reads completed transports in batches, oldest move first. Therefore, an export never holds all of them in memory. */
export async function* streamCompletedTransports(db: Db, query: TransportFilters): AsyncGenerator<Transport[]> {
  let after: Transport | undefined
  do {
    const afterLast = after && sql`(${transports.move_date}, ${transports.id}) > (${after.move_date}, ${after.id})`
    const batch = await withNames(db)
      .where(and(DELIVERED, filterCondition(query), afterLast))
      .orderBy(asc(transports.move_date), asc(transports.id))
      .limit(BATCH)
    if (batch.length) yield batch
    after = batch.length === BATCH ? batch.at(-1) : undefined
  } while (after)
}

const transportById = (db: Db) =>
  withNames(db)
    .where(eq(transports.id, sql.placeholder('id')))
    .prepare('find_transport')

export async function findTransport(db: Db, id: number) {
  const [stored] = await prepared(db, 'find_transport', () => transportById(db)).execute({ id })
  if (!stored) throw new Missing('Transport')
  return stored
}

export const transportsOfVehicle = (db: Db, unit: string | Placeholder) =>
  withNames(db).where(eq(transports.unit_number, unit)).orderBy(desc(transports.move_date), desc(transports.id))

export const latestTransports = (db: Db, unit: string): Promise<Transport[]> =>
  prepared(db, 'latest_transports', () =>
    transportsOfVehicle(db, sql.placeholder('unit')).limit(HISTORY_LIMIT).prepare('latest_transports'),
  ).execute({ unit })

export const transportsAtLocation = (db: Db, id: number) =>
  withNames(db).where(atLocation(id)).orderBy(desc(transports.move_date), desc(transports.id))

export const countActiveTransports = (db: Db) => db.$count(transports, ACTIVE)

export const recentTransports = (db: Db, limit: number) =>
  withNames(db).orderBy(desc(transports.move_date), desc(transports.id)).limit(limit)
