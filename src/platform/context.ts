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

export type AppContext = {
  database: Database
  db: Db
  clock: Clock
  config: Config
  assets: Assets
  disk: Disk
  /** Reason why nothing can be saved. The database is a copy because its folder is not writable. */
  readOnly?: string
  log: Log
  metrics: Metrics
  limits: SignInLimits
  requestLimits: RequestLimits
  routes: RouteTable
  /** Signs session tokens; the same on every instance that shares the database. */
  signingKey: string
}
