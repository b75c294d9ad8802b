import { integer, list, number, object, ref, type Schema } from '../../platform/docs/schema'

export const dashboardSchemas = (): Record<string, Schema> => ({
  Dashboard: object(
    {
      active_transports: integer,
      active_osl: integer,
      pending_registrations: integer,
      pending_titles: integer,
      recent_transports: list(ref('Transport')),
      recent_osl: list(ref('OslEntry')),
      expiring_registrations: list(ref('Registration')),
      expiring_total: integer,
      storage_fees_total: number,
    },
    ['storage_fees_total'],
  ),
})
