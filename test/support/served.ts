import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../db/client'
import { openEmbedded } from '../../db/embedded/open'
import { migrate } from '../../db/migrate'
import { createApp } from '../../src/app/app'
import { buildAssets } from '../../src/app/assets'
import { readConfig } from '../../src/app/config'
import { assembleContext } from '../../src/app/open'
import { diskOf } from '../../src/platform/disk'
import { jsonLog } from '../../src/platform/log'
import { toConsole } from './context'

export type Served = { url: string; close(): Promise<void> }

/** Serves a separate program on a real port for browsers. `furnish` fills its database first. */
export async function serveApp(furnish: (db: Db) => Promise<unknown>): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'yardmaster-served-'))
  const database = await openEmbedded()
  await migrate(database.db)
  await furnish(database.db)
  const config = { ...readConfig({}), dataDir: folder }
  const ctx = assembleContext({
    database,
    config,
    assets: await buildAssets(),
    disk: diskOf(folder, 0),
    log: jsonLog('warn', undefined, toConsole),
    signingKey: 'a key that only the tests know',
  })
  const app = createApp(ctx).listen({ port: 0, hostname: '127.0.0.1' })
  return {
    url: `http://127.0.0.1:${app.server?.port}`,
    close: async () => {
      await app.stop(true)
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
