import { and, asc, desc, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { locations, transportCompanies, transports } from '../../../db/schema'
import type { Calendar } from '../../platform/clock'
import { type Listing, listing, type NameOrder } from '../../platform/records/listing'
import { naturally } from '../../platform/records/natural-order'
import { countFromTallies } from '../../platform/records/tallies'
import {
  ACTIVE,
  DELIVERED,
  dueBy,
  filterCondition,
  isTallied,
  locationIn,
  locationOut,
  matchesOf,
  tallyOf,
} from './filters'
import { type Transport, type TransportFilters, withNames } from './queries'

const SORTS: Record<TransportFilters['sort'], SQL> = {
  move_date: sql`${transports.move_date}`,
  unit_number: sql`${transports.unit_number}`,
  ra_number: sql`${transports.ra_number}`,
  location_out_name: naturally(locationOut.location_name),
  location_in_name: naturally(locationIn.location_name),
  estimated_arrival_date: sql`${transports.estimated_arrival_date}`,
  move_type: sql`${transports.move_type}`,
  transport_company_name: naturally(transportCompanies.company_name),
  status: sql`${transports.status}`,
  estimated_cost: sql`${transports.estimated_cost}`,
  final_cost: sql`${transports.final_cost}`,
  created_at: sql`${transports.created_at}`,
  updated_at: sql`${transports.updated_at}`,
}

/**
 * Joins for sorting transports by the name of a location or company. A transport stores only the ids of these records.
 */
const NAMED: Partial<Record<TransportFilters['sort'], NameOrder>> = {
  location_out_name: { from: sql`${locations} ${locationOut}`, id: locationOut.id, key: transports.location_out_id },
  location_in_name: { from: sql`${locations} ${locationIn}`, id: locationIn.id, key: transports.location_in_id },
  transport_company_name: {
    from: sql`${transportCompanies}`,
    id: transportCompanies.id,
    key: transports.transport_company_id,
  },
}

function createListing(
  db: Db,
  query: TransportFilters,
  where: SQL | undefined,
  length?: SQL<number>,
): Listing<Transport> {
  const direction = query.order === 'asc' ? asc : desc
  const { q, ...others } = query
  return listing(db, {
    select: () => withNames(db),
    from: { of: withNames },
    table: transports,
    where: and(where, filterCondition(query)),
    matches: q ? matchesOf({ q, ...others }, where, sql`${transports.id}`) : undefined,
    length,
    order: [direction(SORTS[query.sort]), direction(transports.id)],
    sortedBy: NAMED[query.sort],
    query,
  })
}

/**
 * SQL for the number of all transports. It adds the stored number of delivered transports to a count of the active
 * ones, which are few.
 */
const COUNT_ALL: SQL<number> = sql`(${countFromTallies('delivered transports')} + (select count(*)::int
  from ${transports} where ${ACTIVE}))`

export const transportListings = {
  all: (db: Db, clock: Calendar, query: TransportFilters) =>
    createListing(db, query, dueBy(query, clock.today()), filterCondition(query) || query.due ? undefined : COUNT_ALL),
  active: (db: Db, clock: Calendar, query: TransportFilters) =>
    createListing(db, query, and(ACTIVE, dueBy(query, clock.today()))),
  completed: (db: Db, _clock: Calendar, query: TransportFilters) =>
    createListing(
      db,
      query,
      DELIVERED,
      isTallied(query) ? countFromTallies('delivered transports', tallyOf(query)) : undefined,
    ),
}
