import { transports } from '../../../db/schema'
import { MOVE_TYPES } from '../../../db/vocabulary'
import { integer, number, object, oneOf, record, type Schema, string } from '../../platform/docs/schema'

export const transportSchemas = (): Record<string, Schema> => ({
  Transport: record(transports, {
    location_out_name: string,
    location_out_code: string,
    location_in_code: string,
    location_in_name: string,
    transport_company_name: string,
  }),
  TransportTotal: object({ move_type: oneOf(MOVE_TYPES), count: integer, total_cost: number }),
  StoredTransport: record(transports),
})
