import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import type { Clock } from '../../platform/clock'
import { whileUnchanged } from '../../platform/records/query-cache'
import { countActiveOsl, recentOsl, sumOfStorageFees } from '../osl'
import { countPendingRegistrations, expiringFilters, registrationListings } from '../registrations'
import { countPendingTitles } from '../titles'
import { countActiveTransports, recentTransports } from '../transports'

const RECENT = 5
const EXPIRING = 10

async function figures<Name extends string>(db: Db, metrics: Record<Name, SQL>): Promise<Record<Name, number>> {
  const columns = Object.entries<SQL>(metrics).map(([name, figure]) => sql`${figure} as ${sql.identifier(name)}`)
  const [row = {}] = await rows(db, sql`select ${sql.join(columns, sql`, `)}`)
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])) as Record<Name, number>
}

/**
 * Dashboard figures that are the same for all users.
 * Each figure links to a list, and must equal the number of rows in that list.
 */
const counts = (db: Db, clock: Clock) => ({
  active_transports: countActiveTransports(db),
  active_osl: countActiveOsl(db),
  pending_registrations: countPendingRegistrations(db),
  pending_titles: countPendingTitles(db),
  expiring_total: expiring(db, clock).count(),
})
const expiring = (db: Db, clock: Clock) =>
  registrationListings.expiring(db, clock, expiringFilters.parse({ per_page: EXPIRING }))

async function dashboard<Name extends string>(db: Db, clock: Clock, metrics: Record<Name, SQL>) {
  const [metricCounts, recent_transports, recent_osl, expiring_registrations] = await Promise.all([
    figures(db, metrics),
    recentTransports(db, RECENT),
    recentOsl(db, clock, RECENT),
    expiring(db, clock).rows(),
  ])
  return { ...metricCounts, recent_transports, recent_osl, expiring_registrations }
}

export const dashboardMetrics = (db: Db, clock: Clock) =>
  whileUnchanged(db, `dashboard ${clock.today()}`, () => dashboard(db, clock, counts(db, clock)))

export const adminMetrics = (db: Db, clock: Clock) =>
  whileUnchanged(db, `dashboard of administrators ${clock.today()}`, () =>
    dashboard(db, clock, { ...counts(db, clock), storage_fees_total: sumOfStorageFees(clock) }),
  )

export type DashboardMetrics = Awaited<ReturnType<typeof dashboardMetrics>> & { storage_fees_total?: number }
