import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { locations, registrations, transports } from '../../../db/schema'
import { tallied } from '../../platform/records/tallies'
import { isDelivered } from '../transports'
import { at, type Definition, money, month, type ReportParameters, record, text, within } from './define'
import { storageCosts, storageCostsByMonth } from './osl-reports'

/**
 * Query for the costs of transports, registrations and storage.
 * It has one row per record. If `storage` splits the fees of an OSL entry by month, the entry has one row per month.
 */
const costs = (params: ReportParameters, storage: ReturnType<typeof storageCosts>) => {
  return sql`select c.*, c.transport_cost + c.registration_cost + c.storage_fees as total_cost from (
    select ${record('transports', 't', sql`t.move_date`)}, t.location_in_id as location_id,
    coalesce(t.final_cost, 0) as transport_cost,
        0::numeric as registration_cost, 0::numeric as storage_fees
      from ${transports} t where ${isDelivered(alias(transports, 't'))} and ${within(sql`t.move_date`, params)}
      and ${at(sql`t.location_in_id`, params)}
    union all
    select ${record('registrations', 'g', sql`g.date_issued`)}, g.location_id, 0,
    coalesce(g.cost, 0) + coalesce(g.vlt, 0), 0
      from ${registrations} g where ${within(sql`g.date_issued`, params)} and ${at(sql`g.location_id`, params)}
    union all
    select ${storage.entry}, e.location_id, 0, 0, ${storage.fees} from ${storage.from}) c`
}

export const costsWithin = (params: ReportParameters) => costs(params, storageCosts(params))

/**
 * Query for the costs of a period. It has one row for each transport and registration, and one row for each month of an
 * OSL entry (out-of-service period).
 */
export const costsByMonth = (params: ReportParameters) => costs(params, storageCostsByMonth(params))

/**
 * Query for a period's daily costs, from totals in the database. Storage fees have no stored totals and are computed
 * for each month. Returns null if the report is limited to one location, because the totals are not stored by location.
 */
export function storedCostsByDay(params: ReportParameters): SQL | null {
  if (params.location_id !== null) return null
  const period = { from: params.start_date, to: params.end_date }
  const storage = storageCostsByMonth(params)
  return sql`select c.day, c.transport_cost, c.registration_cost, c.storage_fees,
      c.transport_cost + c.registration_cost + c.storage_fees as total_cost from (
    select t.day, sum(t.amount) as transport_cost, 0::numeric as registration_cost, 0::numeric as storage_fees
      from ${tallied('delivered transports', period)} t group by t.day having sum(t.count) <> 0
    union all select g.day, 0, sum(g.amount), 0
      from ${tallied('issued registrations', period)} g group by g.day having sum(g.count) <> 0
    union all select s.day, 0, 0, s.fees from (select ${storage.entry}, ${storage.fees} as fees
    from ${storage.from}) s) c`
}

const COLUMNS = [
  money('transport_cost', 'Transports'),
  money('registration_cost', 'Registrations and VLT'),
  money('storage_fees', 'Storage fees'),
  money('total_cost', 'Total'),
]

export const COST_REPORTS = {
  monthly_costs: {
    label: 'Monthly Costs',
    usual: 'last 12 months',
    about:
      'Costs by month: delivered transports (final cost, by move date), registrations (cost and VLT, by issue ' +
      'date) and storage fees (by day).',
    columns: [text('month', 'Month'), ...COLUMNS],
    chart: { label: 'month', value: 'total_cost' },
    records: (params) => sql`select m.*, ${month(sql`m.day`)} as month from (${costsByMonth(params)}) m`,
    sums(params) {
      const storedCosts = storedCostsByDay(params)
      return storedCosts && sql`select m.*, ${month(sql`m.day`)} as month from (${storedCosts}) m`
    },
    groups: ['month'],
    order: sql`r.month`,
  },
  location_costs: {
    label: 'Location Costs',
    usual: 'last month',
    about:
      'Costs from the Monthly Costs report, by location. Each transport is counted at the location that it went to.',
    columns: [text('location_name', 'Location'), ...COLUMNS],
    chart: { label: 'location_name', value: 'total_cost' },
    records: (params) =>
      sql`select m.*, l.location_name from (${costsWithin(params)}) m join ${locations} l on l.id = m.location_id`,
    groups: ['location_id', 'location_name'],
    order: sql`r.location_name`,
  },
} satisfies Record<string, Definition>
