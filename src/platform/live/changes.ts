import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Db, oneOf, rows } from '../../../db/client'
import {
  auditEntries,
  locations,
  oslEntries,
  oslNotes,
  oslRates,
  registrations,
  titleNotes,
  titles,
  transportCompanies,
  transports,
  users,
  vehicles,
  vendorInvoices,
  vendors,
} from '../../../db/schema'
import type { Gap } from './gaps'

/** A record that was changed; `version` is null once it is deleted. */
export type Change = { entity: string; id: number; version: number | null; unit_number: string | null }

/** What an entry of the audit trail says, as far as listeners need it. */
type Entry = { id: number; entity: string; record_id: number; unit_number: string | null }

type Told = { table: PgTable & { id: AnyPgColumn; version: AnyPgColumn }; unit?: AnyPgColumn }

/** The tables whose changes are told, by their names. */
const TOLD: Record<string, Told> = Object.fromEntries(
  [
    { table: transports, unit: transports.unit_number },
    { table: oslEntries, unit: oslEntries.unit_number },
    { table: registrations, unit: registrations.unit_number },
    { table: titles, unit: titles.unit_number },
    { table: vehicles, unit: vehicles.unit_number },
    { table: locations },
    { table: transportCompanies },
    { table: vendors },
    { table: vendorInvoices },
    { table: users },
  ].map((told) => [getTableName(told.table), told]),
)

/** Tables whose rows belong to a record: a change of theirs is told as one of the record. */
const PARTS: Record<string, { of: string; key: string }> = {
  [getTableName(oslNotes)]: { of: getTableName(oslEntries), key: oslNotes.osl_id.name },
  [getTableName(oslRates)]: { of: getTableName(oslEntries), key: oslRates.osl_id.name },
  [getTableName(titleNotes)]: { of: getTableName(titles), key: titleNotes.title_id.name },
}

const whichever = (key: string): SQL => sql`coalesce(e.changes->${key}::text->>'new', e.changes->${key}::text->>'old')`

/** The number of the newest entry. */
export async function newestEntry(db: Db): Promise<number> {
  const [found] = await rows<{ id: number }>(db, sql`select coalesce(max(id), 0)::float8 as id from ${auditEntries}`)
  return found?.id ?? 0
}

/** The number of the newest entry that was there at an instant. */
export async function entryBefore(db: Db, instant: Date): Promise<number> {
  const [found] = await rows<{ id: number }>(
    db,
    sql`select id::float8 as id from ${auditEntries}
      where at < ${instant.toISOString()}::timestamptz order by at desc limit 1`,
  )
  return found?.id ?? 0
}

/** The numbers of the entries from `from` to `to`, ascending. */
export async function entryIds(db: Db, from: number, to: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select id::float8 as id from ${auditEntries} where id between ${from} and ${to} order by id`,
  )
  return found.map(({ id }) => id)
}

/** The entries after `last`, and those in `gaps` that are there by now; ascending, at most `limit`. */
export function entriesAfter(db: Db, last: number, gaps: Gap[], limit: number): Promise<Entry[]> {
  const wanted = [sql`e.id > ${last}`, ...gaps.map(({ from, to }) => sql`e.id between ${from} and ${to}`)]
  const part = (name: 'of' | 'key', otherwise: SQL) =>
    sql`case e.entity ${sql.join(
      Object.entries(PARTS).map(
        ([table, { of, key }]) =>
          sql`when ${table}::text then ${name === 'of' ? sql`${of}::text` : sql`${whichever(key)}::int`}`,
      ),
      sql` `,
    )} else ${otherwise} end`
  return rows<Entry>(
    db,
    sql`select e.id::float8 as id, ${part('of', sql`e.entity`)} as entity, ${part('key', sql`e.entity_id`)} as record_id,
        ${whichever('unit_number')} as unit_number
      from ${auditEntries} e where ${sql.join(wanted, sql` or `)} order by e.id limit ${limit}`,
  )
}

/** The changes that these entries tell of, in their order, with each record's version as it is now. */
export async function changesIn(db: Db, entries: Entry[]): Promise<Change[]> {
  const known = new Map<string, Pick<Change, 'version' | 'unit_number'>>()
  for (const [entity, { table, unit }] of Object.entries(TOLD)) {
    const ids = [...new Set(entries.filter((entry) => entry.entity === entity).map(({ record_id }) => record_id))]
    if (ids.length === 0) continue
    const found = await db
      .select({ id: table.id, version: table.version, unit_number: unit ?? sql<null>`null` })
      .from(table as PgTable)
      .where(oneOf(table.id, ids))
    for (const { id, version, unit_number } of found as { id: number; version: number; unit_number: string | null }[])
      known.set(`${entity} ${id}`, { version, unit_number })
  }
  return entries
    .filter(({ entity, record_id }) => Object.hasOwn(TOLD, entity) && record_id !== null)
    .map(({ entity, record_id, unit_number }) => ({
      entity,
      id: record_id,
      ...(known.get(`${entity} ${record_id}`) ?? { version: null, unit_number }),
    }))
}

/** Accounts are for administrators. */
export const isForAdmins = ({ entity }: Change) => entity === getTableName(users)
