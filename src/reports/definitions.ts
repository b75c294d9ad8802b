import { type SQL, sql } from 'drizzle-orm'
import { locations, oslEntries, registrations, titles, transportCompanies, transports, vehicles } from '../../db/schema'
import type { Report, ReportColumn, ReportType } from './types'

/** What a report is asked for; both days count. */
export type Asked = { start_date: string; end_date: string; location_id: number | null; today: string; timeZone: string }

export type Definition = {
  label: string
  /** What each figure counts, in plain words. */
  about: string
  columns: ReportColumn[]
  chart: Report['chart']
  /** Tells how things stand today, whatever the period. */
  isOfToday?: boolean
  query: (asked: Asked) => SQL
}

const text = (key: string, label: string): ReportColumn => ({ key, label, kind: 'text' })
const date = (key: string, label: string): ReportColumn => ({ key, label, kind: 'date' })
const count = (key: string, label: string): ReportColumn => ({ key, label, kind: 'count', sum: true })
const money = (key: string, label: string): ReportColumn => ({ key, label, kind: 'money', sum: true })
const rate = (key: string, label: string): ReportColumn => ({ key, label, kind: 'money' })
const days = (key: string, label: string): ReportColumn => ({ key, label, kind: 'decimal' })
const percent = (key: string, label: string): ReportColumn => ({ key, label, kind: 'percent' })

const within = (column: SQL, { start_date, end_date }: Asked) => sql`${column} between ${start_date}::date and ${end_date}::date`
const moved = (asked: Asked) =>
  sql`${within(sql`t.move_date`, asked)} and (${asked.location_id}::int is null or t.location_out_id = ${asked.location_id}::int or t.location_in_id = ${asked.location_id}::int)`
const at = (column: SQL, { location_id }: Asked) => sql`(${location_id}::int is null or ${column} = ${location_id}::int)`
const oslUntil = ({ today, timeZone }: Asked) => sql`coalesce((e.completed_at at time zone ${timeZone})::date, ${today}::date)`
const oslDays = (asked: Asked) => sql`greatest(${oslUntil(asked)} - e.osl_date, 0)`
const oslFees = (asked: Asked) => sql`(case when e.storage_fees_applicable then ${oslDays(asked)} * coalesce(e.storage_fee_daily_rate, 0) else 0 end)`
const oslWithin = (asked: Asked) => sql`${within(sql`e.osl_date`, asked)} and ${at(sql`e.location_id`, asked)}`
const month = (column: SQL) => sql`to_char(${column}, 'YYYY-MM')`

/** Words in a problem that tell what part of the vehicle it is about; the first that fits counts. */
const PROBLEM_CATEGORY = sql`case
  when e.problem ~* '(transmission|gear|clutch|drive)' then 'Transmission'
  when e.problem ~* '(brake|tire|wheel|suspension|steering|axle)' then 'Brakes, tires and chassis'
  when e.problem ~* '(generator|battery|electric|wiring|alternator)' then 'Electrical and generator'
  when e.problem ~* '(engine|misfire|coolant|oil|pump|radiator|starter)' then 'Engine and cooling'
  when e.problem ~* '(air condition|heater|hvac|furnace|propane|fridge)' then 'Climate and appliances'
  when e.problem ~* '(windshield|glass|window|body|bumper|door|paint|slide|roof|accident|dent)' then 'Body and glass'
  else 'Other' end`

/** Every kind of cost by month: what was spent on moves, plates and storage. */
const COST_LINES = (asked: Asked) => sql`
  select t.move_date as day, t.location_in_id as location_id, coalesce(t.final_cost, 0) as transport_cost, 0 as registration_cost, 0 as storage_fees
    from ${transports} t where t.status = 'Delivered' and ${within(sql`t.move_date`, asked)} and ${at(sql`t.location_in_id`, asked)}
  union all
  select r.date_issued, r.location_id, 0, coalesce(r.cost, 0) + coalesce(r.vlt, 0), 0
    from ${registrations} r where ${within(sql`r.date_issued`, asked)} and ${at(sql`r.location_id`, asked)}
  union all
  select e.osl_date, e.location_id, 0, 0, ${oslFees(asked)}
    from ${oslEntries} e where ${oslWithin(asked)}`

const COSTS = [
  money('transport_cost', 'Transports'),
  money('registration_cost', 'Registrations and VLT'),
  money('storage_fees', 'Storage fees'),
  money('total_cost', 'Total'),
]
const COST_SUMS = sql`sum(transport_cost) as transport_cost, sum(registration_cost) as registration_cost, sum(storage_fees) as storage_fees,
  sum(transport_cost + registration_cost + storage_fees) as total_cost`

/** Every report, computed in SQL; a figure means here what it means on the lists. */
export const REPORTS: Record<ReportType, Definition> = {
  transport_summary: {
    label: 'Transport Summary',
    about: 'Transports with a move date in the period, by status.',
    columns: [text('status', 'Status'), count('count', 'Transports'), money('estimated_cost', 'Estimated cost'), money('final_cost', 'Final cost')],
    chart: { label: 'status', value: 'count' },
    query: (
      asked,
    ) => sql`select t.status, count(*)::int as count, coalesce(sum(t.estimated_cost), 0) as estimated_cost, coalesce(sum(t.final_cost), 0) as final_cost
      from ${transports} t where ${moved(asked)} group by t.status order by t.status`,
  },
  transport_costs: {
    label: 'Transport Costs',
    about: 'Delivered transports by month of the move and move type; the final cost is that of the completed report.',
    columns: [
      text('month', 'Month'),
      text('move_type', 'Move type'),
      count('count', 'Delivered'),
      money('estimated_cost', 'Estimated cost'),
      money('final_cost', 'Final cost'),
    ],
    chart: { label: 'month', value: 'final_cost' },
    query: (
      asked,
    ) => sql`select ${month(sql`t.move_date`)} as month, t.move_type, count(*)::int as count, coalesce(sum(t.estimated_cost), 0) as estimated_cost, coalesce(sum(t.final_cost), 0) as final_cost
      from ${transports} t where t.status = 'Delivered' and ${moved(asked)} group by 1, 2 order by 1, 2`,
  },
  transport_company_performance: {
    label: 'Transport Company Performance',
    about: 'By company: transports, how many were delivered, and how many of those that had an estimate arrived by it.',
    columns: [
      text('company_name', 'Company'),
      count('count', 'Transports'),
      count('delivered', 'Delivered'),
      count('on_time', 'On time'),
      percent('on_time_rate', 'On-time rate'),
      days('average_days', 'Average days'),
      money('final_cost', 'Final cost'),
    ],
    chart: { label: 'company_name', value: 'on_time_rate' },
    query: (asked) => sql`select c.company_name, count(*)::int as count, count(*) filter (where t.status = 'Delivered')::int as delivered,
        count(*) filter (where t.actual_arrival_date <= t.estimated_arrival_date)::int as on_time,
        round(100.0 * count(*) filter (where t.actual_arrival_date <= t.estimated_arrival_date) / nullif(count(*) filter (where t.actual_arrival_date is not null and t.estimated_arrival_date is not null), 0), 1) as on_time_rate,
        round(avg(t.actual_arrival_date - t.move_date), 1) as average_days, coalesce(sum(t.final_cost), 0) as final_cost
      from ${transports} t join ${transportCompanies} c on c.id = t.transport_company_id where ${moved(asked)} group by c.company_name order by c.company_name`,
  },
  transport_by_location: {
    label: 'Transports by Location',
    about: 'By location: transports that left it and that came to it in the period.',
    columns: [text('location_name', 'Location'), count('moves_out', 'Out'), count('moves_in', 'In'), money('final_cost_in', 'Final cost of moves in')],
    chart: { label: 'location_name', value: 'moves_in' },
    query: (
      asked,
    ) => sql`select l.location_name, count(*) filter (where t.location_out_id = l.id)::int as moves_out, count(*) filter (where t.location_in_id = l.id)::int as moves_in,
        coalesce(sum(t.final_cost) filter (where t.location_in_id = l.id), 0) as final_cost_in
      from ${locations} l join ${transports} t on l.id in (t.location_out_id, t.location_in_id)
      where ${within(sql`t.move_date`, asked)} and ${at(sql`l.id`, asked)} group by l.id, l.location_name order by l.location_name`,
  },
  osl_summary: {
    label: 'OSL Summary',
    about: 'OSL entries with an OSL date in the period, by status.',
    columns: [text('status', 'Status'), count('count', 'Entries'), days('average_days', 'Average days'), money('storage_fees', 'Storage fees')],
    chart: { label: 'status', value: 'count' },
    query: (
      asked,
    ) => sql`select e.status, count(*)::int as count, round(avg(${oslDays(asked)}), 1) as average_days, coalesce(sum(${oslFees(asked)}), 0) as storage_fees
      from ${oslEntries} e where ${oslWithin(asked)} group by e.status order by e.status`,
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
    query: (
      asked,
    ) => sql`select e.unit_number, l.location_name, to_char(e.osl_date, 'YYYY-MM-DD') as osl_date, e.status, ${oslDays(asked)} as days, e.storage_fee_daily_rate as daily_rate, ${oslFees(asked)} as storage_fees
      from ${oslEntries} e join ${locations} l on l.id = e.location_id where e.storage_fees_applicable and ${oslWithin(asked)} order by storage_fees desc, e.id`,
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
    query: (
      asked,
    ) => sql`select l.location_name, count(*)::int as count, count(*) filter (where e.status = 'Completed')::int as completed, round(avg(${oslDays(asked)}), 1) as average_days, coalesce(sum(${oslFees(asked)}), 0) as storage_fees
      from ${oslEntries} e join ${locations} l on l.id = e.location_id where l.location_type = 'Vendor' and ${oslWithin(asked)} group by l.id, l.location_name order by l.location_name`,
  },
  osl_problem_categories: {
    label: 'OSL Problem Categories',
    about: 'OSL entries with an OSL date in the period, by the words of their problem.',
    columns: [text('category', 'Category'), count('count', 'Entries'), days('average_days', 'Average days')],
    chart: { label: 'category', value: 'count' },
    query: (asked) => sql`select ${PROBLEM_CATEGORY} as category, count(*)::int as count, round(avg(${oslDays(asked)}), 1) as average_days
      from ${oslEntries} e where ${oslWithin(asked)} group by 1 order by 2 desc, 1`,
  },
  vehicle_status: {
    label: 'Vehicle Status',
    about: 'All vehicles as they stand today, by status; the period does not matter.',
    isOfToday: true,
    columns: [text('status', 'Status'), count('count', 'Vehicles'), days('average_mileage', 'Average mileage')],
    chart: { label: 'status', value: 'count' },
    query: ({
      location_id,
    }) => sql`select coalesce(v.current_status, 'Unknown') as status, count(*)::int as count, round(avg(v.current_mileage), 0) as average_mileage
      from ${vehicles} v where ${location_id}::int is null or v.current_location = (select location_name from ${locations} where id = ${location_id}::int) group by 1 order by 1`,
  },
  registration_expiring: {
    label: 'Expiring Registrations',
    about: 'Registrations that expire in the period and whose vehicle has no later one.',
    columns: [
      text('unit_number', 'Unit #'),
      text('plate_number', 'Plate'),
      text('state_province', 'State'),
      text('location_name', 'Location'),
      date('date_expires', 'Expires'),
      { key: 'days_until_expiry', label: 'Days until expiry', kind: 'count' },
    ],
    chart: null,
    query: (
      asked,
    ) => sql`select r.unit_number, r.plate_number, r.state_province, l.location_name, to_char(r.date_expires, 'YYYY-MM-DD') as date_expires, r.date_expires - ${asked.today}::date as days_until_expiry
      from ${registrations} r join ${locations} l on l.id = r.location_id
      where ${within(sql`r.date_expires`, asked)} and ${at(sql`r.location_id`, asked)}
        and not exists (select 1 from ${registrations} later where later.unit_number = r.unit_number and later.date_expires > r.date_expires)
      order by r.date_expires, r.id`,
  },
  title_aging: {
    label: 'Title Aging',
    about: 'Pending titles that were submitted in the period, by the days that they have been pending.',
    columns: [text('age', 'Pending for'), count('count', 'Titles'), days('average_days', 'Average days')],
    chart: { label: 'age', value: 'count' },
    query: (asked) => sql`select age, count(*)::int as count, round(avg(days), 1) as average_days from (
        select ${asked.today}::date - s.submitted_date as days,
          case when ${asked.today}::date - s.submitted_date <= 14 then '0–14 days' when ${asked.today}::date - s.submitted_date <= 30 then '15–30 days'
               when ${asked.today}::date - s.submitted_date <= 60 then '31–60 days' else 'Over 60 days' end as age
        from ${titles} s where s.transferred_date is null and ${within(sql`s.submitted_date`, asked)} and ${at(sql`s.location_id`, asked)}) pending
      group by age order by min(days)`,
  },
  monthly_costs: {
    label: 'Monthly Costs',
    about: 'By month: final cost of delivered transports by move date, cost and VLT of registrations by date of issue, storage fees by OSL date.',
    columns: [text('month', 'Month'), ...COSTS],
    chart: { label: 'month', value: 'total_cost' },
    query: (asked) => sql`select ${month(sql`day`)} as month, ${COST_SUMS} from (${COST_LINES(asked)}) lines group by 1 order by 1`,
  },
  location_costs: {
    label: 'Location Costs',
    about: 'The same costs by location; a transport counts where it arrived.',
    columns: [text('location_name', 'Location'), ...COSTS],
    chart: { label: 'location_name', value: 'total_cost' },
    query: (asked) =>
      sql`select l.location_name, ${COST_SUMS} from (${COST_LINES(asked)}) lines join ${locations} l on l.id = lines.location_id group by l.id, l.location_name order by l.location_name`,
  },
  budget_analysis: {
    label: 'Budget Analysis',
    about: 'Delivered transports by month: estimated against final cost, over those that have both.',
    columns: [
      text('month', 'Month'),
      count('count', 'Transports'),
      money('estimated_cost', 'Estimated cost'),
      money('final_cost', 'Final cost'),
      money('variance', 'Over (+) or under (−)'),
      percent('variance_rate', 'Of the estimate'),
    ],
    chart: { label: 'month', value: 'variance' },
    query: (
      asked,
    ) => sql`select ${month(sql`t.move_date`)} as month, count(*)::int as count, sum(t.estimated_cost) as estimated_cost, sum(t.final_cost) as final_cost,
        sum(t.final_cost - t.estimated_cost) as variance, round(100 * sum(t.final_cost - t.estimated_cost) / nullif(sum(t.estimated_cost), 0), 1) as variance_rate
      from ${transports} t where t.status = 'Delivered' and t.estimated_cost is not null and t.final_cost is not null and ${moved(asked)} group by 1 order by 1`,
  },
}
