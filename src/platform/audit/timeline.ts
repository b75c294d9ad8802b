import { desc, getTableName, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { auditEntries, documents } from '../../../db/schema'
import type { Clock } from '../clock'
import { kinds } from '../kinds'
import { entityOf, kindOf } from '../records/kind'
import type { Note } from '../records/notes'
import { changesText, type DescribedEntry, describeChanges, entriesFor, withShortValues } from './describe'
import { type AuditEntry, shownColumns } from './queries'

/**
 * A change or note in the history of a record. `kind` is the audit action or `note`. `entity` is the name of the table.
 */
export type TimelineEntry = {
  at: Date
  kind: string
  entity: string
  id: number
  text: string
  by: string | null
  /** Empty for a note. */
  changes: DescribedEntry['changes']
}

type Reader = { sees_costs: boolean }

export async function changesAsTimeline(
  db: Db,
  { timeZone }: Pick<Clock, 'timeZone'>,
  reader: Reader,
  entries: AuditEntry[],
): Promise<TimelineEntry[]> {
  const shownEntries = withShortValues(entriesFor(reader, entries)).map((entry) => {
    const fields = kindOf(entry.entity)?.timelineFields
    if (!fields) return entry
    return {
      ...entry,
      changes: Object.fromEntries(Object.entries(entry.changes).filter(([name]) => fields.includes(name))),
    }
  })
  const describedEntries = await describeChanges(db, shownEntries, timeZone)
  return describedEntries.map((entry) => {
    const { at, action: kind, entity, entity_id: id, actor: by, changes } = entry
    return { at, kind, entity, id, text: changesText(entry), by, changes }
  })
}

export const mergeTimelines = (first: TimelineEntry[], other: TimelineEntry[]): TimelineEntry[] =>
  [...first, ...other].sort((a, b) => b.at.getTime() - a.at.getTime())

/**
 * Selects the ids of the audit entries about child records. Child records are, for example, the daily rates of an OSL
 * entry. Notes are excluded, because the timeline adds them separately.
 * The SQL contains the names of the table and the key as literals. Otherwise, Postgres could not use the index that
 * contains these names.
 * @param entity table of the records
 * @param records SQL that selects the ids of these records as text
 */
export const entriesOfParts = (entity: string, records: SQL): SQL[] =>
  kinds('records').flatMap((part) => {
    if (!part.partOf || part.partOf.isNote || entityOf(part.partOf.kind) !== entity) return []
    const [table, key] = [entityOf(part), part.partOf.key.name]
    const owner = sql.raw(`coalesce(e.changes -> '${key}' ->> 'new', e.changes -> '${key}' ->> 'old')`)
    return [
      sql`select e.id from ${auditEntries} e
        where e.entity = ${sql.raw(`'${table}'`)} and ${owner} = any(array(${records}))`,
    ]
  })

/**
 * @param entity table of the records
 * @param records SQL that selects the ids of these records
 */
export const entriesOfDocuments = (entity: string, records: SQL): SQL =>
  sql`select e.id from ${auditEntries} e where e.entity = ${getTableName(documents)} and e.entity_id = any(array(
    select d.id from ${documents} d where d.entity = ${entity} and d.record_id = any(array(${records}))))`

const LATEST = 50

export async function recordTimeline(
  db: Db,
  clock: Pick<Clock, 'timeZone'>,
  reader: Reader,
  { entity, id, notes }: { entity: string; id: number; notes: Note[] },
): Promise<TimelineEntry[]> {
  const ids = [
    sql`(select e.id from ${auditEntries} e where e.entity = ${entity} and e.entity_id = ${id}::int
      order by e.id desc limit ${LATEST})`,
    entriesOfDocuments(entity, sql`select ${id}::int`),
    ...entriesOfParts(entity, sql`select ${String(id)}::text`),
  ]
  const entries = await db
    .select(shownColumns)
    .from(auditEntries)
    .where(sql`${auditEntries.id} = any(array(${sql.join(ids, sql` union all `)}))`)
    .orderBy(desc(auditEntries.id))
    .limit(LATEST)
  const noteEntries = notes.map(({ note_text, created_at, created_by }) => {
    return { at: created_at, kind: 'note', entity, id, text: note_text, by: created_by, changes: [] }
  })
  return mergeTimelines(await changesAsTimeline(db, clock, reader, entries), noteEntries)
}
