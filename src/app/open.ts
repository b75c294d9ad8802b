import { SQLiteError } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Database, databaseError, isDatabaseAway, reasonOf, type Watch } from '../../db/client'
import { EmbeddedError } from '../../db/embedded/connection'
import { FolderInUseError } from '../../db/embedded/lock'
import { openEmbedded } from '../../db/embedded/open'
import { DamagedFolderError } from '../../db/embedded/seed'
import { MigrationError, migrate } from '../../db/migrate'
import { openServer } from '../../db/server'
import type { Assets } from '../platform/assets'
import { createFirstAdmin } from '../platform/auth/accounts'
import { isCommonPassword } from '../platform/auth/common-passwords'
import { guessableReason } from '../platform/auth/guessable'
import { IdentityProvider } from '../platform/auth/identity-provider'
import { signInLimits } from '../platform/auth/limits'
import { randomPassword } from '../platform/auth/passwords'
import { strongPassword } from '../platform/auth/rules'
import { sharedSigningKey } from '../platform/auth/signing-key'
import { businessClock } from '../platform/clock'
import type { Config } from '../platform/config'
import type { AppContext } from '../platform/context'
import { diskOf, READ_ONLY_DISK } from '../platform/disk'
import { RouteTable } from '../platform/http/about'
import { requestLimits } from '../platform/http/request-limits'
import { jsonLog } from '../platform/log'
import { newMetrics } from '../platform/metrics/metrics'
import { commandWrite } from '../platform/records/transactions'
import { Replica } from '../platform/replica'
import { StartError } from '../platform/start-error'
import { backUpBeforeUpdate } from './before-update'
import {
  folderProblem,
  hasDatabase,
  lockProblem,
  openingProblem,
  openReadOnlyCopy,
  refuseInterruptedRollback,
} from './data-folder'

class FolderInUse extends StartError {}

function withoutPassword(url: string): string {
  return url.replace(/\/\/([^:@/]*):.*@/, '//$1:***@')
}

async function openDatabase(config: Config, watch?: Watch): Promise<Database> {
  if (config.databaseUrl) return openServer(config.databaseUrl, { watch, urlFile: config.databaseUrlFile })
  checkOwner(config)
  const problem = folderProblem(config)
  if (problem) throw new StartError(problem)
  refuseInterruptedRollback(config)
  return openEmbedded(config.dataDir, watch)
}

/**
 * Checks that the operating system account owns the database files. Otherwise, for example, root could create files in
 * the database folder that the service cannot open.
 * @throws StartError when another account owns the files
 */
export function checkOwner(config: Config) {
  if (!process.getuid || !hasDatabase(config)) return
  const [owner, own] = [statSync(join(config.dataDir, 'pgdata')).uid, process.getuid()]
  if (owner !== own)
    throw new StartError(
      `DATA_DIR: the database in ${resolve(config.dataDir)} belongs to user ID ${owner}, not ${own}; run ` +
        `this command as that user`,
    )
}

/**
 * Rejects a server database with an encoding other than UTF8. Such a database cannot store some characters. Without
 * this check, the error would appear only when a user enters such a character.
 */
async function checkEncoding({ engine, raw }: Database) {
  const [encodingRow] = engine === 'server' ? await raw('show server_encoding', []) : []
  if (encodingRow && encodingRow.server_encoding !== 'UTF8')
    throw new StartError(
      `DATABASE_URL: the database encoding is ${encodingRow.server_encoding}; recreate the database with ` +
        `the encoding UTF8`,
    )
}

function startProblem(error: unknown, config: Config): Error {
  if (error instanceof StartError) return error
  if (error instanceof MigrationError) return new StartError(error.message)
  if (error instanceof FolderInUseError) return new FolderInUse(error.message)
  // This error comes from PgBouncer, a connection pooler that refuses the settings that we send with each connection.
  if (config.databaseUrl && reasonOf(error).includes('unsupported startup parameter'))
    return new StartError('DATABASE_URL: a connection pooler answered; add pgbouncer=true to the address')
  // The operator can fix these errors: no connection, wrong credentials, missing database or privileges, unknown
  // setting.
  if (config.databaseUrl && (isDatabaseAway(error) || /^(28|3D|42501|42704)/.test(databaseError(error)?.code ?? '')))
    return new StartError(
      `DATABASE_URL: the database at ${withoutPassword(config.databaseUrl)} cannot be opened: ${reasonOf(error)}`,
    )
  if (!config.databaseUrl && error instanceof Error && 'syscall' in error)
    return new StartError(
      folderProblem(config) ?? `DATA_DIR: ${resolve(config.dataDir)} cannot be used: ${error.message}`,
    )
  if (!config.databaseUrl && (error instanceof EmbeddedError || error instanceof DamagedFolderError))
    return new StartError(openingProblem(config))
  if (!config.databaseUrl && error instanceof SQLiteError)
    return new StartError(folderProblem(config) ?? lockProblem(config, error.message))
  return error instanceof Error ? error : new Error(String(error))
}

/** @throws StartError with one line for the operator */
export const openMigrated = (config: Config, watch?: Watch) =>
  opened(
    config,
    async (database) => {
      await backUpBeforeUpdate(config, database)
      await migrate(database.db)
    },
    watch,
  )

/** @throws StartError with one line for the operator */
export const openUnmigrated = (config: Config) => opened(config, (database) => database.raw('select 1', []))

/**
 * Opens the database without migrating it, and passes it to `run`. If a running server has the embedded database open,
 * calls `ask` instead. `ask` sends the command to that server.
 * @throws StartError when the database cannot be opened
 */
export async function withDatabase<T>(
  config: Config,
  run: (database: Database) => Promise<T>,
  ask: () => Promise<T>,
): Promise<T> {
  let database: Database
  try {
    database = await openUnmigrated(config)
  } catch (error) {
    if (error instanceof FolderInUse) return ask()
    throw error
  }
  return run(database).finally(() => database.close())
}

/** Maximum time to wait for a starting database server, in milliseconds. */
const START_TIMEOUT_MS = 15_000

/** True for errors of a server that is starting or too busy. Such a server will probably accept a connection soon. */
const isStarting = (error: unknown) => /^(57P03|CONNECT_TIMEOUT)$/.test(databaseError(error)?.code ?? '')

async function opened(
  config: Config,
  prepare: (database: Database) => Promise<unknown>,
  watch?: Watch,
  open = () => openDatabase(config, watch),
): Promise<Database> {
  const giveUpAt = Date.now() + START_TIMEOUT_MS
  for (;;) {
    let database: Database | undefined
    try {
      database = await open()
      await checkEncoding(database)
      await prepare(database)
      return database
    } catch (error) {
      await database?.close().catch(() => {})
      if (!config.databaseUrl || !isStarting(error) || Date.now() > giveUpAt) throw startProblem(error, config)
      await Bun.sleep(500)
    }
  }
}

/**
 * Creates the first account if the database has none.
 * If `ADMIN_PASSWORD` is not set, generates a password and prints it once.
 */
async function welcome({ db }: Database, config: Config) {
  if (config.adminPassword && !strongPassword.safeParse(config.adminPassword).success) {
    throw new StartError(
      'ADMIN_PASSWORD must have at least 8 characters with an uppercase letter, a lowercase letter and a number',
    )
  }
  const password = config.adminPassword ?? randomPassword()
  const wasMade = await createFirstAdmin(commandWrite(db), password, {
    isTemporary: !config.adminPassword,
  })
  if (wasMade && (isCommonPassword(password) || (await guessableReason(db, password, { username: 'admin' }))))
    console.warn('ADMIN_PASSWORD is easy to guess; change it under Profile')
  if (wasMade && !config.adminPassword)
    console.log(`First account: admin, password: ${password} (shown only once; change it within 7 days)`)
}

type Watchers = Pick<AppContext, 'log' | 'metrics' | 'tracing'>

const statementWatch =
  ({ slowStatementMs, logLevel }: Config, { log, metrics, tracing }: Watchers): Watch =>
  (statement, ms) => {
    metrics.statements.observe(ms / 1000)
    tracing?.statement(statement, ms)
    const isSlow = ms >= slowStatementMs
    if (!isSlow && logLevel !== 'debug') return
    const text = statement.replace(/\s+/g, ' ').slice(0, 2000)
    log(isSlow ? 'warn' : 'debug', isSlow ? 'slow statement' : 'statement', { ms: Math.round(ms), statement: text })
  }

/**
 * Opens the database for the server. If the database folder is not writable, opens a copy of the database.
 * @returns the database. If it is a copy, `readOnly` describes the problem with the folder.
 */
async function openServed(config: Config, watch: Watch): Promise<{ database: Database; readOnly?: string }> {
  const problem = config.databaseUrl || !hasDatabase(config) ? null : folderProblem(config)
  if (!problem) return { database: await openMigrated(config, watch) }
  checkOwner(config)
  const copy = () => openReadOnlyCopy(config, problem, watch)
  return { database: await opened(config, ({ db }) => migrate(db), watch, copy), readOnly: problem }
}

export async function openContext(config: Config, loadAssets: () => Promise<Assets>): Promise<AppContext> {
  const log = jsonLog(config.logLevel)
  const metrics = newMetrics()
  // OpenTelemetry slows down the start, so load it only if tracing is configured.
  const tracing = config.tracing && new (await import('../platform/tracing')).Tracing(config.tracing, config, log)
  const watch = statementWatch(config, { log, metrics, tracing })
  const [{ database, readOnly }, assets] = await Promise.all([openServed(config, watch), loadAssets()])
  if (readOnly) console.warn(`${readOnly} The server is read-only until it is restarted: every change is refused.`)
  if (!readOnly) await welcome(database, config)
  const signingKey = config.jwtSecret ?? (await sharedSigningKey(database.db))
  const replica = config.reportsDatabaseUrl
    ? new Replica(
        openServer(config.reportsDatabaseUrl, { watch, role: 'replica', urlFile: config.reportsDatabaseUrlFile }),
        log,
      )
    : null
  const parts = { database, replica, config, assets, log, metrics, tracing, signingKey }
  return assembleContext(readOnly ? { ...parts, readOnly, disk: READ_ONLY_DISK } : parts)
}

type Parts = Pick<AppContext, 'database' | 'config' | 'assets' | 'log' | 'signingKey'> & Partial<AppContext>

export const assembleContext = ({ database, config, log, ...parts }: Parts): AppContext => ({
  database,
  db: database.db,
  replica: null,
  tracing: null,
  clock: businessClock(config.timeZone),
  config,
  disk: diskOf(config.dataDir, config.minFreeBytes, log),
  log,
  metrics: newMetrics(),
  limits: signInLimits(database),
  identityProvider: config.oidc && new IdentityProvider(config.oidc),
  requestLimits: requestLimits(config.requestsPerMinute),
  routes: new RouteTable(),
  ...parts,
})
