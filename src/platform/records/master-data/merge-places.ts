import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { type Db, rows } from '../../../../db/client'
import { savedViews, vehicles } from '../../../../db/schema'
import { referencesTo } from '../references'
import type { Called } from './other-names'

export type Mergeable = Called & {
  table: Called['table'] & { version: AnyPgColumn }
  noun: string
  /** Name of its id in list filters: `location_id`. */
  filter: string
  /** True if vehicles refer to it by name. */
  isPlace?: boolean
}

export type Named = { id: number; other_names: string[] | null }

export const nameOf = ({ called }: Mergeable, row: Named) =>
  (row as unknown as Record<string, string>)[called[0]?.name ?? ''] as string

/**
 * One kind of reference to a record: a column or a filter. `move` returns the ids of the changed rows; `only` limits it
 * to these ids.
 */
type Place = { key: string; move(tx: Db, from: Named, into: Named, only?: number[]): Promise<number[]> }

const among = (only?: number[]): SQL => (only ? sql` and id = any(${`{${only.join(',')}}`}::text::int[])` : sql``)

export function placesOf(kind: Mergeable): Place[] {
  const place = (table: string, column: string, value: (row: Named) => unknown): Place => ({
    key: `${table}.${column}`,
    async move(tx, from, into, only) {
      const [name, old, now] = [sql.identifier(column), value(from), value(into)]
      const moved = await rows<{ id: number }>(
        tx,
        // The new version prevents a client with an older copy from writing the old value back.
        sql`update ${sql.identifier(table)} set ${name} = ${now}, version = version + 1
          where ${name} = ${old}${among(only)} returning id`,
      )
      return moved.map(({ id }) => id)
    },
  })
  const views: Place = {
    key: 'saved_views.query',
    async move(tx, from, into, only) {
      const [asked, instead] = [`(^|&)${kind.filter}=${from.id}(?=&|$)`, `\\1${kind.filter}=${into.id}`]
      const moved = await rows<{ id: number }>(
        tx,
        sql`update ${savedViews} set query = regexp_replace(query, ${asked}, ${instead})
          where query ~ ${asked}${among(only)} returning id`,
      )
      return moved.map(({ id }) => id)
    },
  }
  return [
    ...referencesTo(kind.table).map(({ table, column }) => place(table, column, ({ id }) => id)),
    ...(kind.isPlace ? [vehiclesAt(kind)] : []),
    views,
  ]
}

/**
 * Vehicles refer to a place by name. If another place has the same name, the reference is ambiguous and does not move.
 */
const vehiclesAt = (kind: Mergeable): Place => ({
  key: 'vehicles.current_location',
  async move(tx, from, into, only) {
    const [old, now] = [nameOf(kind, from), nameOf(kind, into)]
    const moved = await rows<{ id: number }>(
      tx,
      sql`update ${vehicles} set current_location = ${now}, version = version + 1
        where current_location = ${old}${among(only)}
        and not exists (select 1 from ${kind.table} o where o.${sql.identifier(kind.called[0]?.name ?? '')} = ${old}
          and o.id <> ${from.id}) returning id`,
    )
    return moved.map(({ id }) => id)
  },
})

/** Updates vehicles after their place was renamed. */
export async function renamePlace(tx: Db, kind: Mergeable, before: Named, after: Named): Promise<void> {
  if (kind.isPlace && nameOf(kind, before) !== nameOf(kind, after)) await vehiclesAt(kind).move(tx, before, after)
}
