import type { TableColumn, TableRow, TableValue } from '../../platform/lists/tables/table'

/** The fourteen reports, by the names that integrations use. */
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

/** What a report answers with. `chart` names the columns that a bar chart of it would show. */
export type Report = {
  columns: ReportColumn[]
  rows: ReportRow[]
  /** For each row, what `/records` is asked for to get the records behind it. */
  behind: Record<string, string>[]
  totals: Record<string, number>
  /** The totals of the period before; null where a report tells how things stand today. */
  previous: { start_date: string; end_date: string; totals: Record<string, number> } | null
  chart: { label: string; value: string } | null
}
