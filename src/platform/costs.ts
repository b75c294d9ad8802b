import { cleanText } from './reading/text'
import { costsHidden } from './refusals'

/** Fields that contain costs. Only users with permission to see costs get these fields. */

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

/** List filters that reveal costs. Users who cannot see costs do not get these filters. */
const COST_FILTERS = ['over_estimate']

export const isCostFilter = (name: string) => COST_FILTERS.includes(name)

/**
 * Returns true if the result of a query would reveal costs. Such a query sorts or filters by a cost, or has a cost in
 * the parameter `figure`, which selects the figure of a report. Repeated and comma-separated values are checked too.
 * Invisible characters in the values are ignored, because the query ignores them when it runs.
 */
const queriesCosts = (query: Record<string, unknown>) =>
  [query.sort, query.figure]
    .flat(Number.POSITIVE_INFINITY)
    .filter((value) => typeof value === 'string')
    .some((value) =>
      cleanText(value)
        .split(',')
        .some((name) => isCost(name.trim())),
    ) || COST_FILTERS.some((name) => query[name] !== undefined)

/** @throws Forbidden when the user cannot see costs and the query would reveal them */
export function checkCostAccess({ sees_costs }: { sees_costs: boolean }, query: Record<string, unknown>) {
  if (!sees_costs && queriesCosts(query)) throw costsHidden()
}

/**
 * Removes all cost fields from data, at any depth. Also removes list items that describe a cost field, such as
 * `{ field: 'cost', old: 100 }` in audit changes.
 */
export function withoutCosts(data: unknown): unknown {
  if (Array.isArray(data))
    return data.filter((item) => !(typeof item?.field === 'string' && isCost(item.field))).map(withoutCosts)
  if (typeof data !== 'object' || data === null || data instanceof Date) return data
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => (isCost(name) ? [] : [[name, withoutCosts(value)]])),
  )
}

type ReportColumn = { key: string; kind: string }
export const isCostColumn = ({ key, kind }: ReportColumn) => kind === 'money' || isCost(key)

export const columnsFor = <Column extends ReportColumn>({ sees_costs }: { sees_costs: boolean }, columns: Column[]) =>
  columns.filter((column) => sees_costs || !isCostColumn(column))

/**
 * Removes empty cost fields from a submitted form. For users who cannot see costs, the form did not show the stored
 * costs, so its empty fields must not clear them.
 */
export const keepingCosts = (form: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(form).filter(([name, value]) => !(isCost(name) && String(value).trim() === '')))
