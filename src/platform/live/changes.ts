import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Db, oneOf, rows } from '../../../db/client'
import { auditEntries } from '../../../db/schema'
import { kinds } from '../kinds'
import { entityOf, kindOf } from '../records/kind'
import type { Gap, Position } from './gaps'

/** Change of a record, as clients receive it. `version` is null if the record was deleted. */
export type PublishedChange = { entity: string; id: number; version: number | null; unit_number: string | null }

/**
 * A record change. `entry` is the id of its audit entry.
 * `position` is the id of the event. If a client sends this id as `Last-Event-ID`, it gets the changes after this
 * event.
 */
export type FeedChange = { entry: number; position: string; change: PublishedChange }

type PublishedEntry = { id: number; entity: string; record_id: number; unit_number: string | null }

type VersionedTable = PgTable & { id: AnyPgColumn; version: AnyPgColumn }

const published = () => kinds('records').filter(({ events }) => events !== undefined)

const newOrOldValue = (key: string): SQL =>
  sql`coalesce(e.changes->${key}::text->>'new', e.changes->${key}::text->>'old')`

/** Returns the id of the newest audit entry before `instant`, or 0. */
export async function entryBefore(db: Db, instant: Date): Promise<number> {
  const [entry] = await rows<{ id: number }>(
    db,
    sql`select id::float8 as id from ${auditEntries}
      where at < ${instant.toISOString()}::timestamptz order by at desc limit 1`,
  )
  return entry?.id ?? 0
}

export async function entryIds(db: Db, from: number, to: number): Promise<number[]> {
  const entries = await rows<{ id: number }>(
    db,
    sql`select id::float8 as id from ${auditEntries} where id between ${from} and ${to} order by id`,
  )
  return entries.map(({ id }) => id)
}

/**
 * Returns at most `limit` audit entries that a reader has not seen. They are sorted by id.
 * These are the entries with an id above `last`, and the entries with an id in `gaps`. The ids in `gaps` are lower, but
 * their transactions had not committed when the reader read entry `last`.
 */
export function entriesAfter(db: Db, last: number, gaps: Gap[], limit: number): Promise<PublishedEntry[]> {
  const idConditions = [sql`e.id > ${last}`, ...gaps.map(({ from, to }) => sql`e.id between ${from} and ${to}`)]
  // Publish a change to a part of a record, such as a note, as a change to the record.
  const parts = kinds('records').flatMap((kind) => (kind.partOf ? [{ entity: entityOf(kind), ...kind.partOf }] : []))
  const casePerPart = (value: (part: (typeof parts)[number]) => SQL, fallback: SQL) =>
    sql`case e.entity ${sql.join(
      parts.map((part) => sql`when ${part.entity}::text then ${value(part)}`),
      sql` `,
    )} else ${fallback} end`
  const entity = casePerPart(({ kind }) => sql`${entityOf(kind)}::text`, sql`e.entity`)
  const record = casePerPart(({ key }) => sql`${newOrOldValue(key.name)}::int`, sql`e.entity_id`)
  return rows<PublishedEntry>(
    db,
    sql`select e.id::float8 as id, ${entity} as entity, ${record} as record_id,
        ${newOrOldValue('unit_number')} as unit_number
      from ${auditEntries} e where ${sql.join(idConditions, sql` or `)} order by e.id limit ${limit}`,
  )
}

/**
 * Converts audit entries to record changes, in the same order. Each change has the current version of its record.
 * @param position the reader's position, which this function moves past all `entries`
 */
export async function changesIn(db: Db, entries: PublishedEntry[], position: Position): Promise<FeedChange[]> {
  const recordVersions = new Map<string, Pick<PublishedChange, 'version' | 'unit_number'>>()
  for (const kind of published()) {
    const { unit } = kind
    const [entity, table] = [entityOf(kind), kind.table as VersionedTable]
    const ids = [...new Set(entries.filter((entry) => entry.entity === entity).map(({ record_id }) => record_id))]
    if (ids.length === 0) continue
    const records = await db
      .select({ id: table.id, version: table.version, unit_number: unit ?? sql<null>`null` })
      .from(table as PgTable)
      .where(oneOf(table.id, ids))
    for (const { id, version, unit_number } of records as { id: number; version: number; unit_number: string | null }[])
      recordVersions.set(`${entity} ${id}`, { version, unit_number })
    const deletedIds = ids.filter((id) => !recordVersions.has(`${entity} ${id}`))
    if (!unit || deletedIds.length === 0) continue
    // Read the unit number from the audit entry of the deletion. The entry of an update contains the unit number only
    // if the number changed.
    const deletions = await rows<{ id: number; unit_number: string | null }>(
      db,
      sql`select e.entity_id as id, e.changes -> 'unit_number' ->> 'old' as unit_number from ${auditEntries} e
        where e.entity = ${entity} and e.action = 'delete'
          and e.entity_id = any(${`{${deletedIds.join(',')}}`}::text::int[]) order by e.id`,
    )
    for (const { id, unit_number } of deletions) recordVersions.set(`${entity} ${id}`, { version: null, unit_number })
  }
  return entries.flatMap(({ id: entry, entity, record_id, unit_number }) => {
    position.advance(entry)
    if (!kindOf(entity)?.events || record_id === null) return []
    const record = recordVersions.get(`${entity} ${record_id}`) ?? { version: null, unit_number }
    return [{ entry, position: String(position), change: { entity, id: record_id, ...record } }]
  })
}

export const isForAdmins = ({ entity }: PublishedChange) => kindOf(entity)?.events === 'administrators'
