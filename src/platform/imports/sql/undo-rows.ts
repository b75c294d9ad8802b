import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { type Db, rows } from '../../../../db/client'
import { locations, transportCompanies, type Undo, type uploads, vehicles } from '../../../../db/schema'
import { kinds } from '../../kinds'
import type { Actor } from '../../records/actor'
import { kindOf } from '../../records/kind'
import { referencesTo } from '../../records/references'
import type { Write } from '../../records/transactions'
import type { ImportKind } from '../kind'
import { importKind } from '../kinds'
import { AUDIT_COLUMNS, auditHead } from './statements'
import { type Batch, editedBy, inBatch } from './undo-entries'
import { findFollowers, followRecords, lockVehiclesOf, vehicleValues } from './undo-vehicles'

/** Undoes an import by restoring the previous values from its audit entries. The newest entry is undone first. */

const KEPT_RECORDS_LIMIT = 1000

/**
 * Tables of vehicles and master data. An import of other records, such as transports, can create records in these
 * tables. `label` is the column with the name of the record.
 */
const RELATED_TABLES = {
  vehicles: { table: vehicles, label: 'unit_number' },
  locations: { table: locations, label: 'location_name' },
  transport_companies: { table: transportCompanies, label: 'company_name' },
}
const relatedTable = (table: string) =>
  Object.hasOwn(RELATED_TABLES, table) ? RELATED_TABLES[table as keyof typeof RELATED_TABLES] : undefined
/**
 * Table of remembered names. If a name is remembered for a new location or company, an undo still deletes the record,
 * together with the remembered name.
 */
const ALIAS_TABLE = 'import_aliases'

function restorable(kind: ImportKind): string[] {
  return [...kind.columns, ...kind.derived.filter(({ updated }) => updated)].map(({ column }) => column)
}

/**
 * Returns the tables with parts of the records of `table`. An example is the table of the daily rates of OSL entries.
 * Tables of notes are left out. `key` is the column that refers to the record.
 */
const partsOf = (table: PgTable): { part: string; key: string }[] =>
  kinds('records').flatMap(({ table: part, partOf }) =>
    partOf && !partOf.isNote && partOf.kind.table === table ? [{ part: getTableName(part), key: partOf.key.name }] : [],
  )

/**
 * Returns an SQL condition that record `t` is in use. An undo keeps such a record. Examples are a vehicle with a
 * transport, and a record to which a user has added a note, daily rate or document.
 */
const isInUse = (table: string, kind: ImportKind): SQL => {
  const related = relatedTable(table)
  const uses = related
    ? referencesTo(related.table).filter((reference) => reference.table !== ALIAS_TABLE)
    : referencesTo(kindOf(kind.table)!.table).filter(({ isCleared }) => isCleared)
  const conditions = [
    ...uses.map(
      ({ table: user, column, refersTo }) => `exists (select 1 from ${user} x where x.${column} = t.${refersTo})`,
    ),
    ...(related
      ? []
      : partsOf(kindOf(kind.table)!.table).map(
          ({ part, key }) => `exists (select 1 from ${part} x where x.${key} = t.id)`,
        )),
    ...(kind.notes && !related
      ? [`exists (select 1 from ${kind.notes.table} x where x.${kind.notes.column} = t.id)`]
      : []),
    `exists (select 1 from documents d where d.entity = '${table}' and d.record_id = t.id and d.deleted_at is null)`,
  ]
  return sql.raw(conditions.join(' or '))
}

/**
 * Returns an SQL condition that audit entry `e` cannot be restored. Its old values cannot be restored for these
 * reasons:
 * - An old location or company was deleted.
 * - Another record now has the old value of a unique column, such as the external id.
 * - A part of the record, such as a daily rate, was added since the import.
 * - A new value is in use, for example in an accepted invoice line (`keepsUpdate`).
 */
function cannotRestore(kind: ImportKind, actor: Actor): SQL {
  const of = (column: string, table: string) => {
    const old = `(e.changes -> '${column}' ->> 'old')::int`
    return `(${old} is not null and not exists (select 1 from ${table} gone where gone.id = ${old}))`
  }
  const tables: Partial<Record<ImportKind['columns'][number]['kind'], string>> = {
    location: 'locations',
    company: 'transport_companies',
  }
  const parts = kind.columns.flatMap(({ kind: refersTo, column }) =>
    tables[refersTo] ? [of(column, tables[refersTo])] : [],
  )
  const duplicates = kind.columns.flatMap(({ isUnique, column }) =>
    isUnique
      ? [
          `exists (select 1 from ${kind.table} u where u.${column} = e.changes -> '${column}' ->> 'old'
            and u.id <> e.entity_id)`,
        ]
      : [],
  )
  const newParts = partsOf(kindOf(kind.table)!.table).map(
    ({ part, key }) => `exists (select 1 from ${part} x where x.${key} = e.entity_id and x.created_at >= e.at)`,
  )
  const updateConditions = kind.keepsUpdate ? [`(${kind.keepsUpdate(actor)})`] : []
  return sql.raw([...parts, ...duplicates, ...newParts, ...updateConditions].join(' or ') || 'false')
}

const before = sql`(select jsonb_object_agg(key, value -> 'old') from jsonb_each(e.changes))`
const reversed = sql`(select jsonb_object_agg(key, jsonb_build_object('old', value -> 'new', 'new', value -> 'old'))
  from jsonb_each(e.changes))`

const entries = (batch: Batch, table: string, action: 'create' | 'update') => sql`
  select e.* from audit_entries e
  where ${inBatch(batch)} and e.entity = ${table} and e.action = ${action} and ${editedBy(batch.upload_id)} is null`

/**
 * Locks the records that the next step of an undo changes. The lock waits for concurrent changes, so that the undo sees
 * them and does not overwrite them. The lock `for update` prevents new references to records that will be deleted. The
 * lock `for no key update` allows new references to records that will only be changed.
 */
async function lockRecords(tx: Db, batch: Batch, table: string) {
  const selectRecords = (action: 'create' | 'update') => sql`
    select 1 from audit_entries e join ${sql.raw(table)} t on t.id = e.entity_id
    where ${inBatch(batch)} and e.entity = ${table} and e.action = ${action} order by t.id`
  await tx.execute(sql`${selectRecords('create')} for update of t`)
  await tx.execute(sql`${selectRecords('update')} for no key update of t`)
}

async function removeCreated(write: Write, batch: Batch, table: string, kind: ImportKind): Promise<number> {
  const [deletedCount] = await rows<{ n: number }>(
    write.db,
    sql`
    with e as materialized (${entries(batch, table, 'create')}),
    removed as (
      delete from ${sql.raw(table)} t using e where t.id = e.entity_id and not (${isInUse(table, kind)})
      returning e.entity_id, e.changes),
    logged as (
      insert into audit_entries (${AUDIT_COLUMNS})
      select ${auditHead(write.actor, batch.upload_id)}, 'delete', ${table}, e.entity_id, ${reversed} from removed e)
    select count(*)::int as n from removed`,
  )
  return deletedCount?.n ?? 0
}

/**
 * Restores updated records to their state before a range of entries. The state is the one before the first audit entry
 * in `batch`.
 * @param values SQL for the restored value of each column; row `t` is the record, `old` has the values before the
 * import, and `e` is the audit entry
 */
async function restoreUpdated(
  write: Write,
  batch: Batch,
  table: string,
  values: Record<string, SQL>,
  except: SQL = sql`false`,
): Promise<number> {
  const list = sql.raw(Object.keys(values).join(', '))
  const [restoredCount] = await rows<{ n: number }>(
    write.db,
    sql`
    with e as materialized (select distinct on (e.entity_id) e.*, e.id as entry_id
    from (${entries(batch, table, 'update')}) e where not (${except}) order by e.entity_id, e.id),
    held as materialized (select t.id, to_jsonb(t) as present, e.changes, e.entry_id from e join ${sql.raw(table)} t
    on t.id = e.entity_id for no key update of t),
    restored as (
      update ${sql.raw(table)} t set (${list}) = (select ${sql.join(Object.values(values), sql`, `)}
      from jsonb_populate_record(t, ${before}) old), version = t.version + 1,
        updated_at = ${write.actor.now.toISOString()}::timestamptz, updated_by = ${write.actor.username}
      from held e where t.id = e.id returning e.id, e.present, e.changes, to_jsonb(t) as restored),
    logged as (
      insert into audit_entries (${AUDIT_COLUMNS})
      select ${auditHead(write.actor, batch.upload_id)}, 'update', ${table}, e.id,
        (select jsonb_object_agg(key, jsonb_build_object('old', e.present -> key, 'new', e.restored -> key))
        from jsonb_each(e.changes))
      from restored e)
    select count(*)::int as n from restored`,
  )
  return restoredCount?.n ?? 0
}

const oldValues = (columns: string[]): Record<string, SQL> =>
  Object.fromEntries(columns.map((column) => [column, sql.raw(`old.${column}`)]))

const findKeptRecords = (tx: Db, batch: Batch, table: string, keepCondition: SQL): Promise<Undo['kept']> =>
  rows(
    tx,
    sql`select distinct ${table}::text as entity, t.id, t.${sql.raw(relatedTable(table)?.label ?? 'unit_number')} as
      label from audit_entries e join ${sql.raw(table)} t on t.id = e.entity_id
      where ${inBatch(batch)} and e.entity = ${table} and (${editedBy(batch.upload_id)} is not null
      or ${keepCondition}) order by t.id`,
  )

/**
 * Returns the initial state of an undo. The undo works from the import's newest audit entry to the oldest, so `before`
 * is one more than the id of the newest entry.
 */
export async function undoFrom(db: Db, upload_id: number): Promise<Undo> {
  const [entryRange] = await rows<{ oldest: number; newest: number }>(
    db,
    sql`select coalesce(min(id), 0)::int as oldest, coalesce(max(id), -1)::int as newest from audit_entries
      where upload_id = ${upload_id}`,
  )
  const { oldest = 0, newest = -1 } = entryRange ?? {}
  return { oldest, newest, before: newest + 1, removed: 0, restored: 0, kept: [] }
}

/**
 * Undoes the next `count` audit entries of an import, newest first. Records that users have edited since the import
 * stay unchanged and are listed in `kept`. Runs within the caller's transaction.
 * @returns the new state of the undo
 */
export async function undoRows(
  write: Write,
  upload: Pick<typeof uploads.$inferSelect, 'id' | 'data_type' | 'keeps_names'>,
  undo: Undo,
  count: number,
): Promise<Undo> {
  const kind = importKind(upload.data_type)
  const batch = { upload_id: upload.id, from: Math.max(undo.oldest, undo.before - count), before: undo.before }
  for (const table of [kind.table, ...Object.keys(RELATED_TABLES)]) await lockRecords(write.db, batch, table)
  await lockVehiclesOf(write.db, batch, kind.table)
  const followers = await findFollowers(write.db, batch, kind.table)
  const isUnrestorable = cannotRestore(kind, write.actor)
  const restored = await restoreUpdated(write, batch, kind.table, oldValues(restorable(kind)), isUnrestorable)
  const removed = await removeCreated(write, batch, kind.table, kind)
  const keptRecords = await findKeptRecords(write.db, batch, kind.table, sql`e.action = 'create' or ${isUnrestorable}`)
  // At this point, the records that the import added to a new vehicle are already deleted. An undo starts with the
  // newest audit entries, and the entries of these records are newer than the vehicle's entry.
  await restoreUpdated(write, batch, 'vehicles', vehicleValues(batch))
  await followRecords(write, batch, followers)
  for (const table of Object.keys(RELATED_TABLES)) {
    const isKept = upload.keeps_names && table !== 'vehicles'
    if (!isKept) await removeCreated(write, batch, table, kind)
    keptRecords.push(...(await findKeptRecords(write.db, batch, table, isKept ? sql`true` : sql`false`)))
  }
  const reported = new Set(undo.kept.map(({ entity, id }) => `${entity} ${id}`))
  const newKeptRecords = keptRecords.filter(({ entity, id }) => !reported.has(`${entity} ${id}`))
  return {
    ...undo,
    before: batch.from,
    removed: undo.removed + removed,
    restored: undo.restored + restored,
    kept: [...undo.kept, ...newKeptRecords].slice(0, KEPT_RECORDS_LIMIT),
  }
}

export const isUndone = ({ before, oldest }: Undo) => before <= oldest

/** Progress of an undo, from 0 to 1. */
export const undoProgress = ({ oldest, newest, before }: Undo) =>
  newest < oldest ? 1 : (newest + 1 - before) / (newest + 1 - oldest)
