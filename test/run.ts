/**
 * The whole test command: the checks, the suite on both engines, then the journey in real browsers. Each step runs to
 * its end whatever came before; the last line counts them all. `--quick` leaves the server, the browsers and what takes
 * long to whoever lands the change.
 */
import { join } from 'node:path'
import { startPostgres } from './support/postgres-server'

const ROOT = new URL('..', import.meta.url).pathname
let passed = 0
let failed = 0

/** Runs a step and counts its tests. What is said by one that runs beside another is shown when it is over. */
async function run(
  title: string,
  command: string[],
  { env = {}, isBeside = false }: { env?: Record<string, string>; isBeside?: boolean } = {},
): Promise<void> {
  if (!isBeside) console.log(`\n== ${title}`)
  const child = Bun.spawn(command, {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'test', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([passOn(child.stdout, !isBeside), passOn(child.stderr, !isBeside)])
  const exitCode = await child.exited
  if (isBeside) console.log(`\n== ${title}\n${out}${err}`)
  const count = (word: string) => Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(out + err)?.[1] ?? 0)
  passed += count('pass') || (exitCode === 0 ? 1 : 0)
  failed += count('fail') || (exitCode === 0 ? 0 : 1)
}

/** Keeps what a step says, and shows it while it runs. */
async function passOn(stream: ReadableStream<Uint8Array>, isShown: boolean): Promise<string> {
  const decoder = new TextDecoder()
  let all = ''
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true })
    all += text
    if (isShown) process.stdout.write(text)
  }
  return all
}

async function inOrder(...steps: (() => Promise<void>)[]) {
  for (const step of steps) await step()
}

const bin = (name: string) => [process.execPath, '--bun', `node_modules/.bin/${name}`]
/**
 * Folders with a step of their own; every other one is part of the suite, so a new feature's tests are never
 * forgotten.
 */
const OWN_STEP = {
  server: ['server'],
  embedded: ['commands', 'embedded', 'supply-chain', 'structure'],
  islands: ['islands'],
  browser: ['browser'],
}
const folders = [
  ...new Set(
    [...new Bun.Glob('*/*.test.{ts,tsx}').scanSync(join(ROOT, 'test'))].map((file) => file.split('/')[0] as string),
  ),
]
const suite = folders.filter((folder) => !Object.values(OWN_STEP).flat().includes(folder)).sort()
const inFolder = (folder: string) => `./test/${folder}`
const bunTest = (folders: string[]) => [process.execPath, 'test', '--timeout', '600000', ...folders.map(inFolder)]

/** What takes long: every route, thousands of files and calls, backups, clocks of sign-ins. */
const LONG = ['auth', 'backup', 'docs', 'fuzz', 'http', 'imports', 'reports']
/** Tests of functions and of the source, which need no database server. */
const ENGINE_INDEPENDENT = ['unit']
const isQuick = process.argv.includes('--quick')

await run('Types', bin('tsc'))
await run('Format and lint', [...bin('biome'), 'check', '--error-on-warnings', '.'])
await run('Dead code', bin('knip'))
if (isQuick) {
  await run('Quick tests on the embedded database', bunTest(suite.filter((folder) => !LONG.includes(folder))))
  await run('Islands', bunTest(OWN_STEP.islands))
} else {
  // Two steps at a time, because each waits for its database or browser half of the time.
  const postgres = await startPostgres()
  const onPostgres = suite.filter((folder) => !ENGINE_INDEPENDENT.includes(folder))
  await Promise.all([
    inOrder(
      () => run('Suite on the embedded database', bunTest(suite)),
      () => run('Embedded database, commands and settings', bunTest(OWN_STEP.embedded)),
    ),
    inOrder(
      () =>
        run('Suite on a Postgres server', bunTest([...onPostgres, ...OWN_STEP.server]), {
          env: { SUITE_DATABASE_URL: postgres.url },
          isBeside: true,
        }),
      () => run('Islands', bunTest(OWN_STEP.islands), { isBeside: true }),
      () => run('Journey in browsers', bunTest(OWN_STEP.browser), { isBeside: true }),
    ),
  ])
  await postgres.stop()
}

console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
