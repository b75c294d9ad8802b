import { and, asc, desc, eq, ilike, or, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { type Db, rows, violatedReference, violatedUnique } from '../../../../db/client'
import type { Page } from '../../http/answers'
import type { ListQuery } from '../../lists/list-query'
import { Conflict, Missing } from '../../refusals'
import type { Actor } from '../actor'
import { listing } from '../listing'
import { referencesTo } from '../references'
import { containing, matchingWords } from '../search'
import { changeRecord, createRecord, removeRecord } from '../write'
import { mergeRecords, recentMerges, takeBackMerge } from './merge'
import { type Mergeable, renamePlace } from './merge-places'
import { isCalledLike, refuseTaken } from './other-names'

/**
 * Locations, transport companies and vendors are kept alike: listed, created, edited, switched on and off, and deleted
 * while nothing uses them. Each noun says only what is its own.
 */

type MasterTable = Mergeable['table'] & { is_active: AnyPgColumn }

/** A record of master data, whatever its noun. */
export type MasterItem = { id: number; version: number; is_active: boolean; other_names: string[] | null }
type Values = Record<string, unknown>

export type MasterData = Mergeable & {
  table: MasterTable
  /** The field that no two may share, ignoring case, and what to say when they would. */
  unique: { field: string; message: string }
  type?: AnyPgColumn
  searched: AnyPgColumn[]
  sorts: Record<string, AnyPgColumn>
}

/** The kinds of records that usage tells of, by their tables. */
const COUNTED = {
  transports: 'transports',
  osl: 'osl_entries',
  registrations: 'registrations',
  titles: 'titles',
} as const

export type Usage = { transports: number; osl: number; registrations: number; titles: number; total: number }

export type MasterFilters = ListQuery & { type: string | null; is_active?: boolean | undefined }

export function masterQueries<Item extends MasterItem>(kind: MasterData) {
  const { table, noun, unique, type, searched, sorts } = kind
  const name = kind.called[0] as AnyPgColumn
  const from = (db: Db) => db.select().from(table).$dynamic()
  const cannotDelete = `Cannot delete ${noun.toLowerCase()}`

  const taken = (write: Promise<unknown>): Promise<Item> =>
    (write as Promise<Item>).catch((error) => {
      if (violatedUnique(error) === null) throw error
      throw new Conflict(unique.message, [{ field: unique.field, message: unique.message }])
    })

  /** Writes in one transaction with the check that no other has the names. */
  const named = <T>(db: Db, id: number | null, values: Values, write: (tx: Db) => Promise<T>): Promise<T> =>
    db.transaction(async (tx) => {
      if (Array.isArray(values.other_names)) {
        // What it is called already stays, whatever others were called since.
        const [stored] = id === null ? [] : ((await from(tx).where(eq(table.id, id))) as Item[])
        const added = values.other_names.filter((name) => !stored?.other_names?.includes(name))
        await refuseTaken(tx, kind, added, id)
      }
      return write(tx)
    })

  const matching = (q: string) => or(isCalledLike(kind, q), ...searched.map((column) => ilike(column, containing(q))))

  return {
    kind,

    async list(db: Db, query: MasterFilters): Promise<Page<Item>> {
      const where = and(
        query.q ? matchingWords(query.q, matching) : undefined,
        query.type && type ? sql`lower(${type}) = lower(${query.type})` : undefined,
        query.is_active === undefined ? undefined : eq(table.is_active, query.is_active),
      )
      const direction = query.order === 'desc' ? desc : asc
      const order = [direction(sorts[query.sort] ?? name), asc(table.id)]
      const { lines, total } = await listing<Item>(db, {
        select: () => from(db),
        from: { of: from },
        table,
        where,
        order,
        query,
      }).lines()
      return { rows: lines.map(({ read }) => read()), total }
    },

    /** Every active one, for drop-downs. */
    async active(db: Db): Promise<Item[]> {
      return (await from(db).where(eq(table.is_active, true)).orderBy(asc(name))) as Item[]
    },

    async ofType(db: Db, wanted: string): Promise<Item[]> {
      if (!type) return []
      return (await from(db).where(sql`lower(${type}) = lower(${wanted})`).orderBy(asc(name))) as Item[]
    },

    /** The types that are present in the data. */
    async types(db: Db): Promise<string[]> {
      if (!type) return []
      const found = await db.selectDistinct({ type }).from(table).orderBy(asc(type))
      return found.flatMap((row) => (row.type ? [String(row.type)] : []))
    },

    async find(db: Db, id: number): Promise<Item> {
      const [item] = await from(db).where(eq(table.id, id))
      if (!item) throw new Missing(noun)
      return item as Item
    },

    create: (db: Db, actor: Actor, values: Values) =>
      taken(named(db, null, values, (tx) => createRecord(tx, actor, table, values))),

    update: (db: Db, actor: Actor, id: number, version: number | undefined, values: Values) =>
      taken(
        named(db, id, values, async (tx) => {
          const { before, after } = await changeRecord(tx, actor, table, { id, version, what: noun, values })
          await renamePlace(tx, kind, before as never, after as never)
          return after
        }),
      ),

    setActive: (db: Db, actor: Actor, id: number, version: number | undefined, is_active: boolean) =>
      taken(
        changeRecord(db, actor, table, { id, version, what: noun, values: { is_active } }).then(({ after }) => after),
      ),

    /**
     * How much refers to it, by kind. The total says whether it can be deleted, so it counts `others` too: invoices and
     * schedules, which have no figure of their own.
     */
    async usage(db: Db, id: number): Promise<Usage & { others: number }> {
      const references = referencesTo(table)
      const counted = Object.entries(COUNTED).map(([name, counting]) => {
        const columns = references
          .filter((reference) => reference.table === counting)
          .map(({ column }) => sql`c.${sql.identifier(column)} = m.id`)
        const count = columns.length
          ? sql`(select count(*)::int from ${sql.identifier(counting)} c where ${sql.join(columns, sql` or `)})`
          : sql`0`
        return sql`${count} as ${sql.identifier(name)}`
      })
      const uncounted = references
        .filter(({ table: of, isKept }) => isKept && !Object.values<string>(COUNTED).includes(of))
        .map(
          ({ table: of, column }) =>
            sql`(select count(*)::int from ${sql.identifier(of)} c where c.${sql.identifier(column)} = m.id)`,
        )
      const [found] = await rows<Usage & { others: number }>(
        db,
        sql`select ${sql.join([...counted, sql`${sql.join([sql`0`, ...uncounted], sql` + `)} as others`], sql`, `)}
          from ${table} m where m.id = ${id}`,
      )
      if (!found) throw new Missing(noun)
      const { others, ...counts } = found
      return { ...counts, total: Object.values(counts).reduce((sum, count) => sum + count, others), others }
    },

    merge: (db: Db, actor: Actor, id: number, into_id: number) => mergeRecords(db, actor, kind, id, into_id),
    takeBack: (db: Db, actor: Actor, merge_id: number) => takeBackMerge(db, actor, kind, merge_id),
    recentMerges: (db: Db, now: Date) => recentMerges(db, kind, now),

    /** @throws Conflict while anything uses it */
    remove: (db: Db, actor: Actor, id: number): Promise<Item> =>
      (removeRecord(db, actor, table, id, noun) as Promise<unknown> as Promise<Item>).catch((error) => {
        if (violatedReference(error) !== null) throw new Conflict(cannotDelete)
        throw error
      }),
  }
}

export type MasterQueries<Item extends MasterItem> = ReturnType<typeof masterQueries<Item>>
