import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { AppContext } from '../context'
import { StartError } from '../start-error'
import { type BackupSummary, backUp } from './backup'

/**
 * Only one process can open the embedded database, so while it is served the backup command asks the server to write
 * the backup. Whoever can read the data folder may ask: the address and a secret lie in it.
 */

const fileOf = (dataDir: string) => join(dataDir, 'control.json')

type Control = { port: number; secret: string; pid: number }

/** Opens the module for the backup command. @returns how to close it */
export function openControl({ database, config, clock, log }: AppContext, uploads: string): () => void {
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    routes: {
      '/backup': {
        async POST(request) {
          if (request.headers.get('authorization') !== `Bearer ${secret}`) return new Response(null, { status: 401 })
          const { path } = (await request.json().catch(() => ({}))) as { path?: unknown }
          if (typeof path !== 'string' || !isAbsolute(path))
            return Response.json({ message: 'Say where, with a whole path' }, { status: 422 })
          try {
            const summary = await backUp(database, uploads, path, clock.now())
            log('info', 'backed up', summary)
            return Response.json(summary)
          } catch (error) {
            return Response.json({ message: error instanceof Error ? error.message : String(error) }, { status: 500 })
          }
        },
      },
    },
    fetch: () => new Response(null, { status: 404 }),
  })
  const control: Control = { port: server.port ?? 0, secret, pid: process.pid }
  const path = fileOf(config.dataDir)
  writeFileSync(`${path}.new`, JSON.stringify(control), { mode: 0o600 })
  renameSync(`${path}.new`, path)
  return () => {
    rmSync(path, { force: true })
    void server.stop(true)
  }
}

/**
 * Asks the server that has the data folder open for a backup. @throws StartError when none answers, or it could not
 * be made
 */
export async function askForBackup(dataDir: string, path: string): Promise<BackupSummary> {
  const file = fileOf(dataDir)
  if (!existsSync(file))
    throw new StartError(`The data folder ${dataDir} is in use by a program that cannot make a backup; stop it first`)
  const { port, secret } = JSON.parse(readFileSync(file, 'utf8')) as Control
  const answer = await fetch(`http://127.0.0.1:${port}/backup`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify({ path }),
    timeout: false,
  } as RequestInit).catch(() => null)
  if (!answer) throw new StartError(`The program that has the data folder ${dataDir} open does not answer`)
  const summary = (await answer.json().catch(() => ({}))) as BackupSummary & { message?: string }
  if (!answer.ok) throw new StartError(`The backup could not be made: ${summary.message ?? answer.status}`)
  return summary
}
