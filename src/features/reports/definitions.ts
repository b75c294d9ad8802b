import type { Db } from '../../../db/client'
import { hasBudgets, WITH_BUDGETS } from './budget-report'
import { COST_REPORTS } from './cost-reports'
import type { Asked, Definition } from './define'
import { FLEET_REPORTS } from './fleet-reports'
import { OSL_REPORTS } from './osl-reports'
import { TRANSPORT_REPORTS } from './transport-reports'
import { REPORT_TYPES, type ReportType } from './types'

/** Every report, computed in SQL; a figure means here what it means on the lists. */
export const REPORTS: Record<ReportType, Definition> = {
  ...TRANSPORT_REPORTS,
  ...OSL_REPORTS,
  ...FLEET_REPORTS,
  ...COST_REPORTS,
}

/** What can be chosen where a report is asked for. */
export const REPORT_CHOICES = REPORT_TYPES.map((type) => {
  const { label, usual, isOfToday = false } = REPORTS[type]
  return { value: type, label, usual, isOfToday }
})

/** The report as it is asked for: Budget Analysis compares with the budgets of its months when there are any. */
export const definitionFor = async (db: Db, type: ReportType, asked: Asked): Promise<Definition> =>
  type === 'budget_analysis' && (await hasBudgets(db, asked)) ? WITH_BUDGETS : REPORTS[type]
