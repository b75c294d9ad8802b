import { z } from 'zod'
import { type DataType, FUEL_LEVELS, MOVE_TYPES, REGISTRATION_TYPES, TRANSPORT_STATUSES } from '../../../db/vocabulary'
import { choice, optionalChoice, optionalDate, requiredDate, unitNumber } from '../../fields'
import { oslEntry } from '../../osl/rules'
import { checkDates as checkRegistrationDates, registration } from '../../registrations/rules'
import { title } from '../../titles/rules'
import { checkDates as checkTransportDates, transport } from '../../transports/rules'

/** What a name stands for; `id` is null where it stands for several. `alias` says that a user once explained it. */
export type Named = { id: number | null; alias?: string }

/** Names that rows may use, as `nameKey` writes them. */
export type Names = { locations: Map<string, Named>; companies: Map<string, Named> }

/** Names are the same whatever their case and however many spaces stand between their words. */
export const nameKey = (name: string) => name.replace(/\s+/g, ' ').trim().toLowerCase()

/** A choice from a list of words, whatever case it was typed in. */
const anyCase = (words: readonly string[]) => (value: unknown) => {
  if (typeof value !== 'string') return value
  const typed = value.trim().toLowerCase()
  return words.find((word) => word.toLowerCase() === typed) ?? value
}

export type Field =
  | { kind: 'unit' | 'date' | 'text' | 'count' | 'money' | 'flag'; rule: z.ZodType }
  /** A location or company, which must be known already; nothing is created silently. */
  | { kind: 'location' | 'company' }

type RowRules = {
  fields: Record<string, Field>
  /** What only the row's dates together show. @throws Refused */
  check?: (dates: never) => void
  /** What a row leaves open and is filled in when it is written, for its preview. */
  remark?: (values: Record<string, string | null>) => string | null
}

const unit: Field = { kind: 'unit', rule: unitNumber }
const location: Field = { kind: 'location' }
const company: Field = { kind: 'company' }
const text = (rule: z.ZodType): Field => ({ kind: 'text', rule })
const count = (rule: z.ZodType): Field => ({ kind: 'count', rule })
const money = (rule: z.ZodType): Field => ({ kind: 'money', rule })
const YES_NO: Record<string, boolean> = { yes: true, y: true, true: true, '1': true, x: true, no: false, n: false, false: false, '0': false }
/** Yes or no, in any of the ways that people write it. */
const flag: Field = {
  kind: 'flag',
  rule: z.preprocess(
    (value) => (value === null || value === '' ? null : (YES_NO[String(value).trim().toLowerCase()] ?? value)),
    z.boolean({ error: 'Must be Yes or No' }).nullable(),
  ),
}
const dueDate: Field = { kind: 'date', rule: requiredDate('Is required') }
const anyDate: Field = { kind: 'date', rule: optionalDate }
const word = <const Words extends readonly [string, ...string[]]>(words: Words) => text(z.preprocess(anyCase(words), optionalChoice(words)))

/**
 * What one row of each kind of spreadsheet must be; the fields' own rules are those of the forms and the API. A blank
 * stays blank here: a new record then takes its usual value, an existing one keeps what it has.
 */
export const ROW_RULES: Record<DataType, RowRules> = {
  transports: {
    fields: {
      unit_number: unit,
      location_out: location,
      location_in: location,
      move_date: dueDate,
      transport_company: company,
      status: text(z.preprocess(anyCase(TRANSPORT_STATUSES), choice(TRANSPORT_STATUSES, 'Is required'))),
      ra_number: text(transport.shape.ra_number),
      estimated_arrival_date: anyDate,
      mileage: count(transport.shape.mileage),
      move_type: word(MOVE_TYPES),
      estimated_cost: money(transport.shape.estimated_cost),
      final_cost: money(transport.shape.final_cost),
      actual_arrival_date: anyDate,
      issue_po: flag,
      po_number: text(transport.shape.po_number),
      notes: text(transport.shape.notes),
    },
    check: checkTransportDates,
    remark: ({ status, actual_arrival_date }) =>
      status === 'Delivered' && !actual_arrival_date ? 'Actual arrival: none is given, so a new record takes its move date, at most today' : null,
  },
  osl: {
    fields: {
      unit_number: unit,
      osl_date: dueDate,
      location,
      problem: text(oslEntry.shape.problem),
      ra_number: text(oslEntry.shape.ra_number),
      osl_mileage: count(oslEntry.shape.osl_mileage),
      key_location: text(oslEntry.shape.key_location),
      contact_phone: text(oslEntry.shape.contact_phone),
      fuel_level: word(FUEL_LEVELS),
      storage_fee_daily_rate: money(oslEntry.shape.storage_fee_daily_rate),
      notes: text(oslEntry.shape.notes),
    },
  },
  registrations: {
    fields: {
      unit_number: unit,
      location,
      plate_number: text(registration.shape.plate_number),
      state_province: text(registration.shape.state_province),
      date_issued: dueDate,
      date_expires: dueDate,
      registration_type: word(REGISTRATION_TYPES),
      cost: money(registration.shape.cost),
      vlt: money(registration.shape.vlt),
      notes: text(registration.shape.notes),
    },
    check: checkRegistrationDates,
  },
  titles: {
    fields: {
      unit_number: unit,
      location,
      dealer_name: text(title.shape.dealer_name),
      dealer_contact: text(title.shape.dealer_contact),
      notes: text(title.shape.notes),
    },
  },
}
