import { locations } from '../../../../db/schema'
import { masterQueries } from '../../../platform/records/master-data/queries'
import { naturally } from '../../../platform/records/natural-order'

export type Location = typeof locations.$inferSelect

export const locationQueries = masterQueries<Location>({
  table: locations,
  noun: 'Location',
  unique: { field: 'location_code', message: 'Location code already exists' },
  called: [locations.location_name, locations.location_code],
  filter: 'location_id',
  isPlace: true,
  type: locations.location_type,
  searched: [locations.address],
  sorts: {
    location_code: naturally(locations.location_code),
    location_name: naturally(locations.location_name),
    location_type: naturally(locations.location_type),
    created_at: locations.created_at,
    updated_at: locations.updated_at,
  },
})
