import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Database, databaseError } from '../../db/client'
import { openEmbedded } from '../../db/embedded/open'
import { migrate, migrations } from '../../db/migrate'
import { openServer } from '../../db/server'
import { createApp } from '../../src/app/app'
import { buildAssets } from '../../src/app/assets'
import { readConfig } from '../../src/app/config'
import { assembleContext } from '../../src/app/open'
import type { Assets } from '../../src/platform/assets'
import { ALL_TABLES, quoted } from '../../src/platform/backup/tables'
import { businessClock, type Clock } from '../../src/platform/clock'
import type { Config } from '../../src/platform/config'
import type { AppContext } from '../../src/platform/context'
import { diskOf } from '../../src/platform/disk'
import { RouteTable } from '../../src/platform/http/about'
import { jsonLog, type WriteLine } from '../../src/platform/log'
import { type Cast, castPeople } from './cast'

/** Saturday noon in Phoenix, the initial time of every test. */
export const NOON = new Date('2026-03-14T19:00:00Z')

type TestContext = {
  app: ReturnType<typeof createApp>
  ctx: AppContext
  database: Database
  cast: Cast
  clock: Clock & { set(now: Date): void }
}

let opened: { database: Database; assets: Assets; dataDir: string } | undefined

/** Address of the Postgres server under test. Without it, the embedded engine is tested. */
export const SERVER_URL = process.env.SUITE_DATABASE_URL

async function open() {
  if (opened) return opened
  const database = SERVER_URL ? openServer(SERVER_URL) : await openEmbedded()
  await migrate(database.db)
  opened = { database, assets: await buildAssets(), dataDir: mkdtempSync(join(tmpdir(), 'yardmaster-test-')) }
  return opened
}

export async function closeTestContext() {
  if (!opened) return
  await opened.database.close()
  rmSync(opened.dataDir, { recursive: true, force: true })
  opened = undefined
  usual = undefined
}

const TABLES = ALL_TABLES.filter((name) => name !== 'schema_migrations').map(quoted)
const LARGE_BYTES = 1_000_000

/**
 * SQL that empties every table. Deleting a few rows takes a tenth of the time of a truncate; large databases are
 * truncated. All tables are locked first, so that unfinished work of an earlier test is over.
 */
const EMPTY = `do $$
  begin
    lock table ${TABLES.join(', ')} in access exclusive mode;
    if (select sum(pg_relation_size(name::regclass))
    from unnest(array[${TABLES.map((name) => `'${name}'`).join(', ')}]) name) > ${LARGE_BYTES} then
      truncate ${TABLES.join(', ')} restart identity cascade;
    else
      ${TABLES.map((name) => `delete from ${name};`).join('\n      ')}
      perform setval(format('%I', sequencename)::regclass, 1, false) from pg_sequences where schemaname = 'public';
    end if;
  end $$`

const DEADLOCK = '40P01'

/**
 * Repeats the work after a deadlock. Unfinished work of an earlier test can hold locks on some of the tables, and wait
 * for others that `EMPTY` has locked. Postgres then ends one of the two.
 */
const afterDeadlocks = (work: () => Promise<void>): Promise<void> =>
  work().catch((error) => {
    if (databaseError(error)?.code !== DEADLOCK) throw error
    return afterDeadlocks(work)
  })

/**
 * Empties the database and restores its initial rows. Replica mode disables the audit trail's triggers, which reject
 * deletes.
 */
const empty = (database: Database) =>
  afterDeadlocks(() =>
    database.db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`)
      await tx.execute(sql.raw(EMPTY))
      // The last statements of these migrations insert the initial rows.
      for (const name of ['0002_report-schedules', '0020_settings']) {
        const text = migrations.find((migration) => migration.name === name)?.text ?? ''
        await tx.execute(sql.raw(text.split('--> statement-breakpoint').at(-1) ?? ''))
      }
    }),
  )

/** Writes log lines to the console. `console.error` fails the test that caused the error. */
export const toConsole: WriteLine = (level, line) => (level === 'error' ? console.error : console.warn)(line)

/**
 * Saves the rows of all tables. Returns a function that empties the database and restores them, which takes less time
 * than making the same requests again.
 */
export async function saveRows(database: Database): Promise<() => Promise<void>> {
  const saved: string[] = []
  const names = ALL_TABLES.filter((name) => name !== 'schema_migrations')
  const sequences = await database.raw(
    "select sequencename as name, last_value as id from pg_sequences where schemaname = 'public' and " +
      'last_value is not null',
    [],
  )
  await database.raw('drop schema if exists saved cascade', [])
  await database.raw('create schema saved', [])
  for (const name of names) {
    const [first] = await database.raw(`select 1 as is_used from ${quoted(name)} limit 1`, [])
    if (!first) continue
    await database.raw(`create table saved.${quoted(name)} as select * from public.${quoted(name)}`, [])
    saved.push(name)
  }
  return () =>
    afterDeadlocks(() =>
      database.db.transaction(async (tx) => {
        await tx.execute(sql`set local session_replication_role = replica`)
        await tx.execute(sql.raw(EMPTY))
        for (const name of saved)
          await tx.execute(sql.raw(`insert into public.${quoted(name)} select * from saved.${quoted(name)}`))
        for (const { name, id } of sequences)
          await tx.execute(sql`select setval(${`public.${name}`}::regclass, ${Number(id)})`)
      }),
    )
}

/** Current time of all contexts. A new context starts at noon. */
let now = NOON

async function build(overrides: Partial<Config>) {
  const { database, assets, dataDir } = await open()
  const config = { ...readConfig({}), dataDir, requestsPerMinute: 1_000_000, ...overrides }
  const clock = {
    ...businessClock(config.timeZone, () => now),
    set: (to: Date) => {
      now = to
    },
  }
  const ctx = assembleContext({
    database,
    clock,
    config,
    assets,
    disk: diskOf(config.dataDir, overrides.minFreeBytes ?? 0),
    log: jsonLog('warn', undefined, toConsole),
    signingKey: 'a key that only the tests know',
  })
  return { ctx, database, clock, app: createApp(ctx) }
}

/** Creates another program on a context, with some parts replaced. It has its own routes. */
export function appWith(ctx: AppContext, parts: Partial<AppContext>) {
  const own: AppContext = { ...ctx, ...parts, routes: new RouteTable() }
  return { ctx: own, app: createApp(own) }
}

/** Context without overrides, shared because registering two hundred routes is slow. */
let usual: ReturnType<typeof build> | undefined

/** Returns an empty program with its cast. Every test starts with one. */
export async function testContext(overrides?: Partial<Config>): Promise<TestContext> {
  usual ??= build({})
  const built = await (overrides ? build(overrides) : usual)
  now = NOON
  await empty(built.database)
  return { ...built, cast: await castPeople(built.app, built.ctx) }
}
