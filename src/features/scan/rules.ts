import { z } from 'zod'
import { choice, choiceAmong, choiceOr, optionalDate, requiredText } from '../../platform/fields'
import { unitKinds } from '../../platform/records/kind'

export const scanNames = () => unitKinds().flatMap(({ scan }) => scan?.name ?? [])

/**
 * Input of one scan. `unit` is the scanned or typed text, `as` the action, and `on` the date of the action. The date
 * defaults to today.
 */
export const scan = z.object({
  unit: requiredText('Scan or type a unit number, VIN or plate', 40),
  as: choiceAmong(scanNames, (names) => choice(names, 'Choose an action')),
  on: optionalDate,
})
export type ScannedUnit = z.output<typeof scan>

/** Fields of the scan form that keep their values between units. */
export const scanning = z.object({
  as: choiceAmong(scanNames, (names) => choiceOr(names, names[0])),
  on: optionalDate,
})
