import { z } from 'zod'
import { optionalDate, optionalIdFilter } from '../fields'
import { Refused } from '../refusals'
import { REPORT_TYPES } from './types'

export const FILE_FORMATS = ['csv', 'xlsx'] as const

export const NO_TYPE = 'Please select a report type'
export const NO_DATES = 'Please select date range'

export const reportParams = z.object({ type: z.enum(REPORT_TYPES) })

const format = <const Formats extends readonly [string, ...string[]]>(formats: Formats) =>
  z.preprocess((value) => (value === '' ? undefined : value), z.enum(formats, { error: `Must be one of: ${formats.join(', ')}` }).default(formats[0] as never))

export const reportQuery = z.object({
  start_date: optionalDate,
  end_date: optionalDate,
  location_id: optionalIdFilter,
  format: format(['json', ...FILE_FORMATS]),
})
export const exportQuery = z.object({ format: format(FILE_FORMATS) })

/** What the screen sends. @throws Refused naming what is missing */
export const reportForm = z.object({
  type: z.enum(REPORT_TYPES, { error: NO_TYPE }),
  start_date: optionalDate,
  end_date: optionalDate,
  location_id: optionalIdFilter,
})

/** Both days of a report. @throws Refused unless both are there, in order */
export function reportPeriod({ start_date, end_date }: { start_date: string | null; end_date: string | null }) {
  if (!start_date) throw Refused.field('start_date', NO_DATES)
  if (!end_date) throw Refused.field('end_date', NO_DATES)
  if (end_date < start_date) throw Refused.field('end_date', 'The end date is before the start date')
  return { start_date, end_date }
}
