import { Forbidden } from './refusals'

/** Field names that are costs, and functions that hide costs from users who cannot see them. */

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

/** List filters that select by cost. */
const FILTERS = ['over_estimate']

/**
 * Returns true if a query would reveal costs because its figure, its sort column or a filter is a cost. Also checks
 * repeated and comma-separated values.
 */
const queriesCosts = (query: Record<string, unknown>) =>
  [query.sort, query.figure].flat().some((value) =>
    String(value)
      .split(',')
      .some((name) => isCost(name.trim())),
  ) || FILTERS.some((name) => query[name] !== undefined)

/** @throws Forbidden when the user cannot see costs, but the query would reveal them */
export function checkCostAccess({ sees_costs }: { sees_costs: boolean }, query: Record<string, unknown>) {
  if (!sees_costs && queriesCosts(query)) throw new Forbidden('Only administrators see costs')
}

/** Removes costs at any depth, including audit changes whose `field` is a cost. */
export function withoutCosts(data: unknown): unknown {
  if (Array.isArray(data))
    return data.filter((item) => !(typeof item?.field === 'string' && isCost(item.field))).map(withoutCosts)
  if (typeof data !== 'object' || data === null || data instanceof Date) return data
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => (isCost(name) ? [] : [[name, withoutCosts(value)]])),
  )
}

export const columnsFor = <Column extends { key: string; kind: string }>(
  { sees_costs }: { sees_costs: boolean },
  columns: Column[],
) => columns.filter(({ key, kind }) => sees_costs || !(kind === 'money' || isCost(key)))

/** Removes empty costs from a form. A user who cannot see a cost submits it empty, but does not intend to clear it. */
export const keepingCosts = (form: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(form).filter(([name, value]) => !(isCost(name) && String(value).trim() === '')))
