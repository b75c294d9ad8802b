import { z } from 'zod'
import {
  changeOf,
  listQuery,
  optionalDate,
  optionalIdFilter,
  optionalText,
  requiredChoiceOf,
  requiredParagraph,
  unitNumber,
  version,
} from '../fields'
import { Refused } from '../refusals'

export const title = z.object({
  unit_number: unitNumber,
  location_id: requiredChoiceOf('Location is required'),
  dealer_name: optionalText(100),
  dealer_contact: optionalText(100),
  submitted_date: optionalDate,
  transferred_date: optionalDate,
  notes: optionalText(5000),
})

export const titleChange = changeOf(title)
export const titleTransfer = z.object({ transferred_date: optionalDate, version }).optional()
export const titleReopening = z.object({ version }).optional()
export const note = z.object({ note_text: requiredParagraph('Note is required', 5000) })

/** Asking for a title: what was said, and when to ask again. */
export const chase = note.extend({ next_on: optionalDate })

export const titleFilters = listQuery(
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
})

/** A title that is pending for longer is overdue. */
export const OVERDUE_DAYS = 30
export const overdueFilters = titleFilters.extend({
  days: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.coerce
      .number({ error: 'Must be a number of days' })
      .int('Must be a whole number')
      .min(0, 'Must not be negative')
      .max(36_500, 'Is too large')
      .default(OVERDUE_DAYS),
  ),
})

/** A title is not transferred before it was submitted. @throws Refused naming the date */
export function checkDates({
  submitted_date,
  transferred_date,
}: {
  submitted_date: string
  transferred_date: string | null
}) {
  if (transferred_date && transferred_date < submitted_date)
    throw Refused.field('transferred_date', 'The transfer is before the date of submission')
}
