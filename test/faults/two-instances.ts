/**
 * Checks that a change through one instance takes effect in another one at once.
 *
 *   bun test/faults/two-instances.ts
 */
import { csvOf, Instance, newFolder, PASSWORD, report, transport } from './support/instance'
import { Cluster } from './support/postgres'

const cluster = await Cluster.create()
await cluster.start()
const env = { DATA_DIR: newFolder(), DATABASE_URL: cluster.url }
const [one, two] = await Promise.all([Instance.start(env), Instance.start(env)])
await (await one.signIn()).furnish()
two.token = one.token
const promises: [string, boolean][] = []
const sql = new Bun.SQL(cluster.url)

promises.push(['a session from one instance works on another', (await two.call('GET', '/auth/verify')).status === 200])

const made = await one.call('POST', '/transports', transport(1))
promises.push([
  'a record created on one instance is visible on the other at once',
  (await two.call('GET', `/transports/${made.data.id}`)).data.mileage === 1,
])
const edits = await Promise.all(
  Array.from({ length: 40 }, (_, n) =>
    (n % 2 ? one : two).call('PUT', `/transports/${made.data.id}`, { mileage: 100 + n, version: 1 }),
  ),
)
const count = (status: number) => edits.filter((edit) => edit.status === status).length
promises.push([
  `40 concurrent edits of one version on both instances: ${count(200)} written, ${count(409)} rejected`,
  count(200) === 1 && count(409) === 39,
])

const creations = await Promise.all(
  Array.from({ length: 20 }, (_, n) =>
    (n % 2 ? one : two).call('POST', '/locations', {
      location_code: 'SAME',
      location_name: 'Same',
      location_type: 'Hub',
    }),
  ),
)
promises.push([
  `20 equal concurrent locations: ${creations.filter(({ status }) => status === 201).length} created`,
  creations.filter(({ status }) => status === 201).length === 1,
])

const uploads = await Promise.all(
  Array.from({ length: 6 }, (_, n) => (n % 2 ? one : two).call('POST', '/files/imports', csvOf(500, '2026-05-01'))),
)
for (const { data } of uploads) {
  for (const until = Date.now() + 60_000; Date.now() < until; await Bun.sleep(50))
    if ((await two.call('GET', `/files/${data.id}`)).data.status === 'done') break
}
const [imported] = await sql`select count(*)::int as n from transports where move_date = '2026-05-01'`
promises.push([`one file of 500 rows imported 6 times concurrently: ${imported.n} records`, imported.n === 500])

await sql`update report_schedules set next_run_at = now() - interval '1 minute' where id = 1`
for (const until = Date.now() + 75_000; Date.now() < until; await Bun.sleep(500))
  if ((await sql`select count(*)::int as n from report_runs`)[0].n) break
await Bun.sleep(3000)
const [runs] = await sql`select count(*)::int as n from report_runs`
promises.push([`a due schedule ran ${runs.n} times`, runs.n === 1])

const guesses = await Promise.all(
  Array.from({ length: 40 }, (_, n) =>
    (n % 2 ? one : two).call('POST', '/auth/login', { username: 'nobody', password: `Wrong${n}Guess` }),
  ),
)
const heard = guesses.filter(({ status }) => status === 401).length
promises.push([`40 concurrent password guesses: ${heard} checked, the rest rejected`, heard === 10])

const [, second] = [await one.call('POST', '/auth/logout'), await two.call('GET', '/auth/verify')]
promises.push(['signing out on one instance ends the session on the other at once', second.status === 401])
await one.signIn()
const other = await two.call('POST', '/auth/login', { username: 'admin', password: PASSWORD })
two.token = String(other.data.token)
await one.call('POST', '/auth/change-password', { currentPassword: PASSWORD, newPassword: 'Ironwood88x' })
promises.push([
  'a password change on one instance ends the sessions on the other at once',
  (await two.call('GET', '/auth/verify')).status === 401,
])

const ends = await Promise.all([one.end(), two.end()])
promises.push([`both stop with ${ends.join(' and ')}`, ends.every((code) => code === 0)])
await sql.close()
await cluster.remove()
report('Two instances on one database', promises)
