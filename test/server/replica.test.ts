import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { migrate } from '../../db/migrate'
import { openServer } from '../../db/server'
import { readConfig } from '../../src/app/config'
import { diagnose } from '../../src/app/operator/doctor'
import { Replica, readReport, replicaLag } from '../../src/platform/replica'
import { Cluster } from '../faults/support/postgres'
import { castPeople } from '../support/cast'
import { appWith, testContext } from '../support/context'

const logged: string[] = []
const log = (_level: string, _message: string, fields?: Record<string, unknown>) =>
  void logged.push(`${fields?.reason}`)

/** Starts a program with a primary database and a streaming replica. */
async function open() {
  const h = await testContext()
  const primary = await Cluster.create()
  await primary.start()
  const first = openServer(primary.url)
  await migrate(first.db)
  await first.close()
  await primary.stop()
  const standby = Cluster.copyOf(primary)
  const older = Cluster.copyOf(primary)
  await primary.start()
  await standby.start(`primary_conninfo=host=127.0.0.1 port=${primary.port} user=postgres`)
  const database = openServer(primary.url)
  const replica = openServer(standby.url, { role: 'replica' })
  const { app, ctx } = appWith(h.ctx, { database, db: database.db, replica: new Replica(replica, log) })
  return { ctx, primary, standby, older, database, replica, cast: await castPeople(app, ctx) }
}

let h: Awaited<ReturnType<typeof open>>
beforeAll(async () => {
  h = await open()
})
afterAll(async () => {
  await Promise.all([h.database.close(), h.replica.close()])
  await Promise.all([h.primary.remove(), h.standby.remove(), h.older.remove()])
})

const create = (unit_number: string) => h.cast.ben.post('/titles', { unit_number, location_id: h.cast.phoenix })
const DAYS = 'start_date=2026-03-01&end_date=2026-03-31'
/** The units in the export of pending titles, and the number of titles in the report. */
async function read() {
  const { text } = await h.cast.ben.open('/api/exports/titles-pending?format=csv')
  const report = (await h.cast.ben.get(`/reports/title_aging?${DAYS}`)).body.data as { totals: { count: number } }
  const records = (await h.cast.ben.get(`/reports/title_aging/records?${DAYS}`)).body.data as unknown as unknown[]
  return { units: text.match(/\b100\d{3}\b/g), reported: report.totals.count, records: records.length }
}

test('reports and exports are read from the replica, with all changes that were made before', async () => {
  await create('100001')
  expect(await read()).toEqual({ units: ['100001'], reported: 1, records: 1 })
  expect(logged).toEqual([])
})

test('the command doctor shows the lag, and a database that is no replica', async () => {
  const replicaLine = async (REPORTS_DATABASE_URL: string) => {
    const findings = await diagnose(readConfig({ DATABASE_URL: h.primary.url, REPORTS_DATABASE_URL }))
    return findings.find(({ subject }) => subject === 'replica')
  }
  expect(await replicaLine(h.standby.url)).toEqual({ subject: 'replica', state: 'ok', text: '0 s behind the database' })
  expect(await replicaLine(h.primary.url)).toMatchObject({ state: 'fail', text: 'the database is not a replica' })
  expect(() => readConfig({ REPORTS_DATABASE_URL: h.standby.url })).toThrow(
    'DATABASE_URL must be set when REPORTS_DATABASE_URL is set',
  )
})

test('a replica that is behind is read, and the page says so', async () => {
  await h.replica.raw('select pg_wal_replay_pause()', [])
  await create('100002')
  expect(await read()).toEqual({ units: ['100001'], reported: 1, records: 1 })
  const page = await h.cast.ben.open('/reports?type=title_aging&period=usual&generate=1')
  expect(page.text).toMatch(/Read from a replica: changes from the last \d+ s may be missing\./)
  await h.replica.raw('select pg_wal_replay_resume()', [])
  expect(await read()).toEqual({ units: ['100001', '100002'], reported: 2, records: 2 })
  expect((await h.cast.ben.open('/reports?type=title_aging&period=usual&generate=1')).text).not.toContain('replica')
})

test('a report that fails on the replica is read from the database', async () => {
  const databases: string[] = []
  const read = readReport({ ...h.ctx, log: () => {} }, async (db) => {
    databases.push(db === h.replica.db ? 'replica' : 'primary')
    if (db === h.replica.db) await db.execute(sql`select 1 / 0`)
    return databases
  })
  expect(await read).toEqual({ value: ['replica', 'primary'], lagSeconds: null })
  const broken = readReport(h.ctx, async () => {
    throw new TypeError('a fault of the report')
  })
  await expect(broken).rejects.toThrow('a fault of the report')
})

test('a replica of another server, or with another history, is not read', async () => {
  const other = await Cluster.create()
  await other.start()
  const unrelated = openServer(other.url)
  await expect(replicaLag(unrelated, h.replica)).rejects.toThrow('a replica of another database server')
  await unrelated.close()
  await other.remove()
  // A primary that was restored from an older copy.
  rmSync(join(h.older.dir, 'data/standby.signal'))
  await h.older.start()
  const restored = openServer(h.older.url)
  await expect(replicaLag(restored, h.replica)).rejects.toThrow('it has changes that the database does not have')
  await restored.close()
})

test('a replica that is away, or is none, is not read', async () => {
  await h.standby.stop()
  expect(await read()).toEqual({ units: ['100001', '100002'], reported: 2, records: 2 })
  expect(logged).toHaveLength(1)
  const { db, lagSeconds } = await new Replica(h.database, log).source(h.database)
  expect([db === h.database.db, lagSeconds, logged.at(-1)]).toEqual([true, null, 'the database is not a replica'])
})
