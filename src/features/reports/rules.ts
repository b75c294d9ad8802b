import { z } from 'zod'
import { FILE_FORMATS, REPORT_PERIODS, SCHEDULE_FREQUENCIES } from '../../../db/vocabulary'
import {
  changeOf,
  choice,
  choiceOr,
  optionalChoice,
  optionalCount,
  optionalDate,
  optionalEmail,
  optionalIdFilter,
  optionalText,
  requiredText,
  yesNo,
} from '../../platform/fields'
import { listQuery } from '../../platform/lists/list-query'
import { Refused } from '../../platform/refusals'
import { PRESET_PERIODS } from './calendar'
import { REPORT_TYPES } from './types'

export const NO_TYPE = 'Please select a report type'
export const NO_DATES = 'Please select date range'

export const reportParams = z.object({ type: z.enum(REPORT_TYPES) })

const format = <const Formats extends readonly [string, ...string[]]>(formats: Formats) =>
  z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.enum(formats, { error: `Must be one of: ${formats.join(', ')}` }).default(formats[0] as never),
  )

export const reportQuery = z.object({
  start_date: optionalDate,
  end_date: optionalDate,
  location_id: optionalIdFilter,
  format: format(['json', ...FILE_FORMATS]),
})
/**
 * Query parameters for the records behind a report figure.
 * All other parameters are column values that identify a row of the report.
 */
export const recordsQuery = z.looseObject({
  ...listQuery(['day'], 'day').pick({ page: true, per_page: true }).shape,
  start_date: optionalDate,
  end_date: optionalDate,
  location_id: optionalIdFilter,
  figure: optionalText(40),
})

export const reportForm = z.object({
  type: z.enum(REPORT_TYPES, { error: NO_TYPE }),
  /** Preset period that replaces `start_date` and `end_date`. `usual` means the default period of the report. */
  period: optionalChoice(['usual', ...PRESET_PERIODS]),
  start_date: optionalDate,
  end_date: optionalDate,
  location_id: optionalIdFilter,
})

export function reportPeriod({ start_date, end_date }: { start_date: string | null; end_date: string | null }) {
  if (!start_date) throw Refused.field('start_date', NO_DATES)
  if (!end_date) throw Refused.field('end_date', NO_DATES)
  if (end_date < start_date) throw Refused.field('end_date', 'The end date is before the start date')
  return { start_date, end_date }
}

const RECIPIENTS_LIMIT = 10

const RECIPIENTS_LENGTH = 500

const recipients = z.preprocess(
  (value) =>
    typeof value === 'string' && value.length <= 2 * RECIPIENTS_LENGTH
      ? value
          .split(/[,;\s]+/)
          .filter(Boolean)
          .join(', ') || null
      : value,
  z
    .string({ error: 'Must be e-mail addresses, separated by commas' })
    .max(RECIPIENTS_LENGTH, { error: `At most ${RECIPIENTS_LENGTH} characters`, abort: true })
    .refine(
      (list) => list.split(', ').every((address) => optionalEmail(100).safeParse(address).success),
      'Must be e-mail addresses, separated by commas',
    )
    .refine((list) => list.split(', ').length <= RECIPIENTS_LIMIT, `At most ${RECIPIENTS_LIMIT} addresses`)
    .nullable()
    .default(null),
)

export const schedule = z.object({
  name: requiredText('Name is required', 100),
  report_type: choice(REPORT_TYPES, NO_TYPE),
  frequency: choice(SCHEDULE_FREQUENCIES, 'Frequency is required'),
  weekday: optionalCount(7),
  day_of_month: optionalCount(28),
  hour: z.preprocess(
    (value) => (value === '' || value === null ? undefined : value),
    z.coerce
      .number({ error: 'Must be an hour from 0 to 23' })
      .int('Must be a whole hour')
      .min(0, 'Must be from 0 to 23')
      .max(23, 'Must be from 0 to 23')
      .default(6),
  ),
  period: choiceOr(REPORT_PERIODS, 'last month'),
  location_id: optionalIdFilter.default(null),
  format: choiceOr(FILE_FORMATS, 'xlsx'),
  mail_to: recipients,
  skip_empty: yesNo(false),
  is_active: yesNo(true),
})

export const scheduleChange = changeOf(schedule)

export function checkRhythm({
  frequency,
  weekday,
  day_of_month,
}: {
  frequency: string
  weekday: number | null
  day_of_month: number | null
}) {
  if (frequency === 'weekly' && !weekday)
    throw Refused.field('weekday', 'Choose a day of the week, from 1 (Monday) to 7 (Sunday)')
  if (frequency === 'monthly' && !day_of_month)
    throw Refused.field('day_of_month', 'Choose a day of the month, 1 to 28')
}
