import { type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, rows } from '../../../db/client'
import type { ImportMode, RowOutcome } from '../../../db/vocabulary'
import { accept } from '../../platform/accept'
import { nextRound } from '../../platform/event-loop'
import { fieldLabel, fieldMessage } from '../../platform/field-label'
import { changeOf, isStorable } from '../../platform/fields'
import { nameMatcher } from '../../platform/imports/name-suggestions'
import { changesBetween } from '../../platform/records/audit-entry'
import { nameTaken, parseNames } from '../../platform/records/master-data/other-names'
import {
  type MasterData,
  type MasterItem,
  type MasterQueries,
  storedValues,
} from '../../platform/records/master-data/queries'
import type { Write } from '../../platform/records/transactions'
import { Refusal } from '../../platform/refusals'

/**
 * Bulk import of locations, transport companies and vendors. The rows come from a spreadsheet or an API request. Each
 * row is validated by the same rules as the form. Each row has its own transaction, so that a failed row does not stop
 * the others.
 */

/**
 * One row to import. Blank values are ignored. `row` is the number of the row in the spreadsheet or request.
 * In a column that contains only ticks, such as `x`, a blank cell means No. `unticked` contains the values of these
 * cells, for example `is_active: false`. They are used only if the row creates a record.
 */
export type ImportLine = {
  row: number
  values: Record<string, unknown>
  unticked?: Record<string, unknown>
  problem?: string
}

export type PlannedRow = { row: number; name: string; outcome: RowOutcome; message: string | null }

type Planned = PlannedRow & { id?: number; values?: Record<string, unknown> }

type Kind<Item extends MasterItem> = { queries: MasterQueries<Item>; rules: z.ZodObject }

export const ROWS_LIMIT = 1000

/**
 * Number of rows to process before other requests get a turn. Comparing the names of one row can take a few
 * milliseconds.
 */
const ROWS_AT_ONCE = 5

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).replace(/\s+/g, ' ').trim() : ''
const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '')
const withoutBlanks = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !isBlank(value)))

const otherNamesIn = ({ other_names }: Record<string, unknown>): string[] => {
  const names = parseNames(other_names)
  return Array.isArray(names) ? names.map(text) : []
}

/** Converts names to lowercase in the database. JavaScript converts letters such as İ and ς differently. */
async function loadLowercase(db: Db, names: string[]): Promise<(name: string) => string> {
  const uniqueNames = [...new Set(names)]
  const nameRows = await rows<{ name: string; lower: string }>(
    db,
    sql`select name, lower(name) as lower from unnest(${sql.param(uniqueNames)}::text[]) name`,
  )
  const lower = new Map(nameRows.map(({ name, lower }) => [name, lower]))
  return (name) => lower.get(name) ?? name
}

/** The names must be in lowercase. */
async function findByNames<Item>(db: Db, { table, called }: MasterData, names: string[]): Promise<Item[]> {
  const anyName = sql`any(${sql.param(names)}::text[])`
  const isCalled: SQL[] = called.map((column) => sql`lower(${column}) = ${anyName}`)
  const isAlso = sql`exists (select 1 from unnest(${table.other_names}) o where lower(o) = ${anyName})`
  return (await db
    .select()
    .from(table)
    .where(sql.join([...isCalled, isAlso], sql` or `))) as Item[]
}

/**
 * Maximum number of name comparisons in one import. The number is the imported rows × the stored names. Above this
 * limit, the program does not search for similar names.
 */
const COMPARISONS_LIMIT = 500_000

/** Returns no names if more than `COMPARISONS_LIMIT` comparisons would be necessary. */
async function namesToCompare(db: Db, { table, called }: MasterData, newCount: number): Promise<string[]> {
  const [column] = called
  if (!column || (await db.$count(table)) * newCount > COMPARISONS_LIMIT) return []
  return (await db.select({ name: sql<string>`${column}` }).from(table)).map(({ name }) => name)
}

/**
 * Maps each name, code and alias to the record that has it. Contains the stored records and the earlier rows of the
 * import, so that two rows with the same name are detected.
 */
class Owners<Item extends Record<string, unknown>> {
  readonly #of = new Map<string, Item>()
  constructor(
    readonly columns: string[],
    readonly fold: (name: string) => string,
  ) {}

  namesOf = (item: Item) => [...this.columns.map((column) => text(item[column])), ...otherNamesIn(item)].map(this.fold)

  set(item: Item, previous?: Item) {
    if (previous) for (const name of this.namesOf(previous)) if (this.#of.get(name) === previous) this.#of.delete(name)
    for (const name of this.namesOf(item)) if (!this.#of.has(name)) this.#of.set(name, item)
  }

  /** Checks that no other record has an alias of the imported row. `own` is the record that the row updates. */
  check(values: Record<string, unknown>, own: Item | undefined) {
    const ownNames = own ? this.namesOf(own) : []
    for (const name of otherNamesIn(values)) {
      const owner = this.#of.get(this.fold(name))
      if (owner && owner !== own && !ownNames.includes(this.fold(name)))
        throw nameTaken(name, text(owner[this.columns[0] as string]))
    }
  }
}

/**
 * Determines the outcome of each imported row. Compares each row with the stored records and with the rows before it.
 */
async function plan<Item extends MasterItem>(
  db: Db,
  { queries, rules }: Kind<Item>,
  sentLines: ImportLine[],
  existing: ImportMode,
): Promise<Planned[]> {
  type StoredItem = Record<string, unknown> & { id?: number }
  const { kind } = queries
  const lines = sentLines.map((line) => ({ ...line, values: withoutBlanks(line.values) }))
  const changes = changeOf(rules)
  const unique = kind.unique.field
  const columns = kind.called.map(({ name }) => name)
  const namesOf = (values: Record<string, unknown>) =>
    [...columns.map((column) => text(values[column])), ...otherNamesIn(values)].filter(
      (name) => name && isStorable(name),
    )
  const sentNames = lines.flatMap(({ values }) => namesOf(values))
  const foldSent = await loadLowercase(db, sentNames)
  const stored = await findByNames<StoredItem>(db, kind, [...new Set(sentNames.map(foldSent))])
  const fold = await loadLowercase(db, [...sentNames, ...stored.flatMap(namesOf)])
  const owners = new Owners<StoredItem>(columns, fold)
  const mostSimilar = nameMatcher(await namesToCompare(db, kind, lines.length))
  for (const item of stored) owners.set(item)
  const byKey = new Map(stored.map((item) => [fold(text(item[unique])), item]))
  const rowsByKey = new Map<string, number>()

  /**
   * True if most rows have at least one value besides the name. In such an import, a row with only a name may be the
   * heading of a section.
   */
  const hasDetails = lines.filter(({ values }) => Object.keys(values).length > 1).length > lines.length / 2
  const alreadyExists = (input: Record<string, unknown>, match: StoredItem) => {
    const column = columns[0] as string
    const isSame = !text(input[column]) || fold(text(input[column])) === fold(text(match[column]))
    return isSame ? 'Already exists' : `${fieldLabel(unique)} ${text(input[unique])} belongs to ${text(match[column])}`
  }
  const planRow = ({ row, values: input, unticked, problem }: ImportLine): Omit<Planned, 'row' | 'name'> => {
    if (problem) return { outcome: 'error', message: problem }
    const key = fold(text(input[unique]))
    const first = rowsByKey.get(key)
    if (key && first !== undefined) return { outcome: 'duplicate', message: `Duplicate of row ${first}` }
    const match = byKey.get(key)
    if (match && existing === 'skip') return { outcome: 'duplicate', message: alreadyExists(input, match) }
    const values = match ? accept(changes, input) : accept(rules, { ...unticked, ...input })
    owners.check(values, match)
    if (key) rowsByKey.set(key, row)
    const next: StoredItem = { ...match, ...storedValues(kind, values) }
    if (!match) {
      owners.set(next)
      const similar = mostSimilar(text(values[kind.called[0]?.name as string]))
      const isAlone = hasDetails && Object.keys(input).length === 1
      const notes = [
        ...(similar ? [`Similar to ${similar}, which already exists`] : []),
        ...(isAlone ? ['Only one cell of this row is filled in; check that the row is not a heading'] : []),
      ]
      return { outcome: 'create', message: notes.join('. ') || null, values }
    }
    const changed = Object.keys(changesBetween(match, next)).map(fieldLabel)
    if (changed.length === 0) return { outcome: 'duplicate', message: 'No changes' }
    owners.set(next, match)
    return { outcome: 'update', message: changed.join(', '), id: match.id as number, values }
  }

  const planned: Planned[] = []
  for (const line of lines) {
    if (planned.length % ROWS_AT_ONCE === 0) await nextRound()
    const name = text(line.values[columns[0] as string]) || text(line.values[unique])
    planned.push({ row: line.row, name, ...catchRefusal(() => planRow(line)) })
  }
  return planned
}

const errorOf = (error: unknown) => {
  if (!(error instanceof Refusal)) throw error
  return { outcome: 'error' as const, message: (error.errors ?? []).map(fieldMessage).join('; ') || error.message }
}

function catchRefusal<Plan extends Omit<Planned, 'row' | 'name'>>(planRow: () => Plan) {
  try {
    return planRow()
  } catch (error) {
    return errorOf(error)
  }
}

const toPlannedRow = ({ row, name, outcome, message }: Planned): PlannedRow => ({ row, name, outcome, message })

export const previewRows = async <Item extends MasterItem>(
  db: Db,
  kind: Kind<Item>,
  lines: ImportLine[],
  existing: ImportMode,
): Promise<PlannedRow[]> => (await plan(db, kind, lines, existing)).map(toPlannedRow)

/** Writes the valid rows of an import, in order. Rows with errors are skipped and returned with their errors. */
export async function importRows<Item extends MasterItem>(
  write: Write,
  kind: Kind<Item>,
  lines: ImportLine[],
  existing: ImportMode,
): Promise<PlannedRow[]> {
  const results: PlannedRow[] = []
  for (const planned of await plan(write.db, kind, lines, existing)) {
    const { id, values } = planned
    const done = !values
      ? Promise.resolve()
      : id === undefined
        ? kind.queries.create(write, values)
        : kind.queries.update(write, id, undefined, values)
    // If a row cannot be written, report this as an error of the row. After the check, another user may have used the
    // same name or deleted the record.
    results.push(toPlannedRow({ ...planned, ...(await done.then(() => ({}), errorOf)) }))
  }
  return results
}

export const countOutcomes = (rows: PlannedRow[]): Record<RowOutcome, number> => {
  const counts: Record<RowOutcome, number> = { create: 0, update: 0, duplicate: 0, error: 0 }
  for (const { outcome } of rows) counts[outcome]++
  return counts
}
