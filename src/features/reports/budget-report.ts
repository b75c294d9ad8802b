import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { budgets, locations } from '../../../db/schema'
import { costsByMonth } from './cost-reports'
import { at, type Definition, money, month, type ReportParameters, text } from './define'
import { TRANSPORT_REPORTS } from './transport-reports'

/**
 * Budgets of a period, one row per location and month.
 * If the period contains only a part of a month, the same part of the monthly budget counts. For example, 10 of 30 days
 * count $300 of $900. If a period is split in two, the budgets of both parts add up to the budget of the whole period,
 * to the cent.
 */
const budgetsByMonth = (params: ReportParameters) => sql`
  select g.location_id, m.first as day,
    round(a.amount::numeric * (least(${params.end_date}::date, m.last) - m.first + 1) / (m.last - m.first + 1), 2)
      - round(a.amount::numeric * (greatest(${params.start_date}::date, m.first) - m.first) / (m.last - m.first + 1),
      2) as amount
  from ${budgets} g cross join lateral jsonb_array_elements_text(g.amounts) with ordinality a (amount, month)
    cross join lateral (select make_date(g.year, a.month::int, 1) as first,
      (make_date(g.year, a.month::int, 1) + interval '1 month - 1 day')::date as last) m
  where a.amount is not null and ${at(sql`g.location_id`, params)}
    and m.first between date_trunc('month', ${params.start_date}::date) and ${params.end_date}::date`

export async function hasBudgets(db: Db, params: ReportParameters): Promise<boolean> {
  const [found] = await rows<{ found: boolean }>(db, sql`select exists (${budgetsByMonth(params)}) as found`)
  return found?.found === true
}

const ESTIMATES = TRANSPORT_REPORTS.budget_analysis

/**
 * Definition of the Budget Analysis report for periods with budgets. Its columns show the budget, the costs and the
 * remaining amount. The costs of a location count only in months for which it has a budget.
 */
export const WITH_BUDGETS: Definition = {
  ...ESTIMATES,
  columns: [
    text('month', 'Month'),
    money('budget', 'Budget'),
    money('total_cost', 'Spent'),
    money('left', 'Remaining'),
    ...ESTIMATES.columns.filter(({ key }) => key !== 'month'),
  ],
  chart: { label: 'month', value: 'total_cost' },
  records: (params) => sql`
    select e.*, null::numeric as budget, null::numeric as total_cost, null::numeric as "left"
    from (${ESTIMATES.records(params)}) e
    union all
    select c.kind, c.record_id, c.unit_number, c.day, ${month(sql`c.day`)}, 0, null, null, null, null, null,
    c.total_cost, -c.total_cost
      from (${costsByMonth(params)}) c where c.total_cost <> 0
        and (c.location_id, date_trunc('month', c.day)::date)
        in (select b.location_id, b.day from (${budgetsByMonth(params)}) b)
    union all
    select 'budgets', b.location_id, l.location_code, b.day, ${month(sql`b.day`)}, 0, null, null, null, null, b.amount,
    null, b.amount
      from (${budgetsByMonth(params)}) b join ${locations} l on l.id = b.location_id`,
}
