import { sql } from 'drizzle-orm'
import { locations, oslEntries } from '../../db/schema'
import { type Asked, at, count, type Definition, date, days, money, rate, record, text, within } from './define'

const entry = record('osl', 'e', sql`e.osl_date`)
const until = ({ today, timeZone }: Asked) => sql`coalesce((e.completed_at at time zone ${timeZone})::date, ${today}::date)`
const daysOut = (asked: Asked) => sql`greatest(${until(asked)} - e.osl_date, 0)`
const begun = (asked: Asked) => sql`${within(sql`e.osl_date`, asked)} and ${at(sql`e.location_id`, asked)}`

/** Storage fees of the OSL entries `e`: days × daily rate, nothing where fees do not apply. */
const fees = (asked: Asked) => sql`(case when e.storage_fees_applicable then ${daysOut(asked)} * coalesce(e.storage_fee_daily_rate, 0) else 0 end)`

/** What storage cost, one line for each OSL entry; for the reports of all costs. */
export const storageCosts = (asked: Asked) => ({ entry, fees: fees(asked), from: sql`${oslEntries} e where ${begun(asked)}` })

/** Words in a problem that tell what part of the vehicle it is about; the first that fits counts. */
const PROBLEM_CATEGORY = sql`case
  when e.problem ~* '(transmission|gear|clutch|drive)' then 'Transmission'
  when e.problem ~* '(brake|tire|wheel|suspension|steering|axle)' then 'Brakes, tires and chassis'
  when e.problem ~* '(generator|battery|electric|wiring|alternator)' then 'Electrical and generator'
  when e.problem ~* '(engine|misfire|coolant|oil|pump|radiator|starter)' then 'Engine and cooling'
  when e.problem ~* '(air condition|heater|hvac|furnace|propane|fridge)' then 'Climate and appliances'
  when e.problem ~* '(windshield|glass|window|body|bumper|door|paint|slide|roof|accident|dent)' then 'Body and glass'
  else 'Other' end`

export const OSL_REPORTS = {
  osl_summary: {
    label: 'OSL Summary',
    about: 'OSL entries with an OSL date in the period, by status.',
    columns: [text('status', 'Status'), count('count', 'Entries'), days('average_days', 'Average days'), money('storage_fees', 'Storage fees')],
    chart: { label: 'status', value: 'count' },
    records: (asked) => sql`select ${entry}, e.status, 1 as count, ${daysOut(asked)} as average_days, ${fees(asked)} as storage_fees
      from ${oslEntries} e where ${begun(asked)}`,
    groups: ['status'],
    order: sql`r.status`,
  },
  osl_storage_fees: {
    label: 'OSL Storage Fees',
    about: 'OSL entries with storage fees and an OSL date in the period: days × daily rate.',
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
    records: (asked) => sql`select ${entry}, l.location_name, to_char(e.osl_date, 'YYYY-MM-DD') as osl_date, e.status,
        ${daysOut(asked)} as days, e.storage_fee_daily_rate as daily_rate, ${fees(asked)} as storage_fees
      from ${oslEntries} e join ${locations} l on l.id = e.location_id where e.storage_fees_applicable and ${begun(asked)}`,
    order: sql`r.storage_fees desc, r.record_id`,
  },
  osl_vendor_analysis: {
    label: 'OSL Vendor Analysis',
    about: 'OSL entries at locations of the type Vendor, with an OSL date in the period.',
    columns: [
      text('location_name', 'Vendor location'),
      count('count', 'Entries'),
      count('completed', 'Completed'),
      days('average_days', 'Average days'),
      money('storage_fees', 'Storage fees'),
    ],
    chart: { label: 'location_name', value: 'average_days' },
    records: (asked) => sql`select ${entry}, l.id as location_id, l.location_name, 1 as count, (e.status = 'Completed')::int as completed,
        ${daysOut(asked)} as average_days, ${fees(asked)} as storage_fees
      from ${oslEntries} e join ${locations} l on l.id = e.location_id where l.location_type = 'Vendor' and ${begun(asked)}`,
    groups: ['location_id', 'location_name'],
    order: sql`r.location_name`,
  },
  osl_problem_categories: {
    label: 'OSL Problem Categories',
    about: 'OSL entries with an OSL date in the period, by the words of their problem.',
    columns: [text('category', 'Category'), count('count', 'Entries'), days('average_days', 'Average days')],
    chart: { label: 'category', value: 'count' },
    records: (asked) => sql`select ${entry}, ${PROBLEM_CATEGORY} as category, 1 as count, ${daysOut(asked)} as average_days
      from ${oslEntries} e where ${begun(asked)}`,
    groups: ['category'],
    order: sql`count desc, r.category`,
  },
} satisfies Record<string, Definition>
