import type { DataType, ImportMode, RowOutcome } from '../../../../db/vocabulary'
import { fieldLabel } from '../../field-label'
import { type DateOrder, lacksYear, type YearRule } from '../../reading/dates'
import { plateKey } from '../../reading/numbers'
import { isTotal, undefused } from '../../reading/text'
import { Refused } from '../../refusals'
import { type ColumnKind, type ImportKind, OPEN_AGAIN } from '../kind'
import { importKind } from '../kinds'
import { type Cell, cellText } from '../spreadsheet/cells'
import type { SheetLine } from '../spreadsheet/lines'
import { meansFinished } from './guess-columns'
import { headingOf } from './headings'
import { fieldOfHeading, needsValue } from './place-columns'
import { cellReader, isBlankCell, type ReadResult } from './read-field'
import { UnclearValues } from './unclear-values'
import { type Reading, shownText } from './understand-cell'

export type FileReading = Reading & {
  dataType: DataType
  existing: ImportMode
  fields: (string | null)[]
  header: string[]
  defaults: Record<string, string>
  /** Order of day and month by date field, if the heading of its column states it. The user is not asked then. */
  ordersInHeadings?: Record<string, DateOrder>
  /** True for text formats such as CSV. An extra cell in a row then suggests an unquoted comma. */
  isText: boolean
}

export type ValidatedRow = {
  row: number
  outcome: RowOutcome
  /**
   * Validated values as text, in the column order of the import kind. A failed row has its original cells instead, in
   * the column order of the file.
   */
  cells: (string | null)[]
  /** Original cells of a row that can only update a record. If no record matches the row, it fails with `message`. */
  originalCells?: string[]
  notes: string[]
  message: string | null
}

const WARNINGS_LIMIT = 500
/** Minimum number of headings in a row that begins another table. */
const TABLE_HEADINGS = 3

/**
 * Maximum lengths of a stored failed row, in characters: per cell, and for all cells together. Longer cells are
 * truncated. No valid value is that long.
 */
const CELL_KEPT = 5000
const ROW_KEPT = 64_000

function shortenCells(cells: string[]): string[] {
  const maxLength = cells.reduce((sum, { length }) => sum + length, 0) > ROW_KEPT ? ROW_KEPT / cells.length : CELL_KEPT
  return cells.map((cell) => (cell.length > maxLength ? cell.slice(0, maxLength).toWellFormed() : cell))
}

const withLabel = (label: string, message: string) =>
  message.toLowerCase().startsWith(label.toLowerCase().split(/[ _]/)[0] as string) ? message : `${label}: ${message}`

export class RowValidator {
  readonly warnings: string[] = []
  readonly unclear: UnclearValues
  #warned = 0
  /**
   * Rows by record key, for finding duplicate rows in a file. Each entry has the number of the first row with the key,
   * and a hash of the row's values.
   */
  readonly #seen = new Map<string, { row: number; hash: number | bigint }>()
  readonly #kind: ImportKind
  readonly #columns: {
    name: string
    label: string
    at: number
    kind: ColumnKind
    isRequired: boolean
    /** True if a blank cell keeps the value of the record that the row updates. */
    isKept: boolean
    read: (cell: Cell) => ReadResult
    fallback: string | null
  }[]
  readonly #key: number[]
  /** Positions of ignored columns that show which records are finished. */
  readonly #finishedAt: number[]
  /** Positions of the columns in which no two rows can have the same value. */
  readonly #unique: number[]
  /** Row number of each unit's first open record in the file, by unit number. */
  readonly #openUnits = new Map<string, number>()
  /**
   * Row number of the first occurrence of each value in a unique column. A key consists of the column's position and
   * the value.
   */
  readonly #uniqueValues = new Map<string, number>()

  constructor(readonly reading: FileReading) {
    this.unclear = new UnclearValues(reading.dateOrders, reading.ordersInHeadings)
    this.#kind = importKind(reading.dataType)
    this.#columns = this.#kind.columns.map((column) => ({
      name: column.name,
      label: headingOf(reading, column.name),
      at: reading.fields.indexOf(column.name),
      kind: column.kind,
      isRequired: column.isRequired,
      isKept: column.isRequired && !needsValue(this.#kind, column, reading.existing),
      read: cellReader(column, reading, headingOf(reading, column.name)),
      fallback: reading.defaults[column.name] ?? null,
    }))
    this.#finishedAt = reading.header.flatMap((heading, at) =>
      !reading.fields[at] && meansFinished(heading, reading.dataType) ? [at] : [],
    )
    this.#unique = this.#kind.columns.flatMap(({ isUnique }, at) => (isUnique ? [at] : []))
    this.#key = this.#kind.key.map((name) => this.#columns.findIndex((column) => column.name === name))
  }

  validate({ row, cells }: SheetLine): ValidatedRow {
    const values: (string | null)[] = []
    const notes: string[] = []
    const errors: string[] = []
    const understood = new Map<number, string>()
    const unknownNames: { kind: 'location' | 'company'; name: string }[] = []
    const unknownWords: { field: string; text: string }[] = []
    const blankLabels: string[] = []
    if (this.#isOtherTable(row, cells))
      return { row, outcome: 'error', cells: shortenCells(cells.map(cellText)), notes: [], message: this.#otherTable }
    const readCells = this.#columns.map(({ at, fallback }) => (at < 0 ? fallback : this.#cell(cells[at] ?? null)))
    const shortDates = this.#shortDates(readCells)
    for (const [position, { name, label, at, kind, isKept, read }] of this.#columns.entries()) {
      const cell = readCells[position] ?? null
      const { value, note, isWarned, error, unknown } = shortDates.get(position) ?? read(cell)
      values.push(value)
      if (isKept && value === null && isBlankCell(cell)) {
        blankLabels.push(label)
        continue
      }
      // For a failed row, show the parsed date or unit number. The original cell can contain a date's serial number, or
      // a unit number without its leading zeros.
      if (value !== null && (kind === 'date' || kind === 'unit')) understood.set(at, value)
      if (error) errors.push(withLabel(label, error))
      if (note) notes.push(note)
      // Combine the row number and the note into one sentence, such as `Row 5: unit number 1234 was read as 001234`.
      if (note && isWarned) {
        const subject =
          label === fieldLabel(name) ? label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()) : label
        this.#warn(`Row ${row}: ${note.replace(`${label}: `, `${subject} `)}`)
      }
      if (unknown !== undefined)
        if (kind === 'location' || kind === 'company') unknownNames.push({ kind, name: unknown })
        else unknownWords.push({ field: name, text: unknown })
      if (kind === 'date' && typeof cell === 'string') this.unclear.lookAtDate(name, cell)
    }
    if (this.#hasSurplus(cells)) errors.push('The row has more cells than the header. Check for an unquoted comma.')
    errors.push(...this.#check(values))
    const other = errors.length > 1 && this.#otherThanRecord(values, cells)
    if (other) errors.splice(0, errors.length, other)
    else {
      for (const { kind, name } of unknownNames) this.unclear.countName(kind, name)
      for (const { field, text } of unknownWords) this.unclear.countWord(field, text)
    }
    const original = () =>
      shortenCells(this.reading.fields.map((_, at) => understood.get(at) ?? cellText(cells[at] ?? null)))
    if (errors.length > 0) {
      return { row, outcome: 'error', cells: original(), notes: [], message: errors.join('; ') }
    }
    const key = this.#key
      .map((at) => (this.#kind.columns[at]?.isIdentifier ? plateKey(values[at] ?? '') : values[at]?.toLowerCase()))
      .join('|')
    const first = this.#seen.get(key)
    const hash = Bun.hash(values.join('\u0000'))
    if (first !== undefined) {
      const difference = first.hash === hash ? '' : ', with other values'
      return { row, outcome: 'duplicate', cells: values, notes, message: `Duplicate of row ${first.row}${difference}` }
    }
    const repeated = this.#repeatedUnique(row, values)
    if (repeated) return { row, outcome: 'duplicate', cells: values, notes, message: repeated }
    this.#seen.set(key, { row, hash })
    const valuesByField = Object.fromEntries(this.#columns.map(({ name }, at) => [name, values[at] ?? null]))
    const warnings = this.#kind.warnings?.(valuesByField, this.reading.today) ?? []
    for (const warning of warnings) this.#warn(`Row ${row}: ${warning}`)
    for (const note of this.#finishedNotes(cells)) {
      notes.push(note)
      this.#warn(`Row ${row}: ${note}`)
    }
    const remarks = [
      ...(this.#kind.remarks?.(valuesByField, this.reading.today) ?? []),
      ...this.#repeatedOpen(row, valuesByField),
    ]
    const created: ValidatedRow = {
      row,
      outcome: 'create',
      cells: values,
      notes: [...notes, ...warnings, ...remarks],
      message: null,
    }
    if (blankLabels.length === 0) return created
    const message = `No record matches this row, and a new record needs: ${blankLabels.join(', ')}`
    return { ...created, originalCells: original(), message }
  }

  /**
   * Reads the dates of a row that have no year. Their year follows from another date of the row that has one. Otherwise,
   * the dates of a finished record, such as a delivered transport, are in the past.
   */
  #shortDates(cells: Cell[]): Map<number, ReadResult> {
    const results = new Map<number, ReadResult>()
    const { today } = this.reading
    const dates = this.#kind.columns.flatMap((column, at) =>
      column.kind === 'date' && column.year !== 'ahead' ? [{ column, at, cell: cells[at] ?? null }] : [],
    )
    const short = dates.filter(({ cell }) => typeof cell === 'string' && lacksYear(cell))
    if (short.length === 0) return results
    const anchor = dates
      .filter((date) => !short.includes(date))
      .map(({ at, cell }) => this.#columns[at]?.read(cell).value ?? null)
      .find((value) => value !== null)
    for (const { column, at, cell } of short) {
      const label = this.#columns[at]?.label
      const readWith = (year: YearRule, day: string) =>
        cellReader({ ...column, year }, { ...this.reading, today: day }, label)(cell)
      const near = anchor ? readWith('nearest', anchor) : null
      if (near?.value && (column.year !== 'past' || near.value <= today)) results.set(at, near)
      else if (column.year === 'nearest' && this.#isDone(cells)) results.set(at, readWith('past', today))
    }
    return results
  }

  #isDone(cells: Cell[]): boolean {
    const words = this.#columns.flatMap(({ name, kind, read }, at) =>
      kind === 'word' ? [[name, read(cells[at] ?? null).value]] : [],
    )
    return this.#kind.isOpen?.(Object.fromEntries(words)) === false && words.some(([, value]) => value !== null)
  }

  /** Message for the rows of a second table with other columns, or null within the first table. */
  #otherTable: string | null = null

  /**
   * Returns true if a row is part of a second table, whose headings assign other fields to the columns. Such rows must
   * not be read, because their values would get into the wrong fields.
   */
  #isOtherTable(row: number, cells: Cell[]): boolean {
    const { fields, dataType } = this.reading
    // Headings contain no digits. This check is fast, and almost every record has a unit number.
    const first = cellText(cells[fields.indexOf('unit_number')] ?? null)
    if (first.trim() === '' || /\d/.test(first)) return this.#otherTable !== null
    const known = fields.flatMap((field, at) => {
      const heading = field && fieldOfHeading(cellText(cells[at] ?? null), dataType)
      return heading ? [{ field, heading }] : []
    })
    if (known.length < TABLE_HEADINGS) return this.#otherTable !== null
    const isSame = known.every(({ field, heading }) => field === heading)
    this.#otherTable = isSame
      ? null
      : `Row ${row} begins another table with other columns. Its rows are not read; import them from a file of their own`
    return !isSame
  }

  /** Returns a message if an earlier row has the same value in a unique column. */
  #repeatedUnique(row: number, values: (string | null)[]): string | null {
    for (const at of this.#unique) {
      const value = values[at]
      if (value === null || value === undefined) continue
      const first = this.#uniqueValues.getOrInsert(`${at}|${value}`, row)
      if (first !== row) return `Row ${first} has the same ${this.#columns[at]?.label}`
    }
    return null
  }

  /** Returns notes about columns that show that the record is finished, although the import creates it as open. */
  #finishedNotes(cells: Cell[]): string[] {
    return this.#finishedAt
      .filter(
        (at) => !isBlankCell(cells[at] ?? null) && !/^(?:no|n|false|0)$/i.test(cellText(cells[at] ?? null).trim()),
      )
      .map((at) => `${this.reading.header[at]?.trim()} is ${shownText(cells[at] ?? null)}, but the record is open`)
  }

  /** Returns a note if an earlier row of the file has another open record of the unit. */
  #repeatedOpen(row: number, values: Record<string, string | null>): string[] {
    if (!this.#kind.isOpen?.(values)) return []
    const first = this.#openUnits.getOrInsert(values.unit_number ?? '', row)
    return first === row ? [] : [`Unit number: row ${first}${OPEN_AGAIN}`]
  }

  /** Returns a message for a line that is not a record: repeated headings, a total or a note. */
  #otherThanRecord(values: (string | null)[], cells: Cell[]): string | null {
    const texts = this.reading.fields.flatMap((field, at) => {
      const text = field ? cellText(cells[at] ?? null).trim() : ''
      return text ? [{ text, heading: this.reading.header[at]?.trim() }] : []
    })
    if (texts.length === 0) return 'Is not a record: only columns that are ignored are filled in'
    if (texts.every(({ text, heading }) => text === heading)) return 'This row repeats the headings'
    const isUnit = this.#kind.columns.some(({ name }, at) => name === 'unit_number' && values[at] !== null)
    const requiredCount = this.#columns.filter(({ at, isRequired }) => isRequired && at >= 0).length
    if (isUnit) return null
    const shown = (text: string) => `"${text.slice(0, 40).toWellFormed()}"`
    if (texts.length <= requiredCount / 2)
      return `Is not a record: only ${texts.map(({ text }) => shown(text)).join(', ')} is filled in`
    const total = texts.find(({ text }) => isTotal(text))
    return total ? `This row is a total, not a record: ${shown(total.text)}` : null
  }

  #hasSurplus(cells: Cell[]): boolean {
    const { isText, fields } = this.reading
    return isText && cells.slice(fields.length).some((cell) => cellText(cell).trim() !== '')
  }

  /**
   * Removes the apostrophe that our CSV exports put before text that looks like a formula. The apostrophe keeps
   * spreadsheet programs from running the text. Other programs write `="100851"`, so that Excel keeps it as text.
   */
  #cell(cell: Cell): Cell {
    if (!this.reading.isText || typeof cell !== 'string') return cell
    return undefused(/^="(.*)"$/.exec(cell)?.[1] ?? cell)
  }

  #warn(warning: string) {
    this.#warned++
    if (this.#warned <= WARNINGS_LIMIT) this.warnings.push(warning)
    else this.warnings[WARNINGS_LIMIT] = `${this.#warned - WARNINGS_LIMIT} more values were read differently`
  }

  #check(values: (string | null)[]): string[] {
    const { check } = this.#kind
    if (!check) return []
    const dates: Record<string, string | null> = {}
    for (const [at, { name, kind }] of this.#columns.entries()) if (kind === 'date') dates[name] = values[at] ?? null
    try {
      check(dates as never, this.reading.today)
      return []
    } catch (error) {
      if (error instanceof Refused)
        return (error.errors ?? []).map(({ field, message }) => withLabel(headingOf(this.reading, field), message))
      throw error
    }
  }
}
