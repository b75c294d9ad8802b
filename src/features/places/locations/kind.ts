import { locations } from '../../../../db/schema'
import { paths } from '../../../platform/paths'
import type { RecordKind } from '../../../platform/records/kind'
import { locationQueries } from './queries'

export const locationKind: RecordKind = {
  table: locations,
  noun: 'location',
  many: 'locations',
  calledBy: locations.location_name,
  codes: [locations.location_code],
  page: ({ id }) => paths.budgets.show(id),
  history: 'everybody',
  events: 'everybody',
  find: (db, _clock, id) => locationQueries.find(db, id),
}
