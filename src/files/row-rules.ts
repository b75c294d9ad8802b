import { z } from 'zod'
import { type DataType, FUEL_LEVELS, MOVE_TYPES, REGISTRATION_TYPES, TRANSPORT_STATUSES } from '../../db/vocabulary'
import { choice, choiceOr, optionalChoice, optionalDate, requiredDate, unitNumber } from '../fields'
import { oslEntry } from '../osl/rules'
import { checkDates as checkRegistrationDates, registration } from '../registrations/rules'
import { title } from '../titles/rules'
import { checkDates as checkTransportDates, transport } from '../transports/rules'

/** Names that rows may use, in lower case, each with the id it stands for; `null` where it stands for several. */
export type Names = { locations: Record<string, number | null>; companies: Record<string, number | null> }

/** A choice from a list of words, whatever case it was typed in. */
const anyCase = (words: readonly string[]) => (value: unknown) => {
  if (typeof value !== 'string') return value
  const typed = value.trim().toLowerCase()
  return words.find((word) => word.toLowerCase() === typed) ?? value
}

/** A name that must be known already; nothing is created silently. */
function named(what: string, ids: Record<string, number | null>) {
  return z.unknown().transform((value, context) => {
    const name = typeof value === 'string' ? value.trim() : ''
    const id = Object.hasOwn(ids, name.toLowerCase()) ? ids[name.toLowerCase()] : undefined
    if (id) return id
    const message = !name
      ? `${what} is required`
      : id === null
        ? `${what} "${name}" stands for several; use its code`
        : `Unknown ${what.toLowerCase()} "${name}"`
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
}

type RowRules = {
  schema: (names: Names) => z.ZodType<Record<string, unknown>>
  dates: string[]
  /** What cannot be seen in one field alone. @throws Refused */
  check: (values: never) => void
}

/** What one row of each kind of spreadsheet must be; the fields' own rules are those of the forms and the API. */
export const ROW_RULES: Record<DataType, RowRules> = {
  transports: {
    dates: ['move_date', 'estimated_arrival_date'],
    schema: ({ locations, companies }) =>
      z.object({
        unit_number: unitNumber,
        location_out: named('Location', locations),
        location_in: named('Location', locations),
        move_date: requiredDate('Is required'),
        transport_company: named('Transport company', companies),
        status: z.preprocess(anyCase(TRANSPORT_STATUSES), choice(TRANSPORT_STATUSES, 'Is required')),
        ra_number: transport.shape.ra_number,
        estimated_arrival_date: optionalDate,
        mileage: transport.shape.mileage,
        move_type: z.preprocess(anyCase(MOVE_TYPES), choiceOr(MOVE_TYPES, 'Fleet')),
        estimated_cost: transport.shape.estimated_cost,
        final_cost: transport.shape.final_cost,
      }),
    check: checkTransportDates,
  },
  osl: {
    dates: ['osl_date'],
    schema: ({ locations }) =>
      z.object({
        unit_number: unitNumber,
        osl_date: requiredDate('Is required'),
        location: named('Location', locations),
        problem: oslEntry.shape.problem,
        ra_number: oslEntry.shape.ra_number,
        osl_mileage: oslEntry.shape.osl_mileage,
        key_location: oslEntry.shape.key_location,
        contact_phone: oslEntry.shape.contact_phone,
        fuel_level: z.preprocess(anyCase(FUEL_LEVELS), optionalChoice(FUEL_LEVELS)),
        storage_fee_daily_rate: oslEntry.shape.storage_fee_daily_rate,
      }),
    check: () => {},
  },
  registrations: {
    dates: ['date_issued', 'date_expires'],
    schema: ({ locations }) =>
      z.object({
        unit_number: unitNumber,
        location: named('Location', locations),
        plate_number: registration.shape.plate_number,
        state_province: registration.shape.state_province,
        date_issued: requiredDate('Is required'),
        date_expires: requiredDate('Is required'),
        registration_type: z.preprocess(anyCase(REGISTRATION_TYPES), choiceOr(REGISTRATION_TYPES, 'Renewal')),
        cost: registration.shape.cost,
        vlt: registration.shape.vlt,
        notes: registration.shape.notes,
      }),
    check: checkRegistrationDates,
  },
  titles: {
    dates: [],
    schema: ({ locations }) =>
      z.object({
        unit_number: unitNumber,
        location: named('Location', locations),
        dealer_name: title.shape.dealer_name,
        dealer_contact: title.shape.dealer_contact,
        notes: title.shape.notes,
      }),
    check: () => {},
  },
}
