import type { Assets } from '../platform/assets'
import { endPasswordSessions } from '../platform/auth/ending-sessions'
import { reencryptSecrets } from '../platform/auth/reencryption'
import type { Config } from '../platform/config'
import type { AppContext } from '../platform/context'
import { StartError } from '../platform/start-error'
import { openContext } from './open'
import { openControl } from './operator/control'
import { differenceText, timeZoneDifference } from './time-zone'

/**
 * TLS 1.2 ciphers with forward secrecy. With them, a key that is stolen later cannot decrypt recorded traffic. TLS 1.3
 * needs no list, because all its ciphers have forward secrecy.
 */
const FORWARD_SECRET = 'ECDHE+AESGCM:ECDHE+CHACHA20'
const DRAIN_LIMIT_MS = 10_000
const RESUME_LIMIT_MS = 5000

async function warnOfTimeZone({ database, clock: { timeZone }, log }: AppContext): Promise<void> {
  const day = await timeZoneDifference(database, timeZone).catch(() => null)
  if (day) log('warn', differenceText(timeZone, day))
}

const closeDatabases = async ({ database, replica }: AppContext) => {
  await replica?.database.close()
  await database.close()
}

const tlsOptions = ({ tls }: Config) =>
  tls ? { tls: { cert: Bun.file(tls.cert), key: Bun.file(tls.key), ciphers: FORWARD_SECRET } } : {}

/**
 * Checks that the server can listen on its address.
 * Call this before opening the database. On the first start, opening the database prints the administrator's password,
 * so the server must not fail after that.
 * @throws StartError when the address or the certificate cannot be used
 */
function checkAddress(config: Config): void {
  try {
    const { port, host: hostname } = config
    Bun.listen({ port, hostname, ...tlsOptions(config), socket: { data() {} } }).stop(true)
  } catch (error) {
    throw new StartError(listenProblem(error, config))
  }
}

export async function serve(config: Config, loadAssets: () => Promise<Assets>): Promise<void> {
  checkAddress(config)
  // Loads the routes and opens the database at the same time, because both take equally long.
  const [ctx, { createApp }, { startJobs }, { importRunner }, { changeFeed }] = await Promise.all([
    openContext(config, loadAssets),
    import('./app'),
    import('./jobs'),
    import('../platform/imports/job/runner'),
    import('../platform/live/feed'),
  ])
  const imports = importRunner(ctx)
  // Finish an import that a crash has interrupted, so that users do not see half of it. If this takes longer than
  // `RESUME_LIMIT_MS`, start the server anyway. The import then continues in the background.
  const isWritable = ctx.readOnly === undefined
  if (ctx.database.engine === 'embedded' && isWritable)
    await Promise.race([imports.resume(), Bun.sleep(RESUME_LIMIT_MS)])
  const { passwordAccounts } = config.oidc ?? {}
  if (passwordAccounts && isWritable) await endPasswordSessions(ctx.db, passwordAccounts)
  if (isWritable) await reencryptSecrets(ctx)
  const app = createApp(ctx)
  try {
    app.listen({
      port: config.port,
      hostname: config.host,
      // Disables `reusePort`, which Elysia enables by default. Otherwise, a second program could listen on the same
      // port without an error and receive half of the requests.
      reusePort: false,
      ...tlsOptions(config),
    })
  } catch (error) {
    await closeDatabases(ctx)
    throw new StartError(listenProblem(error, config))
  }
  void warnOfTimeZone(ctx)
  const jobs = isWritable ? startJobs(ctx) : []
  const closeControl = ctx.database.engine === 'embedded' && isWritable ? openControl(ctx) : () => {}

  // If the database connection is lost during a COPY statement, postgres.js still writes to the closed socket, which
  // throws an error here. Do not exit after this error, because the statement itself also fails and reports the
  // problem. Exit after any other error.
  process.on('uncaughtException', (error) => {
    const isStrayWrite =
      error instanceof TypeError && /postgres.src.connection|socket\.write/.test(`${error.message} ${error.stack}`)
    ctx.log(isStrayWrite ? 'warn' : 'error', 'uncaught exception', { reason: String(error.stack) })
    if (!isStrayWrite) process.exit(1)
  })

  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    for (const job of jobs) clearInterval(job)
    closeControl()
    changeFeed(ctx).close()
    await Promise.race([app.stop(), Bun.sleep(DRAIN_LIMIT_MS)])
    await imports.stop()
    await closeDatabases(ctx)
    await ctx.tracing?.close()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
  // Print the address after installing the signal handlers, because a script that waits for this output may stop the
  // program at once.
  const { hostname = '', port } = app.server ?? {}
  const host = hostname.includes(':') ? `[${hostname}]` : hostname
  console.log(`Yardmaster is at ${config.tls ? 'https' : 'http'}://${host}:${port}`)
}

function listenProblem(error: unknown, { port, host, tls }: Config): string {
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'EADDRINUSE')
    return `PORT: ${port} on ${host} is in use by another program; stop that program or choose another port`
  if (code === 'EACCES') return `PORT: ${port} on ${host} cannot be used by this account; choose port 1024 or higher`
  if (tls && /cert|key|pem|ssl|tls/i.test(message ?? '')) return `TLS_CERT and TLS_KEY: ${message}`
  return `HOST: cannot listen on ${host}:${port}: ${message}`
}
