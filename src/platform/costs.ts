import { cleanText } from './reading/text'
import { Forbidden } from './refusals'

/** Names of the fields that contain costs. Only users with permission to see costs get these fields. */

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

/** Query parameters of lists that filter by cost. */
const FILTERS = ['over_estimate']

/**
 * Returns true if a URL query would reveal costs.
 * This is the case if its report figure, its sort column or one of its filters is a cost. Repeated and comma-separated
 * values are checked too. Values are cleaned as the fields of a query are, which ignore invisible characters.
 */
const queriesCosts = (query: Record<string, unknown>) =>
  [query.sort, query.figure].flat().some((value) =>
    cleanText(String(value))
      .split(',')
      .some((name) => isCost(name.trim())),
  ) || FILTERS.some((name) => query[name] !== undefined)

/** @throws Forbidden when the user cannot see costs, but the query would reveal them */
export function checkCostAccess({ sees_costs }: { sees_costs: boolean }, query: Record<string, unknown>) {
  if (!sees_costs && queriesCosts(query)) throw new Forbidden('Only administrators see costs')
}

/** Removes costs from data at any depth. This includes audit changes whose `field` is a cost. */
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

/**
 * Removes empty costs from a submitted form.
 * The form of a user who cannot see costs contains empty costs, but the user does not intend to clear the stored ones.
 */
export const keepingCosts = (form: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(form).filter(([name, value]) => !(isCost(name) && String(value).trim() === '')))
