import type { Bulk, Database } from '../../../db/client'
import { StartError } from '../start-error'
import { columnsOf, KEPT_TABLES, lastIdOf, quoted, setLastId, sumOf, tableText } from './tables'

/** Advisory lock key. Concurrent copies would see each other's half-filled tables. */
const COPY_LOCK = 7_205_003

/**
 * Copies every table into an empty database, one table at a time.
 * Tables that an interrupted run has already copied are recognized by their checksum and skipped. All tables are
 * compared at the end.
 * @param say called with a progress line after each table
 * @throws StartError when the versions differ, the target has records of its own, or a table differs afterwards
 */
export async function copyTo(
  from: Database,
  to: Database,
  say: (line: string) => void,
): Promise<{ tables: number; rows: number }> {
  const known = await versionOf(from)
  if ((await versionOf(to)) !== known) throw new StartError('The two databases have different schema versions')
  await from.bulk('read', async (source) => {
    await to.bulk('write', refuseStrangers)
    for (const table of KEPT_TABLES) {
      const columns = await columnsOf(source, table)
      const sum = await sumOf(source, table, columns)
      const outcome = await to.bulk('write', async (target) => {
        await target.run(`select pg_advisory_xact_lock(${COPY_LOCK})`)
        const there = await sumOf(target, table, columns)
        if (there.rows === sum.rows && there.checksum === sum.checksum) return 'were already there'
        if (there.rows > 0)
          throw new StartError(
            `${table}: the target database has ${there.rows} rows of its own; choose an empty database`,
          )
        await target.copyIn(
          `copy ${quoted(table)} (${columns.map(quoted).join(', ')}) from stdin`,
          tableText(source, table),
        )
        const last = await lastIdOf(source, table)
        if (last !== null) await setLastId(target, table, last)
        return 'copied'
      })
      say(`${table}: ${sum.rows} rows ${outcome}`)
    }
  })
  return compare(from, to)
}

const versionOf = async (database: Database) =>
  database.bulk('read', async (bulk) =>
    JSON.stringify(await bulk.run('select name, fingerprint from schema_migrations order by name')),
  )

/** Clears the seeded schedules and settings of an unused database. The copy brings its own. */
async function refuseStrangers(target: Bulk) {
  await target.run(`select pg_advisory_xact_lock(${COPY_LOCK})`)
  const [counted] = await target.run(
    'select (select count(*) from users) as users, (select count(*) from locations) as locations',
  )
  if (Number(counted?.users) > 0 || Number(counted?.locations) > 0) return
  for (const table of ['report_schedules', 'company_settings']) await target.run(`delete from ${table}`)
}

/** @throws StartError naming the first table that differs */
async function compare(from: Database, to: Database) {
  const sums = (database: Database) =>
    database.bulk('read', async (bulk) => {
      const found = []
      for (const table of KEPT_TABLES)
        found.push({ table, ...(await sumOf(bulk, table, await columnsOf(bulk, table))) })
      return found
    })
  const [ours, theirs] = [await sums(from), await sums(to)]
  for (const [at, { table, rows, checksum }] of ours.entries()) {
    const other = theirs[at]
    if (other?.rows !== rows || other.checksum !== checksum)
      throw new StartError(`${table} differs: ${rows} rows in the source, ${other?.rows} in the target`)
  }
  return { tables: ours.length, rows: ours.reduce((sum, { rows }) => sum + rows, 0) }
}
