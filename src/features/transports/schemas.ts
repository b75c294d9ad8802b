import { transports } from '../../../db/schema'
import { MOVE_TYPES } from '../../../db/vocabulary'
import {
  deletable,
  integer,
  number,
  object,
  oneOf,
  record,
  type Schema,
  string,
  withHiddenCosts,
} from '../../platform/docs/schema'

export const transportSchemas = (): Record<string, Schema> => ({
  Transport: deletable(
    withHiddenCosts(
      record(transports, {
        location_out_name: string,
        location_out_code: string,
        location_in_code: string,
        location_in_name: string,
        transport_company_name: string,
      }),
    ),
  ),
  TransportTotal: withHiddenCosts(object({ move_type: oneOf(MOVE_TYPES), count: integer, total_cost: number })),
  StoredTransport: withHiddenCosts(record(transports)),
})
