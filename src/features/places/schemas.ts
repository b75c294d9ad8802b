import { locations, merges, transportCompanies, vendors } from '../../../db/schema'
import { deletable, integer, record, type Schema, withHiddenCosts } from '../../platform/docs/schema'

export const placeSchemas = (): Record<string, Schema> => ({
  Location: deletable(record(locations)),
  TransportCompany: deletable(record(transportCompanies)),
  Vendor: deletable(withHiddenCosts(record(vendors))),
  Merge: record(merges, { moved: { type: 'object', additionalProperties: integer }, records: integer }),
})
