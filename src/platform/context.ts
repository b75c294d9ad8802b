import type { Database, Db } from '../../db/client'
import type { Assets } from './assets'
import type { IdentityProvider } from './auth/identity-provider'
import type { SignInLimits } from './auth/limits'
import type { Clock } from './clock'
import type { Config } from './config'
import type { Disk } from './disk'
import type { RouteTable } from './http/about'
import type { RequestLimits } from './http/request-limits'
import type { Log } from './log'
import type { Metrics } from './metrics/metrics'
import type { Replica } from './replica'
import type { Tracing } from './tracing'

export type AppContext = {
  database: Database
  db: Db
  /** Read replica for reports and exports. Null if none is configured. */
  replica: Replica | null
  clock: Clock
  config: Config
  assets: Assets
  disk: Disk
  /**
   * Reason why all changes are refused, as a one-line message. Present only if the data folder is not writable. The
   * program then serves a read-only copy of the database.
   */
  readOnly?: string
  log: Log
  metrics: Metrics
  tracing: Tracing | null
  limits: SignInLimits
  identityProvider: IdentityProvider | null
  requestLimits: RequestLimits
  routes: RouteTable
  /** Signs session tokens. All server instances that share the database use the same key. */
  signingKey: string
}
