import { date, integer, object, oneOf, orNull, type Schema, string } from '../../platform/docs/schema'
import { dueNames } from './rules'

export const dueSchemas = (): Record<string, Schema> => ({
  DueItem: object({
    kind: oneOf(dueNames()),
    entity: string,
    id: integer,
    unit_number: string,
    text: string,
    due_on: date,
    days: integer,
    severity: oneOf(['danger', 'warning']),
    snoozed_until: orNull(date),
    snooze_reason: orNull(string),
    assigned_to: orNull(string),
  }),
})
