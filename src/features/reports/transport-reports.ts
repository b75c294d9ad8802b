import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { locations, transportCompanies, transports } from '../../../db/schema'
import { arrivedOnTime, isDelivered } from '../transports'
import {
  at,
  count,
  type Definition,
  days,
  money,
  month,
  percent,
  type ReportParameters,
  record,
  text,
  within,
} from './define'

const t = alias(transports, 't')
const transport = record('transports', 't', sql`t.move_date`)
const movedWithin = (params: ReportParameters) =>
  sql`${within(sql`t.move_date`, params)} and (${params.location_id}::int is null
    or t.location_out_id = ${params.location_id}::int or t.location_in_id = ${params.location_id}::int)`

const VARIANCE = [money('variance', 'Over (+) or under (−)'), percent('variance_rate', '% over or under')]
/**
 * SQL for the final cost minus the estimated cost, in dollars. Null unless the transport is delivered and has both
 * costs.
 */
const variance = sql`case when ${isDelivered(t)} then t.final_cost - t.estimated_cost end`
const varianceRate = sql`round(100 * (${variance}) / nullif(t.estimated_cost, 0), 1)`

export const TRANSPORT_REPORTS = {
  transport_summary: {
    label: 'Transport Summary',
    usual: 'this month',
    about: 'Transports with a move date in the period, by status.',
    columns: [
      text('status', 'Status'),
      count('count', 'Transports'),
      money('estimated_cost', 'Estimated cost'),
      money('final_cost', 'Final cost'),
    ],
    chart: { label: 'status', value: 'count' },
    records: (params) =>
      sql`select ${transport}, t.status, 1 as count, t.estimated_cost, t.final_cost from ${transports} t
        where ${movedWithin(params)}`,
    groups: ['status'],
    order: sql`r.status`,
  },
  transport_costs: {
    label: 'Transport Costs',
    usual: 'last 12 months',
    about:
      'Delivered transports by month of the move date and by move type. For the same period, the total ' +
      'final cost is the same as in the Completed Report.',
    columns: [
      text('month', 'Month'),
      text('move_type', 'Move type'),
      count('count', 'Delivered'),
      money('estimated_cost', 'Estimated cost'),
      money('final_cost', 'Final cost'),
    ],
    chart: { label: 'month', value: 'final_cost' },
    records: (
      params,
    ) => sql`select ${transport}, ${month(sql`t.move_date`)} as month, t.move_type, 1 as count, t.estimated_cost,
      t.final_cost
      from ${transports} t where ${isDelivered(t)} and ${movedWithin(params)}`,
    groups: ['month', 'move_type'],
    order: sql`r.month, r.move_type`,
  },
  transport_company_performance: {
    label: 'Transport Company Performance',
    usual: 'last month',
    about:
      'For each company: transports, deliveries, final cost of the deliveries, arrivals on or before the ' +
      'estimated date, and final cost compared with the estimate.',
    columns: [
      text('company_name', 'Company'),
      count('count', 'Transports'),
      count('delivered', 'Delivered'),
      count('on_time', 'On time'),
      percent('on_time_rate', 'On-time rate'),
      days('average_days', 'Average days'),
      money('final_cost', 'Final cost'),
      ...VARIANCE,
    ],
    chart: { label: 'company_name', value: 'on_time_rate' },
    // `on_time` is null unless the transport has both an actual and an estimated arrival date. Averages ignore nulls.
    records: (params) => sql`select ${transport}, c.company_name, 1 as count, ${isDelivered(t)}::int as delivered,
        ${arrivedOnTime(t)}::int as on_time, 100.0 * ${arrivedOnTime(t)}::int as on_time_rate,
        case when t.actual_arrival_date is not null then greatest(t.actual_arrival_date - t.move_date, 0)
        end as average_days, case when ${isDelivered(t)} then t.final_cost end as final_cost,
        ${variance} as variance, ${varianceRate} as variance_rate,
        case when ${variance} is not null then t.estimated_cost end as compared_with
      from ${transports} t join ${transportCompanies} c on c.id = t.transport_company_id where ${movedWithin(params)}`,
    groups: ['company_name'],
    order: sql`r.company_name`,
    computed: { variance_rate: sql`round(100 * sum(r.variance) / nullif(sum(r.compared_with), 0), 1)` },
  },
  transport_by_location: {
    label: 'Transports by Location',
    usual: 'last month',
    about: 'By location: transports from it (in transit or delivered) and delivered transports to it, by move date.',
    columns: [
      text('location_name', 'Location'),
      count('moves_out', 'Out'),
      count('moves_in', 'In'),
      money('final_cost_in', 'Final cost of incoming transports'),
    ],
    chart: { label: 'location_name', value: 'moves_in' },
    records: (
      params,
    ) => sql`select ${transport}, l.id as location_id, l.location_name, (t.location_out_id = l.id)::int as moves_out,
        (t.location_in_id = l.id and ${isDelivered(t)})::int as moves_in,
        case when t.location_in_id = l.id and ${isDelivered(t)} then t.final_cost end as final_cost_in
      from ${locations} l join ${transports} t on l.id in (t.location_out_id, t.location_in_id)
      where t.status in ('In Transit', 'Delivered') and (t.location_out_id = l.id or ${isDelivered(t)})
      and ${within(sql`t.move_date`, params)} and ${at(sql`l.id`, params)}`,
    groups: ['location_id', 'location_name'],
    order: sql`r.location_name`,
  },
  budget_analysis: {
    label: 'Budget Analysis',
    usual: 'last 12 months',
    about:
      'Estimated and final costs by month, for delivered transports that have both costs. If locations ' +
      'have budgets in the period, the report also shows the budget, the amount spent and the amount remaining.',
    columns: [
      text('month', 'Month'),
      count('count', 'Transports'),
      money('estimated_cost', 'Estimated cost'),
      money('final_cost', 'Final cost'),
      ...VARIANCE,
    ],
    chart: { label: 'month', value: 'variance' },
    records: (
      params,
    ) => sql`select ${transport}, ${month(sql`t.move_date`)} as month, 1 as count, t.estimated_cost, t.final_cost,
        ${variance} as variance, ${varianceRate} as variance_rate
      from ${transports} t where ${isDelivered(t)} and t.estimated_cost is not null and t.final_cost is not null
      and ${movedWithin(params)}`,
    groups: ['month'],
    order: sql`r.month`,
    computed: { variance_rate: sql`round(100 * sum(r.variance) / nullif(sum(r.estimated_cost), 0), 1)` },
  },
} satisfies Record<string, Definition>
