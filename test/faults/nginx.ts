/**
 * Runs nginx in front of the program, with the example configuration of the documentation.
 * Only its port, its certificate and the address of the program are replaced. Needs nginx and curl (Debian: apt-get
 * install nginx-light curl).
 *
 *   bun test/faults/nginx.ts [--seconds 150] [--kbps 12] [--conf FILE]
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { selfSigned } from '../support/certificate'
import { freePort } from './support/free-port'
import { Instance, newFolder, option, PASSWORD, report, transport } from './support/instance'
import { Cluster } from './support/postgres'

const SECONDS = option('seconds', 150)
const KBPS = option('kbps', 12)
const confAt = process.argv.indexOf('--conf')
const EXAMPLE =
  confAt < 0 ? join(import.meta.dir, '../../docs/examples/nginx.conf') : (process.argv[confAt + 1] as string)
const folder = newFolder()
const promises: [string, boolean][] = []

const cluster = await Cluster.create()
await cluster.start()
const env = { DATABASE_URL: cluster.url, TRUST_PROXY: 'on' }
let testContext = await (await (await Instance.start({ ...env, DATA_DIR: newFolder() })).signIn()).furnish()
for (let n = 0; n < 5; n++) await testContext.call('POST', '/transports', transport(n))
const sql = new Bun.SQL(cluster.url)
// Some 60 MB of export: more than all sockets and buffers on the way hold.
await sql`insert into audit_entries (source, action, entity, entity_id, changes)
  select 'web', 'update', 'locations', 1, jsonb_build_object('location_name',
  jsonb_build_object('old', repeat('x', 100), 'new', n)) from generate_series(1, 300000) n`

const { cert, key } = selfSigned()
await Promise.all([Bun.write(join(folder, 'cert.pem'), cert), Bun.write(join(folder, 'key.pem'), key)])
const port = freePort()
const proxy = `https://localhost:${port}`
/** Replaces a part of the example. @throws Error when the example no longer contains this part */
const replaced = (text: string, from: RegExp, to: string) => {
  if (!from.test(text)) throw new Error(`The example has no ${from}`)
  return text.replace(from, to)
}
async function writeSite(upstream: string) {
  let site = await Bun.file(EXAMPLE).text()
  site = replaced(site, /listen 443\b/, `listen 127.0.0.1:${port}`)
  site = site.replace(/^\s*listen 80;$/m, `listen 127.0.0.1:${freePort()};`)
  site = replaced(site, /(ssl_certificate\s+)[^;]+/, `$1${folder}/cert.pem`)
  site = replaced(site, /(ssl_certificate_key\s+)[^;]+/, `$1${folder}/key.pem`)
  site = replaced(site, /http:\/\/127\.0\.0\.1:3000/, upstream)
  await Bun.write(join(folder, 'site.conf'), site)
}
await writeSite(testContext.url)
const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  .map((name) => `${name}_temp_path ${folder}/${name};`)
  .join('\n')
await Bun.write(
  join(folder, 'nginx.conf'),
  `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; master_process on; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log info;
events {}
http { access_log off; ${temp} include ${folder}/site.conf; }`,
)
const nginxBin = Bun.which('nginx', { PATH: `${process.env.PATH}:/usr/sbin` })
if (!nginxBin) throw new Error('nginx is not installed (Debian: apt-get install nginx-light)')
const nginx = Bun.spawn([nginxBin, '-p', folder, '-c', join(folder, 'nginx.conf')], {
  stdout: 'inherit',
  stderr: 'inherit',
})
for (let n = 0; n < 100 && !(await fetch(`${proxy}/healthz`, { tls: { ca: cert } }).catch(() => null))?.ok; n++)
  await Bun.sleep(50)
const reload = async () => {
  nginx.kill('SIGHUP')
  await Bun.sleep(500)
}

/** Runs curl. Returns its exit code, the status, the number of bytes and the text. */
async function curl(...words: string[]) {
  const child = Bun.spawn(
    [
      'curl',
      '--silent',
      '--cacert',
      join(folder, 'cert.pem'),
      '--http1.1',
      '-o',
      join(folder, 'got'),
      '-w',
      '%{http_code} %{size_download}',
      '-H',
      `Authorization: Bearer ${testContext.token}`,
      ...words,
    ],
    { stdout: 'pipe', stderr: 'inherit' },
  )
  const [status, bytes] = (await new Response(child.stdout).text()).split(' ').map(Number)
  return {
    exit: await child.exited,
    status,
    bytes,
    text: await Bun.file(join(folder, 'got'))
      .text()
      .catch(() => ''),
  }
}

// 1. Signing in as a browser does.
const login = await fetch(`${proxy}/login`, {
  method: 'POST',
  redirect: 'manual',
  tls: { ca: cert },
  headers: { origin: proxy, 'content-type': 'application/x-www-form-urlencoded' },
  body: `username=admin&password=${PASSWORD}`,
})
const cookie = login.headers.get('set-cookie') ?? ''
promises.push([
  `sign-in through nginx: ${login.status}, cookie ${/secure/i.test(cookie) ? 'Secure' : 'NOT secure'}`,
  login.status === 303 && /secure/i.test(cookie) && login.headers.has('strict-transport-security'),
])
const foreign = await fetch(`${proxy}/logout`, {
  method: 'POST',
  redirect: 'manual',
  tls: { ca: cert },
  headers: {
    origin: 'https://evil.example',
    'x-forwarded-host': 'evil.example',
    cookie: cookie.split(';')[0] as string,
  },
})
promises.push([`a cross-site request with a forged host is rejected: ${foreign.status}`, foreign.status === 403])
const given = await fetch(`${proxy}/healthz`, { tls: { ca: cert }, headers: { 'x-request-id': 'forged-by-a-client' } })
promises.push([
  `the proxy sets the request ID: ${given.headers.get('x-request-id')}`,
  given.headers.get('x-request-id') !== 'forged-by-a-client',
])

await testContext.signIn()

// 2. An export, whole and cut off.
const EXPORT = '/api/audit/export?format=csv&order=asc'
const direct = Bun.hash(
  await (await fetch(testContext.url + EXPORT, { headers: { authorization: `Bearer ${testContext.token}` } })).bytes(),
)
const whole = await curl(proxy + EXPORT)
promises.push([
  `an export of ${Math.round((whole.bytes ?? 0) / 1e6)} MB arrives as it was sent`,
  whole.exit === 0 && Bun.hash(await Bun.file(join(folder, 'got')).bytes()) === direct,
])
const cutting = curl('--limit-rate', '4M', proxy + EXPORT)
await Bun.sleep(2500)
await testContext.end('SIGKILL')
const cut = await cutting
promises.push([
  `an export cut off after ${Math.round((cut.bytes ?? 0) / 1e6)} MB by a killed program is an error to ` +
    `curl: exit ${cut.exit}`,
  cut.exit === 18 && (cut.bytes ?? 0) < (whole.bytes ?? 0),
])
testContext = await (await Instance.start({ ...env, DATA_DIR: newFolder() })).signIn()
await writeSite(testContext.url)
await reload()
const losing = curl('--limit-rate', '4M', proxy + EXPORT)
await Bun.sleep(2500)
await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'yardmaster'`.catch(() => {})
await sql`alter table audit_entries rename to gone`
const failedExport = await losing
await sql`alter table gone rename to audit_entries`
promises.push([
  `an export whose database failed after ${Math.round((failedExport.bytes ?? 0) / 1e6)} MB is an error to curl: ` +
    `exit ${failedExport.exit}`,
  failedExport.exit === 18,
])

// 3. Uploads: as large as they may be, larger, and slow.
const line = '100000,Here,There,2026-05-01,Haul,In Transit\n'
const csv = (bytes: number) =>
  `unit_number,location_out,location_in,move_date,transport_company,status\n` +
  `${line.repeat(Math.floor(bytes / line.length))}`
mkdirSync(join(folder, 'up'))
await Bun.write(join(folder, 'up/slow.csv'), csv(SECONDS * KBPS * 1000))
await Bun.write(join(folder, 'up/large.csv'), csv(25 * 1024 * 1024 - 200))
await Bun.write(join(folder, 'up/larger.csv'), csv(27 * 1024 * 1024))
const upload = (name: string, ...words: string[]) =>
  curl('-F', 'data_type=transports', '-F', `file=@${folder}/up/${name}.csv`, ...words, `${proxy}/api/files/imports`)
const large = await upload('large')
promises.push([`an upload of 25 MB is accepted: ${large.status} ${large.text.slice(0, 80)}`, large.status === 202])
const larger = await upload('larger')
promises.push([`an upload of 27 MB is rejected: ${larger.status}`, larger.status === 413])
const began = performance.now()
const slow = await upload('slow', '--limit-rate', `${KBPS}k`)
promises.push([
  `an upload at ${KBPS} kB/s for ${Math.round((performance.now() - began) / 1000)} s is taken: ${slow.status}`,
  slow.status === 202,
])

// 4. While the program is away.
await testContext.end()
const away = await curl(`${proxy}/login`)
promises.push([`response while the program is down: ${away.status}`, away.status === 502])

nginx.kill('SIGTERM')
await nginx.exited
await sql.close()
await cluster.remove()
report('Behind nginx', promises)
