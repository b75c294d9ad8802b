import { z } from 'zod'
import { SCANS } from '../../../db/vocabulary'
import { choice, choiceOr, optionalDate, requiredText } from '../../platform/fields'

/** One unit that is scanned or typed, and what it is scanned for; `on` is the day of it, today unless said. */
export const scan = z.object({
  unit: requiredText('Scan or type a unit', 17),
  as: choice(SCANS, 'Say what is scanned for'),
  on: optionalDate,
})
export type ScannedUnit = z.output<typeof scan>

/** What stays the same from one unit to the next. */
export const scanning = z.object({ as: choiceOr(SCANS, 'delivered'), on: optionalDate })
