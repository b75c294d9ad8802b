import { z } from 'zod'
import { choice, choiceAmong, choiceOr, optionalDate, requiredText } from '../../platform/fields'
import { unitKinds } from '../../platform/records/kind'

export const scanNames = () => unitKinds().flatMap(({ scan }) => scan?.name ?? [])

/** A scanned or typed unit, the scan action `as`, and the date `on` of the action. The date defaults to today. */
export const scan = z.object({
  unit: requiredText('Scan or type a unit', 40),
  as: choiceAmong(scanNames, (names) => choice(names, 'Choose a scan type')),
  on: optionalDate,
})
export type ScannedUnit = z.output<typeof scan>

/** Fields whose values are kept for the next scanned unit. */
export const scanning = z.object({
  as: choiceAmong(scanNames, (names) => choiceOr(names, names[0])),
  on: optionalDate,
})
