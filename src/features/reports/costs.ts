import { columnsFor } from '../../platform/costs'
import { Forbidden } from '../../platform/refusals'
import { REPORTS } from './definitions'
import { REPORT_TYPES, type Report, type ReportType } from './types'

type Reader = { sees_costs: boolean }

/** Does a report answer what something costs? Then nothing of it is left without that, but the order of its rows. */
const isAboutCosts = (type: ReportType) => {
  const { chart, columns } = REPORTS[type]
  return type === 'osl_storage_fees' || columns.some(({ key, kind }) => key === chart?.value && kind === 'money')
}

/** The types of reports that somebody may run. */
export const typesFor = ({ sees_costs }: Reader) => REPORT_TYPES.filter((type) => sees_costs || !isAboutCosts(type))

/** @throws Forbidden for a report about costs whose reader may not see them */
export function checkMayRun({ sees_costs }: Reader, type: ReportType) {
  if (!sees_costs && isAboutCosts(type)) throw new Forbidden('Only administrators see costs')
}

/** A report as its reader may see it. */
export const reportFor = <Shown extends Pick<Report, 'columns'>>(reader: Reader, report: Shown): Shown => ({
  ...report,
  columns: columnsFor(reader, report.columns),
})
