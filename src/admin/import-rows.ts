import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Db } from '../../db/client'
import type { ImportMode, RowOutcome } from '../../db/vocabulary'
import { accept } from '../accept'
import { complaint, fieldLabel } from '../field-label'
import { changeOf } from '../fields'
import type { Actor } from '../records/actor'
import { changesBetween, createRecords } from '../records/write'
import { Refused } from '../refusals'
import type { MasterData, MasterItem, MasterQueries } from './master-data'

/** Many records of master data at once, from a spreadsheet or a call: each row by the rules of the form. */

/** One row; `values` by field, where a blank says nothing. `row` counts as whoever sent it counts. */
export type ImportLine = { row: number; values: Record<string, unknown> }

/** What becomes of a row, and why. */
export type PlannedRow = { row: number; name: string; outcome: RowOutcome; message: string | null }

type Planned = PlannedRow & { id?: number; values?: Record<string, unknown> }

type Kind<Item extends MasterItem> = { queries: MasterQueries<Item>; rules: z.ZodObject }

export const ROWS_LIMIT = 1000

const key = (value: unknown) =>
  String(value ?? '')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase()

const withoutBlanks = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && String(value).trim() !== ''))

const otherNamesIn = (values: Record<string, unknown>): string[] =>
  Array.isArray(values.other_names) ? values.other_names.map(key) : []

/** The records that are called by one of the names, in whatever way. */
async function calledBy<Item>(db: Db, { table, called }: MasterData, names: string[]): Promise<Item[]> {
  const wanted = sql`any(${sql.param(names)}::text[])`
  const isCalled: SQL[] = called.map((column) => sql`lower(${column}) = ${wanted}`)
  const isAlso = sql`exists (select 1 from unnest(${table.other_names}) o where lower(o) = ${wanted})`
  return (await db
    .select()
    .from(table)
    .where(sql.join([...isCalled, isAlso], sql` or `))) as Item[]
}

/** Decides about each row, in the order in which they came, against what is stored and the rows before it. */
async function plan<Item extends MasterItem>(
  db: Db,
  { queries, rules }: Kind<Item>,
  sent: ImportLine[],
  existing: ImportMode,
): Promise<Planned[]> {
  const lines = sent.map(({ row, values }) => ({ row, values: withoutBlanks(values) }))
  const { kind } = queries
  const changes = changeOf(rules)
  const unique = kind.unique.field
  const columns = kind.called.map(({ name }: AnyPgColumn) => name)
  const names = lines.flatMap(({ values }) => [key(values[unique]), ...otherNamesIn(values)])
  const stored = await calledBy<Item & Record<string, unknown>>(db, kind, [...new Set(names.filter(Boolean))])
  const byKey = new Map(stored.map((item) => [key(item[unique]), item]))
  /** Whose each name is: `row 3`, or what a record is called. */
  const owners = new Map<string, string>()
  const own = (values: Record<string, unknown>) => {
    const called = String(values[columns[0] as string])
    for (const name of [...columns.map((column) => key(values[column])), ...otherNamesIn(values)])
      if (!owners.has(name)) owners.set(name, called)
  }
  for (const item of stored) own(item)
  const seen = new Map<string, number>()

  const judge = ({ row, values: given }: ImportLine): Omit<Planned, 'row' | 'name'> => {
    const mine = key(given[unique])
    const first = seen.get(mine)
    if (mine && first !== undefined) return { outcome: 'duplicate', message: `Repeats row ${first}` }
    const found = byKey.get(mine)
    if (found && existing === 'skip') return { outcome: 'duplicate', message: 'Is there already' }
    const values = found ? accept(changes, given) : accept(rules, given)
    for (const name of (values.other_names as string[] | null) ?? []) {
      const owner = owners.get(key(name))
      if (owner !== undefined && !otherNamesIn(found ?? {}).includes(key(name)))
        throw Refused.field('other_names', `“${name}” is a name of ${owner} already`)
    }
    if (mine) seen.set(mine, row)
    if (!found) {
      own(values)
      return { outcome: 'create', message: null, values }
    }
    const changed = Object.keys(changesBetween(found, { ...found, ...values })).map(fieldLabel)
    if (changed.length === 0) return { outcome: 'duplicate', message: 'Nothing would change' }
    own({ ...found, ...values })
    return { outcome: 'update', message: `${changed.join(', ')} would change`, id: found.id, values }
  }

  return lines.map((line) => {
    const name = String(line.values[columns[0] as string] ?? line.values[unique] ?? '')
    try {
      return { row: line.row, name, ...judge(line) }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const message = (error.errors ?? []).map(complaint).join('; ') || error.message
      return { row: line.row, name, outcome: 'error', message }
    }
  })
}

const shown = ({ row, name, outcome, message }: Planned): PlannedRow => ({ row, name, outcome, message })

/** What would become of rows; nothing is written. */
export const previewRows = async <Item extends MasterItem>(
  db: Db,
  kind: Kind<Item>,
  lines: ImportLine[],
  existing: ImportMode,
): Promise<PlannedRow[]> => (await plan(db, kind, lines, existing)).map(shown)

/**
 * Writes the rows that can be, in one transaction; those with something wrong are left out, and said.
 * @throws Conflict when somebody else took a name meanwhile
 */
export const importRows = <Item extends MasterItem>(
  db: Db,
  actor: Actor,
  kind: Kind<Item>,
  lines: ImportLine[],
  existing: ImportMode,
): Promise<PlannedRow[]> =>
  kind.queries.refusingTaken(
    db.transaction(async (tx) => {
      const planned = await plan(tx, kind, lines, existing)
      const created = planned.flatMap(({ outcome, values }) => (outcome === 'create' && values ? [values] : []))
      await createRecords(tx, actor, kind.queries.kind.table, created)
      for (const { id, values } of planned)
        if (id !== undefined && values) await kind.queries.update(tx, actor, id, undefined, values)
      return planned.map(shown)
    }),
  )

/** How many rows there are of each outcome. */
export const countOutcomes = (rows: PlannedRow[]): Record<RowOutcome, number> => {
  const counts: Record<RowOutcome, number> = { create: 0, update: 0, duplicate: 0, error: 0 }
  for (const { outcome } of rows) counts[outcome]++
  return counts
}
