import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Bulk, type Database, databaseError } from '../../../db/client'
import { applyMigrations, migrate, migrations } from '../../../db/migrate'
import { moveFile, STORED_NAME } from '../file-store'
import { StartError } from '../start-error'
import { BackupReader, type Head } from './file'
import { ALL_TABLES, BACKUP_TABLES, columnsOf, quoted, setLastId, sumOf } from './tables'

/** `added` contains the restored files that were not in the uploads folder before. */
export type RestoreSummary = {
  made_at: string
  version: string
  tables: number
  rows: number
  files: string[]
  added: string[]
}

export const isInUse = async (bulk: Bulk) => {
  const [usersTable] = await bulk.run(`select to_regclass('users') is not null as made`)
  if (!usersTable?.made) return false
  const [counts] = await bulk.run(
    'select (select count(*) from users) + (select count(*) from locations) + (select count(*) from vehicles) as n',
  )
  return Number(counts?.n) > 0
}

/**
 * True if the database has the backup's schema and no audit entries. A database with audit entries must be rebuilt
 * before a restore, because audit entries cannot be deleted.
 */
async function isNew(bulk: Bulk, head: Head) {
  const [ready] = await bulk.run(`select to_regclass('audit_entries') is not null as made`)
  if (!ready?.made) return false
  const applied = await bulk.run('select name from schema_migrations')
  const [entries] = await bulk.run('select count(*) as n from audit_entries')
  return (
    Number(entries?.n) === 0 && isDeepStrictEqual(applied.map(({ name }) => name).sort(), head.migrations.toSorted())
  )
}

/**
 * Prepares a database with the schema of the backup and without rows. In a new database with
 * this schema, only the initial rows are deleted. In any other database, all tables are dropped and created again.
 */
async function prepare(bulk: Bulk, head: Head, hasRecords: boolean) {
  if (hasRecords || !(await isNew(bulk, head))) await rebuild(bulk, head)
  // Migrations insert some rows. The backup contains its own version of these rows.
  for (const table of BACKUP_TABLES.toReversed()) {
    const [existing] = await bulk.run(`select to_regclass('${quoted(table)}') is not null as made`)
    if (existing?.made && table !== 'audit_entries') await bulk.run(`delete from ${quoted(table)}`)
  }
}

async function rebuild(bulk: Bulk, head: Head) {
  for (const table of ALL_TABLES) await bulk.run(`drop table if exists ${quoted(table)} cascade`)
  for (const { text } of migrations)
    for (const [, signature] of text.matchAll(/^create function (\w+\([^)]*\))/gim))
      await bulk.run(`drop function if exists ${signature} cascade`)
  await applyMigrations(bulk.run, head.migrations)
}

/**
 * Restores a database from a backup, in one transaction. Every table is checked against its checksum in the backup.
 * After the commit, the schema is migrated to the version of this program.
 * @throws StartError when the database has records and `overwrite` is false, or when the backup is incomplete, damaged
 * or made by a newer version
 */
export async function restore(
  database: Database,
  uploads: string,
  path: string,
  { overwrite }: { overwrite: boolean },
): Promise<RestoreSummary> {
  const backup = new BackupReader(path)
  const head = await backup.line()
  const madeAt = head.kind === 'head' ? Date.parse(head.made_at) : Number.NaN
  if (head.kind !== 'head' || head.format !== 1 || !Array.isArray(head.migrations) || Number.isNaN(madeAt))
    throw new StartError(`${path} is not a backup of Yardmaster`)
  const unknown = head.migrations.find((name) => !migrations.some((migration) => migration.name === name))
  if (unknown)
    throw new StartError(`${path} was made by a newer version of Yardmaster (it has the migration ${unknown})`)
  const summary = {
    made_at: new Date(madeAt).toISOString(),
    version: head.yardmaster,
    tables: 0,
    rows: 0,
    files: [] as string[],
    added: [] as string[],
  }
  const drafts = `${uploads}.restoring`
  const filling = database.bulk('write', async (bulk) => {
    const hasRecords = await isInUse(bulk)
    if (!overwrite && hasRecords) {
      throw new StartError(
        'There are records in this database; add --overwrite to replace everything in it, or choose an empty one',
      )
    }
    await rm(drafts, { recursive: true, force: true })
    await prepare(bulk, head, hasRecords)
    for (;;) {
      const line = await backup.line()
      if (line.kind === 'end') {
        if (summary.tables === 0 || line.tables !== summary.tables || line.files !== summary.files.length)
          throw new StartError(`${path} is incomplete`)
        break
      }
      if (line.kind === 'table') await loadTable(bulk, backup, line, summary)
      else if (line.kind === 'file') {
        if (!STORED_NAME.test(line.name))
          throw new StartError(`${path} contains a file with an invalid name: "${line.name}"`)
        await keepFile(drafts, line.name, backup)
        summary.files.push(line.name)
      } else throw new StartError(`${path} is incomplete`)
    }
    // Move the files before the commit. If the commit fails, unused files only take up space. Records without their
    // files would be damaged.
    await moveFiles(drafts, uploads, summary.added)
  })
  await filling.catch(async (error) => {
    for (const path of [drafts, ...summary.added.map((name) => join(uploads, name))])
      await rm(path, { recursive: true, force: true })
    if (error instanceof StartError || !databaseError(error)) throw error
    throw new StartError(
      `${path} is damaged or does not match this version, nothing was restored: ` +
        `${databaseError(error)?.code} ${firstLine(error)}`,
    )
  })
  await migrate(database.db)
  return summary
}

async function loadTable(
  bulk: Bulk,
  backup: BackupReader,
  { table, columns, last_id }: { table: string; columns: string[]; last_id: number | null },
  summary: RestoreSummary,
) {
  // The names of tables and columns come from the backup file and become part of SQL statements, so accept only known
  // names.
  const tableColumns = BACKUP_TABLES.includes(table) && Array.isArray(columns) ? await columnsOf(bulk, table) : []
  if (tableColumns.length === 0 || columns.some((column) => !tableColumns.includes(column))) {
    throw new StartError(`${backup.path} has a table ${table} that does not match this version`)
  }
  const statement = `copy ${quoted(table)} (${columns.map(quoted).join(', ')}) from stdin`
  for (;;) {
    const line = await backup.line()
    if (line.kind === 'rows') {
      await bulk.copyIn(statement, backup.bytes())
      continue
    }
    if (line.kind !== 'sum' || line.table !== table) throw new StartError(`${backup.path} is incomplete`)
    const sum = await sumOf(bulk, table, columns)
    if (sum.rows !== line.rows || sum.checksum !== line.checksum) {
      throw new StartError(
        `${table}: the ${sum.rows} restored rows have a different checksum from the ${line.rows} saved ` +
          `rows; nothing was restored`,
      )
    }
    if (last_id !== null && !(Number.isInteger(last_id) && last_id >= 0))
      throw new StartError(`${backup.path} is incomplete`)
    if (last_id !== null) await setLastId(bulk, table, last_id)
    summary.tables++
    summary.rows += sum.rows
    return
  }
}

const firstLine = (error: Error) => error.message.split('\n')[0]?.slice(0, 200)

/** Adds the name of each new file to `added`. */
async function moveFiles(drafts: string, uploads: string, added: string[]) {
  const names = await readdir(drafts).catch(() => [])
  if (names.length) await mkdir(uploads, { recursive: true, mode: 0o700 })
  for (const name of names) {
    const path = join(uploads, name)
    if (!existsSync(path)) added.push(name)
    await moveFile(join(drafts, name), path)
  }
  await rm(drafts, { recursive: true, force: true })
}

async function keepFile(folder: string, name: string, backup: BackupReader) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = await open(join(folder, name), 'w', 0o600)
  try {
    for await (const piece of backup.bytes()) await file.write(piece)
    await file.sync()
  } finally {
    await file.close()
  }
}
