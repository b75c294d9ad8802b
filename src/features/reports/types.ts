import type { TableColumn, TableRow, TableValue } from '../../platform/lists/tables/table'

/** Integrations use these names, so they must not change. */
export const REPORT_TYPES = [
  'transport_summary',
  'transport_costs',
  'transport_company_performance',
  'transport_by_location',
  'osl_summary',
  'osl_storage_fees',
  'osl_vendor_analysis',
  'osl_problem_categories',
  'vehicle_status',
  'registration_expiring',
  'title_aging',
  'monthly_costs',
  'location_costs',
  'budget_analysis',
] as const
export type ReportType = (typeof REPORT_TYPES)[number]

export type ReportColumn = TableColumn
export type ReportValue = TableValue
export type ReportRow = TableRow

/** `chart` names the two columns that the bar chart shows. */
export type Report = {
  columns: ReportColumn[]
  rows: ReportRow[]
  /**
   * Query parameters for each row, in the same order as `rows`. With these parameters, the route `/records` returns the
   * records that the row summarizes.
   */
  behind: Record<string, string>[]
  totals: Record<string, number>
  /** Totals of an earlier period, for comparison. Null for reports that show the current state. */
  previous: { start_date: string; end_date: string; totals: Record<string, number> } | null
  chart: { label: string; value: string } | null
}

export function rowsWithTotal({ columns: [first], rows, totals }: Report): ReportRow[] {
  if (!first || rows.length === 0 || Object.keys(totals).length === 0) return rows
  return [...rows, { ...totals, [first.key]: 'Total' }]
}
