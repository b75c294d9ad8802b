import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import * as schema from '../../db/schema'

const FOLDER = join(import.meta.dir, '../../db/schema')
const STAMPS = ['version', 'created_at', 'created_by', 'updated_at', 'updated_by']
const TABLE = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export const (\w+) = pgTable\(/g

/** Returns a doc comment as one line, without its asterisks. */
const plain = (comment: string) =>
  comment
    .replace(/^\s*\*\s?/gm, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Builds `docs/tables.md` from the schema: tables, their doc comments and references. */
export async function tablesPage(): Promise<string> {
  const files = readdirSync(FOLDER)
    .filter((file) => file !== 'index.ts')
    .sort()
  const rows = await Promise.all(
    files.map(async (file) =>
      [...(await Bun.file(join(FOLDER, file)).text()).matchAll(TABLE)].map(([, comment = '', name = '']) => {
        const table = (schema as Record<string, unknown>)[name]
        if (!is(table, PgTable)) throw new Error(`db/schema/${file}: ${name} is not exported`)
        const { name: called, columns, foreignKeys } = getTableConfig(table)
        const own = columns.map((column) => column.name).filter((column) => !STAMPS.includes(column))
        const refers = foreignKeys.map((key) => {
          const { columns, foreignTable } = key.reference()
          return `\`${columns[0]?.name}\` → ${getTableConfig(foreignTable).name}`
        })
        const cells = [
          `\`${called}\``,
          plain(comment),
          refers.join(', '),
          `${own.length}`,
          `[${file}](../db/schema/${file})`,
        ]
        return { called, description: plain(comment), line: `| ${cells.join(' | ')} |` }
      }),
    ),
  )
  const tables = rows.flat().sort((a, b) => a.called.localeCompare(b.called))
  const silent = tables.filter(({ description }) => !description).map(({ called }) => called)
  if (silent.length) throw new Error(`These tables do not say what a row of them is: ${silent.join(', ')}`)
  return [
    '# Tables',
    '',
    'The command `bun run docs:write` generates this page from the schema. Tables of records that people can change',
    'also have the columns `version`, `created_at`, `created_by`, `updated_at` and `updated_by`. The table',
    '`audit_entries` contains every change to the records that people can change.',
    '',
    '| Table | A row is | Refers to | Columns | Defined in |',
    '| --- | --- | --- | --- | --- |',
    ...tables.map(({ line }) => line),
    '',
  ].join('\n')
}
