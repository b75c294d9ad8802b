import { locations, merges, transportCompanies, vendors } from '../../../db/schema'
import { integer, record, type Schema } from '../../platform/docs/schema'

export const placeSchemas = (): Record<string, Schema> => ({
  Location: record(locations),
  TransportCompany: record(transportCompanies),
  Vendor: record(vendors),
  Merge: record(merges, { moved: { type: 'object', additionalProperties: integer }, records: integer }),
})
