import { Forbidden } from './refusals'

/** What tells a cost, so that it can be kept from those who may not see any. */

/** The names of costs in records, answers and the columns of files. */
const COSTS = new Set([
  'estimated_cost',
  'final_cost',
  'final_cost_in',
  'variance',
  'variance_rate',
  'cost',
  'vlt',
  'total_cost',
  'total_vlt',
  'transport_cost',
  'registration_cost',
  'storage_daily_rate',
  'storage_fee_daily_rate',
  'storage_fee_waived',
  'storage_fees',
  'storage_fees_total',
  'current_daily_rate',
  'daily_rate',
  'amount',
  'amounts',
  'expected',
])

export const isCost = (name: string) => COSTS.has(name)

/** The filters that narrow a list by what things cost. */
const FILTERS = ['over_estimate']

/** Would this query tell costs by which rows come, or in which order? However it is spelled, as rules take it. */
const asksForCosts = (query: Record<string, unknown>) =>
  [query.sort, query.figure].flat().some((asked) =>
    String(asked)
      .split(',')
      .some((name) => isCost(name.trim())),
  ) || FILTERS.some((name) => query[name] !== undefined)

/** @throws Forbidden when who may not see costs asks by them for what comes, or in which order */
export function checkAsked({ sees_costs }: { sees_costs: boolean }, query: Record<string, unknown>) {
  if (!sees_costs && asksForCosts(query)) throw new Forbidden('Only administrators see costs')
}

/** The same data without its costs, however deep; a change in the audit trail names its field. */
export function withoutCosts(data: unknown): unknown {
  if (Array.isArray(data))
    return data.filter((item) => !(typeof item?.field === 'string' && isCost(item.field))).map(withoutCosts)
  if (typeof data !== 'object' || data === null || data instanceof Date) return data
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => (isCost(name) ? [] : [[name, withoutCosts(value)]])),
  )
}

/** The columns of a table that its reader may see. */
export const columnsFor = <Column extends { key: string; kind: string }>(
  { sees_costs }: { sees_costs: boolean },
  columns: Column[],
) => columns.filter(({ key, kind }) => sees_costs || !(kind === 'money' || isCost(key)))

/** A posted form in which a cost that was left blank stays as it is: who does not see it cannot mean to empty it. */
export const keepingCosts = (form: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(form).filter(([name, value]) => !(isCost(name) && String(value).trim() === '')))
