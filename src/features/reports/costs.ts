import { columnsFor } from '../../platform/costs'
import { costsHidden } from '../../platform/refusals'
import { REPORTS } from './definitions'
import { REPORT_TYPES, type Report, type ReportType } from './types'

type Reader = { sees_costs: boolean }

/**
 * True if the main figures of a report are costs. Users who cannot see costs cannot run such a report. Hiding the
 * columns is not enough, because even the order of the rows would reveal something about the costs.
 */
const isAboutCosts = (type: ReportType) => {
  const { chart, columns } = REPORTS[type]
  return type === 'osl_storage_fees' || columns.some(({ key, kind }) => key === chart?.value && kind === 'money')
}

export const typesFor = ({ sees_costs }: Reader) => REPORT_TYPES.filter((type) => sees_costs || !isAboutCosts(type))

export function checkMayRun({ sees_costs }: Reader, type: ReportType) {
  if (!sees_costs && isAboutCosts(type)) throw costsHidden()
}

export const reportFor = <ReportLike extends Pick<Report, 'columns'>>(
  reader: Reader,
  report: ReportLike,
): ReportLike => ({
  ...report,
  columns: columnsFor(reader, report.columns),
})
