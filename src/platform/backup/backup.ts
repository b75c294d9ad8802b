import type { Database } from '../../../db/client'
import { PRODUCT } from '../../../db/vocabulary'
import { writeBackup } from './file'
import { BACKUP_TABLES, columnsOf, lastIdOf, sumOf, tableText } from './tables'

export type BackupSummary = { path: string; bytes: number; tables: number; rows: number; files: number }

/**
 * Writes a backup to `path` while the application keeps running. The backup contains the uploaded `files` and a
 * consistent snapshot of all tables except sessions, rate limits and tallies (daily totals). The backup must be kept
 * secret, because the settings include the key that signs session tokens.
 */
export async function backUp(
  database: Database,
  files: AsyncIterable<{ name: string; content: Uint8Array }>,
  path: string,
  now: Date,
): Promise<BackupSummary> {
  const summary = { path, tables: 0, rows: 0, files: 0 }
  const bytes = await writeBackup(path, async (writeLine) => {
    await database.bulk('read', async (bulk) => {
      const applied = await bulk.run('select name from schema_migrations order by name')
      await writeLine({
        kind: 'head',
        yardmaster: PRODUCT.version,
        format: 1,
        made_at: now.toISOString(),
        migrations: applied.map(({ name }) => String(name)),
      })
      for (const table of BACKUP_TABLES) {
        const columns = await columnsOf(bulk, table)
        // A table may not exist yet, because the database may have an older schema than this program.
        if (!columns.length) continue
        await writeLine({ kind: 'table', table, columns, last_id: await lastIdOf(bulk, table) })
        for await (const text of tableText(bulk, table)) await writeLine({ kind: 'rows', bytes: text.length }, text)
        const sum = await sumOf(bulk, table, columns)
        await writeLine({ kind: 'sum', table, ...sum })
        summary.tables++
        summary.rows += sum.rows
      }
    })
    // Uploaded files never change, so it is safe to read them after the database snapshot. Files that were added after
    // the snapshot are also included. They are not needed, but harmless.
    for await (const { name, content } of files) {
      await writeLine({ kind: 'file', name, bytes: content.length }, content)
      summary.files++
    }
    await writeLine({ kind: 'end', tables: summary.tables, files: summary.files })
  })
  return { ...summary, bytes }
}
