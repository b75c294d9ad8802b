import { z } from 'zod'
import { DUE_WHEN } from '../../../db/vocabulary'
import { choiceAmong, idParams, optionalChoice, optionalDate, optionalText, yesNo } from '../../platform/fields'
import { listQuery } from '../../platform/lists/list-query'
import { dueRules } from '../../platform/records/kind'
import { Refused } from '../../platform/refusals'

export const dueNames = () => dueRules().map(({ name }) => name)

export const dueFilters = listQuery(['worst'], 'worst').extend({
  kind: choiceAmong(dueNames, optionalChoice),
  /** If true, lists snoozed items instead of active ones. */
  snoozed: yesNo(false),
  /** `today` lists items that are due today or earlier, and `overdue` lists items that were due before today. */
  when: optionalChoice(DUE_WHEN),
  /** A username, or `-` for unassigned items. */
  assigned_to: optionalText(50),
})
export type DueFilters = z.output<typeof dueFilters>

export const dueParams = z.object({ kind: choiceAmong(dueNames, (names) => z.enum(names)), id: idParams.shape.id })

export const snooze = z.object({ until: optionalDate, reason: optionalText(255) })
export type Snooze = z.output<typeof snooze>

export const assignment = z.object({ assigned_to: optionalText(50) })

/** @throws Refused when `until` and `reason` are both missing, or when `until` is not after today */
export function checkSnooze({ until, reason }: Snooze, today: string) {
  if (!until && !reason) throw Refused.field('until', 'Choose a date, or enter a reason to snooze it permanently')
  if (until && until <= today) throw Refused.field('until', 'Choose a date after today')
}
