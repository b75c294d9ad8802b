import { lacksYear } from '../../reading/dates'
import { columnOf, importKind } from '../kinds'
import { type Cell, cellText } from '../spreadsheet/cells'
import type { SheetLine } from '../spreadsheet/lines'
import type { SheetFacts, SheetHeader } from '../spreadsheet/read-sheet'
import { assumeDates, type DateAssumptions } from './date-assumptions'
import { dittoReader } from './ditto-marks'
import {
  remarksOnDates,
  remarksOnDefaults,
  remarksOnFile,
  remarksOnSections,
  remarksOnUnnamed,
  remarksOnYear,
} from './file-remarks'
import { areTrips, differ, earliestColumn, hasDates, hasUnits } from './guess-by-values'
import { shapeOf } from './heading-keys'
import { headingOf, withTrailingColumns } from './headings'
import { joinHeadings, joinLine, type MonthAndYear, monthAndYearColumns } from './join-columns'
import { type ColumnPlacement, missingColumns, needsValue, placeColumns } from './place-columns'
import { RowBatches } from './row-batches'
import { findSections, type Section, sectionReader } from './section-rows'
import { yearOfSheet } from './sheet-year'
import { columnToSplit, splitHeadings, splitLine } from './split-column'
import { RowValidator } from './validate-rows'
import type { SheetRequest, SheetSummary } from './worker-messages'

const BATCH = 1000
/** Maximum length of a heading. The preview and the API show all headings of a file. */
const HEADING_LENGTH = 500
/** Number of sample values per column. The samples are used to suggest fields. */
const SAMPLES = 8

/**
 * Reads the rows of a file for an import. Assigns fields to the columns, validates the rows, and collects findings for
 * the preview. `send` stores a batch of validated rows.
 */
export class SheetImport {
  header: SheetHeader = { row: 1, names: [], first_rows: [] }
  samples: string[][] = []
  placement: ColumnPlacement = { fields: [], missing: [], contested: [], warnings: [] }
  /**
   * Validates the rows. Undefined if the unit number column is missing.
   * If another required column is missing, the rows are validated only to find unknown names and values, such as the
   * status `Done`. The preview can then ask about the missing column and about these names and values.
   */
  validator: RowValidator | undefined
  rowCount = 0
  lastRow = 0
  defaults: Record<string, string> = {}
  /** True if the defaults come from earlier files. The user then submitted none for this file. */
  isRemembered = false
  facts: SheetFacts | undefined
  dates: DateAssumptions | undefined
  readonly #unnamed = new Set<number>()
  readonly #withoutDittoMarks = dittoReader()
  /** Position of a column to split in two, such as `Route`. -1 if no column is split. */
  #splitAt = -1
  /** The two columns with the month and year of an expiry date. Null if the file has no such columns. */
  #joined: MonthAndYear | null = null
  #sections: Section[] = []
  /** Year in the name of the sheet. Set only if the file has dates without a year. */
  #sheetYear: number | undefined
  #withSections = (line: SheetLine): SheetLine | null => line

  readonly #batches: RowBatches

  constructor(
    readonly request: SheetRequest,
    send: (rows: Uint8Array<ArrayBuffer>, read: number) => void,
  ) {
    this.#batches = new RowBatches(request, send)
  }

  likeness(cells: string[]): number {
    const { dataType, columns } = this.request
    return placeColumns(cells, dataType, { remembered: columns }).fields.filter(Boolean).length
  }

  begin(header: SheetHeader, facts: SheetFacts, firstLines: SheetLine[]) {
    const { date1904, isText, hasSemicolons, sheets, hiddenColumns } = facts
    const { dataType, existing, today, names, columns, fields, dateOrders, remembered } = this.request
    const choice = { remembered: columns, choices: fields }
    header = { ...header, names: header.names.map((name) => name.slice(0, HEADING_LENGTH).toWellFormed()) }
    // Include filled columns to the right of the last heading, except in text files. In a text file, a cell to the
    // right of the last heading is usually part of a value with an unquoted comma.
    if (!isText) header = { ...header, names: withTrailingColumns(header.names, firstLines) }
    this.#joined = monthAndYearColumns(header.names, dataType)
    if (this.#joined) header = { ...header, names: joinHeadings(header.names, this.#joined) }
    const { split } = importKind(dataType)
    this.#splitAt = columnToSplit(header.names, dataType, firstLines, choice)
    if (split && this.#splitAt >= 0) header = { ...header, names: splitHeadings(header.names, this.#splitAt, split) }
    const splitLines = this.#arrange(firstLines)
    const sections = findSections(splitLines, header.names, dataType, { ...choice, names, today })
    const addedNames = sections.filter(({ isAdded }) => isAdded).map(({ heading }) => heading)
    header = { ...header, names: [...header.names, ...addedNames] }
    const firstCells = splitLines.map(({ cells }) => cells)
    const firstCellsOf = (at: number) => firstCells.map((cells) => cells[at] ?? null)
    this.header = header
    const submittedDefaults = this.request.defaults
    this.isRemembered = Object.keys(submittedDefaults).length === 0
    const defaults = this.isRemembered
      ? this.#remembered(remembered.get(shapeOf(header.names)), sheets)
      : submittedDefaults
    this.samples = header.names.map(() => [])
    this.placement = placeColumns(header.names, dataType, {
      remembered: columns,
      choices: fields,
      defaults,
      existing,
      hidden: new Set([...hiddenColumns].map((at) => this.#inSheet(at))),
      hasDates: (at) => hasDates(firstCellsOf(at), today),
      hasUnits: (at) => hasUnits(firstCellsOf(at)),
      hasTrips: (at) => areTrips(firstCellsOf(at)),
      differ: (at, other) => differ(firstCellsOf(at), firstCellsOf(other)),
      earliestOf: (positions) => earliestColumn(positions, firstCells, today),
    })
    this.#sections = sections.filter(({ field, at }) => field && this.placement.fields[at] === field)
    if (this.#sections.length > 0)
      this.#withSections = sectionReader(this.#sections, header.names, { names, today, dataType })
    // If the file has a column for the field, the default fills only blank cells. In that case, it is used only if the
    // field must have a value and the user submitted the default for this file.
    const isUsed = (field: string) => {
      const column = columnOf(dataType, field)
      const canBeBlank = !column || !needsValue(importKind(dataType), column, existing)
      return !this.placement.fields.includes(field) || !(this.isRemembered || canBeBlank)
    }
    this.defaults = Object.fromEntries(Object.entries(defaults).filter(([field]) => isUsed(field)))
    this.dates = assumeDates({
      dataType,
      today,
      header: header.names,
      fields: this.placement.fields,
      firstCells,
      hasSemicolons,
      dateOrders,
    })
    const { dotted, ordersInHeadings, monthYears, dayOrYear, lackDays } = this.dates
    const isDateWithoutYear = (cell: Cell, at: number) =>
      columnOf(dataType, this.placement.fields[at] ?? '')?.kind === 'date' &&
      typeof cell === 'string' &&
      lacksYear(cell)
    if (firstCells.some((cells) => cells.some(isDateWithoutYear))) this.#sheetYear = yearOfSheet(facts.sheet, today)
    if (this.#isComplete || this.placement.fields.includes('unit_number'))
      this.validator = new RowValidator({
        dataType,
        existing,
        today,
        names,
        fields: this.placement.fields,
        dateOrders: { ...ordersInHeadings, ...dateOrders },
        ordersInHeadings,
        date1904,
        sheetYear: this.#sheetYear,
        monthYears,
        dayOrYear,
        lackDays,
        dottedDays: new Set(dotted.map(({ field }) => field)),
        hasDecimalCommas: this.dates.hasDecimalCommas,
        isText,
        header: header.names,
        defaults: this.defaults,
        extendsShort: this.request.extendShort,
      })
  }

  /**
   * Returns the defaults from earlier files. Omits a location and a status if the workbook has several sheets, because
   * such a workbook often has one sheet for each location or status.
   */
  #remembered(defaults: Record<string, string> = {}, sheets: SheetFacts['sheets']): Record<string, string> {
    if (sheets.length < 2) return defaults
    const { dataType } = this.request
    const isOfSheet = (field: string) => ['location', 'word'].includes(columnOf(dataType, field)?.kind ?? '')
    return Object.fromEntries(Object.entries(defaults).filter(([field]) => !isOfSheet(field)))
  }

  take(lines: SheetLine[], read: number) {
    const whole = this.#arrange(lines.map((line) => this.#withoutDittoMarks(line))).flatMap(
      (line) => this.#withSections(line) ?? [],
    )
    const importedLines = this.request.skipHidden ? whole.filter(({ isHidden }) => !isHidden) : whole
    for (let at = 0; at < importedLines.length; at += BATCH) this.#batch(importedLines.slice(at, at + BATCH), read)
  }

  #arrange(lines: SheetLine[]): SheetLine[] {
    const { split } = importKind(this.request.dataType)
    const joined = this.#joined
    const whole = joined ? lines.map((line) => joinLine(line, joined)) : lines
    return split && this.#splitAt >= 0 ? whole.map((line) => splitLine(line, this.#splitAt, split)) : whole
  }

  /** True if each required field has a column or a default. Only then can the rows be imported. */
  get #isComplete() {
    return this.placement.missing.length === 0
  }

  #batch(lines: SheetLine[], read: number) {
    this.rowCount += lines.length
    this.lastRow = lines.at(-1)?.row ?? this.lastRow
    this.#sample(lines)
    const { validator } = this
    if (!validator) return
    const rows = lines.map((line) => validator.validate(line))
    if (this.#isComplete) this.#batches.send(rows, read)
  }

  #sample(lines: SheetLine[]) {
    for (const { cells } of lines.slice(0, 100)) {
      cells.forEach((cell, at) => {
        if (!this.header.names[at]?.trim() && cellText(cell).trim()) this.#unnamed.add(at)
      })
      this.samples.forEach((values, at) => {
        const cell = cells[at] ?? null
        const text = cellText(cell)
        if (text.trim() && values.length < SAMPLES && !values.includes(text))
          values.push(text.slice(0, 60).toWellFormed())
      })
    }
  }

  #remarks(): string[] {
    const { facts, dates, defaults, isRemembered } = this
    const { fields } = this.placement
    const validator = this.#isComplete ? this.validator : undefined
    const { mixed = [], dayFirst = [], exchanged = [] } = validator?.unclear ?? {}
    const unread = [...this.#unnamed].filter((at) => !fields[at]).map((at) => this.#inFile(at))
    return [
      ...(this.rowCount === 0 ? ['The file has no rows below its headings'] : []),
      ...remarksOnUnnamed(unread),
      ...remarksOnSections(this.#headingOf, this.#sections),
      ...remarksOnFile(facts ?? {}, this.request.skipHidden),
      ...remarksOnYear(this.#sheetYear, facts?.sheet),
      ...remarksOnDefaults(defaults, { fields, isRemembered, blankRows: this.validator?.unclear.blankRows }),
      ...remarksOnDates(this.#headingOf, {
        dotted: dates?.dotted ?? [],
        mixed,
        dayFirst,
        exchanged,
        unclearExpiries: dates?.unclearExpiries ?? [],
        doubtful: dates?.isEuropean
          ? (validator?.unclear.dates ?? []).filter(({ field }) => !dayFirst.some((one) => one.field === field))
          : [],
      }),
    ]
  }

  /**
   * Converts a column position to the position in the original file. The positions differ if a column such as `Route`
   * was split in two.
   */
  #inFile = (at: number) => (this.#splitAt >= 0 && at > this.#splitAt ? at - 1 : at)

  /** Opposite of `#inFile`. Converts a position in the original file to the position after the split. */
  #inSheet = (at: number) => (this.#splitAt >= 0 && at > this.#splitAt ? at + 1 : at)

  #headingOf = (field: string) => headingOf({ fields: this.placement.fields, header: this.header.names }, field)

  summary(): SheetSummary {
    const { header, samples, placement, rowCount, lastRow } = this
    const validator = this.#isComplete ? this.validator : undefined
    return {
      header_row: header.row,
      first_rows: header.first_rows,
      header: header.names,
      samples,
      fields: placement.fields,
      missing: placement.missing,
      contested: placement.contested,
      refusalText: placement.missing.length
        ? missingColumns(this.request.dataType, { ...placement, header: header.names })
        : null,
      warnings: [...placement.warnings, ...this.#remarks(), ...(validator?.warnings ?? [])],
      sheets: this.facts?.sheets ?? [],
      sheet: this.facts?.sheet ?? null,
      encoding: this.facts?.encoding ?? null,
      defaults: this.defaults,
      dates: validator?.unclear.dates ?? [],
      names: this.validator?.unclear.names ?? [],
      words: this.validator?.unclear.words ?? [],
      vins: [...(validator?.unclear.vins ?? [])],
      hidden_rows: this.facts?.hiddenRows.length ?? 0,
      short_rows: this.validator?.unclear.shortRows ?? 0,
      blank: [...(this.validator?.unclear.blankRows ?? [])].flatMap(([field, rows]) =>
        this.defaults[field] ? [] : [{ field, rows }],
      ),
      orders: validator?.unclear.orders ?? {},
      rowCount,
      lastRow,
    }
  }
}
