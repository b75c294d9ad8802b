import { oslEntries, oslRates } from '../../../db/schema'
import {
  date,
  deletable,
  integer,
  list,
  number,
  object,
  orNull,
  record,
  type Schema,
  string,
  withHiddenCosts,
} from '../../platform/docs/schema'

export const oslSchemas = (): Record<string, Schema> => ({
  OslEntry: deletable(
    withHiddenCosts(
      record(oslEntries, {
        location_name: string,
        vendor_name: orNull(string),
        completed_on: orNull(date),
        days_out_of_service: integer,
        storage_fees_total: number,
        current_daily_rate: orNull(number),
      }),
    ),
  ),
  StoredOslEntry: withHiddenCosts(record(oslEntries)),
  Fees: object({
    days_out_of_service: integer,
    storage_fee_daily_rate: orNull(number),
    storage_grace_days: integer,
    storage_fees_total: number,
    total: number,
    lines: list(object({ from: date, to: date, days: integer, daily_rate: number, amount: number })),
    waived: number,
    waived_reason: orNull(string),
    as_of: date,
  }),
  OslRate: record(oslRates),
})
