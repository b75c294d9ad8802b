import { and, asc, desc, eq, ilike, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Db } from '../../../db/client'
import { locations, oslEntries, registrations, transports, vehicles } from '../../../db/schema'
import type { Page } from '../../platform/http/answers'
import { type Listing, listing } from '../../platform/records/listing'
import { nameMatches } from '../../platform/records/master-data/other-names'
import { naturally } from '../../platform/records/natural-order'
import { beginningWith, containing, endsWith, matchingWords } from '../../platform/records/search'
import { plateBegins } from '../registrations'
import type { Vehicle } from './find'
import type { vehicleFilters } from './rules'

type VehicleFilters = z.output<typeof vehicleFilters>

const SORTS: Record<VehicleFilters['sort'], SQL> = {
  unit_number: sql`${vehicles.unit_number}`,
  vin: sql`${vehicles.vin}`,
  model_year: sql`${vehicles.model_year}`,
  current_mileage: sql`${vehicles.current_mileage}`,
  current_status: sql`${vehicles.current_status}`,
  current_location: naturally(vehicles.current_location),
  updated_at: sql`${vehicles.updated_at}`,
}

const matching = (q: string) =>
  or(
    sql`${vehicles.unit_number} like ${beginningWith(q)}`,
    sql`${vehicles.vin} like ${beginningWith(q.toUpperCase())}`,
    endsWith(vehicles.vin, q),
  )

const matchingListed = (q: string) => or(matching(q), ilike(vehicles.current_location, containing(q)))

export function vehicleListing(db: Db, query: VehicleFilters): Listing<Vehicle> {
  const where = and(
    query.q ? matchingWords(query.q, matchingListed) : undefined,
    query.current_status ? eq(vehicles.current_status, query.current_status) : undefined,
    query.current_location ? eq(vehicles.current_location, query.current_location) : undefined,
  )
  const direction = query.order === 'desc' ? desc : asc
  const order = [direction(SORTS[query.sort]), asc(vehicles.id)]
  return listing<Vehicle>(db, {
    select: () => db.select().from(vehicles).$dynamic(),
    from: { of: vehicles },
    table: vehicles,
    where,
    order,
    query,
  })
}

type Search = { q: string; page: number; per_page: number; order: 'asc' | 'desc' }

export async function searchVehicles(db: Db, { q, page, per_page, order }: Search): Promise<Page<Vehicle>> {
  const where = matching(q)
  const byUnit = [(order === 'desc' ? desc : asc)(vehicles.unit_number)]
  return listing<Vehicle>(db, {
    select: () => db.select().from(vehicles).$dynamic(),
    from: { of: vehicles },
    table: vehicles,
    where,
    order: byUnit,
    query: { page, per_page },
  }).page()
}

const place = alias(locations, 'l')

/**
 * Finds vehicles by number or location. Numbers are the unit number, VIN or its ending, plate, RA number and PO number.
 * Each column has its own subquery, so that Postgres can use the column's index.
 */
export async function lookUpVehicles(db: Db, q: string, limit: number): Promise<Page<Vehicle>> {
  const begins = beginningWith(q.toLowerCase())
  const where = sql`${vehicles.id} in (
    select id from ${vehicles} where ${matching(q)}
    union all select v.id from ${locations} l join ${vehicles} v on v.current_location = l.location_name
      where ${nameMatches({ table: place, called: [place.location_name] }, q)}
        or lower(l.location_code) = ${q.toLowerCase()}
    union all select v.id from ${vehicles} v where v.unit_number in (
      select unit_number from ${registrations} where ${plateBegins(registrations.plate_number, q)}
      union all select unit_number from ${transports} where lower(ra_number) like ${begins}
      union all select unit_number from ${transports} where lower(po_number) like ${begins}
      union all select unit_number from ${oslEntries} where lower(ra_number) like ${begins}
      union all select unit_number from ${oslEntries} where lower(po_number) like ${begins}))`
  const [rows, total] = await Promise.all([
    db.select().from(vehicles).where(where).orderBy(asc(vehicles.unit_number)).limit(limit),
    db.$count(vehicles, where),
  ])
  return { rows, total }
}
