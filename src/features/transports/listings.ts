import { and, asc, desc, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { transportCompanies, transports } from '../../../db/schema'
import type { Calendar } from '../../platform/clock'
import { type Listing, listing } from '../../platform/records/listing'
import { countTallied } from '../../platform/records/tallies'
import {
  ACTIVE,
  DELIVERED,
  dueBy,
  filtered,
  isTallied,
  locationIn,
  locationOut,
  matchingAnywhere,
  matchingUnderWay,
  tallyOf,
} from './filters'
import { type Transport, type TransportFilters, withNames } from './queries'

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
  updated_at: sql`${transports.updated_at}`,
}

function listed(
  db: Db,
  query: TransportFilters,
  where: SQL | undefined,
  more: { sought?: SQL | undefined; length?: SQL<number> | undefined } = {},
): Listing<Transport> {
  const direction = query.order === 'asc' ? asc : desc
  return listing(db, {
    select: () => withNames(db),
    from: { of: withNames },
    table: transports,
    where,
    ...more,
    order: [direction(SORTS[query.sort]), direction(transports.id)],
    query,
  })
}

/** Count of all transports: the tallied delivered ones plus the few active ones. */
const COUNT_ALL: SQL<number> = sql`(${countTallied('delivered transports')} + (select count(*)::int from ${transports} where ${ACTIVE}))`

export const transportListings = {
  all: (db: Db, clock: Calendar, query: TransportFilters) =>
    listed(db, query, and(filtered(query), dueBy(query, clock.today())), {
      sought: and(filtered(query, matchingAnywhere), dueBy(query, clock.today())),
      length: filtered(query) || query.due ? undefined : COUNT_ALL,
    }),
  active: (db: Db, clock: Calendar, query: TransportFilters) =>
    listed(db, query, and(ACTIVE, filtered(query), dueBy(query, clock.today())), {
      sought: and(ACTIVE, filtered(query, matchingUnderWay), dueBy(query, clock.today())),
    }),
  completed: (db: Db, _clock: Calendar, query: TransportFilters) =>
    listed(db, query, and(DELIVERED, filtered(query)), {
      length: isTallied(query) ? countTallied('delivered transports', tallyOf(query)) : undefined,
    }),
}
