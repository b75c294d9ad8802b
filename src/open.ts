import { type Database, databaseError, isDatabaseAway, type Watch } from '../db/client'
import { FolderInUseError } from '../db/embedded/lock'
import { openEmbedded } from '../db/embedded/open'
import { MigrationError, migrate } from '../db/migrate'
import { openServer } from '../db/server'
import type { Assets } from './assets'
import { commandActor } from './audit/actor'
import { isCommonPassword } from './auth/common-passwords'
import { randomPassword } from './auth/passwords'
import { createFirstAdmin, sharedSigningKey } from './auth/queries'
import { strongPassword } from './auth/rules'
import { businessClock } from './clock'
import type { Config } from './config'
import { diskOf } from './disk'
import { jsonLog, type Log } from './log'
import { type Metrics, newMetrics } from './metrics'
import type { Office } from './office'
import { StartError } from './start-error'

/** Where a database address leads, without its password. */
function withoutPassword(url: string): string {
  return url.replace(/\/\/([^:@/]+):[^@/]*@/, '//$1:***@')
}

async function openDatabase(config: Config, watch?: Watch): Promise<Database> {
  if (config.databaseUrl) return openServer(config.databaseUrl, watch)
  return openEmbedded(config.dataDir, watch)
}

function startProblem(error: unknown, config: Config): Error {
  if (error instanceof MigrationError || error instanceof FolderInUseError) return new StartError(error.message)
  if (config.databaseUrl && (isDatabaseAway(error) || /^(28|3D)/.test(databaseError(error)?.code ?? ''))) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : error instanceof Error ? error.message : String(error)
    return new StartError(`DATABASE_URL: the database at ${withoutPassword(config.databaseUrl)} cannot be opened: ${reason}`)
  }
  return error instanceof Error ? error : new Error(String(error))
}

/** Opens and migrates the database. @throws StartError with one line for the operator */
export const openMigrated = (config: Config, watch?: Watch) => opened(config, (database) => migrate(database.db), watch)

/** Opens the database as it stands. @throws StartError with one line for the operator */
export const openUnmigrated = (config: Config) => opened(config, (database) => database.raw('select 1', []))

async function opened(config: Config, prepare: (database: Database) => Promise<unknown>, watch?: Watch): Promise<Database> {
  let database: Database | undefined
  try {
    database = await openDatabase(config, watch)
    await prepare(database)
    return database
  } catch (error) {
    await database?.close().catch(() => {})
    throw startProblem(error, config)
  }
}

/** Makes the first account when there is none, and says its password once. */
async function welcome({ db }: Database, config: Config) {
  if (config.adminPassword && !strongPassword.safeParse(config.adminPassword).success) {
    throw new StartError('ADMIN_PASSWORD must have at least 8 characters with an uppercase letter, a lowercase letter and a number')
  }
  const password = config.adminPassword ?? randomPassword()
  const wasMade = await createFirstAdmin(db, commandActor(), password)
  if (wasMade && isCommonPassword(password)) console.warn('ADMIN_PASSWORD is one of the most common passwords; change it under Profile')
  if (wasMade && !config.adminPassword) console.log(`First account: admin, password: ${password} (shown only now)`)
}

/** Counts every statement, and logs those that took long. */
const statementWatch =
  ({ slowStatementMs }: Config, log: Log, metrics: Metrics): Watch =>
  (statement, ms) => {
    metrics.statements.observe(ms / 1000)
    if (ms >= slowStatementMs) log('warn', 'slow statement', { ms: Math.round(ms), statement: statement.replace(/\s+/g, ' ').slice(0, 2000) })
  }

/** Everything that the doors need, ready. */
export async function openOffice(config: Config, loadAssets: () => Promise<Assets>): Promise<Office> {
  const log = jsonLog(config.logLevel)
  const metrics = newMetrics()
  const [database, assets] = await Promise.all([openMigrated(config, statementWatch(config, log, metrics)), loadAssets()])
  await welcome(database, config)
  const signingKey = config.jwtSecret ?? (await sharedSigningKey(database.db))
  return {
    database,
    db: database.db,
    clock: businessClock(config.timeZone),
    config,
    assets,
    disk: diskOf(config.dataDir, config.minFreeBytes),
    log,
    metrics,
    signingKey,
  }
}
