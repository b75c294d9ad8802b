import type { Db } from '../../../db/client'
import { hasBudgets, WITH_BUDGETS } from './budget-report'
import { COST_REPORTS } from './cost-reports'
import type { Definition, ReportParameters } from './define'
import { FLEET_REPORTS } from './fleet-reports'
import { OSL_REPORTS } from './osl-reports'
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

export const definitionFor = async (db: Db, type: ReportType, params: ReportParameters): Promise<Definition> =>
  type === 'budget_analysis' && (await hasBudgets(db, params)) ? WITH_BUDGETS : REPORTS[type]
