import { z } from 'zod'
import { REGISTRATION_STATUSES, REGISTRATION_TYPES, type RegistrationStatus } from '../../../db/vocabulary'
import { addMonths } from '../../platform/clock'
import {
  changeOf,
  choice,
  choiceUnlessMissing,
  externalId,
  NOTES_LIMIT,
  optionalChoice,
  optionalDate,
  optionalIdFilter,
  optionalMoney,
  optionalText,
  optionalYesNo,
  requiredChoiceOf,
  requiredDate,
  requiredText,
  unitNumber,
  version,
  yesNo,
} from '../../platform/fields'
import { recordQuery } from '../../platform/lists/list-query'
import { Refused } from '../../platform/refusals'

// Convert a value to upper case only if it is two letters from A to Z. If every value were converted, the single letter
// ß would become SS and be accepted as a code.
const upperCase = (value: unknown) =>
  typeof value === 'string' && /^\s*[a-z]{2}\s*$/i.test(value) ? value.trim().toUpperCase() : value

export const stateProvince = z.preprocess(
  upperCase,
  z
    .string({ error: 'State or province is required' })
    .min(1, 'State or province is required')
    .regex(/^[A-Z]{2}$/, 'Must be 2 letters, for example AZ'),
)

export const registration = z.object({
  unit_number: unitNumber,
  location_id: requiredChoiceOf('Location is required'),
  plate_number: requiredText('Plate number is required', 20),
  state_province: stateProvince,
  date_issued: requiredDate('Date issued is required'),
  date_expires: requiredDate('Date of expiry is required'),
  registration_type: choiceUnlessMissing(REGISTRATION_TYPES, 'Renewal', 'Registration type is required'),
  cost: optionalMoney,
  vlt: optionalMoney,
  notes: optionalText(NOTES_LIMIT),
  external_id: externalId,
  received: yesNo(false),
})

/** Values that a user chose for a renewal. Omitted fields take their defaults, which depend on the old registration. */
export const renewal = z.object({
  unit_number: unitNumber.optional(),
  location_id: requiredChoiceOf('Location is required').optional(),
  plate_number: requiredText('Plate number is required', 20).optional(),
  state_province: stateProvince.optional(),
  date_issued: optionalDate.optional(),
  date_expires: optionalDate.optional(),
  registration_type: optionalChoice(REGISTRATION_TYPES).optional(),
  cost: optionalMoney.optional(),
  vlt: optionalMoney.optional(),
  notes: optionalText(NOTES_LIMIT).optional(),
  received: optionalYesNo.optional(),
})
export type Renewal = z.output<typeof renewal>

/** Values for one registration when several are renewed at once. `id` is the id of the old registration. */
export const renewalValues = renewal.extend({ id: requiredChoiceOf('Must be the id of a registration') })
export type RenewalValues = z.output<typeof renewalValues>

export const registrationChange = changeOf(registration)
export const registrationStatusChange = z.object({
  status: choice(REGISTRATION_STATUSES, 'Status is required'),
  version,
})
export const receivedToggle = z.object({ received: optionalYesNo, version }).optional()
/**
 * New value of `received`, sent by the button in a list. Because it is a value and not a toggle, a repeated request
 * changes nothing.
 */
export const receivedChoice = z.object({ received: optionalYesNo, version })

const BATCH_LIMIT = 500
export const registrationBatch = z.object({
  registrations: z
    .array(z.unknown(), { error: 'Must be a list of registrations' })
    .min(1, 'Add at least one registration')
    .max(BATCH_LIMIT, `At most ${BATCH_LIMIT} at a time`),
})

export const registrationFilters = recordQuery(
  [
    'date_expires',
    'unit_number',
    'plate_number',
    'state_province',
    'date_issued',
    'registration_type',
    'location_name',
    'cost',
    'created_at',
  ],
  'date_expires',
).extend({
  unit_number: z.preprocess((value) => (value === '' ? undefined : value), unitNumber.optional()),
  status: optionalChoice(REGISTRATION_STATUSES),
  registration_type: optionalChoice(REGISTRATION_TYPES),
  location_id: optionalIdFilter,
})

export const EXPIRING_WINDOW_DAYS = 30
const days = (fallback: number) =>
  z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.coerce
      .number({ error: 'Must be a number of days' })
      .int('Must be a whole number')
      .min(0, 'Must not be negative')
      .max(36_500, 'Is too large')
      .default(fallback),
  )
export const expiringFilters = registrationFilters.extend({ days: days(EXPIRING_WINDOW_DAYS) })

export function checkDates({ date_issued, date_expires }: { date_issued: string; date_expires: string }) {
  if (date_expires < date_issued) throw Refused.field('date_expires', 'The date of expiry is before the date of issue')
}

/** A longer term is probably a mistake, such as a wrong digit in the year. */
export const LONGEST_YEARS = 10
export const isLongTerm = (date_issued: string, date_expires: string): boolean =>
  date_expires > addMonths(date_issued, 12 * LONGEST_YEARS)

export function statusFor(received: boolean, date_expires: string, today: string): RegistrationStatus {
  if (!received) return 'Pending'
  return date_expires < today ? 'Expired' : 'Complete'
}
