import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Db, rows } from '../../../db/client'
import { locations, oslEntries, oslRates, vendors } from '../../../db/schema'
import { Refused } from '../../platform/refusals'
import { chargedDays, countsUntil, daysOutOfService, feeWithin, rateOn, stoodWithin } from '../osl'
import {
  at,
  count,
  type Definition,
  date,
  days,
  money,
  type ReportParameters,
  rate,
  record,
  text,
  within,
} from './define'

const e = alias(oslEntries, 'e')
const entry = record('osl', 'e', sql`e.osl_date`)
const clockOf = ({ today, timeZone }: ReportParameters) => ({ today: () => today, timeZone })
const atLocation = (params: ReportParameters) => at(sql`e.location_id`, params)
/** SQL condition: the vehicle was out of service in the period. One day at the chosen location is enough. */
const isOutOfService = (params: ReportParameters) =>
  sql`${stoodWithin(e, clockOf(params), params)} and ${atLocation(params)}`
const startedWithin = (params: ReportParameters) => sql`${within(sql`e.osl_date`, params)} and ${atLocation(params)}`
const daysOut = (params: ReportParameters) => daysOutOfService(e, clockOf(params))
const daysInPeriod = (params: ReportParameters) => chargedDays(e, clockOf(params), params.start_date, params.end_date)
const fees = (params: ReportParameters) => feeWithin(e, clockOf(params), params.start_date, params.end_date)

export const storageCosts = (params: ReportParameters) => ({
  entry,
  fees: fees(params),
  from: sql`${oslEntries} e where ${isOutOfService(params)}`,
})

/**
 * Storage costs of a report, one row per OSL entry and month. The rows of an entry add up to the costs of the entry
 * between the dates of the report. The date of a row is the first day of its month, but not before the OSL date or the
 * start date of the report.
 */
export const storageCostsByMonth = (params: ReportParameters) => {
  const clock = clockOf(params)
  const first = sql`greatest(m.first::date, ${params.start_date}::date)`
  const last = sql`least((m.first + interval '1 month' - interval '1 day')::date, ${params.end_date}::date)`
  return {
    entry: record('osl', 'e', sql`greatest(e.osl_date, ${first})`),
    fees: feeWithin(e, clock, first, last),
    from: sql`${oslEntries} e cross join lateral generate_series(date_trunc('month',
      greatest(e.osl_date, ${params.start_date}::date)::timestamp),
      least(${countsUntil(e, clock)}, ${params.end_date}::date)::timestamp, interval '1 month') m (first)
      where ${isOutOfService(params)}`,
  }
}

/**
 * Maximum number of rows of `storageCostsByMonth`. A quarter of a million rows take about two seconds. A row of an OSL
 * entry with later daily rates takes as long as one more row for each of these rates.
 */
const MONTHS_LIMIT = 250_000

/** @throws Refused when the OSL entries of the period have too many months of storage for one report */
export async function checkStorageMonths(db: Db, params: ReportParameters): Promise<void> {
  const first = sql`greatest(e.osl_date, ${params.start_date}::date)`
  const last = sql`least(${countsUntil(e, clockOf(params))}, ${params.end_date}::date)`
  const [found] = await rows<{ months: number }>(
    db,
    sql`select coalesce(sum(((${last} - ${first}) / 30 + 1)
        * (1 + (select count(*) from ${oslRates} r where r.osl_id = e.id))), 0)::float8 as months
      from ${oslEntries} e where ${isOutOfService(params)}`,
  )
  if (found && found.months > MONTHS_LIMIT)
    throw Refused.field(
      'start_date',
      'The OSL entries of this period have too many months of storage. Choose a shorter period.',
    )
}

/** Category by the start of the problem text. Matching thousands of long texts would take seconds. */
const PROBLEM_CATEGORY = sql`case
  when left(e.problem, 500) ~* '(transmission|gear|clutch|drive)' then 'Transmission'
  when left(e.problem, 500) ~* '(brake|tire|wheel|suspension|steering|axle)' then 'Brakes, tires and chassis'
  when left(e.problem, 500) ~* '(generator|battery|electric|wiring|alternator)' then 'Electrical and generator'
  when left(e.problem, 500) ~* '(engine|misfire|coolant|oil|pump|radiator|starter)' then 'Engine and cooling'
  when left(e.problem, 500) ~* '(air condition|heater|hvac|furnace|propane|fridge)' then 'Climate and appliances'
  when left(e.problem, 500) ~* '(windshield|glass|window|body|bumper|door|paint|slide|roof|accident|dent)'
  then 'Body and glass'
  else 'Other' end`

export const OSL_REPORTS = {
  osl_summary: {
    label: 'OSL Summary',
    usual: 'this month',
    about:
      'OSL entries out of service on any day of the period, by status. Storage fees cover only the days of the period.',
    columns: [
      text('status', 'Status'),
      count('count', 'Entries'),
      days('average_days', 'Average days'),
      money('storage_fees', 'Storage fees'),
    ],
    chart: { label: 'status', value: 'count' },
    records: (
      params,
    ) => sql`select ${entry}, e.status, 1 as count, ${daysOut(params)} as average_days, ${fees(params)} as storage_fees
      from ${oslEntries} e where ${isOutOfService(params)}`,
    groups: ['status'],
    order: sql`r.status`,
  },
  osl_storage_fees: {
    label: 'OSL Storage Fees',
    usual: 'last month',
    about:
      'OSL entries with storage fees: the charged days within the period, each at the rate of that day, ' +
      'minus waivers. The rate shown is the latest. Adjoining periods add up to the combined period.',
    columns: [
      text('unit_number', 'Unit #'),
      text('location_name', 'Location'),
      date('osl_date', 'OSL date'),
      text('status', 'Status'),
      count('days', 'Days'),
      rate('daily_rate', 'Daily rate'),
      money('storage_fees', 'Storage fees'),
    ],
    chart: null,
    records: (params) => sql`select ${entry}, l.location_name, to_char(e.osl_date, 'YYYY-MM-DD') as osl_date, e.status,
        ${daysInPeriod(params)} as days, ${fees(params)} as storage_fees,
        ${rateOn(e, sql`least(${countsUntil(e, clockOf(params))}, ${params.end_date}::date)`)} as daily_rate
      from ${oslEntries} e join ${locations} l on l.id = e.location_id where e.storage_fees_applicable
      and ${daysInPeriod(params)} > 0 and ${isOutOfService(params)}`,
    order: sql`r.storage_fees desc, r.record_id`,
  },
  osl_vendor_analysis: {
    label: 'OSL Vendor Analysis',
    usual: 'last month',
    about:
      'OSL entries out of service on any day of the period, by vendor. An entry without a vendor is listed ' +
      'under its location if the location type is Vendor, and is otherwise left out. Storage fees cover only the ' +
      'days of the period.',
    columns: [
      text('vendor_name', 'Vendor'),
      count('count', 'Entries'),
      count('completed', 'Completed'),
      days('average_days', 'Average days'),
      money('storage_fees', 'Storage fees'),
    ],
    chart: { label: 'vendor_name', value: 'average_days' },
    records: (params) => sql`select ${entry}, coalesce(v.vendor_name, l.location_name) as vendor_name, 1 as count,
      (e.status = 'Completed')::int as completed,
        ${daysOut(params)} as average_days, ${fees(params)} as storage_fees
      from ${oslEntries} e join ${locations} l on l.id = e.location_id left join ${vendors} v on v.id = e.vendor_id
      where (v.id is not null or l.location_type = 'Vendor') and ${isOutOfService(params)}`,
    groups: ['vendor_name'],
    order: sql`r.vendor_name`,
  },
  osl_problem_categories: {
    label: 'OSL Problem Categories',
    usual: 'last 12 months',
    about: 'OSL entries with an OSL date in the period, categorized by words in the problem description.',
    columns: [text('category', 'Category'), count('count', 'Entries'), days('average_days', 'Average days')],
    chart: { label: 'category', value: 'count' },
    records: (
      params,
    ) => sql`select ${entry}, ${PROBLEM_CATEGORY} as category, 1 as count, ${daysOut(params)} as average_days
      from ${oslEntries} e where ${startedWithin(params)}`,
    groups: ['category'],
    order: sql`count desc, r.category`,
  },
} satisfies Record<string, Definition>
