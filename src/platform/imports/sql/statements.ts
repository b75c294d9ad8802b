import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../records/actor'
import type { ImportKind } from '../kind'
import {
  cellOf,
  createdChanges,
  createdValue,
  derivedValue,
  firstMatch,
  followingColumns,
  givenColumns,
  holderOfUnique,
  sameRecord,
  TODAY,
  updatedChanges,
  updatedColumns,
} from './expressions'

export type Range = { upload_id: number; after: number; upto: number }

/** SQL condition for the staged rows `r` of a range. */
export const within = ({ upload_id, after, upto }: Range) =>
  sql`r.upload_id = ${upload_id} and r.row > ${after} and r.row <= ${upto}`

/** Converts SQL text to a part of a query. Each `TODAY` in the text becomes a parameter with the value `today`. */
export const raw = (text: string, today: string) =>
  sql.join(text.split(TODAY).flatMap((part, at) => (at ? [sql`${today}`, sql.raw(part)] : [sql.raw(part)])))

const stamps = (actor: Actor) =>
  sql`${actor.now.toISOString()}::timestamptz, ${actor.username}, ${actor.now.toISOString()}::timestamptz,
    ${actor.username}`

/** Returns SQL for the first values of an audit entry. They are in the order of `AUDIT_COLUMNS`. */
export const auditHead = (actor: Actor, upload_id: number) =>
  sql`${actor.now.toISOString()}::timestamptz, ${actor.username}::varchar, ${actor.source}::varchar,
    ${actor.address}::varchar, ${actor.token_name ?? null}::varchar, ${upload_id}::int`
export const AUDIT_COLUMNS = sql.raw(
  'at, actor, source, address, token_name, upload_id, action, entity, entity_id, changes',
)

/**
 * Returns SQL that deletes and returns staged rows with an outcome. The enclosing statement must write their records,
 * or the rows are lost.
 */
const takeStagedRows = ({ upload_id, after, upto }: Range, outcome: 'create' | 'update') => sql`
  delete from upload_rows r where r.upload_id = ${upload_id} and r.row > ${after} and r.row <= ${upto}
  and r.outcome = ${outcome}
  returning r.cells, r.record_id`

/**
 * Returns a statement that inserts new records with audit entries. A row is skipped if a record with the same key or
 * the same unique value was created after the preview.
 */
export function insertCreated(kind: ImportKind, actor: Actor, range: Range, today: string): SQL {
  const columns = [...kind.columns, ...kind.derived].map(({ column }) => column)
  const values = [
    ...kind.columns.map((column) => createdValue(kind, column)),
    ...kind.derived.map((column) => derivedValue(kind, column)),
  ]
  return sql`
    with staged as materialized (${takeStagedRows(range, 'create')}),
    r as materialized (
      select nextval(${`${kind.table}_id_seq`})::int as id, r.cells from staged r
      where ${firstMatch(kind)} is null and not exists (select ${sql.raw(holderOfUnique(kind))})),
    placed as (
      insert into ${sql.raw(kind.table)} (id, ${sql.raw(columns.join(', '))}, created_at, created_by, updated_at,
      updated_by)
      select r.id, ${raw(values.join(', '), today)}, ${stamps(actor)} from r),
    logged as (
      insert into audit_entries (${AUDIT_COLUMNS})
      select ${auditHead(actor, range.upload_id)}, 'create', ${kind.table}, r.id, ${raw(createdChanges(kind), today)}
      from r)
    select (select count(*) from staged)::int as staged, (select count(*) from r)::int as written`
}

/**
 * Returns a statement for staged rows that no longer match a record. The record was changed or deleted after the
 * preview.
 * Such a row creates a new record, or fails if the row lacks required values. The statement returns the outcome of each
 * of these rows.
 */
export const rematch = (kind: ImportKind, { upload_id, after, upto }: Range): SQL => sql`
  update upload_rows r set record_id = null, cells = coalesce(r.original_cells, r.cells),
    outcome = case when r.original_cells is null then 'create' else 'error' end,
    message = case when r.original_cells is null then r.message
    else 'This row cannot update its record, because the record was changed or deleted in the meantime' end
  where r.upload_id = ${upload_id} and r.row > ${after} and r.row <= ${upto} and r.outcome = 'update'
    and not exists (select 1 from ${sql.raw(kind.table)} t where t.id = r.record_id and ${sql.raw(sameRecord(kind))})
  returning r.outcome`

/**
 * Returns a statement that updates matched records with audit entries. If a cell is empty, the record keeps its value.
 */
export function applyUpdated(kind: ImportKind, actor: Actor, range: Range, today: string): SQL {
  const assignedValues = givenColumns(kind).map(
    (column) => `coalesce(${cellOf(kind, column.name)}, t.${column.column}) as n_${column.column}`,
  )
  const derived = followingColumns(kind).map(({ column, updated }) => `, ${updated} as n_${column}`)
  const assigned = updatedColumns(kind).map((column) => `${column} = d.n_${column}`)
  return sql`
    with staged as materialized (${takeStagedRows(range, 'update')}),
    given as (select t.*, r.cells, ${sql.raw(assignedValues.join(', '))} from staged r join ${sql.raw(kind.table)} t
    on t.id = r.record_id
      where not exists (select ${sql.raw(holderOfUnique(kind))}) for no key update of t),
    x as materialized (select x.*${raw(derived.join(''), today)} from given x),
    d as materialized (select x.*, ${sql.raw(updatedChanges(kind, actor.hides_costs ?? false))} as changes from x),
    changed as (
      update ${sql.raw(kind.table)} t set ${sql.raw(assigned.join(', '))},
        version = t.version + 1, updated_at = ${actor.now.toISOString()}::timestamptz, updated_by = ${actor.username}
      from d where d.id = t.id and d.changes is not null),
    logged as (
      insert into audit_entries (${AUDIT_COLUMNS})
      select ${auditHead(actor, range.upload_id)}, 'update', ${kind.table}, d.id, d.changes from d
      where d.changes is not null)
    select (select count(*) from staged)::int as staged, (select count(*) from d where changes is not null)::int as
    written`
}
