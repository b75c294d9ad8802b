/**
 * Measures `/healthz` while eight connections send the worst possible bodies.
 * Without a session, these are form fields, multipart parts or deep JSON of up to 40 MB. With a session, they are just
 * within the limits. The target is a p99 below 50 ms. To compare machines, use the ratio to the same probe without
 * attackers in the same run.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryOf } from './measure'
import { start } from './start'

const CONNECTIONS = 8
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10)
const MB = 1024 * 1024

const fields = (bytes: number) => 'k=1&'.repeat(bytes / 4)
const parts = (count: number) => `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(count)}--x--`
const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=x'

/** Part headers just within the limits for one part and for all parts. */
const padded = parts(120).replaceAll('name="a"', `name="a"; x="${'y'.repeat(3900)}"`)
const members = (count: number) => Array.from({ length: count }, (_, n) => `"k${n}":1`).join()
const defaults = `--x\r\nContent-Disposition: form-data; name="defaults"\r\n\r\n{${members(80_000)}}\r\n--x--\r\n`

const headings = ['unit_number', ...Array.from({ length: 199 }, (_, n) => `h${n}`)].join('%09')
const pasted = `data_type=titles&rows=${headings}%0A${'1%0A'.repeat(19_990)}`

const BODIES: [name: string, path: string, type: string, body: string][] = [
  ['9 MB of fields to /login', '/login', FORM, fields(9 * MB)],
  ['38 MB of fields to /login', '/login', FORM, fields(38 * MB)],
  ['200,000 parts to /login', '/login', MULTIPART, parts(200_000)],
  ['9 MB of fields to a page', '/titles/new', FORM, fields(9 * MB)],
  ['200,000 parts to an upload', '/api/files/upload', MULTIPART, parts(200_000)],
  ['2 MB of nested JSON to the API', '/api/titles', 'application/json', '['.repeat(2 * MB)],
]
const SIGNED_IN: typeof BODIES = [
  ['2 MB of JSON fields', '/api/titles', 'application/json', `{${members(29_000)}}`],
  ['29,000 JSON values', '/api/titles/bulk', 'application/json', `{"ids":[${Array(29_000).fill('"x"')}]}`],
  [
    '5,400 empty objects',
    '/api/registrations/batch',
    'application/json',
    `{"registrations":[${'{},'.repeat(5399)}{}]}`,
  ],
  // This character becomes 18 others when text is normalized.
  ['2 MB of one Arabic character', '/api/titles', 'application/json', `{"unit_number":"${'\ufdfa'.repeat(660_000)}"}`],
  ['120 parts with 4 KB of headers', '/api/files/upload', MULTIPART, padded],
  ['1 MB of default values', '/api/files/imports', MULTIPART, defaults],
  ['20,000 pasted lines below 200 headings', '/files/paste', FORM, pasted],
]

const DATA_DIR = mkdtempSync(join(tmpdir(), 'yardmaster-bench-'))
const { url, child } = await start('src/main.ts', { DATA_DIR, ADMIN_PASSWORD: 'Saguaro42' })

const login = await fetch(`${url}/api/auth/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'admin', password: 'Saguaro42' }),
})
const { token } = ((await login.json()) as { data: { token: string } }).data

/** Returns the response times of `/healthz` in milliseconds, ascending. */
async function probe(): Promise<number[]> {
  const times: number[] = []
  const until = performance.now() + SECONDS * 1000
  while (performance.now() < until) {
    const began = performance.now()
    await (await fetch(`${url}/healthz`)).text()
    times.push(performance.now() - began)
    await Bun.sleep(5)
  }
  return times.sort((a, b) => a - b)
}

const at = (times: number[], share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0

await probe()
const quiet = await probe()
console.log(`without attackers: p50 ${at(quiet, 0.5).toFixed(1)} ms, p99 ${at(quiet, 0.99).toFixed(1)} ms\n`)
console.log('| eight connections send | answers | p50 ms | p99 ms | of the quiet p99 | longest ms | memory MB |')
console.log('|---|---|---|---|---|---|---|')
for (const [name, path, type, body] of [...BODIES, ...SIGNED_IN]) {
  const isSignedIn = SIGNED_IN.some(([signedIn]) => signedIn === name)
  const headers = {
    'content-type': type,
    ...(isSignedIn ? { cookie: `yardmaster_session=${token}`, origin: url } : {}),
  }
  const attackers = new Worker(new URL('./hostile-sender.ts', import.meta.url).href)
  attackers.postMessage({ url: url + path, headers, body, connections: CONNECTIONS })
  await Bun.sleep(500)
  const times = await probe()
  const answers = await new Promise<Record<string, number>>((resolve) => {
    attackers.onmessage = (event) => resolve(event.data)
    attackers.postMessage('stop')
  })
  attackers.terminate()
  const statuses = Object.entries(answers).map(([status, count]) => `${count} × ${status}`)
  const p99 = at(times, 0.99)
  console.log(
    `| ${name} | ${statuses.join(', ')} | ${at(times, 0.5).toFixed(1)} | ${p99.toFixed(1)} | ` +
      `${(p99 / at(quiet, 0.99)).toFixed(1)} | ${at(times, 1).toFixed(0)} | ${memoryOf(child.pid)} |`,
  )
}
child.kill()
await child.exited
rmSync(DATA_DIR, { recursive: true, force: true })
