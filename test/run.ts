/**
 * The whole test command: the checks, the suite on both engines, then the journey in real browsers. Each step runs to
 * its end whatever came before; the last line counts them all.
 */
import { startPostgres } from './support/postgres-server'

const ROOT = new URL('..', import.meta.url).pathname
let passed = 0
let failed = 0

async function run(title: string, command: string[], env: Record<string, string> = {}): Promise<void> {
  console.log(`\n== ${title}`)
  const child = Bun.spawn(command, {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'test', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([passOn(child.stdout), passOn(child.stderr)])
  const exitCode = await child.exited
  const count = (word: string) => Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(out + err)?.[1] ?? 0)
  passed += count('pass') || (exitCode === 0 ? 1 : 0)
  failed += count('fail') || (exitCode === 0 ? 0 : 1)
}

/** Shows what a step says while it runs, and keeps it. */
async function passOn(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let all = ''
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true })
    all += text
    process.stdout.write(text)
  }
  return all
}

const bin = (name: string) => [process.execPath, '--bun', `node_modules/.bin/${name}`]
const features = [
  'auth',
  'admin',
  'transports',
  'osl',
  'vehicles',
  'registrations',
  'titles',
  'dashboard',
  'profile',
  'imports',
  'reports',
  'audit',
  'backup',
  'fuzz',
]
const suite = ['unit', 'http', 'docs', ...features].map((folder) => `./test/${folder}`)
const bunTest = (...paths: string[]) => [process.execPath, 'test', '--timeout', '60000', ...paths]

await run('Types', bin('tsc'))
await run('Format and lint', [...bin('biome'), 'check', '--error-on-warnings', '.'])
await run('Dead code', bin('knip'))
await run('Suite on the embedded database', bunTest(...suite))
const postgres = await startPostgres()
await run('Suite on a Postgres server', bunTest(...suite, './test/server'), { SUITE_DATABASE_URL: postgres.url })
await postgres.stop()
await run(
  'Embedded database, commands and settings',
  bunTest('./test/embedded', './test/commands', './test/supply-chain'),
)
await run('Islands', bunTest('./test/islands'))
await run('Journey in browsers', bunTest('./test/browser'))

console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
