import { z } from 'zod'
import { optionalCount, optionalText, requiredText, unitNumber, version } from '../../platform/fields'
import { listQuery } from '../../platform/lists/list-query'
import { readIdentifier, readSearch } from '../../platform/reading/numbers'
import { mileageWarnings, type Warning, warning } from '../../platform/records/warnings'

const VIN = /^[A-HJ-NPR-Z0-9]{17}$/

/** 17 characters without I, O and Q, in upper case, also as a scanner sends them. Blank is `null`. */
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
})

/** What is known of a vehicle; whatever is left out stays as it is. */
export const vehicleUpsert = vehicle.partial().extend({ unit_number: unitNumber, version })

export const vehicleStatus = z
  .object({ status: optionalText(50), location: optionalText(100), mileage: optionalCount(), version })
  .partial()

export const vehicleFilters = listQuery(
  ['unit_number', 'vin', 'model_year', 'current_mileage', 'current_status', 'current_location', 'updated_at'],
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

const LOOKUP_LIMIT = 200

/** Unit numbers, VINs or VIN endings, as they are copied from somewhere. */
export const lookupMany = z.object({
  numbers: z
    .array(z.string({ error: 'Must be text' }).trim().min(1, 'Must not be empty').max(50, 'At most 50 characters'), {
      error: 'Must be a list of numbers',
    })
    .min(1, 'Write at least one number')
    .max(LOOKUP_LIMIT, `At most ${LOOKUP_LIMIT} at once`),
})

/** Numbers as people write them down: one a line, with commas, or with blanks where each part is one by itself. */
export const numbersIn = (text: string): string[] =>
  text
    .split(/[\n,;\t]+/)
    .flatMap((piece) => {
      const parts = piece.trim().split(/\s+/)
      // `100 200` is one unit that was read out in two halves.
      return parts.every((part) => part.length >= 4) ? parts : [piece.trim()]
    })
    .filter(Boolean)

export const vinParams = z.object({ vin: z.string().trim().toUpperCase().regex(VIN) })
export const unitParams = z.object({ unit: unitNumber })

const VALUES = '0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ'
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/** Does the ninth character fit the others (49 CFR 565.15)? Older and foreign vehicles may well not. */
export function hasRightCheckDigit(vin: string): boolean {
  const sum = [...vin].reduce(
    (total, character, at) => total + (VALUES.indexOf(character) % 10) * (WEIGHTS[at] as number),
    0,
  )
  return vin[8] === (sum % 11 === 10 ? 'X' : String(sum % 11))
}

type Told = { vin?: string | null | undefined; current_mileage?: number | null | undefined }

/** What is odd about a vehicle, but not wrong enough to refuse it; `known` is what was stored of it before. */
export function vehicleWarnings({ vin, current_mileage: mileage }: Told, known: Told | null): Warning[] {
  return [
    ...(vin && vin !== known?.vin && !hasRightCheckDigit(vin)
      ? [
          warning(
            'vin_check_digit',
            'vin',
            `VIN ${vin}: the check digit does not fit; please compare it with the vehicle`,
          ),
        ]
      : []),
    ...mileageWarnings('current_mileage', mileage, known?.current_mileage ?? null, ''),
  ]
}
