import type { Assets } from '../platform/assets'
import type { Config } from '../platform/config'
import { StartError } from '../platform/start-error'
import { openContext } from './open'
import { openControl } from './operator/control'

/** For TLS 1.2; those of 1.3 all are. Without them a key that is stolen later reads what was recorded before. */
const FORWARD_SECRET = 'ECDHE+AESGCM:ECDHE+CHACHA20'
const DRAIN_LIMIT_MS = 10_000
const RESUME_LIMIT_MS = 5000

/** Opens everything and serves until it is told to stop. */
export async function serve(config: Config, loadAssets: () => Promise<Assets>): Promise<void> {
  // The routes take as long to load as the database to open, so they load meanwhile.
  const [ctx, { createApp }, { startJobs }, { importRunner }, { changeFeed }] = await Promise.all([
    openContext(config, loadAssets),
    import('./app'),
    import('./jobs'),
    import('../platform/imports/job/runner'),
    import('../platform/live/feed'),
  ])
  const imports = importRunner(ctx)
  // Users should not meet half of an import that a crash cut off; a long one goes on behind the open routes.
  const isWritable = ctx.readOnly === undefined
  if (ctx.database.engine === 'embedded' && isWritable)
    await Promise.race([imports.resume(), Bun.sleep(RESUME_LIMIT_MS)])
  const app = createApp(ctx)
  try {
    app.listen({
      port: config.port,
      hostname: config.host,
      // Elysia asks for it; then a second program on the port would start without a word and take half of the requests.
      reusePort: false,
      ...(config.tls
        ? { tls: { cert: Bun.file(config.tls.cert), key: Bun.file(config.tls.key), ciphers: FORWARD_SECRET } }
        : {}),
    })
  } catch (error) {
    await ctx.database.close()
    throw new StartError(listenProblem(error, config))
  }
  const jobs = isWritable ? startJobs(ctx) : []
  const closeControl = ctx.database.engine === 'embedded' && isWritable ? openControl(ctx) : () => {}

  // postgres.js writes to a socket that is gone when the database goes away in the middle of a COPY. The copy itself is
  // told; only this stray write would end the process. Anything else that nobody caught still does.
  process.on('uncaughtException', (error) => {
    const isStrayWrite =
      error instanceof TypeError && /postgres.src.connection|socket\.write/.test(`${error.message} ${error.stack}`)
    ctx.log(isStrayWrite ? 'warn' : 'error', 'nobody caught this', { reason: String(error.stack) })
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
    await ctx.database.close()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
  // Whoever reads this may stop the program at once, and it must end well.
  console.log(`Yardmaster is at ${config.tls ? 'https' : 'http'}://${app.server?.hostname}:${app.server?.port}`)
}

function listenProblem(error: unknown, { port, host, tls }: Config): string {
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'EADDRINUSE') return `PORT: ${port} on ${host} is taken by another program`
  if (code === 'EACCES') return `PORT: ${port} on ${host} may not be used by this account`
  if (tls && /cert|key|pem|ssl|tls/i.test(message ?? '')) return `TLS_CERT and TLS_KEY: ${message}`
  return `HOST: cannot listen on ${host}:${port}: ${message}`
}
