import type { RowOutcome } from '../../../../db/vocabulary'
import { Refused } from '../../refusals'
import { type ColumnKind, type ImportKind, STRUCK } from '../kind'
import { importKind } from '../kinds'
import { type Cell, cellText } from '../spreadsheet/cells'
import type { SheetLine } from '../spreadsheet/lines'
import { headingOf } from './headings'
import { IgnoredColumns } from './ignored-columns'
import { FinishedSection, otherThanRecord, SecondTable } from './other-lines'
import { isBlankCell } from './read-field'
import { RepeatedRows } from './repeated-rows'
import { type Field, type FileReading, type Findings, RowReader, withLabel } from './row-reader'
import { UnclearValues } from './unclear-values'
import { unquotedComma } from './unquoted-commas'

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
const ROW_KEPT = 24_000

function shortenCells(cells: string[]): string[] {
  const maxLength = cells.reduce((sum, { length }) => sum + length, 0) > ROW_KEPT ? ROW_KEPT / cells.length : CELL_KEPT
  return cells.map((cell) => (cell.length > maxLength ? cell.slice(0, maxLength).toWellFormed() : cell))
}

export class RowValidator {
  readonly warnings: string[] = []
  readonly unclear: UnclearValues
  #warned = 0
  readonly #kind: ImportKind
  readonly #reader: RowReader
  readonly #columns: Field[]
  /** Kind of each column of the file. Undefined for ignored columns. */
  readonly #kindsByPosition: (ColumnKind | undefined)[]
  readonly #ignored: IgnoredColumns
  readonly #repeated: RepeatedRows
  readonly #secondTable: SecondTable
  readonly #finishedSection: FinishedSection

  constructor(readonly reading: FileReading) {
    this.unclear = new UnclearValues(reading.today, reading.dateOrders, reading.ordersInHeadings, reading.dottedDays)
    this.#kind = importKind(reading.dataType)
    this.#reader = new RowReader(reading, { unclear: this.unclear, warn: (warning) => this.#warn(warning) })
    this.#columns = this.#reader.columns
    this.#kindsByPosition = reading.fields.map((_, position) => this.#columns.find(({ at }) => at === position)?.kind)
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
    const findings = this.#reader.read(line)
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
