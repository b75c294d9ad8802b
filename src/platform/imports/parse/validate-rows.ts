import type { DataType, ImportMode, RowOutcome } from '../../../../db/vocabulary'
import { fieldLabel } from '../../field-label'
import { type DateOrder, mayBeginWithYear } from '../../reading/dates'
import { inWords } from '../../records/warnings'
import { Refused } from '../../refusals'
import { type ColumnKind, type ImportKind, STRUCK } from '../kind'
import { importKind } from '../kinds'
import { type Cell, cellText, isDate } from '../spreadsheet/cells'
import type { SheetLine } from '../spreadsheet/lines'
import { headingOf } from './headings'
import { identifierErrors } from './identifier-errors'
import { IgnoredColumns } from './ignored-columns'
import { joinCells, type Part, partsOf } from './joined-columns'
import { FinishedSection, otherThanRecord, SecondTable } from './other-lines'
import { isVinHeading, needsValue } from './place-columns'
import { cellReader, isBlankCell } from './read-field'
import { type Reading, shownText } from './reading'
import { RepeatedRows } from './repeated-rows'
import { type RowColumn, readShortDates } from './short-dates'
import { UnclearValues } from './unclear-values'
import { vinIn } from './understand-cell'
import { unquotedComma, withoutTextMarks } from './unquoted-commas'

export type FileReading = Reading & {
  dataType: DataType
  existing: ImportMode
  fields: (string | null)[]
  header: string[]
  defaults: Record<string, string>
  /** Order of day and month in fields whose heading states it. The user is not asked about these fields. */
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
  /**
   * Original cells of a row that cannot create a record. If no record matches the row, the row fails with `message`.
   */
  originalCells?: string[]
  notes: string[]
  message: string | null
}

const WARNINGS_LIMIT = 500

/**
 * Maximum lengths of a stored failed row, in characters. One limit applies to each cell, the other to all cells
 * together. Longer cells are truncated. No valid value is that long.
 */
const CELL_KEPT = 5000
const ROW_KEPT = 64_000

function shortenCells(cells: string[]): string[] {
  const maxLength = cells.reduce((sum, { length }) => sum + length, 0) > ROW_KEPT ? ROW_KEPT / cells.length : CELL_KEPT
  return cells.map((cell) => (cell.length > maxLength ? cell.slice(0, maxLength).toWellFormed() : cell))
}

const IS_REQUIRED = 'Is required'

const withLabel = (label: string, message: string) => {
  if (message.startsWith(IS_REQUIRED)) return `${label} is required${message.slice(IS_REQUIRED.length)}`
  return message.toLowerCase().startsWith(label.toLowerCase().split(/[ _]/)[0] as string)
    ? message
    : `${label}: ${message}`
}

/**
 * Rewrites a note so that it can follow a row number. For example, `Unit number: 1234 was read as 001234` becomes `unit
 * number 1234 was read as 001234`. The caller puts `Row 5: ` before it.
 */
function inSentence(note: string, label: string, name: string): string {
  const subject =
    label === fieldLabel(name) ? label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()) : label
  return note.replace(`${label}: `, `${subject} `)
}

type Field = RowColumn & {
  name: string
  at: number
  /** All columns with this field. */
  parts: Part[]
  kind: ColumnKind
  isRequired: boolean
  /** True if a required field can be blank in an update. The record then keeps its stored value. */
  isBlankAllowed: boolean
  fallback: string | null
}

type DayBesideWord = { word: string | null; day: string; label: string }

type Findings = {
  values: (string | null)[]
  notes: string[]
  errors: string[]
  /** Dates and unit numbers read in this row, by column position. */
  understood: Map<number, string>
  unknownNames: { kind: 'location' | 'company'; name: string }[]
  unknownWords: { field: string; text: string }[]
  /** Labels of required fields that are blank. A row with blank required fields can only update an existing record. */
  blankLabels: string[]
}

export class RowValidator {
  readonly warnings: string[] = []
  readonly unclear: UnclearValues
  #warned = 0
  readonly #kind: ImportKind
  readonly #columns: Field[]
  /** Kind of each column of the file. Undefined for ignored columns. */
  readonly #kindsByPosition: (ColumnKind | undefined)[]
  /**
   * Position of a separate column with VINs, or -1. The VIN replaces a missing unit number. In rows with a unit number,
   * the VIN must not belong to another unit.
   */
  readonly #vinAt: number
  readonly #ignored: IgnoredColumns
  readonly #repeated: RepeatedRows
  readonly #secondTable: SecondTable
  readonly #finishedSection: FinishedSection

  constructor(readonly reading: FileReading) {
    this.unclear = new UnclearValues(reading.today, reading.dateOrders, reading.ordersInHeadings, reading.dottedDays)
    this.#kind = importKind(reading.dataType)
    this.#columns = this.#kind.columns.map((column) => ({
      column,
      name: column.name,
      label: headingOf(reading, column.name),
      at: reading.fields.indexOf(column.name),
      parts: partsOf(reading, column.name),
      kind: column.kind,
      isRequired: column.isRequired,
      isBlankAllowed: column.isRequired && !needsValue(this.#kind, column, reading.existing),
      read: cellReader(
        column,
        { ...reading, hasVins: isVinHeading(reading.header[reading.fields.indexOf(column.name)] ?? '') },
        headingOf(reading, column.name),
      ),
      fallback: reading.defaults[column.name] ?? null,
    }))
    this.#kindsByPosition = reading.fields.map((_, position) => this.#columns.find(({ at }) => at === position)?.kind)
    this.#vinAt = reading.header.findIndex((heading, at) => !reading.fields[at] && isVinHeading(heading))
    this.#ignored = new IgnoredColumns(reading, this.#kind)
    this.#repeated = new RepeatedRows(
      this.#kind,
      this.#columns.map(({ label }) => label),
    )
    this.#secondTable = new SecondTable(reading)
    this.#finishedSection = new FinishedSection(reading)
  }

  validate(line: SheetLine): ValidatedRow {
    const { row, cells } = line
    const unread = this.#secondTable.find(row, cells) ?? this.#finishedSection.find(row, cells)
    if (unread) return { row, outcome: 'error', cells: shortenCells(cells.map(cellText)), notes: [], message: unread }
    const findings = this.#readCells(line)
    this.#checkRow(line, findings)
    const { values, notes, errors } = findings
    if (errors.length > 0)
      return { row, outcome: 'error', cells: this.#original(line, findings), notes: [], message: errors.join('; ') }
    const repeated = this.#repeated.find(row, values)
    if (repeated) return { row, outcome: 'duplicate', cells: values, notes, message: repeated }
    const created: ValidatedRow = {
      row,
      outcome: 'create',
      cells: values,
      notes: [...notes, ...this.#notesOnRecord(line, findings)],
      message: null,
    }
    if (findings.blankLabels.length === 0) return created
    const message = `No record matches this row, and a new record needs: ${findings.blankLabels.join(', ')}`
    return { ...created, originalCells: this.#original(line, findings), message }
  }

  #readCells(line: SheetLine): Findings {
    const { row, cells } = line
    const findings: Findings = {
      values: [],
      notes: line.isStruck ? [STRUCK] : [],
      errors: [],
      understood: new Map(),
      unknownNames: [],
      unknownWords: [],
      blankLabels: [],
    }
    const readCells = this.#columns.map(({ at, parts, kind, fallback }) => {
      const ownCell = parts.length > 1 ? joinCells(cells, parts) : (cells[at] ?? null)
      const isWithoutUnit = kind === 'unit' && this.#vinAt >= 0 && isBlankCell(ownCell)
      const cell = isWithoutUnit ? (cells[this.#vinAt] ?? null) : ownCell
      if (at < 0 || (fallback !== null && isBlankCell(cell))) return fallback
      return this.reading.isText ? withoutTextMarks(cell) : cell
    })
    const shortDates = readShortDates(this.#kind, this.#columns, readCells, this.reading)
    const readAt = (position: number) =>
      shortDates.get(position) ?? (this.#columns[position] as Field).read(readCells[position] ?? null)
    const days: DayBesideWord[] = []
    for (const [position, field] of this.#columns.entries()) {
      const { name, label, at, kind, isBlankAllowed, read, column } = field
      const entered = readCells[position] ?? null
      const rule = column.rowDefaults?.find(({ label }) => label === entered)
      const cell = rule
        ? rule.valueOf(readAt(this.#columns.findIndex((other) => other.name === rule.from)).value)
        : entered
      const { value, note, isWarned, error, unknown, isShort, day } = shortDates.get(position) ?? read(cell)
      findings.values.push(value)
      if (day) days.push({ word: value, day, label })
      if (isShort) this.unclear.shortRows++
      if (isBlankAllowed && value === null && isBlankCell(cell)) {
        findings.blankLabels.push(label)
        continue
      }
      // For a failed row, show the parsed date or unit number. The original cell can contain a date's serial number, or
      // a unit number without its leading zeros.
      if (value !== null && (kind === 'date' || kind === 'unit')) findings.understood.set(at, value)
      if (error) findings.errors.push(withLabel(label, error))
      const repeatsAmount = kind === 'money' && value !== null && line.merged?.includes(at)
      const cellNotes = note ? [note] : []
      if (repeatsAmount)
        cellNotes.push(
          `${label}: ${shownText(cell)} repeats the cell of an earlier row. Clear this cell if the ` +
            `amount applies only once`,
        )
      findings.notes.push(...cellNotes)
      if (isWarned || repeatsAmount)
        for (const text of cellNotes) this.#warn(`Row ${row}: ${inSentence(text, label, name)}`)
      if (unknown !== undefined)
        if (kind === 'location' || kind === 'company') findings.unknownNames.push({ kind, name: unknown })
        else findings.unknownWords.push({ field: name, text: unknown })
      findings.errors.push(
        ...identifierErrors(line, { ...field, unitAt: this.reading.fields.indexOf('unit_number') }, findings.values),
        ...this.#vinErrors(line, field, value, cell),
      )
      if (kind === 'date' && typeof cell === 'string' && !mayBeginWithYear(cell, this.reading.today))
        this.unclear.lookAtDate(name, cell)
      if (kind === 'date' && isDate(cell)) this.unclear.lookAtDateCell(name, cell.date)
    }
    for (const one of days) this.#readDay(row, one, findings)
    return findings
  }

  /** Reads the date in a cell such as `Delivered 11/21`. A date in its own column takes precedence. */
  #readDay(row: number, { word, day, label }: DayBesideWord, { values, notes }: Findings) {
    const { dayOf } = this.#kind
    const at = dayOf?.word === word ? this.#columns.findIndex(({ name }) => name === dayOf?.field) : -1
    const field = this.#columns[at]
    const isFree = field && values[at] === null
    const date = isFree ? cellReader({ ...field.column, year: 'past' }, this.reading, field.label)(day).value : null
    if (date) values[at] = date
    const note = date ? `${field?.label}: ${inWords(date)}, from ${label}` : `${label}: the date ${day} was ignored`
    notes.push(note)
    this.#warn(`Row ${row}: ${note}`)
  }

  /** Returns an error if the VIN belongs to another unit. Also adds the VIN to `unclear.vins`. */
  #vinErrors({ cells }: SheetLine, { kind, label }: Field, value: string | null, cell: Cell): string[] {
    const vin = kind === 'unit' ? vinIn(cellText(value === null ? cell : (cells[this.#vinAt] ?? null))) : null
    if (!vin) return []
    this.unclear.vins.add(vin)
    const owner = this.reading.names.units?.get(vin)
    return value !== null && owner && owner !== value
      ? [`${label}: the VIN ${vin} of this row belongs to unit ${owner}, not ${value}`]
      : []
  }

  /**
   * Adds errors that depend on several cells of a row. A row that is not a record, such as a total, gets only one
   * error. If the row is a record, counts its unknown names and words.
   */
  #checkRow({ row, cells }: SheetLine, findings: Findings) {
    const { values, notes, errors } = findings
    const comma = this.reading.isText ? unquotedComma(cells, this.#kindsByPosition) : null
    if (comma && 'error' in comma) errors.push(comma.error)
    else if (comma) {
      notes.push(comma.note)
      this.#warn(`Row ${row}: ${comma.note}`)
    }
    errors.push(...this.#check(values), ...this.#ignored.contradictions(cells, this.#valueIn(values)))
    const unit = cells[this.reading.fields.indexOf('unit_number')]
    const canBeCount = typeof unit === 'number' && unit < 100
    const other = (errors.length > 1 || canBeCount) && this.#otherThanRecord(values, cells)
    if (other) {
      errors.splice(0, errors.length, other)
      return
    }
    for (const { name, at, isRequired, isBlankAllowed } of this.#columns)
      if (at >= 0 && isRequired && !isBlankAllowed && name !== 'unit_number' && isBlankCell(cells[at] ?? null))
        this.unclear.countBlank(name)
    for (const { kind, name } of findings.unknownNames) this.unclear.countName(kind, name)
    for (const { field, text } of findings.unknownWords) this.unclear.countWord(field, text)
  }

  #notesOnRecord({ row, cells, isStruck }: SheetLine, { values }: Findings): string[] {
    const valuesByField = Object.fromEntries(this.#columns.map(({ name }, at) => [name, values[at] ?? null]))
    const { today } = this.reading
    const ignored = [
      ...this.#ignored.notes(cells, this.#valueIn(values)),
      ...this.#ignored.missingValues(cells, this.#valueIn(values)),
    ]
    const warnings = [
      ...(this.#kind.warnings?.(valuesByField, today) ?? []),
      ...this.#repeated.plateOfOther(row, valuesByField),
    ]
    for (const text of [...(isStruck ? [STRUCK] : []), ...warnings, ...ignored]) this.#warn(`Row ${row}: ${text}`)
    return [
      ...ignored,
      ...warnings,
      ...(this.#kind.remarks?.(valuesByField, today) ?? []),
      ...this.#repeated.openAgain(row, valuesByField),
    ]
  }

  #valueIn = (values: Findings['values']) => (field: string) =>
    values[this.#columns.findIndex(({ name }) => name === field)] ?? null

  #original = ({ cells }: SheetLine, { understood }: Findings) =>
    shortenCells(this.reading.fields.map((_, at) => understood.get(at) ?? cellText(cells[at] ?? null)))

  #otherThanRecord(values: (string | null)[], cells: Cell[]): string | null {
    return otherThanRecord(this.reading, cells, {
      hasUnit: this.#columns.some(({ name }, at) => name === 'unit_number' && values[at] !== null),
      requiredCount: this.#columns.filter(({ at, isRequired }) => isRequired && at >= 0).length,
    })
  }

  #warn(warning: string) {
    this.#warned++
    if (this.#warned <= WARNINGS_LIMIT) this.warnings.push(warning)
    else
      this.warnings[WARNINGS_LIMIT] =
        `${this.#warned - WARNINGS_LIMIT} more values were also changed while the file was read`
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
