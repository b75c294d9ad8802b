import { and, asc, desc, eq, ilike, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { type Db, rows, violatedReference, violatedUnique } from '../../../../db/client'
import type { Page } from '../../http/answers'
import { kinds } from '../../kinds'
import type { ListQuery } from '../../lists/list-query'
import { cleanLine } from '../../reading/text'
import { Conflict, Missing } from '../../refusals'
import { entityOf, nameOf } from '../kind'
import { type Listing, listing } from '../listing'
import { naturally } from '../natural-order'
import { referencesTo } from '../references'
import { containing, matchingWords } from '../search'
import { inTransaction, type Write } from '../transactions'
import { changeRecord, createRecord, removeRecord } from '../write'
import { mergeRecords, recentMerges, undoMerge } from './merge'
import { type Mergeable, renamePlace } from './merge-places'
import { nameMatches, refuseLookalike, refuseTakenNames } from './other-names'

type MasterTable = Mergeable['table'] & { is_active: AnyPgColumn }

export type MasterItem = { id: number; version: number; is_active: boolean; other_names: string[] | null }
type Values = Record<string, unknown>

export type MasterData = Mergeable & {
  table: MasterTable
  /** Field with unique values, regardless of case. `message` is the error message for a duplicate. */
  unique: { field: string; message: string }
  type?: AnyPgColumn
  searched: AnyPgColumn[]
  sorts: Record<string, AnyPgColumn | SQL>
}

/**
 * Numbers of records that refer to a location, company or vendor.
 * `counts` contains one number for each kind of record that is counted separately, such as transports. `others` is the
 * number of all other records that prevent the deletion, such as invoices.
 */
export type Usage = { counts: Record<string, number>; others: number; total: number }

/** Cleans the name, because validation does not clean it (see `enteredText`). */
export function storedValues({ called: [name] }: MasterData, values: Values): Values {
  const entered = name && values[name.name]
  return name && typeof entered === 'string' ? { ...values, [name.name]: cleanLine(entered) } : values
}

export type MasterFilters = ListQuery & { type: string | null; is_active?: boolean | undefined }

export function masterQueries<Item extends MasterItem>(kind: MasterData) {
  const { table, noun, unique, type, searched, sorts } = kind
  const called = kind.called[0] as AnyPgColumn
  const byName = naturally(called)
  const from = (db: Db) => db.select().from(table).$dynamic()
  const cannotDelete = `Cannot delete ${noun.toLowerCase()}`

  const refusingDuplicates = (write: Promise<unknown>): Promise<Item> =>
    (write as Promise<Item>).catch((error) => {
      if (violatedUnique(error) === null) throw error
      throw new Conflict(unique.message, [{ field: unique.field, message: unique.message }])
    })

  const withNames = <T>(
    write: Write,
    id: number | null,
    values: Values,
    work: (write: Write, values: Values) => Promise<T>,
  ): Promise<T> =>
    inTransaction(write, async (write) => {
      if (Array.isArray(values.other_names)) {
        // Check only aliases that this change adds. A stored alias stays valid, even if a different record was given
        // the same name later.
        const [stored] = id === null ? [] : ((await from(write.db).where(eq(table.id, id))) as Item[])
        const added = values.other_names.filter((name) => !stored?.other_names?.includes(name))
        await refuseTakenNames(write.db, kind, added, id)
      }
      const entered = values[called.name]
      if (typeof entered === 'string') await refuseLookalike(write.db, kind, called.name, entered, id)
      return work(write, storedValues(kind, values))
    })

  const matching = (q: string) => or(nameMatches(kind, q), ...searched.map((column) => ilike(column, containing(q))))

  return {
    kind,

    listing(db: Db, query: MasterFilters): Listing<Item> {
      const where = and(
        query.q ? matchingWords(query.q, matching) : undefined,
        query.type && type ? sql`lower(${type}) = lower(${query.type})` : undefined,
        query.is_active === undefined ? undefined : eq(table.is_active, query.is_active),
      )
      const direction = query.order === 'desc' ? desc : asc
      const order = [direction(sorts[query.sort] ?? byName), asc(table.id)]
      return listing<Item>(db, {
        select: () => from(db),
        from: { of: from },
        table,
        where,
        order,
        query,
      })
    },

    async list(db: Db, query: MasterFilters): Promise<Page<Item>> {
      const { lines, total } = await this.listing(db, query).lines()
      return { rows: lines.map(({ read }) => read()), total }
    },

    async active(db: Db): Promise<Item[]> {
      return (await from(db).where(eq(table.is_active, true)).orderBy(asc(byName))) as Item[]
    },

    async listByType(db: Db, locationType: string): Promise<Item[]> {
      if (!type) return []
      return (await from(db).where(sql`lower(${type}) = lower(${locationType})`).orderBy(asc(byName))) as Item[]
    },

    async types(db: Db): Promise<string[]> {
      if (!type) return []
      const typeRows = await db
        .select({ type })
        .from(table)
        .groupBy(type)
        .orderBy(asc(naturally(type)))
      return typeRows.flatMap((row) => (row.type ? [String(row.type)] : []))
    },

    async find(db: Db, id: number): Promise<Item> {
      const [item] = await from(db).where(eq(table.id, id))
      if (!item) throw new Missing(noun)
      return item as Item
    },

    create: (write: Write, values: Values) =>
      refusingDuplicates(withNames(write, null, values, (write, values) => createRecord(write, table, values))),

    update: (write: Write, id: number, version: number | undefined, values: Values) =>
      refusingDuplicates(
        withNames(write, id, values, async (write, values) => {
          const { before, after } = await changeRecord(write, table, { id, version, what: noun, values })
          await renamePlace(write, kind, before as never, after as never)
          return after
        }),
      ),

    setActive: (write: Write, id: number, version: number | undefined, is_active: boolean) =>
      refusingDuplicates(
        changeRecord(write, table, { id, version, what: noun, values: { is_active } }).then(({ after }) => after),
      ),

    /**
     * `total` includes `others`, such as invoices. Any reference prevents the deletion.
     * @throws Missing when the record does not exist
     */
    async usage(db: Db, id: number): Promise<Usage> {
      const references = referencesTo(table)
      const uses = kinds('records').filter(({ isUse }) => isUse)
      const tables = uses.map(entityOf)
      const usageCounts = uses.map((use, at) => {
        const columns = references
          .filter((reference) => reference.table === tables[at])
          .map(({ column }) => sql`c.${sql.identifier(column)} = m.id`)
        const count = columns.length
          ? sql`(select count(*)::int from ${use.table} c where ${sql.join(columns, sql` or `)})`
          : sql`0`
        return sql`${count} as ${sql.identifier(nameOf(use))}`
      })
      const uncounted = references
        .filter(({ table: of, blocksDeletion }) => blocksDeletion && !tables.includes(of))
        .map(
          ({ table: of, column }) =>
            sql`(select count(*)::int from ${sql.identifier(of)} c where c.${sql.identifier(column)} = m.id)`,
        )
      const [usageRow] = await rows<Record<string, number>>(
        db,
        sql`select ${sql.join([...usageCounts, sql`${sql.join([sql`0`, ...uncounted], sql` + `)} as others`], sql`, `)}
          from ${table} m where m.id = ${id}`,
      )
      if (!usageRow) throw new Missing(noun)
      const { others = 0, ...counts } = usageRow
      return { counts, others, total: Object.values(counts).reduce((sum, count) => sum + count, others) }
    },

    merge: (write: Write, id: number, into_id: number) => mergeRecords(write, kind, id, into_id),
    takeBack: (write: Write, merge_id: number) => undoMerge(write, kind, merge_id),
    recentMerges: (db: Db, now: Date) => recentMerges(db, kind, now),

    /**
     * @throws Missing when the record does not exist
     * @throws Conflict when other records refer to it
     */
    remove: (write: Write, id: number): Promise<Item> =>
      (removeRecord(write, table, id, noun) as Promise<unknown> as Promise<Item>).catch((error) => {
        if (violatedReference(error) !== null) throw new Conflict(cannotDelete)
        throw error
      }),
  }
}

export type MasterQueries<Item extends MasterItem> = ReturnType<typeof masterQueries<Item>>
