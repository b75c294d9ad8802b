import type { Db } from '../../../db/client'
import { hasBudgets, WITH_BUDGETS } from './budget-report'
import { COST_REPORTS } from './cost-reports'
import type { Definition, ReportParameters } from './define'
import { FLEET_REPORTS } from './fleet-reports'
import { checkStorageMonths, OSL_REPORTS } from './osl-reports'
import { TRANSPORT_REPORTS } from './transport-reports'
import { REPORT_TYPES, type ReportType } from './types'

/** Reports and lists use the same definitions, so that their figures agree. */
export const REPORTS: Record<ReportType, Definition> = {
  ...TRANSPORT_REPORTS,
  ...OSL_REPORTS,
  ...FLEET_REPORTS,
  ...COST_REPORTS,
}

export const REPORT_CHOICES = REPORT_TYPES.map((type) => {
  const { label, usual, isOfToday = false } = REPORTS[type]
  return { value: type, label, usual, isOfToday }
})

const REPORTS_BY_MONTH: ReportType[] = ['monthly_costs', 'budget_analysis']

/** @throws Refused when the report would have too many months of storage */
export async function definitionFor(db: Db, type: ReportType, params: ReportParameters): Promise<Definition> {
  if (REPORTS_BY_MONTH.includes(type)) await checkStorageMonths(db, params)
  return type === 'budget_analysis' && (await hasBudgets(db, params)) ? WITH_BUDGETS : REPORTS[type]
}
