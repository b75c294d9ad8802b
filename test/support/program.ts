import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { untilAddress } from './address'

/** Runs the program as a separate process, as an operator does. */

export const JSON_TYPE = { 'content-type': 'application/json' }
export const MAIN = join(import.meta.dir, '../../src/main.ts')

/**
 * Command that starts the program. `bun run test` builds an executable, which starts in half the time, and sets
 * `YARDMASTER_EXECUTABLE` to its path.
 */
export const PROGRAM: string[] = process.env.YARDMASTER_EXECUTABLE
  ? [process.env.YARDMASTER_EXECUTABLE]
  : [process.execPath, MAIN]

const folders: string[] = []

/** Creates an empty folder that `removeFolders` deletes. */
export function temporaryFolder() {
  const made = mkdtempSync(join(tmpdir(), 'yardmaster-command-'))
  folders.push(made)
  return made
}

export function removeFolders() {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

/** Settings of Bun's memory and compilers that the test run chose. */
const runtime = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name.startsWith('MIMALLOC_') || name.startsWith('BUN_JSC_')),
)

/** Starts outside the project's folder, as a service does. */
const start = (env: Record<string, string>, command: string[]) =>
  Bun.spawn(command, {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '', PORT: '0', LOG_LEVEL: 'warn', ...runtime, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })

export async function outcome(env: Record<string, string>, ...words: string[]) {
  const child = start(env, [...PROGRAM, ...words])
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out: out.trim(), err: err.trim() }
}

/** `output` returns everything that the program has printed, after it has ended. */
export async function serving(env: Record<string, string>, command = PROGRAM) {
  const child = start(env, command)
  const [head, all] = child.stdout.tee()
  const { startOutput, url } = await untilAddress(head)
  return { child, startOutput, url: url as string, output: () => new Response(all).text() }
}
