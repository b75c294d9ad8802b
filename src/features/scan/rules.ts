import { z } from 'zod'
import { choice, choiceAmong, choiceOr, optionalDate, requiredText } from '../../platform/fields'
import { unitKinds } from '../../platform/records/kind'

export const scanNames = () => unitKinds().flatMap(({ scan }) => scan?.name ?? [])

/** One unit that is scanned or typed, and what it is scanned for; `on` is the day of it, today unless given. */
export const scan = z.object({
  unit: requiredText('Scan or type a unit', 40),
  as: choiceAmong(scanNames, (names) => choice(names, 'Say what is scanned for')),
  on: optionalDate,
})
export type ScannedUnit = z.output<typeof scan>

/** What stays the same from one unit to the next. */
export const scanning = z.object({
  as: choiceAmong(scanNames, (names) => choiceOr(names, names[0])),
  on: optionalDate,
})
