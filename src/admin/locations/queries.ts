import { sql } from 'drizzle-orm'
import { locations, oslEntries, registrations, titles, transports } from '../../../db/schema'
import { masterQueries } from '../master-data'

export type Location = typeof locations.$inferSelect

export const locationQueries = masterQueries<Location>({
  table: locations,
  noun: 'Location',
  unique: { field: 'location_code', message: 'Location code already exists' },
  name: locations.location_name,
  type: locations.location_type,
  searched: [locations.location_code, locations.location_name, locations.address],
  sorts: {
    location_code: locations.location_code,
    location_name: locations.location_name,
    location_type: locations.location_type,
    created_at: locations.created_at,
  },
  usage: (id) => sql`
    select (select count(*)::int from ${transports} where location_out_id = l.id or location_in_id = l.id) as transports,
           (select count(*)::int from ${oslEntries} where location_id = l.id) as osl,
           (select count(*)::int from ${registrations} where location_id = l.id) as registrations,
           (select count(*)::int from ${titles} where location_id = l.id) as titles
    from ${locations} l where l.id = ${id}`,
})
