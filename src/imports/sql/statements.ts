import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../records/actor'
import { GIVEN, type Target, type TargetColumn, TODAY } from '../kinds'

/** The statements that move staged rows, built from a target. `r` is a staged row, `t` a record, `n` a record's new values. */

const CASTS = { word: '', text: '', date: '::date', int: '::int', numeric: '::numeric', boolean: '::boolean' } as const

/** A row's value for a column, typed. */
function rowValue(target: Target, { field, type }: TargetColumn): string {
  return `r.cells[${target.columns.findIndex((column) => column.field === field) + 1}]${CASTS[type]}`
}

/** The value that a new record gets. */
function createdValue(target: Target, column: TargetColumn): string {
  const given = rowValue(target, column)
  if (column.follows) return column.follows.created.replaceAll(GIVEN, given)
  return column.usual ? `coalesce(${given}, '${column.usual}')` : given
}

const keyColumns = (target: Target) => target.columns.filter(({ field }) => target.key.includes(field))
const otherColumns = (target: Target) => target.columns.filter(({ field }) => !target.key.includes(field))

/** Is record `t` the one that row `r` means? Plates are compared whatever their case. */
export function sameRecord(target: Target): string {
  const parts = keyColumns(target).map((column) =>
    column.type === 'text' ? `lower(t.${column.column}) = lower(${rowValue(target, column)})` : `t.${column.column} = ${rowValue(target, column)}`,
  )
  return [...parts, ...(target.only ? [target.only] : [])].join(' and ')
}

/**
 * The records `t` of row `r`'s vehicle, fenced off: of all indexes only that of the unit number fits, so it is used
 * whatever the planner believes of a table that has just grown.
 */
export const ofItsVehicle = (target: Target) => sql.raw(`(select * from ${target.table} t where t.unit_number = r.cells[1] offset 0) t`)

/** A record that row `r` means, or null. As a subquery of one value it is looked up for each row, and never joined. */
export const firstLike = (target: Target) => sql`(select t.id from ${ofItsVehicle(target)} where ${sql.raw(sameRecord(target))} limit 1)`

/** Would row `r` change record `t`? Blanks change nothing. */
const changes = (target: Target, column: TargetColumn) =>
  `(${rowValue(target, column)} is not null and ${rowValue(target, column)} is distinct from t.${column.column})`
export const changesAny = (target: Target) =>
  otherColumns(target)
    .map((column) => changes(target, column))
    .join(' or ')

/** A value as people read it. */
const inWords = (value: string, type: TargetColumn['type']) => (type === 'date' ? `to_char(${value}, 'MM/DD/YYYY')` : `${value}::text`)

/** What row `r` would change in record `t`, in words. */
export function changesInWords(target: Target): string {
  const parts = otherColumns(target).map((column) => {
    const what = column.field.replaceAll('_', ' ')
    const words =
      column.type === 'int' && column.column.endsWith('_id')
        ? `'${what} changes'`
        : `'${what} ' || coalesce(left(${inWords(`t.${column.column}`, column.type)}, 60), 'blank') || ' becomes ' || left(${inWords(rowValue(target, column), column.type)}, 60)`
    return `case when ${changes(target, column)} then ${words} end`
  })
  return `array_to_string(array[${parts.join(', ')}], '; ')`
}

/** A value as JSON text; null when it is null. Spelling it out is several times faster than building jsonb from parts. */
function json(value: string, type: TargetColumn['type']): string {
  if (type === 'text') return `to_json(${value})::text`
  if (type === 'word' || type === 'date') return `'"' || (${value}) || '"'`
  return `(${value})::text`
}

/** The audit entry's `changes` of a new record, as jsonb: every value that is not null. */
function createdChanges(target: Target): string {
  const all = [
    ...target.columns.map((column) => ({
      name: column.column,
      text: json(column.usual || column.follows ? createdValue(target, column) : rowValue(target, { ...column, type: 'text' }), column.type),
    })),
    ...target.extras.map((extra) => ({ name: extra.column, text: json(extra.created, extra.type) })),
  ]
  const parts = all.map(({ name, text }, at) => `'${at ? ',' : ''}"${name}":{"old":null,"new":' || ${text} || '}'`)
  return `concat('{', ${parts.join(', ')}, '}')::jsonb`
}

/** The columns of an updated record that may change; in `x` each stands as it is and, with `n_` before its name, as it will be. */
const updatedColumns = (target: Target) => [...givenColumns(target).map(({ column }) => column), ...derivedColumns(target).map(({ column }) => column)]
const givenColumns = (target: Target) => otherColumns(target).filter(({ follows }) => !follows)
/** Those that follow from others, with their SQL over `x`. */
const derivedColumns = (target: Target) => [
  ...otherColumns(target).flatMap((column) =>
    column.follows ? [{ column: column.column, updated: column.follows.updated.replaceAll(GIVEN, rowValue(target, column).replace(/^r\./, 'x.')) }] : [],
  ),
  ...target.extras.flatMap(({ column, updated }) => (updated ? [{ column, updated }] : [])),
]

/** The audit entry's `changes` of an updated record; null when nothing differs. */
function updatedChanges(target: Target): string {
  const parts = updatedColumns(target).map(
    (column) => `'${column}', case when x.n_${column} is distinct from x.${column} then jsonb_build_object('old', x.${column}, 'new', x.n_${column}) end`,
  )
  return `(select jsonb_object_agg(key, value) from jsonb_each(jsonb_build_object(${parts.join(', ')})) where value <> 'null'::jsonb)`
}

export type Range = { upload_id: number; after: number; upto: number }

/** The statement's `:today` becomes a parameter. */
const raw = (text: string, today: string) => sql.join(text.split(TODAY).flatMap((part, at) => (at ? [sql`${today}`, sql.raw(part)] : [sql.raw(part)])))

const stamps = (actor: Actor) => sql`${actor.now.toISOString()}::timestamptz, ${actor.username}, ${actor.now.toISOString()}::timestamptz, ${actor.username}`

/** The columns that every audit entry of an import begins with. */
export const auditHead = (actor: Actor, upload_id: number) =>
  sql`${actor.now.toISOString()}::timestamptz, ${actor.username}::varchar, ${actor.source}::varchar, ${actor.address}::varchar, ${upload_id}::int`
export const AUDIT_COLUMNS = sql.raw('at, actor, source, address, upload_id, action, entity, entity_id, changes')

/** Takes rows of one outcome out of the staged ones; what is taken is written in the same statement. */
const taken = ({ upload_id, after, upto }: Range, outcome: 'create' | 'update') => sql`
  delete from upload_rows r where r.upload_id = ${upload_id} and r.row > ${after} and r.row <= ${upto} and r.outcome = ${outcome}
  returning r.cells, r.record_id`

/** Moves new records in with their audit entries; those that came to be there meanwhile are left out. */
export function moveCreated(target: Target, actor: Actor, range: Range, today: string): SQL {
  const columns = [...target.columns.map(({ column }) => column), ...target.extras.map(({ column }) => column)]
  const values = [...target.columns.map((column) => createdValue(target, column)), ...target.extras.map(({ created }) => created)]
  return sql`
    with taken as materialized (${taken(range, 'create')}),
    r as materialized (
      select nextval(${`${target.table}_id_seq`})::int as id, r.cells from taken r
      where ${firstLike(target)} is null),
    placed as (
      insert into ${sql.raw(target.table)} (id, ${sql.raw(columns.join(', '))}, created_at, created_by, updated_at, updated_by)
      select r.id, ${raw(values.join(', '), today)}, ${stamps(actor)} from r),
    logged as (
      insert into audit_entries (${AUDIT_COLUMNS})
      select ${auditHead(actor, range.upload_id)}, 'create', ${target.table}, r.id, ${raw(createdChanges(target), today)} from r)
    select (select count(*) from taken)::int as taken, (select count(*) from r)::int as written`
}

/** Rows whose record is not the one they meant any more, for it was changed or deleted meanwhile, are new ones. */
export const rematch = (target: Target, { upload_id, after, upto }: Range): SQL => sql`
  update upload_rows r set outcome = 'create', record_id = null
  where r.upload_id = ${upload_id} and r.row > ${after} and r.row <= ${upto} and r.outcome = 'update'
    and not exists (select 1 from ${sql.raw(target.table)} t where t.id = r.record_id and ${sql.raw(sameRecord(target))})`

/** Changes the records that rows mean, with their audit entries; a blank leaves a value as it is. */
export function moveUpdated(target: Target, actor: Actor, range: Range, today: string): SQL {
  const given = givenColumns(target).map((column) => `coalesce(${rowValue(target, column)}, t.${column.column}) as n_${column.column}`)
  const derived = derivedColumns(target).map(({ column, updated }) => `, ${updated} as n_${column}`)
  const assigned = updatedColumns(target).map((column) => `${column} = d.n_${column}`)
  return sql`
    with taken as materialized (${taken(range, 'update')}),
    given as (select t.*, r.cells, ${sql.raw(given.join(', '))} from taken r join ${sql.raw(target.table)} t on t.id = r.record_id for no key update of t),
    x as materialized (select x.*${raw(derived.join(''), today)} from given x),
    d as materialized (select x.*, ${sql.raw(updatedChanges(target))} as changes from x),
    changed as (
      update ${sql.raw(target.table)} t set ${sql.raw(assigned.join(', '))},
        version = t.version + 1, updated_at = ${actor.now.toISOString()}::timestamptz, updated_by = ${actor.username}
      from d where d.id = t.id and d.changes is not null),
    logged as (
      insert into audit_entries (${AUDIT_COLUMNS})
      select ${auditHead(actor, range.upload_id)}, 'update', ${target.table}, d.id, d.changes from d where d.changes is not null)
    select (select count(*) from taken)::int as taken, (select count(*) from d where changes is not null)::int as written`
}
