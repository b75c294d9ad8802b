import { z } from 'zod'
import {
  externalId,
  instant,
  optionalCount,
  optionalText,
  requiredText,
  unitNumber,
  version,
} from '../../platform/fields'
import { listQuery, recordQuery } from '../../platform/lists/list-query'
import { readIdentifier, readSearch } from '../../platform/reading/numbers'
import { mileageWarnings, type Warning, warning } from '../../platform/records/warnings'

const VIN = /^[A-HJ-NPR-Z0-9]{17}$/

const optionalVin = z.preprocess(
  (value) => (typeof value === 'string' ? readIdentifier(value) || null : value),
  z.string({ error: 'Must be text' }).regex(VIN, 'A VIN has 17 characters without I, O and Q').nullable().default(null),
)

export const vehicle = z.object({
  unit_number: unitNumber,
  vin: optionalVin,
  model_year: optionalCount(2200),
  current_mileage: optionalCount(),
  current_status: optionalText(50),
  current_location: optionalText(100),
  external_id: externalId,
})

/** A vehicle to create or change. When an existing vehicle is changed, omitted fields keep their stored values. */
export const vehicleUpsert = vehicle.partial().extend({ unit_number: unitNumber, version })

export const vehicleStatus = z
  .object({ status: optionalText(50), location: optionalText(100), mileage: optionalCount(), version })
  .partial()

export const vehicleFilters = recordQuery(
  ['unit_number', 'vin', 'model_year', 'current_mileage', 'current_status', 'current_location'],
  'unit_number',
).extend({
  current_status: optionalText(50),
  current_location: optionalText(100),
})

export const vehicleSearch = listQuery(['unit_number'], 'unit_number').extend({
  q: z.preprocess(
    (value) => (typeof value === 'string' ? readSearch(value) : value),
    requiredText('Please enter a unit number or VIN', 50),
  ),
})

const READINGS_LIMIT = 5000

/** Each reading is validated later. An invalid reading must not reject the whole request. */
export const readingBatch = z.object({
  readings: z
    .array(z.unknown(), { error: 'Must be a list of readings' })
    .min(1, 'Send at least one reading')
    .max(READINGS_LIMIT, `At most ${READINGS_LIMIT.toLocaleString('en-US')} readings at once`),
})

export const vehicleReading = z.strictObject({
  unit_number: unitNumber.optional(),
  vin: optionalVin.optional(),
  at: instant,
  mileage: optionalCount(),
  location: optionalText(100),
})

export const readingFilters = listQuery(['at'], 'at', 'desc')

const LOOKUP_LIMIT = 200

export const lookupMany = z.object({
  numbers: z
    .array(z.string({ error: 'Must be text' }).trim().min(1, 'Must not be empty').max(50, 'At most 50 characters'), {
      error: 'Must be a list of unit numbers or VINs',
    })
    .min(1, 'Enter at least one unit number or VIN')
    .max(LOOKUP_LIMIT, `At most ${LOOKUP_LIMIT} at once`),
})

/** A whole unit number or VIN. */
const WHOLE_NUMBER = /^(?:\d{6}|[A-Z\d]{17})$/i

/**
 * Splits pasted text into unit numbers and VINs. A line is split at spaces if all parts have at least four characters,
 * or if a part is a whole number. Otherwise, it is not split, because `100 200` is one unit number in two halves.
 */
export const numbersIn = (text: string): string[] =>
  text
    .split(/[\n,;\t]+/)
    .flatMap((piece) => {
      const parts = piece.trim().split(/\s+/)
      const isList = parts.every((part) => part.length >= 4) || parts.some((part) => WHOLE_NUMBER.test(part))
      return isList ? parts : [piece.trim()]
    })
    .filter(Boolean)

export const vinParams = z.object({ vin: z.string().trim().toUpperCase().regex(VIN) })
export const unitParams = z.object({ unit: unitNumber })

const VALUES = '0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ'
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/**
 * True if the check digit is right (49 CFR 565.15). VINs of older and foreign vehicles often have a wrong check digit.
 */
export function hasRightCheckDigit(vin: string): boolean {
  const sum = [...vin].reduce(
    (total, character, at) => total + (VALUES.indexOf(character) % 10) * (WEIGHTS[at] as number),
    0,
  )
  return vin[8] === (sum % 11 === 10 ? 'X' : String(sum % 11))
}

type VehicleValues = { vin?: string | null | undefined; current_mileage?: number | null | undefined }

/** `stored` contains the values before the change. */
export function vehicleWarnings(
  { vin, current_mileage: mileage }: VehicleValues,
  stored: VehicleValues | null,
): Warning[] {
  return [
    ...(vin && vin !== stored?.vin && !hasRightCheckDigit(vin)
      ? [warning('vin_check_digit', 'vin', `VIN ${vin}: the check digit is wrong. Compare the VIN with the vehicle.`)]
      : []),
    ...mileageWarnings('current_mileage', mileage, stored?.current_mileage ?? null, ''),
  ]
}
