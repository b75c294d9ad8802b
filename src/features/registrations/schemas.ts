import { registrations } from '../../../db/schema'
import { integer, number, object, record, type Schema, string } from '../../platform/docs/schema'

export const registrationSchemas = (): Record<string, Schema> => ({
  StoredRegistration: record(registrations),
  Registration: record(registrations, { location_name: string, days_until_expiry: integer }),
  RegistrationTotals: object({
    pending: integer,
    completed: integer,
    expiring: integer,
    expired: integer,
    total_cost: number,
    total_vlt: number,
  }),
})
