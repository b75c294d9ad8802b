import type { DataType, ImportMode } from '../../../../db/vocabulary'
import { fieldLabel } from '../../field-label'
import { type DateOrder, mayBeginWithYear } from '../../reading/dates'
import { inWords } from '../../records/warnings'
import { type ColumnKind, type ImportKind, STRUCK } from '../kind'
import { importKind } from '../kinds'
import { type Cell, cellText, isDate } from '../spreadsheet/cells'
import type { SheetLine } from '../spreadsheet/lines'
import { headingOf } from './headings'
import { identifierErrors } from './identifier-errors'
import { joinCells, type Part, partsOf } from './joined-columns'
import { isVinHeading, needsValue } from './place-columns'
import { cellReader, isBlankCell } from './read-field'
import { type Reading, shownText } from './reading'
import { type RowColumn, readShortDates } from './short-dates'
import type { UnclearValues } from './unclear-values'
import { vinIn } from './understand-cell'
import { withoutTextMarks } from './unquoted-commas'

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

const IS_REQUIRED = 'Is required'

export const withLabel = (label: string, message: string) => {
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

export type Field = RowColumn & {
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

/** Values and problems of one row. `values` are in the column order of the import kind. */
export type Findings = {
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

/** Reads the cells of rows. Collects unclear values in `unclear`, and reports corrections with `warn`. */
export class RowReader {
  readonly columns: Field[]
  readonly #kind: ImportKind
  /**
   * Position of a separate column with VINs, or -1. The VIN replaces a missing unit number. In rows with a unit number,
   * the VIN must not belong to another unit.
   */
  readonly #vinAt: number
  readonly #unclear: UnclearValues
  readonly #warn: (warning: string) => void

  constructor(
    readonly reading: FileReading,
    { unclear, warn }: { unclear: UnclearValues; warn: (warning: string) => void },
  ) {
    this.#kind = importKind(reading.dataType)
    this.#unclear = unclear
    this.#warn = warn
    this.columns = this.#kind.columns.map((column) => ({
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
    this.#vinAt = reading.header.findIndex((heading, at) => !reading.fields[at] && isVinHeading(heading))
  }

  read(line: SheetLine): Findings {
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
    const readCells = this.columns.map(({ at, parts, kind, fallback }) => {
      const ownCell = parts.length > 1 ? joinCells(cells, parts) : (cells[at] ?? null)
      const isWithoutUnit = kind === 'unit' && this.#vinAt >= 0 && isBlankCell(ownCell)
      const cell = isWithoutUnit ? (cells[this.#vinAt] ?? null) : ownCell
      if (at < 0 || (fallback !== null && isBlankCell(cell))) return fallback
      return this.reading.isText ? withoutTextMarks(cell) : cell
    })
    const shortDates = readShortDates(this.#kind, this.columns, readCells, this.reading)
    const readAt = (position: number) =>
      shortDates.get(position) ?? (this.columns[position] as Field).read(readCells[position] ?? null)
    const days: DayBesideWord[] = []
    for (const [position, field] of this.columns.entries()) {
      const { name, label, at, kind, isBlankAllowed, read, column } = field
      const entered = readCells[position] ?? null
      const rule = column.rowDefaults?.find(({ label }) => label === entered)
      const cell = rule
        ? rule.valueOf(readAt(this.columns.findIndex((other) => other.name === rule.from)).value)
        : entered
      const { value, note, isWarned, error, unknown, isShort, day } = shortDates.get(position) ?? read(cell)
      findings.values.push(value)
      if (day) days.push({ word: value, day, label })
      if (isShort) this.#unclear.shortRows++
      if (isBlankAllowed && value === null && isBlankCell(cell)) {
        findings.blankLabels.push(label)
        continue
      }
      // For a failed row, show the parsed date or unit number. The original cell can contain a date's serial number, or
      // a unit number without its leading zeros.
      if (value !== null && (kind === 'date' || kind === 'unit')) findings.understood.set(at, value)
      if (error)
        findings.errors.push(
          // The column `Delivered` can have the field Status. `Delivered is required` would be wrong.
          kind === 'word' && error === IS_REQUIRED && label !== fieldLabel(name)
            ? `${fieldLabel(name)} is required, but ${label} is blank`
            : withLabel(label, error),
        )
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
        this.#unclear.lookAtDate(name, cell)
      if (kind === 'date' && isDate(cell)) this.#unclear.lookAtDateCell(name, cell.date)
    }
    for (const one of days) this.#readDay(row, one, findings)
    return findings
  }

  /** Reads the date in a cell such as `Delivered 11/21`. A date in its own column takes precedence. */
  #readDay(row: number, { word, day, label }: DayBesideWord, { values, notes }: Findings) {
    const { dayOf } = this.#kind
    const at = dayOf?.word === word ? this.columns.findIndex(({ name }) => name === dayOf?.field) : -1
    const field = this.columns[at]
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
    this.#unclear.vins.add(vin)
    const owner = this.reading.names.units?.get(vin)
    return value !== null && owner && owner !== value
      ? [`${label}: the VIN ${vin} of this row belongs to unit ${owner}, not ${value}`]
      : []
  }
}
