import { z } from 'zod'
import { STAGE_FIELDS, TITLE_OVERDUE_DAYS, TITLE_STAGES, type TitleStage } from '../../../db/vocabulary'
import {
  changeOf,
  externalId,
  NOTES_LIMIT,
  optionalChoice,
  optionalDate,
  optionalIdFilter,
  optionalText,
  requiredChoiceOf,
  requiredParagraph,
  unitNumber,
  version,
} from '../../platform/fields'
import { recordQuery } from '../../platform/lists/list-query'
import { type FieldError, Refused } from '../../platform/refusals'

export const title = z.object({
  unit_number: unitNumber,
  location_id: requiredChoiceOf('Location is required'),
  dealer_name: optionalText(100),
  dealer_contact: optionalText(100),
  submitted_date: optionalDate,
  transferred_date: optionalDate,
  notes: optionalText(NOTES_LIMIT),
  external_id: externalId,
  requested_on: optionalDate,
  sent_on: optionalDate,
  in_transit_on: optionalDate,
  received_on: optionalDate,
})

export const titleChange = changeOf(title)
export const titleTransfer = z.object({ transferred_date: optionalDate, version }).optional()
export const titleReopening = z.object({ version }).optional()
export const note = z.object({ note_text: requiredParagraph('Note is required', NOTES_LIMIT) })

export const chase = note.extend({ next_on: optionalDate })

export const titleFilters = recordQuery(
  [
    'submitted_date',
    'unit_number',
    'location_name',
    'dealer_name',
    'days_pending',
    'transferred_date',
    'last_chased_on',
    'next_chase_on',
    'created_at',
  ],
  'submitted_date',
).extend({
  unit_number: z.preprocess((value) => (value === '' ? undefined : value), unitNumber.optional()),
  location_id: optionalIdFilter,
  stage: optionalChoice(TITLE_STAGES),
})

export const overdueFilters = titleFilters.extend({
  days: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.coerce
      .number({ error: 'Must be a number of days' })
      .int('Must be a whole number')
      .min(0, 'Must not be negative')
      .max(36_500, 'Is too large')
      .default(TITLE_OVERDUE_DAYS),
  ),
})

type StageDays = Record<(typeof STAGE_FIELDS)[TitleStage], string | null>

/**
 * Checks the order of the dates of a title. Stages without a date are skipped.
 * @throws Refused with the fields of all dates that are out of order
 */
export function checkDates({
  submitted_date,
  transferred_date,
  ...days
}: { submitted_date: string | null; transferred_date: string | null } & StageDays) {
  const errors: FieldError[] = []
  if (transferred_date && submitted_date && transferred_date < submitted_date)
    errors.push({ field: 'transferred_date', message: 'The transfer date must not be before the submission date' })
  let before: TitleStage | undefined
  for (const stage of TITLE_STAGES) {
    const day = days[STAGE_FIELDS[stage]]
    if (!day) continue
    const earlier = before && days[STAGE_FIELDS[before]]
    if (earlier && day < earlier)
      errors.push({ field: STAGE_FIELDS[stage], message: `Must not be before the ${before} date` })
    before = stage
  }
  if (errors.length > 0) throw new Refused(errors)
}
