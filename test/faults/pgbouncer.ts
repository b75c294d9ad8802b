/**
 * Runs two instances behind PgBouncer, which gives a connection to each transaction. Clients create and change
 * transports, read them by cursor and import a file. Needs pgbouncer (Debian: apt-get install pgbouncer).
 *
 *   bun test/faults/pgbouncer.ts [--clients 8] [--calls 40]
 */
import { chownSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './support/free-port'
import { csvOf, Instance, newFolder, option, report, transport, unit } from './support/instance'
import { as, Cluster } from './support/postgres'

const CLIENTS = option('clients', 8)
const CALLS = option('calls', 40)
/** Fewer connections than clients, so that a transaction gets another connection than the one before. */
const POOL_SIZE = 3

const cluster = await Cluster.create()
await cluster.start()
const direct = new URL(cluster.url)
const folder = newFolder()
const port = freePort()
await Bun.write(
  join(folder, 'pgbouncer.ini'),
  `[databases]
postgres = host=127.0.0.1 port=${direct.port} dbname=postgres user=${direct.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = any
pool_mode = transaction
default_pool_size = ${POOL_SIZE}
logfile = ${folder}/pgbouncer.log
unix_socket_dir =
`,
)
if (as) chownSync(folder, as.uid, as.gid)
const pooler = Bun.spawn(['pgbouncer', join(folder, 'pgbouncer.ini')], { ...as, stdout: 'ignore', stderr: 'ignore' })
const pooled = new URL(direct)
pooled.port = String(port)
const promises: [string, boolean][] = []

const refused = Bun.spawn([process.execPath, join(import.meta.dir, '../../src/main.ts'), 'migrate'], {
  env: { PATH: process.env.PATH ?? '', DATABASE_URL: pooled.href },
  stdout: 'ignore',
  stderr: 'pipe',
})
const refusal = (await new Response(refused.stderr).text()).trim()
promises.push([`without pgbouncer=true: ${refusal}`, refusal.includes('add pgbouncer=true')])

pooled.searchParams.set('pgbouncer', 'true')
const begin = async () => (await Instance.start({ DATABASE_URL: pooled.href, DATA_DIR: newFolder() })).signIn()
const instances = [await begin(), await begin()]
await instances[0]?.furnish()
let [created, changed, failed] = [0, 0, 0]
async function work(client: number) {
  const instance = instances[client % instances.length] as Instance
  for (let n = 0; n < CALLS; n++) {
    const made = await instance.call('POST', '/transports', transport(client * CALLS + n))
    if (made.status === 201) created++
    else failed++
    const set = await instance.call('PATCH', `/transports/${made.data.id}/status`, { status: 'In Transit' })
    if (set.status === 200) changed++
    else failed++
  }
}
await Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)))
promises.push([
  `${created} transports created and ${changed} changed, ${failed} calls failed`,
  created === CLIENTS * CALLS && changed === created,
])

const ROWS = 3000
const upload = await instances[0]?.call('POST', '/files/imports', csvOf(ROWS, '2026-04-10'))
let state: Record<string, unknown> = {}
for (let second = 0; second < 60 && state.status !== 'imported' && state.status !== 'done'; second++) {
  await Bun.sleep(1000)
  state = (await instances[1]?.call('GET', `/files/${upload?.data.id}`))?.data ?? {}
  if (state.imported === ROWS) break
}
promises.push([`${state.imported} of ${ROWS} rows imported`, state.imported === ROWS])

const sql = new Bun.SQL(cluster.url)
const [counts] =
  await sql`select count(*)::int as transports, count(*) filter (where status = 'In Transit')::int as moving,
  (select count(*)::int from vehicles where current_status <> 'In Transit') as wrong from transports`
promises.push([
  `stored: ${counts.transports} transports, ${counts.moving} under way, ${counts.wrong} vehicles with another status`,
  counts.transports === created + ROWS && counts.moving === counts.transports && counts.wrong === 0,
])
const read = await instances[1]?.call('GET', `/vehicles/${unit(1)}/history`)
promises.push([`a vehicle is read: ${read?.status}`, read?.status === 200])

for (const instance of instances) await instance.end()
pooler.kill()
await cluster.remove()
report('PgBouncer in transaction mode', promises)
