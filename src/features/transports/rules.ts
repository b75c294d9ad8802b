import { z } from 'zod'
import { MOVE_TYPES, TRANSPORT_STATUSES, type TransportStatus } from '../../../db/vocabulary'
import { addMonths } from '../../platform/clock'
import {
  changeOf,
  choice,
  choiceOr,
  choiceUnlessMissing,
  externalId,
  NOTES_LIMIT,
  optionalChoice,
  optionalCount,
  optionalDate,
  optionalIdFilter,
  optionalMoney,
  optionalText,
  optionalYesNo,
  requiredChoiceOf,
  requiredDate,
  unitNumber,
  version,
  yesNo,
} from '../../platform/fields'
import { recordQuery } from '../../platform/lists/list-query'
import { type FieldError, Refused } from '../../platform/refusals'

export const transport = z.object({
  unit_number: unitNumber,
  ra_number: optionalText(8),
  location_out_id: requiredChoiceOf('Location out is required'),
  location_in_id: requiredChoiceOf('Location in is required'),
  move_date: requiredDate('Move date is required'),
  estimated_arrival_date: optionalDate,
  actual_arrival_date: optionalDate,
  mileage: optionalCount(),
  move_type: choiceUnlessMissing(MOVE_TYPES, 'Fleet', 'Move type is required'),
  transport_company_id: requiredChoiceOf('Transport company is required'),
  status: choiceOr(TRANSPORT_STATUSES, 'Awaiting Pickup'),
  estimated_cost: optionalMoney,
  final_cost: optionalMoney,
  issue_po: yesNo(false),
  po_number: optionalText(50),
  notes: optionalText(NOTES_LIMIT),
  external_id: externalId,
})

export const transportChange = changeOf(transport)

export const statusChange = z.object({
  status: choice(TRANSPORT_STATUSES, 'Status is required'),
  actual_arrival_date: optionalDate.optional(),
  version,
})

const SORTS = [
  'move_date',
  'unit_number',
  'ra_number',
  'location_out_name',
  'location_in_name',
  'estimated_arrival_date',
  'move_type',
  'transport_company_name',
  'status',
  'estimated_cost',
  'final_cost',
  'created_at',
] as const

const DUE = ['late', 'today', 'week'] as const

export const transportFilters = recordQuery(SORTS, 'move_date', 'desc').extend({
  unit_number: z.preprocess((value) => (value === '' ? undefined : value), unitNumber.optional()),
  status: optionalChoice(TRANSPORT_STATUSES),
  move_type: optionalChoice(MOVE_TYPES),
  location_id: optionalIdFilter,
  transport_company_id: optionalIdFilter,
  start_date: optionalDate,
  end_date: optionalDate,
  over_estimate: optionalYesNo,
  /**
   * True selects transports that an invoice bills, and false all others.
   * A transport whose invoice lines are all disputed does not count as billed.
   */
  invoiced: optionalYesNo,
  /**
   * `late` selects transports whose estimated arrival date has passed. `week` selects transports that should arrive
   * today or within the next 7 days.
   */
  due: optionalChoice(DUE),
})

export const totalsFilters = transportFilters.omit({
  page: true,
  per_page: true,
  gone: true,
  sort: true,
  order: true,
  due: true,
})
export const completedFilters = transportFilters.extend({ format: choiceOr(['json', 'csv'], 'json') })

export const reportDates = z.object({ start_date: optionalDate, end_date: optionalDate })

/**
 * Returns the period for the report about completed transports. Missing dates get their defaults.
 * @throws Refused when the end date is before the start date
 */
export function reportPeriod(query: { start_date: string | null; end_date: string | null }, today: string) {
  const end_date = query.end_date ?? today
  const start_date = query.start_date ?? addMonths(end_date, -1)
  if (end_date < start_date) throw Refused.field('end_date', 'The end date is before the start date')
  return { start_date, end_date }
}

type Dates = {
  move_date: string
  estimated_arrival_date: string | null
  actual_arrival_date?: string | null | undefined
}

/**
 * Checks that no arrival date is before the move date.
 * Accepts an actual arrival today even if the move date is later, because a vehicle can arrive early. Callers must
 * leave out a stored arrival date that the program has set, because such a date can be before the move date.
 * @throws Refused with the fields of the wrong dates
 */
export function checkDates({ move_date, estimated_arrival_date, actual_arrival_date }: Dates, today: string) {
  const errors: FieldError[] = []
  if (estimated_arrival_date && estimated_arrival_date < move_date)
    errors.push({
      field: 'estimated_arrival_date',
      message: 'The estimated arrival is before the move date',
    })
  if (actual_arrival_date && actual_arrival_date < move_date && actual_arrival_date !== today)
    errors.push({ field: 'actual_arrival_date', message: 'The arrival date is before the move date' })
  if (errors.length > 0) throw new Refused(errors)
}

/**
 * Rejects a new arrival date unless the status is Delivered. Other transports have no arrival date, so the date would
 * be lost without a message.
 * Accepts the stored date, because the form still sends it when a user changes the status from Delivered to another
 * status.
 * @throws Refused with the field `actual_arrival_date`
 */
export function checkArrival(
  {
    status,
    actual_arrival_date: arrivalDate,
  }: { status?: TransportStatus; actual_arrival_date?: string | null | undefined },
  stored: string | null,
) {
  if (arrivalDate && arrivalDate !== stored && status !== 'Delivered')
    throw Refused.field(
      'actual_arrival_date',
      'Only a Delivered transport can have an arrival date. Set the status to Delivered or leave the ' +
        'arrival date blank.',
    )
}

export function arrivalFor(
  status: TransportStatus,
  arrivalDate: string | null | undefined,
  stored: string | null,
  today: string,
): string | null {
  return status === 'Delivered' ? (arrivalDate ?? stored ?? today) : null
}
