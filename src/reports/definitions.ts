import { COST_REPORTS } from './cost-reports'
import type { Definition } from './define'
import { FLEET_REPORTS } from './fleet-reports'
import { OSL_REPORTS } from './osl-reports'
import { TRANSPORT_REPORTS } from './transport-reports'
import type { ReportType } from './types'

/** Every report, computed in SQL; a figure means here what it means on the lists. */
export const REPORTS: Record<ReportType, Definition> = {
  ...TRANSPORT_REPORTS,
  ...OSL_REPORTS,
  ...FLEET_REPORTS,
  ...COST_REPORTS,
}
