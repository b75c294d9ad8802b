/**
 * Measures the time from the binary's start to its first page. The subjects are a migrated server, an existing embedded
 * folder and an empty one, measured in turn within one run. `--version` only loads the binary, which is the minimum of
 * any start. Build the binary first: `bun run build`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../support/postgres-server'
import { median } from './measure'

const BINARY = join(import.meta.dir, '../../dist/yardmaster')
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)
const env = { ...process.env, NODE_ENV: 'production', PORT: '0', LOG_LEVEL: 'warn', ADMIN_PASSWORD: 'Saguaro42' }

async function firstPage(settings: Record<string, string>): Promise<number> {
  const startedAt = performance.now()
  const child = Bun.spawn([BINARY], { env: { ...env, ...settings }, stdout: 'pipe', stderr: 'ignore' })
  let output = ''
  for await (const bytes of child.stdout) {
    output += new TextDecoder().decode(bytes)
    const url = /Yardmaster is at (\S+)/.exec(output)?.[1]
    if (!url) continue
    await (await fetch(`${url}/login`)).text()
    break
  }
  const took = performance.now() - startedAt
  child.kill('SIGTERM')
  await child.exited
  return took
}

async function loading(): Promise<number> {
  const startedAt = performance.now()
  await Bun.spawn([BINARY, '--version'], { env, stdout: 'ignore' }).exited
  return performance.now() - startedAt
}

const pg = await startPostgres()
const folder = mkdtempSync(join(tmpdir(), 'cold-start-'))
const SUBJECTS: Record<string, () => Promise<number>> = {
  'loads alone (--version)': loading,
  'a migrated server': () => firstPage({ DATABASE_URL: pg.url }),
  'an embedded folder that is there': () => firstPage({ DATABASE_URL: '', DATA_DIR: join(folder, 'kept') }),
  'an empty folder': () => {
    rmSync(join(folder, 'new'), { recursive: true, force: true })
    return firstPage({ DATABASE_URL: '', DATA_DIR: join(folder, 'new') })
  },
}
const times = new Map(Object.keys(SUBJECTS).map((name) => [name, [] as number[]]))
// Warm-up: the first start migrates the database and runs with cold caches.
for (const run of Object.values(SUBJECTS)) await run()
for (let round = 0; round < ROUNDS; round++)
  for (const [name, run] of Object.entries(SUBJECTS)) times.get(name)?.push(await run())
const least = median(times.get('loads alone (--version)') as number[])
console.log('| the first page on | ms | against loading alone |\n|---|---|---|')
for (const [name, all] of times)
  console.log(`| ${name} | ${median(all).toFixed(0)} | ${(median(all) / least).toFixed(1)} |`)
rmSync(folder, { recursive: true, force: true })
await pg.stop()
