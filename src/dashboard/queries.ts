import type { Db } from '../../db/client'
import type { Clock } from '../clock'
import { countActiveOsl, recentOsl, totalStorageFees } from '../osl/queries'
import { countPendingRegistrations, registrationListings } from '../registrations/queries'
import { expiringFilters } from '../registrations/rules'
import { countPendingTitles } from '../titles/queries'
import { countActiveTransports, recentTransports } from '../transports/queries'

const RECENT = 5
/** Those that expire first; the list has the others. */
const EXPIRING = 10

/** The figures of the dashboard; each count is that of the list that its card opens. */
export async function dashboardMetrics(db: Db, clock: Clock) {
  const [
    active_transports,
    active_osl,
    pending_registrations,
    pending_titles,
    recent_transports,
    recent_osl,
    expiring,
  ] = await Promise.all([
    countActiveTransports(db),
    countActiveOsl(db),
    countPendingRegistrations(db),
    countPendingTitles(db),
    recentTransports(db, RECENT),
    recentOsl(db, clock, RECENT),
    registrationListings.expiring(db, clock, expiringFilters.parse({ per_page: EXPIRING })).page(),
  ])
  return {
    active_transports,
    active_osl,
    pending_registrations,
    pending_titles,
    recent_transports,
    recent_osl,
    expiring_registrations: expiring.rows,
    expiring_total: expiring.total,
  }
}

/** The same with the storage fees of all active OSL entries, for administrators. */
export async function adminMetrics(db: Db, clock: Clock) {
  const [metrics, storage_fees_total] = await Promise.all([dashboardMetrics(db, clock), totalStorageFees(db, clock)])
  return { ...metrics, storage_fees_total }
}

export type DashboardMetrics = Awaited<ReturnType<typeof dashboardMetrics>> & { storage_fees_total?: number }
