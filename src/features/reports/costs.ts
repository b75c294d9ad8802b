import { columnsFor } from '../../platform/costs'
import { Forbidden } from '../../platform/refusals'
import { REPORTS } from './definitions'
import { REPORT_TYPES, type Report, type ReportType } from './types'

type Reader = { sees_costs: boolean }

/**
 * True if the main figures of a report are costs. Users who cannot see costs cannot run such a report, because the
 * order of its rows alone would reveal something about the costs.
 */
const isAboutCosts = (type: ReportType) => {
  const { chart, columns } = REPORTS[type]
  return type === 'osl_storage_fees' || columns.some(({ key, kind }) => key === chart?.value && kind === 'money')
}

export const typesFor = ({ sees_costs }: Reader) => REPORT_TYPES.filter((type) => sees_costs || !isAboutCosts(type))

/** @throws Forbidden when the report is about costs and the reader cannot see them */
export function checkMayRun({ sees_costs }: Reader, type: ReportType) {
  if (!sees_costs && isAboutCosts(type)) throw new Forbidden('Only administrators see costs')
}

export const reportFor = <ReportLike extends Pick<Report, 'columns'>>(
  reader: Reader,
  report: ReportLike,
): ReportLike => ({
  ...report,
  columns: columnsFor(reader, report.columns),
})
