import { getTableName } from 'drizzle-orm'
import type { Bulk, Database } from '../../../db/client'
import { uploadFiles } from '../../../db/schema'
import { StartError } from '../start-error'
import { ALL_TABLES, BACKUP_TABLES, columnsOf, lastIdOf, quoted, setLastId, sumOf, tableText } from './tables'

/** Postgres advisory lock against concurrent copies, which could fill the same tables. */
const COPY_LOCK = 7_205_003

/** Excludes uploaded files. `copyFiles` copies them to the target's storage. */
const COPIED_TABLES = BACKUP_TABLES.filter((table) => table !== getTableName(uploadFiles))

/**
 * Copies every table except uploaded files into an empty database. Tables that an interrupted run has already copied
 * are recognized by their checksum and skipped. At the end, all tables are compared.
 * @param reportLine called with a progress line after each table
 * @throws StartError when the schema versions differ, the target has records of its own, or a table differs afterwards
 */
export async function copyTo(
  from: Database,
  to: Database,
  reportLine: (line: string) => void,
): Promise<{ tables: number; rows: number }> {
  const sourceVersion = await versionOf(from)
  if ((await versionOf(to)) !== sourceVersion)
    throw new StartError(
      'The target database has another version than this program. Start this version with the target once, or choose ' +
        'an empty database.',
    )
  await from.bulk('read', async (source) => {
    await to.bulk('write', refuseForeignRecords)
    for (const table of COPIED_TABLES) {
      const columns = await columnsOf(source, table)
      const sum = await sumOf(source, table, columns)
      const outcome = await to.bulk('write', async (target) => {
        await target.run(`select pg_advisory_xact_lock(${COPY_LOCK})`)
        const targetSum = await sumOf(target, table, columns)
        if (targetSum.rows === sum.rows && targetSum.checksum === sum.checksum) return 'were already there'
        if (targetSum.rows > 0)
          throw new StartError(
            `${table}: the target database already has ${targetSum.rows} rows; choose an empty database`,
          )
        await target.copyIn(
          `copy ${quoted(table)} (${columns.map(quoted).join(', ')}) from stdin`,
          tableText(source, table),
        )
        const last = await lastIdOf(source, table)
        if (last !== null) await setLastId(target, table, last)
        return 'copied'
      })
      if (sum.rows > 0) reportLine(`${table}: ${sum.rows} rows ${outcome}`)
    }
  })
  return compare(from, to)
}

const versionOf = async (database: Database) =>
  database.bulk('read', async (bulk) =>
    JSON.stringify(await bulk.run('select name, fingerprint from schema_migrations order by name')),
  )

/**
 * Refuses a target database with tables or views of another program. Tables and views of Postgres extensions are
 * allowed.
 * @throws StartError that names such a table or view
 */
export async function refuseOtherPrograms(target: Database): Promise<void> {
  const found = await target.raw(
    `select c.relname as name from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
        and not c.relname = any($1) and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      order by 1`,
    [ALL_TABLES],
  )
  if (found[0])
    throw new StartError(
      `The target database has tables of another program, such as ${found[0].name}; choose an empty database`,
    )
}

/**
 * Deletes the default schedules and settings of a new target database. The copy inserts those of the source database.
 * Deletes nothing if the target already has users or locations. `copyTo` then stops at the first table whose rows
 * differ from the source.
 */
async function refuseForeignRecords(target: Bulk) {
  await target.run(`select pg_advisory_xact_lock(${COPY_LOCK})`)
  const [counts] = await target.run(
    'select (select count(*) from users) as users, (select count(*) from locations) as locations',
  )
  if (Number(counts?.users) > 0 || Number(counts?.locations) > 0) return
  for (const table of ['report_schedules', 'company_settings']) await target.run(`delete from ${table}`)
}

/** @throws StartError with the first table that differs */
async function compare(from: Database, to: Database) {
  const sums = (database: Database) =>
    database.bulk('read', async (bulk) => {
      const tableSums = []
      for (const table of COPIED_TABLES)
        tableSums.push({ table, ...(await sumOf(bulk, table, await columnsOf(bulk, table))) })
      return tableSums
    })
  const [sourceSums, targetSums] = [await sums(from), await sums(to)]
  for (const [at, { table, rows, checksum }] of sourceSums.entries()) {
    const other = targetSums[at]
    if (other?.rows !== rows || other.checksum !== checksum)
      throw new StartError(`${table} differs: ${rows} rows in the source, ${other?.rows} in the target`)
  }
  return { tables: sourceSums.length, rows: sourceSums.reduce((sum, { rows }) => sum + rows, 0) }
}
