import type { Database, Db } from '../../db/client'
import type { Assets } from './assets'
import type { SignInLimits } from './auth/limits'
import type { Clock } from './clock'
import type { Config } from './config'
import type { Disk } from './disk'
import type { RouteTable } from './http/about'
import type { RequestLimits } from './http/request-limits'
import type { Log } from './log'
import type { Metrics } from './metrics/metrics'

/** What the routes work with: the open database and the facts of this installation. */
export type AppContext = {
  database: Database
  db: Db
  clock: Clock
  config: Config
  assets: Assets
  disk: Disk
  /** Why nothing can be saved: the database is a copy of one whose folder cannot be written. */
  readOnly?: string
  log: Log
  metrics: Metrics
  limits: SignInLimits
  requestLimits: RequestLimits
  /** What each route says of itself. */
  routes: RouteTable
  /** Signs the sessions' tokens; every instance on one database has the same. */
  signingKey: string
}
