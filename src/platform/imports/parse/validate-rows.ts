import type { RowOutcome } from '../../../../db/vocabulary'
import { complaint } from '../../field-label'
import { nameKey } from '../../records/name-key'
import { Refused } from '../../refusals'
import type { ColumnKind, ImportKind } from '../kind'
import { importKind } from '../kinds'
import { type Cell, cellText, possibleOrders } from '../spreadsheet/cells'
import type { Line } from '../spreadsheet/lines'
import { cellReader, type Read, type Reading } from './read-field'

/** What is to become of one row, as far as the file alone can say. */
export type ValidatedRow = {
  row: number
  outcome: RowOutcome
  /** Trusted values as text, in the order of the kind's fields; of a failed row, its cells as the file shows them. */
  cells: (string | null)[]
  notes: string[]
  message: string | null
}

type DateColumn = { rows: number; samples: Set<string>; isMonthFirst: boolean }

const DATE_SAMPLES = 3
const NAMES_LIMIT = 500
const NAME_LENGTH = 200

/** In characters: a longer cell of a failed row is cut, because no field takes as much. */
const CELL_KEPT = 5000
const ROW_KEPT = 64_000

function shortened(cells: string[]): string[] {
  const most = cells.reduce((sum, { length }) => sum + length, 0) > ROW_KEPT ? ROW_KEPT / cells.length : CELL_KEPT
  return cells.map((cell) => (cell.length > most ? cell.slice(0, most).toWellFormed() : cell))
}

/** Validates the rows of one file, one after another, and gathers what a user must be asked. */
export class RowValidator {
  /** Restored unit numbers, which the results name. */
  readonly warnings: string[] = []
  readonly #dates = new Map<string, DateColumn>()
  readonly #names = new Map<string, { kind: 'location' | 'company'; name: string; rows: number }>()
  readonly #seen = new Map<string, number>()
  readonly #kind: ImportKind
  readonly #columns: { name: string; at: number; kind: ColumnKind; read: (cell: Cell) => Read }[]
  readonly #key: number[]

  constructor(readonly reading: Reading) {
    this.#kind = importKind(reading.dataType)
    this.#columns = this.#kind.columns.map((column) => ({
      name: column.name,
      at: reading.fields.indexOf(column.name),
      kind: column.kind,
      read: cellReader(column, reading),
    }))
    this.#key = this.#kind.key.map((name) => this.#columns.findIndex((column) => column.name === name))
  }

  validate({ row, cells }: Line): ValidatedRow {
    const values: (string | null)[] = []
    const notes: string[] = []
    const errors: string[] = []
    const understood = new Map<number, string>()
    for (const { name, at, kind, read } of this.#columns) {
      const cell = at < 0 ? null : (cells[at] ?? null)
      const { value, note, error, unknown } = read(cell)
      values.push(value)
      // What was read of a date or a unit says more than its cell, which may be a serial number or lack its zeros.
      if (value !== null && (kind === 'date' || kind === 'unit')) understood.set(at, value)
      if (error) errors.push(complaint({ field: name, message: error }))
      if (note) notes.push(note)
      if (unknown !== undefined) this.#countName(kind as 'location' | 'company', unknown)
      if (kind === 'date' && typeof cell === 'string') this.#lookAtDate(name, cell)
      if (kind === 'unit' && note && value !== cellText(cell).trim())
        this.warnings.push(`Row ${row}: unit number ${cellText(cell).trim()} was read as ${value}`)
    }
    if (this.#hasSurplus(cells)) errors.push('The row has more cells than the header; is a comma not quoted?')
    if (errors.length === 0) errors.push(...this.#check(values))
    if (errors.length > 0) {
      const asTheyStand = shortened(
        this.reading.fields.map((_, at) => understood.get(at) ?? cellText(cells[at] ?? null)),
      )
      return { row, outcome: 'error', cells: asTheyStand, notes: [], message: errors.join('; ') }
    }
    const key = this.#key.map((at) => values[at]?.toLowerCase()).join('|')
    const first = this.#seen.get(key)
    if (first !== undefined) return { row, outcome: 'duplicate', cells: values, notes, message: `Repeats row ${first}` }
    this.#seen.set(key, row)
    const named = () => Object.fromEntries(this.#columns.map(({ name }, at) => [name, values[at] ?? null]))
    const remarks = this.#kind.remarks?.(named(), this.reading.today) ?? []
    return { row, outcome: 'create', cells: values, notes: [...notes, ...remarks], message: null }
  }

  #hasSurplus(cells: Cell[]): boolean {
    const { isText, fields } = this.reading
    return isText && cells.slice(fields.length).some((cell) => cellText(cell).trim() !== '')
  }

  /** What only several fields together show. */
  #check(values: (string | null)[]): string[] {
    const { check } = this.#kind
    if (!check) return []
    const dates: Record<string, string | null> = {}
    for (const [at, { name, kind }] of this.#columns.entries()) if (kind === 'date') dates[name] = values[at] ?? null
    try {
      check(dates as never, this.reading.today)
      return []
    } catch (error) {
      if (error instanceof Refused) return (error.errors ?? []).map(complaint)
      throw error
    }
  }

  /** A name that is too long or has control characters in it could not be remembered, so nobody is asked about it. */
  #countName(kind: 'location' | 'company', name: string) {
    if (name.length > NAME_LENGTH || /\p{Cc}/u.test(name)) return
    const key = `${kind}|${nameKey(name)}`
    const known = this.#names.get(key)
    if (known) known.rows++
    else if (this.#names.size < NAMES_LIMIT) this.#names.set(key, { kind, name, rows: 1 })
  }

  #lookAtDate(field: string, text: string) {
    const orders = possibleOrders(text)
    if (orders.length === 0) return
    const column = this.#dates.get(field) ?? { rows: 0, samples: new Set(), isMonthFirst: false }
    this.#dates.set(field, column)
    if (orders.length === 1) column.isMonthFirst ||= orders[0] === 'month'
    else {
      column.rows++
      if (column.samples.size < DATE_SAMPLES) column.samples.add(text.trim())
    }
  }

  /** Columns of dates that can be read in two ways, where no other date of the column settles it. */
  get dates() {
    return [...this.#dates]
      .filter(([, { rows, isMonthFirst }]) => rows > 0 && !isMonthFirst)
      .map(([field, { samples, rows }]) => ({ field, samples: [...samples], rows }))
  }

  /** Names that stand for no location or company, those of most rows first. */
  get names() {
    return [...this.#names.values()].sort((a, b) => b.rows - a.rows)
  }
}
