import type { DataType, RowOutcome } from '../../../db/vocabulary'
import { fieldErrors } from '../../fields'
import { inWords } from '../../records/warnings'
import { type FieldError, Refused } from '../../refusals'
import { fieldLabel } from '../field-label'
import type { ColumnKind, ImportColumn, ImportKind } from '../kind'
import { importKind } from '../kinds'
import { type Named, type Names, nameKey } from '../names'
import {
  type Cell,
  cellText,
  type DateOrder,
  isFaulty,
  isUncomputed,
  possibleOrders,
  readDate,
  readPlain,
  readText,
  readUnit,
} from '../spreadsheet/cells'
import type { Line } from '../spreadsheet/lines'

/** What is to become of one row, as far as the file alone can say. */
export type ValidatedRow = {
  row: number
  outcome: RowOutcome
  /** Trusted values as text, in the order of the kind's fields; of a failed row, its cells as the file shows them. */
  cells: (string | null)[]
  notes: string[]
  message: string | null
}

/** How a file is to be read. */
export type Reading = {
  dataType: DataType
  /** The business day. */
  today: string
  names: Names
  /** The field that each column fills. */
  fields: (string | null)[]
  dateOrders: Record<string, DateOrder>
  date1904: boolean
  /** Is it text such as CSV, where a surplus cell means that a comma was not quoted? */
  isText: boolean
}

/** What reading one cell brings. `unknown` is a name that stands for nothing. */
type Read = { value: string | null; note?: string; error?: string; unknown?: string }

/** The column and what is wrong with it, without saying its name twice. */
const complaint = ({ field, message }: FieldError) =>
  message.toLowerCase().startsWith(field.split('_')[0] as string) ? message : `${fieldLabel(field)}: ${message}`

const capital = (text: string) => text.replace(/^./, (first) => first.toUpperCase())

function readName(label: string, what: string, names: Map<string, Named>, cell: Cell): Read {
  const text = readText(cell)
  const name = typeof text === 'string' ? text.trim() : ''
  if (!name) return { value: null, error: `${label} is required` }
  const found = names.get(nameKey(name))
  if (found?.id)
    return { value: String(found.id), ...(found.alias ? { note: `"${name}" stands for ${found.alias}` } : {}) }
  const error = found ? `${capital(what)} "${name}" stands for several; use its code` : `Unknown ${what} "${name}"`
  return { value: null, error, unknown: name }
}

const SHOWN = 60

/** What a user would want to know of how a cell was read, if anything. */
function correction(field: string, kind: ColumnKind, cell: Cell, value: string | null): string | undefined {
  const shown = cellText(cell)
  const bare = shown.trim()
  if (value === null || shown === value) return undefined
  if (bare === value) return `${fieldLabel(field)}: spaces were taken off`
  if ((kind === 'count' || kind === 'money') && Number(bare) === Number(value)) return undefined
  const meant = kind === 'date' ? inWords(value) : value
  // An amount with its signs, a day in the usual order: nobody needs to be told.
  if (bare === meant || (kind === 'money' && Number(bare.replace(/[$,\s]/g, '')) === Number(value))) return undefined
  return `${fieldLabel(field)}: ${bare.slice(0, SHOWN)} was read as ${meant.slice(0, SHOWN)}`
}

/** A value as Postgres reads it; amounts in whole cents, for a computed cell may be off by a hair. */
function textOf(kind: ColumnKind, value: unknown): string | null {
  if (value === null || value === undefined) return null
  return kind === 'money' ? String(Number(Number(value).toFixed(2))) : String(value)
}

function readField({ name, kind, rule }: ImportColumn, cell: Cell, { names, dateOrders, date1904 }: Reading): Read {
  if (isUncomputed(cell))
    return {
      value: null,
      error: 'the formula has no stored result; open the file in a spreadsheet program and save it there',
    }
  if (isFaulty(cell)) return { value: null, error: `the cell shows ${cell.error}; mend it in the spreadsheet` }
  if (kind === 'location') return readName(fieldLabel(name), 'location', names.locations, cell)
  if (kind === 'company') return readName(fieldLabel(name), 'transport company', names.companies, cell)
  const date = (given: Cell) => readDate(given, date1904, dateOrders[name])
  const raw = {
    unit: readUnit,
    text: readText,
    word: readText,
    count: readPlain,
    money: readPlain,
    flag: readPlain,
    date,
  }[kind](cell)
  const result = rule.safeParse(raw)
  if (!result.success) return { value: null, error: fieldErrors(result.error.issues)[0]?.message ?? 'Cannot be read' }
  const value = textOf(kind, result.data)
  const note = correction(name, kind, cell, value)
  return { value, ...(note ? { note } : {}) }
}

const REMEMBERED = 2000

/**
 * Reads the cells of one field. Most columns repeat themselves, so what a cell was read as is remembered; in a column
 * that does not, such as a mileage, looking it up costs as much as reading it, and is left off.
 */
function cellReader(column: ImportColumn, reading: Reading): (cell: Cell) => Read {
  const known = new Map<Cell, Read>()
  let asked = 0
  let isRepeating = true
  return (cell) => {
    const found = isRepeating ? known.get(cell) : undefined
    if (found) return found
    const read = readField(column, cell, reading)
    if (isRepeating && typeof cell !== 'object') {
      asked++
      if (known.size < REMEMBERED) known.set(cell, read)
      else isRepeating = asked < 2 * REMEMBERED
    }
    return read
  }
}

type DateColumn = { rows: number; samples: Set<string>; isMonthFirst: boolean }

const DATE_SAMPLES = 3
const NAMES_LIMIT = 500
const NAME_LENGTH = 200

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
      if (kind === 'unit' && note && typeof cell === 'number')
        this.warnings.push(`Row ${row}: unit number ${cell} was read as ${value}`)
    }
    if (this.#hasSurplus(cells)) errors.push('The row has more cells than the header; is a comma not quoted?')
    if (errors.length === 0) errors.push(...this.#check(values))
    if (errors.length > 0) {
      const asTheyStand = this.reading.fields.map((_, at) => understood.get(at) ?? cellText(cells[at] ?? null))
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
    return (
      isText && cells.length > fields.length && cells.slice(fields.length).some((cell) => cellText(cell).trim() !== '')
    )
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
