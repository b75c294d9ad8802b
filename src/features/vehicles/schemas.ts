import { vehicleReadings, vehicles } from '../../../db/schema'
import {
  boolean,
  date,
  deletable,
  integer,
  number,
  object,
  orNull,
  record,
  type Schema,
  string,
} from '../../platform/docs/schema'

export const vehicleSchemas = (): Record<string, Schema> => ({
  Vehicle: deletable(record(vehicles)),
  Reading: record(vehicleReadings),
  YearOfCosts: object({
    year: integer,
    transport_cost: number,
    registration_cost: number,
    storage_fees: number,
    total_cost: number,
  }),
  KnownUnit: object({
    unit_number: string,
    is_known: boolean,
    model_year: orNull(integer),
    current_status: orNull(string),
    current_location: orNull(string),
    current_location_id: orNull(integer),
    open_transport: orNull(string),
    open_osl: orNull(string),
    registered_until: orNull(date),
    has_pending_title: boolean,
  }),
})
