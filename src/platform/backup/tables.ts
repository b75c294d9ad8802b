import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import type { Bulk } from '../../../db/client'
import * as schema from '../../../db/schema'

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * Tables that backups and copies leave out. Sessions and failed sign-ins (`rate_limits`) need not be restored. Daily
 * totals (`tallies`) are not copied, because triggers recount them as rows are inserted.
 */
const LEFT_OUT = new Set(['sessions', 'rate_limits', 'tallies'])

const configs = Object.values(schema as Record<string, unknown>)
  .filter((value): value is PgTable => is(value, PgTable))
  .map(getTableConfig)

/** Names of all tables. Each table comes after the tables that it references. */
const inOrder = (() => {
  const waiting = new Map(
    configs.map(({ name, foreignKeys }) => [
      name,
      new Set(foreignKeys.map((key) => getTableConfig(key.reference().foreignTable).name)),
    ]),
  )
  const order: string[] = []
  while (waiting.size) {
    const [next] =
      [...waiting].find(([name, needs]) => [...needs].every((need) => need === name || order.includes(need))) ?? []
    if (!next) throw new Error(`These tables reference each other in a cycle: ${[...waiting.keys()]}`)
    order.push(next)
    waiting.delete(next)
  }
  return order
})()

export const BACKUP_TABLES = inOrder.filter((name) => !LEFT_OUT.has(name))

export const ALL_TABLES = [...inOrder, 'schema_migrations']

export async function columnsOf(bulk: Bulk, table: string): Promise<string[]> {
  const columnRows = await bulk.run(
    `select attname as name from pg_attribute where attrelid = to_regclass('${quoted(table)}') and attnum > 0
      and not attisdropped order by attnum`,
  )
  return columnRows.map(({ name }) => String(name))
}

export type TableSum = { rows: number; checksum: string }

/**
 * Returns the row count and checksum of a table. The checksum does not depend on the order of the rows.
 * @param where SQL condition that selects the rows to include
 */
export async function sumOf(bulk: Bulk, table: string, columns: string[], where = 'true'): Promise<TableSum> {
  const row = columns.map((column) => `t.${quoted(column)}`).join(', ')
  const [sum] = await bulk.run(
    `select count(*)::int as rows, coalesce(sum(('x' || substr(md5(row(${row})::text), 1,
      15))::bit(60)::bigint::numeric), 0)::text as checksum from ${quoted(table)} t where ${where}`,
  )
  return { rows: Number(sum?.rows), checksum: String(sum?.checksum) }
}

/**
 * Returns the last id that a table's sequence has issued. Returns null if the table has no sequence. In a copy of the
 * table, the sequence continues after this id, so that ids of deleted rows are not reused.
 */
export async function lastIdOf(bulk: Bulk, table: string): Promise<number | null> {
  const [row] = await bulk.run(`select pg_get_serial_sequence('${quoted(table)}', column_name) as sequence
      from information_schema.columns
    where table_schema = current_schema() and table_name = '${table}' and column_name = 'id'
    and column_default like 'nextval%'`)
  if (!row?.sequence) return null
  const [last] = await bulk.run(
    `select case when is_called then last_value else 0 end::text as id from ${String(row.sequence)}`,
  )
  return Number(last?.id)
}

/**
 * Sets a table's sequence to `id` or the highest stored id. The higher value is used, so that new records get unused
 * ids.
 */
export async function setLastId(bulk: Bulk, table: string, id: number) {
  const used = `greatest(${Math.trunc(id)}, (select max(id) from ${quoted(table)}))`
  await bulk.run(`select setval(pg_get_serial_sequence('${quoted(table)}', 'id'), greatest(1, ${used}), ${used} > 0)`)
}

const ESCAPED = new Set(['text', 'character varying', 'jsonb', 'bytea', 'ARRAY'])
const ESCAPES = [
  ['\\', '\\\\'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
] as const
const literal = (text: string) =>
  `E'${text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`

function field({ name, type }: { name: string; type: string }): string {
  const text = `${quoted(name)}::text`
  const escaped = ESCAPED.has(type)
    ? ESCAPES.reduce((sql, [from, to]) => `replace(${sql}, ${literal(from)}, ${literal(to)})`, text)
    : text
  return `coalesce(${escaped}, ${literal('\\N')})`
}

const ROWS_AT_ONCE = 5000
/**
 * Number of table pages (8 KB each) to read per query. The number is low, because a query also returns large values,
 * which Postgres stores outside these pages.
 */
const PAGES_AT_ONCE = 16
/**
 * Maximum total size of files per query, in bytes. A larger file is read in a separate query. Postgres returns each
 * byte as two characters, and cannot build a text of more than 1 GB.
 */
const FILE_BYTES_AT_ONCE = 16 * 1024 * 1024

/** Groups rows with file contents. One query can read each group. */
async function groupFiles(bulk: Bulk, table: string, fileColumns: string[]): Promise<string[][]> {
  const size = fileColumns.map((name) => `coalesce(octet_length(${quoted(name)}), 0)`).join(' + ')
  const files = await bulk.run(`select ctid::text as place, ${size} as size from ${quoted(table)} order by ctid`)
  const groups: string[][] = []
  let room = 0
  for (const { place, size } of files) {
    if (Number(size) > room || groups.length === 0) {
      groups.push([])
      room = FILE_BYTES_AT_ONCE
    }
    groups.at(-1)?.push(String(place))
    room -= Number(size)
  }
  return groups
}

/**
 * Yields a table's rows in the text format of `COPY`, in chunks. Does not use `copy … to stdout`, because postgres.js
 * pauses its socket for a slow reader and sometimes never resumes.
 */
export async function* tableText(bulk: Bulk, table: string): AsyncGenerator<Uint8Array> {
  const columns = (
    await bulk.run(`select column_name as name, data_type as type from information_schema.columns
      where table_schema = current_schema() and table_name = '${table}' order by ordinal_position`)
  ).map(({ name, type }) => ({ name: String(name), type: String(type) }))
  const line = columns.map(field).join(` || E'\\t' || `)
  const pieces = (where: string) =>
    bulk.run(`select string_agg(${line} || E'\\n', '') as text from ${quoted(table)} ${where}`)
  const encoder = new TextEncoder()
  const fileColumns = columns.flatMap(({ name, type }) => (type === 'bytea' ? [name] : []))
  if (fileColumns.length > 0) {
    for (const places of await groupFiles(bulk, table, fileColumns)) {
      const [piece] = await pieces(`where ctid = any('{${places.map((place) => `"${place}"`).join(',')}}'::tid[])`)
      if (piece?.text) yield encoder.encode(String(piece.text))
    }
    return
  }
  const hasId = columns.some(({ name }) => name === 'id')
  if (!hasId) {
    // Read a table without ids in ranges of `ctid`, the physical position of each row. Other columns are not suitable.
    // For example, the numbers in the column `row` of `upload_rows` start again for every import. A range of these
    // numbers could contain any number of rows.
    const [size] = await bulk.run(`select ceil(pg_relation_size('${quoted(table)}') / 8192.0)::int as pages`)
    for (let page = 0; page < Number(size?.pages ?? 0); page += PAGES_AT_ONCE) {
      const [piece] = await pieces(`where ctid >= '(${page},0)' and ctid < '(${page + PAGES_AT_ONCE},0)'`)
      if (piece?.text) yield encoder.encode(String(piece.text))
    }
    return
  }
  const [range] = await bulk.run(
    `select coalesce(min(id), 1)::int as first, coalesce(max(id), 0)::int as last from ${quoted(table)}`,
  )
  for (let from = Number(range?.first ?? 0); from <= Number(range?.last ?? 0); from += ROWS_AT_ONCE) {
    const [piece] = await pieces(`where id >= ${from} and id < ${from + ROWS_AT_ONCE}`)
    if (piece?.text) yield encoder.encode(String(piece.text))
  }
}
