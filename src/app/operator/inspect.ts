import type { Database } from '../../../db/client'
import { migrations } from '../../../db/migrate'
import { timeZoneDifference } from '../time-zone'

export type Inspection = {
  engine: Database['engine']
  version: string
  pending_migrations: number
  /** Name of a migration that this version does not have, or null. */
  unknown_migration: string | null
  table_count: number
  /** Names of the tables whose first row cannot be read. */
  unreadable_tables: string[]
  /** Seconds by which the database's clock is ahead of this machine's. */
  clock_seconds_ahead: number
  /** First day on which the time zone data differ, or null. Compares the data of the program and of the database. */
  time_zone_differs_on: string | null
}

export async function inspectDatabase(database: Database, timeZone: string): Promise<Inspection> {
  const [inspection] = await database.raw(
    `select current_setting('server_version') as version, extract(epoch from clock_timestamp())::float8 as seconds,
      to_regclass('schema_migrations') is not null as has_migrations`,
    [],
  )
  const now = Date.now() / 1000
  const applied = inspection?.has_migrations
    ? (await database.raw('select name from schema_migrations order by name', [])).map(({ name }) => String(name))
    : []
  const known = new Set(migrations.map(({ name }) => name))
  const tables = await database.raw(
    `select tablename as name from pg_tables where schemaname = current_schema() order by tablename`,
    [],
  )
  const unreadable: string[] = []
  for (const { name } of tables)
    await database.raw(`select from "${name}" limit 1`, []).catch(() => unreadable.push(String(name)))
  return {
    engine: database.engine,
    version: String(inspection?.version),
    pending_migrations: [...known].filter((name) => !applied.includes(name)).length,
    unknown_migration: applied.find((name) => !known.has(name)) ?? null,
    table_count: tables.length,
    unreadable_tables: unreadable,
    clock_seconds_ahead: Math.round(Number(inspection?.seconds) - now),
    time_zone_differs_on: await timeZoneDifference(database, timeZone),
  }
}
