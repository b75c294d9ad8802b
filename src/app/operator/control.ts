import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { holderOf } from '../../../db/embedded/lock'
import { backUp } from '../../platform/backup/backup'
import { exportAll } from '../../platform/backup/export'
import type { AppContext } from '../../platform/context'
import { isStorable } from '../../platform/fields'
import { filesOutsideTables } from '../../platform/file-store'
import { StartError } from '../../platform/start-error'
import { resetAccountFactor, resetAccountPassword, unlockAccount } from './accounts'
import { inspectDatabase } from './inspect'

/**
 * Commands that other processes can send to the server's control port. Only one process at a time can open the embedded
 * database. While the server has the database open, the server listens on the control port, a local HTTP port. The port
 * number and a secret are in the control file in the data folder. Only accounts that can read this file can send
 * commands.
 */

const OPERATIONS = {
  async backup({ database, config, clock, log }: AppContext, { path }: { path: string }) {
    if (typeof path !== 'string' || !isAbsolute(path))
      throw new StartError('The backup path must be a full (absolute) path')
    const summary = await backUp(database, filesOutsideTables(config, database), path, clock.now())
    log('info', 'backed up', summary)
    return summary
  },
  async export(ctx: AppContext, { path }: { path: string }) {
    if (typeof path !== 'string' || !isAbsolute(path))
      throw new StartError('The export path must be a full (absolute) path')
    const summary = await exportAll(ctx, path, ctx.clock.now())
    ctx.log('info', 'exported everything', summary)
    return summary
  },
  'reset-password': ({ database }: AppContext, { name }: { name: string }) =>
    resetAccountPassword(database, nameFrom(name)),
  unlock: ({ database }: AppContext, { name }: { name: string }) => unlockAccount(database, nameFrom(name)),
  'reset-second-factor': ({ database }: AppContext, { name }: { name: string }) =>
    resetAccountFactor(database, nameFrom(name)),
  inspect: ({ database, clock }: AppContext, _: Record<string, never>) => inspectDatabase(database, clock.timeZone),
}

/** @throws StartError when the value cannot be a username */
function nameFrom(name: unknown): string {
  if (typeof name !== 'string' || !name || name.length > 50 || !isStorable(name))
    throw new StartError('The account name is missing or invalid')
  return name
}

export type Operation = keyof typeof OPERATIONS
type Input<Name extends Operation> = Parameters<(typeof OPERATIONS)[Name]>[1]
type Result<Name extends Operation> = Awaited<ReturnType<(typeof OPERATIONS)[Name]>>

const fileOf = (dataDir: string) => join(dataDir, 'control.json')

type Control = { port: number; secret: string; pid: number }

/** @returns a function that closes the port and deletes the control file */
export function openControl(ctx: AppContext): () => void {
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const name = new URL(request.url).pathname.slice(1)
      if (request.headers.get('authorization') !== `Bearer ${secret}`) return new Response(null, { status: 401 })
      if (!Object.hasOwn(OPERATIONS, name)) return new Response(null, { status: 404 })
      try {
        return Response.json(await OPERATIONS[name as Operation](ctx, (await request.json()) as never))
      } catch (error) {
        return Response.json({ message: error instanceof Error ? error.message : String(error) }, { status: 500 })
      }
    },
  })
  const control: Control = { port: server.port ?? 0, secret, pid: process.pid }
  const path = fileOf(ctx.config.dataDir)
  // Use `recursive`, because a folder can have the name of the control file.
  for (const old of [path, `${path}.new`]) rmSync(old, { recursive: true, force: true })
  writeFileSync(`${path}.new`, JSON.stringify(control), { mode: 0o600 })
  renameSync(`${path}.new`, path)
  return () => {
    rmSync(path, { force: true })
    void server.stop(true)
  }
}

/**
 * Reads the control file of the process that uses the folder.
 * @throws StartError when that process has no control file
 */
function readControl(dataDir: string): Control {
  const none = new StartError(
    `The data folder ${dataDir} is in use by a program that is not accepting commands. Stop the program, ` +
      `or try again later.`,
  )
  try {
    const control = JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Control
    // Use the control file only if its process id is that of the process that has locked the data folder. A killed
    // process leaves its control file behind, and another program may already use its port.
    if (control.pid === holderOf(dataDir)) return control
  } catch {
    throw none
  }
  throw none
}

/**
 * Sends a command to the server that has the data folder open.
 * @throws StartError when no server responds, or with the server's message when the command fails
 */
export async function askServer<Name extends Operation>(
  dataDir: string,
  name: Name,
  input: Input<Name>,
): Promise<Result<Name>> {
  const { port, secret } = readControl(dataDir)
  const answer = await fetch(`http://127.0.0.1:${port}/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify(input),
    timeout: false,
  } as RequestInit).catch(() => null)
  if (!answer)
    throw new StartError(
      `The program that uses the data folder ${dataDir} does not respond. Stop the program, or try again later.`,
    )
  const result = ((await answer.json().catch(() => null)) ?? {}) as Result<Name> & { message?: string }
  if (!answer.ok) throw new StartError(result.message ?? `The server refused the command: ${answer.status}`)
  return result
}
