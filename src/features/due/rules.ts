import { z } from 'zod'
import { DUE_WHEN } from '../../../db/vocabulary'
import { choiceAmong, idParams, optionalChoice, optionalDate, optionalText, yesNo } from '../../platform/fields'
import { listQuery } from '../../platform/lists/list-query'
import { dueRules } from '../../platform/records/kind'
import { Refused } from '../../platform/refusals'

export const dueNames = () => dueRules().map(({ name }) => name)

export const dueFilters = listQuery(['worst'], 'worst').extend({
  kind: choiceAmong(dueNames, optionalChoice),
  /** True lists only snoozed items. False lists only items that are not snoozed. */
  snoozed: yesNo(false),
  /** `today` lists items whose due date is today or earlier. `overdue` lists items whose due date is before today. */
  when: optionalChoice(DUE_WHEN),
  /** A username, or `-` for items that are assigned to nobody. */
  assigned_to: optionalText(50),
})
export type DueFilters = z.output<typeof dueFilters>

/** Filters of the items that are counted by kind. */
export const countFilters = dueFilters.pick({ q: true, snoozed: true, when: true, assigned_to: true })
export type CountFilters = z.output<typeof countFilters>
export const NOT_SNOOZED: CountFilters = countFilters.parse({})

export const dueParams = z.object({ kind: choiceAmong(dueNames, (names) => z.enum(names)), id: idParams.shape.id })

export const snooze = z.object({ until: optionalDate, reason: optionalText(255) })
export type Snooze = z.output<typeof snooze>

export const assignment = z.object({ assigned_to: optionalText(50) })

export function checkSnooze({ until, reason }: Snooze, today: string) {
  if (!until && !reason)
    throw Refused.field('until', 'Choose a date. To snooze the item permanently, enter a reason and no date.')
  if (until && until <= today) throw Refused.field('until', 'Choose a date after today')
}
