import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { rows } from '../../../../db/client'
import { savedViews, vehicles } from '../../../../db/schema'
import { referencesTo } from '../references'
import type { Write } from '../transactions'
import type { NamedTable } from './other-names'

export type Mergeable = NamedTable & {
  table: NamedTable['table'] & { version: AnyPgColumn }
  noun: string
  /**
   * Name of the list filter for these records. For example, the filter `location_id` selects rows by the id of a
   * location.
   */
  filter: string
  /** True if vehicles refer to these records by name, not by id. */
  isPlace?: boolean
}

export type MergeRecord = { id: number; other_names: string[] | null }

export const mainName = ({ called }: Mergeable, row: MergeRecord) =>
  (row as unknown as Record<string, string>)[called[0]?.name ?? ''] as string

/**
 * A column or saved filter that can refer to a merged record.
 * `move` makes the references point to the remaining record, and returns the ids of the changed rows. With `only`,
 * `move` changes only the rows with these ids.
 */
type ReferencePlace = {
  key: string
  move(write: Write, from: MergeRecord, into: MergeRecord, only?: number[]): Promise<number[]>
}

const inIds = (only?: number[]): SQL => (only ? sql` and id = any(${`{${only.join(',')}}`}::text::int[])` : sql``)

/**
 * SQL that marks a row as changed when its reference changes. The reference changes when the referenced record is
 * merged or renamed. The SQL increases `version`, so that a client with an older copy of the row cannot save the old
 * reference again. It also sets `updated_at`, so that clients that poll for changes receive the row.
 */
const stampsOf = ({ actor }: Write): SQL =>
  sql`version = version + 1, updated_at = ${actor.now.toISOString()}::timestamptz, updated_by = ${actor.username}`

export function placesOf(kind: Mergeable): ReferencePlace[] {
  const place = (table: string, column: string, value: (row: MergeRecord) => unknown): ReferencePlace => ({
    key: `${table}.${column}`,
    async move(write, from, target, only) {
      const [name, old, now] = [sql.identifier(column), value(from), value(target)]
      const movedRows = await rows<{ id: number }>(
        write.db,
        sql`update ${sql.identifier(table)} set ${name} = ${now}, ${stampsOf(write)}
          where ${name} = ${old}${inIds(only)} returning id`,
      )
      return movedRows.map(({ id }) => id)
    },
  })
  const views: ReferencePlace = {
    key: 'saved_views.query',
    async move(write, from, target, only) {
      const [pattern, replacement] = [`(^|&)${kind.filter}=${from.id}(?=&|$)`, `\\1${kind.filter}=${target.id}`]
      const movedRows = await rows<{ id: number }>(
        write.db,
        sql`update ${savedViews} set query = regexp_replace(query, ${pattern}, ${replacement})
          where query ~ ${pattern}${inIds(only)} returning id`,
      )
      return movedRows.map(({ id }) => id)
    },
  }
  return [
    ...referencesTo(kind.table).map(({ table, column }) => place(table, column, ({ id }) => id)),
    ...(kind.isPlace ? [vehiclesAt(kind)] : []),
    views,
  ]
}

/**
 * Updates the locations of vehicles after a place was merged or renamed. Vehicles refer to a place by its name.
 * If another place has the same name, the reference is ambiguous and stays unchanged.
 */
const vehiclesAt = (kind: Mergeable): ReferencePlace => ({
  key: 'vehicles.current_location',
  async move(write, from, target, only) {
    const [old, now] = [mainName(kind, from), mainName(kind, target)]
    const movedRows = await rows<{ id: number }>(
      write.db,
      sql`update ${vehicles} set current_location = ${now}, ${stampsOf(write)}
        where current_location = ${old}${inIds(only)}
        and not exists (select 1 from ${kind.table} o where o.${sql.identifier(kind.called[0]?.name ?? '')} = ${old}
          and o.id <> ${from.id}) returning id`,
    )
    return movedRows.map(({ id }) => id)
  },
})

/** Updates vehicles, because they refer to a place by its name. */
export async function renamePlace(
  write: Write,
  kind: Mergeable,
  before: MergeRecord,
  after: MergeRecord,
): Promise<void> {
  if (kind.isPlace && mainName(kind, before) !== mainName(kind, after))
    await vehiclesAt(kind).move(write, before, after)
}
