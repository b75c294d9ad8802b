import { z } from 'zod'
import { FUEL_LEVELS, OSL_STATUSES, OSL_WAITS, type OslStatus } from '../../../db/vocabulary'
import { addMonths } from '../../platform/clock'
import {
  changeOf,
  choice,
  choiceOr,
  externalId,
  NOTES_LIMIT,
  optionalChoice,
  optionalChoiceOf,
  optionalCount,
  optionalDate,
  optionalEmail,
  optionalIdFilter,
  optionalMoney,
  optionalTenths,
  optionalText,
  optionalYesNo,
  requiredChoiceOf,
  requiredDate,
  requiredMoney,
  requiredParagraph,
  unitNumber,
  version,
  yesNo,
} from '../../platform/fields'
import { recordQuery } from '../../platform/lists/list-query'
import { Refused } from '../../platform/refusals'

export const oslEntry = z.object({
  unit_number: unitNumber,
  ra_number: optionalText(8),
  ta_log_number: optionalText(50),
  po_number: optionalText(50),
  osl_date: requiredDate('OSL date is required'),
  osl_mileage: optionalCount(),
  location_id: requiredChoiceOf('Location is required'),
  vendor_id: optionalChoiceOf,
  key_location: optionalText(100),
  problem: requiredParagraph('Problem is required', 5000, 10, 'Problem must be at least 10 characters'),
  contact_phone: optionalText(20),
  contact_email: optionalEmail(100),
  fuel_level: optionalChoice(FUEL_LEVELS),
  generator_hours: optionalTenths,
  propane_level: optionalText(20),
  exchange_location: optionalText(100),
  non_rev_number: optionalText(50),
  fleet_registration_mailed: yesNo(false),
  /** True if storage fees apply. If omitted, they apply if there is a daily rate. */
  storage_fees_applicable: optionalYesNo,
  storage_fee_daily_rate: optionalMoney,
  /**
   * Grace period: number of days before storage fees begin. If omitted in a new entry, the vendor's grace period
   * applies.
   */
  storage_grace_days: optionalCount(3650),
  storage_fee_waived: optionalMoney,
  storage_fee_waived_reason: optionalText(255),
  model_year: optionalCount(2200),
  status: choiceOr(OSL_STATUSES, 'Out of Service'),
  completed_on: optionalDate,
  notes: optionalText(NOTES_LIMIT),
  external_id: externalId,
  waiting_on: optionalChoice(OSL_WAITS),
  next_action: optionalText(255),
  next_action_on: optionalDate,
  owner: optionalText(50),
  expected_return: optionalDate,
})

export const oslChange = changeOf(oslEntry)
export const oslStatusChange = z.object({
  status: choice(OSL_STATUSES, 'Status is required'),
  completed_on: optionalDate.optional(),
  version,
})
export const oslRate = z.object({
  from: requiredDate('Start date is required'),
  daily_rate: requiredMoney('Daily rate is required'),
})
export const note = z.object({ note_text: requiredParagraph('Note is required', NOTES_LIMIT) })

/** A note about a follow-up, and the next step. The next step is cleared if it is missing. */
export const followUp = note.extend({ next_action: optionalText(255), next_action_on: optionalDate, version })

const SORTS = ['osl_date', 'unit_number', 'location_name', 'status', 'completed_at', 'created_at'] as const

const filters = {
  unit_number: z.preprocess((value) => (value === '' ? undefined : value), unitNumber.optional()),
  status: optionalChoice(OSL_STATUSES),
  location_id: optionalIdFilter,
  vendor_id: optionalIdFilter,
  waiting_on: optionalChoice(OSL_WAITS),
  owner: optionalText(50),
  storage_fees_applicable: optionalYesNo,
}

export const oslFilters = recordQuery(SORTS, 'osl_date', 'desc').extend(filters)

export const completedOslFilters = recordQuery(SORTS, 'completed_at', 'desc').extend({
  ...filters,
  start_date: optionalDate,
  end_date: optionalDate,
})

const BOTH_DATES = 'Please select both start and end dates'

export const lastMonth = (today: string) => ({ start_date: addMonths(today, -1), end_date: today })

export function completedPeriod({ start_date, end_date }: { start_date: string | null; end_date: string | null }) {
  if (!start_date || !end_date) {
    const missing = [...(start_date ? [] : ['start_date']), ...(end_date ? [] : ['end_date'])]
    throw new Refused(
      missing.map((field) => ({ field, message: BOTH_DATES })),
      BOTH_DATES,
    )
  }
  if (end_date < start_date) throw Refused.field('end_date', 'The end date is before the start date')
  return { start_date, end_date }
}

export function checkNextStep(entry: { next_action: string | null; next_action_on: string | null }) {
  if (entry.next_action_on && !entry.next_action)
    throw Refused.field('next_action', 'Enter the next step, or clear its date')
}

type Fees = {
  storage_fees_applicable: boolean
  storage_fee_daily_rate: number | null
  storage_grace_days: number
  storage_fee_waived: number | null
  storage_fee_waived_reason: string | null
}

const NO_FEES: Fees = {
  storage_fees_applicable: false,
  storage_fee_daily_rate: null,
  storage_grace_days: 0,
  storage_fee_waived: null,
  storage_fee_waived_reason: null,
}

/**
 * Merges changed storage terms with the stored ones. Setting a daily rate turns storage fees on, and turning fees off
 * clears the rate.
 * @throws Refused when fees apply without a rate, a rate is given although fees are off, or a waiver has no reason
 */
export function settleFees(changes: { [Key in keyof Fees]?: Fees[Key] | null | undefined }, stored = NO_FEES): Fees {
  const { storage_fees_applicable: feesApply, storage_fee_daily_rate: rate } = changes
  if (feesApply === false && rate !== null && rate !== undefined) {
    throw Refused.field('storage_fees_applicable', 'A daily rate is set. Select this checkbox or clear the rate.')
  }
  const applies = feesApply ?? (rate !== null && rate !== undefined ? true : stored.storage_fees_applicable)
  const dailyRate = rate !== undefined ? rate : feesApply === false ? null : stored.storage_fee_daily_rate
  if (applies && dailyRate === null)
    throw Refused.field('storage_fee_daily_rate', 'Daily rate is required when storage fees apply')
  return {
    storage_fees_applicable: applies,
    storage_fee_daily_rate: dailyRate,
    storage_grace_days:
      changes.storage_grace_days === undefined ? stored.storage_grace_days : (changes.storage_grace_days ?? 0),
    ...settleWaiver(changes, stored),
  }
}

type Waiver = Pick<Fees, 'storage_fee_waived' | 'storage_fee_waived_reason'>

function settleWaiver(changes: Partial<Waiver> | { [Key in keyof Waiver]?: Waiver[Key] | undefined }, stored: Waiver) {
  const amount = changes.storage_fee_waived === undefined ? stored.storage_fee_waived : changes.storage_fee_waived
  const reason =
    changes.storage_fee_waived_reason === undefined
      ? stored.storage_fee_waived_reason
      : changes.storage_fee_waived_reason
  if (amount && !reason) throw Refused.field('storage_fee_waived_reason', 'Enter a reason for waiving the storage fees')
  return { storage_fee_waived: amount, storage_fee_waived_reason: amount ? reason : null }
}

/**
 * Returns the completion date, or null for an open OSL entry. Uses the entered date, else the stored date, else today.
 * @throws Refused when the date is before the OSL date or after today
 * @throws Refused when a date is entered for an entry that neither is Completed nor has a stored completion date
 */
export function completionDay(
  entry: { status: OslStatus; osl_date: string },
  enteredDay: string | null | undefined,
  stored: string | null,
  today: string,
): string | null {
  if (entry.status !== 'Completed') {
    // An open entry must not have a completion date. However, when a user reopens a completed entry, the form sends
    // the stored date. Therefore, refuse the date only if no date is stored.
    if (enteredDay && !stored)
      throw Refused.field(
        'completed_on',
        'Only a completed entry can have a completion date. Set the status to Completed or clear the date.',
      )
    return null
  }
  const day = enteredDay ?? stored ?? today
  if (day < entry.osl_date) throw Refused.field('completed_on', 'The completion date must not be before the OSL date')
  if (day > today) throw Refused.field('completed_on', 'The completion date must not be after today')
  return day
}
