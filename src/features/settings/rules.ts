import { z } from 'zod'
import { COST_VIEWERS, FACTOR_REQUIRED, INVOICE_DECIDERS, PASSWORD_RULES } from '../../../db/vocabulary'
import { currentPassword } from '../../platform/auth/confirmation'
import { changeOf, choiceOr, countOr, optionalCount, optionalEmail, optionalText } from '../../platform/fields'
import { Refused } from '../../platform/refusals'

const DAYS_LIMIT = 365
const PO_LIMIT = 999_999_999

/**
 * Limits for the number of days after which data is deleted.
 * At least 30 days are needed, so that changes of the last month can be undone and synchronized.
 */
const KEPT_DAYS = { min: 30, max: 36_500 }
/** Null keeps the data permanently. */
const keptDays = optionalCount(KEPT_DAYS.max).refine(
  (days) => days === null || days >= KEPT_DAYS.min,
  `Must be at least ${KEPT_DAYS.min} days, or blank`,
)

export const settings = z.object({
  company_name: optionalText(100),
  address: optionalText(500),
  phone: optionalText(20),
  email: optionalEmail(100),
  registration_days: countOr(30, DAYS_LIMIT),
  title_days: countOr(14, DAYS_LIMIT),
  title_danger_days: countOr(30, DAYS_LIMIT),
  osl_days: countOr(7, DAYS_LIMIT),
  cost_days: countOr(7, DAYS_LIMIT),
  over_estimate_percent: countOr(10, 1000),
  due_mail_hour: countOr(7, 23),
  invoice_deciders: choiceOr(INVOICE_DECIDERS, 'Administrators'),
  cost_viewers: choiceOr(COST_VIEWERS, 'Everybody'),
  password_rule: choiceOr(PASSWORD_RULES, 'Letters and digits'),
  second_factor_required: choiceOr(FACTOR_REQUIRED, 'Nobody'),
  po_prefix: optionalText(20),
  po_first: countOr(1001, PO_LIMIT),
  audit_kept_days: keptDays,
  deleted_kept_days: keptDays,
  upload_kept_days: keptDays,
  sign_in_kept_days: keptDays,
})
export const settingsChange = changeOf(settings.extend({ current_password: currentPassword }))

export function checkDays({ title_days, title_danger_days }: { title_days: number; title_danger_days: number }) {
  if (title_danger_days < title_days)
    throw Refused.field(
      'title_danger_days',
      'Titles cannot become urgent before they become due. Enter at least the number of days in the field Titles.',
    )
}
