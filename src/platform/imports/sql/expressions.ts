import { sql } from 'drizzle-orm'
import { plateKeySql } from '../../reading/numbers'
import type { ColumnKind, DerivedColumn, ImportColumn, ImportKind, SqlNames } from '../kind'

/**
 * SQL expressions for the statements of an import. They are built from the columns of the import kind.
 *
 * In the SQL, `r` is a staged row. Its `cells` are in the order of the import kind's columns. `t` is a stored record.
 * `x` is a stored record with its new values in additional columns, such as `n_status` beside `status`.
 *
 * For example, this simplified statement creates titles. Audit entries, stamps and the check of unique columns are left
 * out:
 *
 *     with staged as (delete from upload_rows r where … and r.outcome = 'create' returning r.cells, r.record_id),
 *     r as (select nextval('titles_id_seq') as id, r.cells from staged r
 *       where (select t.id from (select * from titles t where t.unit_number = r.cells[1] offset 0) t
 *              where t.unit_number = r.cells[1] and t.transferred_date is null limit 1) is null),
 *     placed as (insert into titles
 *         (id, unit_number, location_id, dealer_name, dealer_contact, notes, submitted_date, …)
 *       select r.id, r.cells[1], r.cells[2]::int, r.cells[3], r.cells[4], r.cells[5],
 *         coalesce(r.cells[6]::date, $1::date), … from r)
 *     select (select count(*) from staged) as staged, (select count(*) from r) as written
 */

const CASTS: Record<ColumnKind, string> = {
  unit: '',
  word: '',
  text: '',
  date: '::date',
  count: '::int',
  location: '::int',
  company: '::int',
  money: '::numeric',
  flag: '::boolean',
}

/** Placeholder for the business day in SQL text. Statements replace it with a parameter. */
export const TODAY = ':today'

/**
 * Returns the SQL for a cell of a staged row. The SQL casts the cell to the type of its column. `row` is the SQL alias
 * of the row that contains the cells.
 */
export function cellOf({ columns }: ImportKind, name: string, row = 'r'): string {
  const at = columns.findIndex((column) => column.name === name)
  if (at < 0) throw new Error(`There is no column ${name}`)
  return `${row}.cells[${at + 1}]${CASTS[(columns[at] as ImportColumn).kind]}`
}

const namesFor = (kind: ImportKind, column: string | null, row = 'r'): SqlNames => ({
  cell: (name) => cellOf(kind, name, row),
  given: column === null ? 'null' : cellOf(kind, column, row),
  today: TODAY,
})

export function createdValue(kind: ImportKind, column: ImportColumn): string {
  const value = cellOf(kind, column.name)
  if (column.follows) return column.follows.created(namesFor(kind, column.name))
  return column.usual ? `coalesce(${value}, '${column.usual}')` : value
}
export const derivedValue = (kind: ImportKind, { created }: DerivedColumn) => created(namesFor(kind, null))

const keyColumns = (kind: ImportKind) => kind.columns.filter(({ name }) => kind.key.includes(name))
const otherColumns = (kind: ImportKind) => kind.columns.filter(({ name }) => !kind.key.includes(name))

export function sameRecord(kind: ImportKind): string {
  const parts = keyColumns(kind).map((column) =>
    column.identifier === 'plate'
      ? `${plateKeySql(`t.${column.column}`)} = ${plateKeySql(cellOf(kind, column.name))}`
      : column.kind === 'text'
        ? `lower(t.${column.column}) = lower(${cellOf(kind, column.name)})`
        : `t.${column.column} = ${cellOf(kind, column.name)}`,
  )
  return [...parts, ...(kind.only ? [kind.only.sql] : [])].join(' and ')
}

/**
 * Returns a subquery for the records `t` of a row's unit. The row is the staged row `r`. If a date or a plate is part
 * of the key of the records, the subquery returns only records with the date or plate of the row.
 * With `offset 0`, the planner does not merge the subquery into the outer query. It can then only use the index on
 * these columns. Without `offset 0`, it could choose a slow plan if a table has just grown and its statistics are
 * outdated. For the collation "C", see `registrations_key_idx`.
 */
export function vehicleRecords(kind: ImportKind) {
  const plate = keyColumns(kind).find(({ identifier }) => identifier === 'plate')
  const dates = keyColumns(kind).filter((column) => column.kind === 'date')
  const conditions = [
    `t.unit_number${plate ? ' collate "C"' : ''} = r.cells[1]`,
    ...dates.map(({ column, name }) => `t.${column} = ${cellOf(kind, name)}`),
    ...(plate ? [`(${plateKeySql(`t.${plate.column}`)} collate "C") = ${plateKeySql(cellOf(kind, plate.name))}`] : []),
  ]
  return sql.raw(`(select * from ${kind.table} t where ${conditions.join(' and ')} offset 0) t`)
}

/**
 * Returns SQL for the record id that matches staged row `r`. The id is null without a match. The SQL is a scalar
 * subquery, because Postgres runs such a subquery for each row and never converts it to a join.
 */
export const firstMatch = (kind: ImportKind) =>
  sql`(select t.id from ${vehicleRecords(kind)} where ${sql.raw(sameRecord(kind))} limit 1)`

/**
 * Returns the `from` and `where` clauses that find unique-value conflicts.
 * A conflict is a record `u` that has the same value as staged row `r` in a unique column, such as the external id. The
 * record that the staged row updates is not a conflict.
 */
export const holderOfUnique = (kind: ImportKind) => {
  const isHeld = kind.columns
    .filter(({ isUnique }) => isUnique)
    .map(({ name, column }) => `u.${column} = ${cellOf(kind, name)}`)
    .join(' or ')
  return `from ${kind.table} u where (${isHeld || 'false'}) and u.id is distinct from r.record_id`
}

const changes = (kind: ImportKind, column: ImportColumn) =>
  `(${cellOf(kind, column.name)} is not null and ${cellOf(kind, column.name)} is distinct from t.${column.column})`
export const changesAny = (kind: ImportKind, tellsCosts: boolean) =>
  otherColumns(kind)
    .map((column) => seenChanges(kind, column, tellsCosts))
    .join(' or ')

/**
 * Returns an SQL condition for a change of record `t`. It is true if staged row `r` changes the column. If the user
 * cannot see costs, every amount in the row counts as a change. Otherwise, the user could import a guessed amount, and
 * learn that it is correct if there is no change.
 */
const seenChanges = (kind: ImportKind, column: ImportColumn, tellsCosts: boolean) =>
  column.kind === 'money' && !tellsCosts ? `${cellOf(kind, column.name)} is not null` : changes(kind, column)

const inWords = (value: string, type: ColumnKind) =>
  type === 'date' ? `to_char(${value}, 'MM/DD/YYYY')` : `${value}::text`

/**
 * Returns SQL for a readable list of changes to record `t`. Staged row `r` makes these changes. The list shows amounts
 * only to users who can see costs.
 */
export function changesInWords(kind: ImportKind, tellsCosts: boolean): string {
  const parts = otherColumns(kind).map((column) => {
    const what = column.name.replaceAll('_', ' ')
    const words =
      column.kind === 'location' || column.kind === 'company' || (column.kind === 'money' && !tellsCosts)
        ? `'${what} changes'`
        : `'${what} ' || coalesce(left(${inWords(`t.${column.column}`, column.kind)}, 60),
          'blank') || ' becomes ' || left(${inWords(cellOf(kind, column.name), column.kind)}, 60)`
    return `case when ${seenChanges(kind, column, tellsCosts)} then ${words} end`
  })
  return `array_to_string(array[${parts.join(', ')}], '; ')`
}

/**
 * Returns SQL for a value as JSON text, or null. The SQL concatenates strings, because that is several times faster
 * than building jsonb.
 */
function json(value: string, kind: ColumnKind): string {
  if (kind === 'text') return `to_json(${value})::text`
  if (kind === 'unit' || kind === 'word' || kind === 'date') return `'"' || (${value}) || '"'`
  return `(${value})::text`
}

/** Returns SQL for the `changes` of a new record's audit entry. They are jsonb without null values. */
export function createdChanges(kind: ImportKind): string {
  const all = [
    ...kind.columns.map((column) => {
      // Use the cell's text directly, because casting it to the column type and back to text would only cost time.
      const value =
        column.usual || column.follows ? createdValue(kind, column) : cellOf(kind, column.name).replace(/::.*$/, '')
      return { name: column.column, text: json(value, column.kind) }
    }),
    ...kind.derived.map((column) => ({ name: column.column, text: json(derivedValue(kind, column), column.kind) })),
  ]
  const parts = all.map(({ name, text }, at) => `'${at ? ',' : ''}"${name}":{"old":null,"new":' || ${text} || '}'`)
  return `concat('{', ${parts.join(', ')}, '}')::jsonb`
}

/**
 * Columns of an existing record that an import can change. In the SQL row `x`, `status` is the stored value and
 * `n_status` the new one.
 */
export const updatedColumns = (kind: ImportKind) => [
  ...givenColumns(kind).map(({ column }) => column),
  ...followingColumns(kind).map(({ column }) => column),
]
export const givenColumns = (kind: ImportKind) => otherColumns(kind).filter(({ follows }) => !follows)
export const followingColumns = (kind: ImportKind) => [
  ...otherColumns(kind).flatMap(({ name, column, follows }) =>
    follows ? [{ column, updated: follows.updated(namesFor(kind, name, 'x')) }] : [],
  ),
  ...kind.derived.flatMap(({ column, updated }) =>
    updated ? [{ column, updated: updated(namesFor(kind, null, 'x')) }] : [],
  ),
]

/**
 * Returns SQL for the `changes` of an updated record's audit entry. The result is null if no value differs. With
 * `hidesCosts`, every cost in the row counts as different. Otherwise, a user could import a guessed cost, and learn
 * that it is correct if there is no change.
 */
export function updatedChanges(kind: ImportKind, hidesCosts: boolean): string {
  const guesses = new Map(
    givenColumns(kind)
      .filter(({ kind }) => hidesCosts && kind === 'money')
      .map(({ column, name }) => [column, ` or ${cellOf(kind, name, 'x')} is not null`]),
  )
  const parts = updatedColumns(kind).map(
    (column) =>
      `'${column}', case when x.n_${column} is distinct from x.${column}${guesses.get(column) ?? ''}
        then jsonb_build_object('old', x.${column}, 'new', x.n_${column}) end`,
  )
  return `(select jsonb_object_agg(key, value) from jsonb_each(jsonb_build_object(${parts.join(', ')}))
    where value <> 'null'::jsonb)`
}
