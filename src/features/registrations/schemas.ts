import { registrations } from '../../../db/schema'
import {
  deletable,
  integer,
  number,
  object,
  record,
  type Schema,
  string,
  withHiddenCosts,
} from '../../platform/docs/schema'

export const registrationSchemas = (): Record<string, Schema> => ({
  StoredRegistration: withHiddenCosts(record(registrations)),
  Registration: deletable(
    withHiddenCosts(record(registrations, { location_name: string, days_until_expiry: integer })),
  ),
  RegistrationTotals: withHiddenCosts(
    object({
      pending: integer,
      completed: integer,
      expiring: integer,
      expired: integer,
      total_cost: number,
      total_vlt: number,
    }),
  ),
})
