import type { DataType } from '../../../../db/vocabulary'
import { isTotal } from '../../reading/text'
import { columnOf, importKind } from '../kinds'
import { type Cell, cellText } from '../spreadsheet/cells'
import { isHeading } from '../spreadsheet/read-sheet'
import { headerKey } from './heading-keys'
import { fieldOfHeading } from './place-columns'

type Placed = { dataType: DataType; fields: (string | null)[]; header: string[] }

/**
 * Finds the rows of a second table below the first one. The rows are not read, because the columns of the second table
 * have different fields.
 */
export class SecondTable {
  #message: string | null = null

  constructor(readonly reading: Placed) {}

  /** Returns a message if the row belongs to a second table. The heading row of the table also gets the message. */
  find(row: number, cells: Cell[]): string | null {
    const { fields, header, dataType } = this.reading
    const unit = cellText(cells[fields.indexOf('unit_number')] ?? null).trim()
    // A row with a digit in the unit number column is not a heading. This fast check handles almost every record.
    if (/\d/.test(unit)) return this.#message
    const texts = fields.flatMap((field, at) => {
      const text = cellText(cells[at] ?? null)
      return field && text.trim() ? [{ field, text, at, named: fieldOfHeading(text, dataType) }] : []
    })
    if (!isHeading(texts.map(({ text }) => text)) || !this.#areHeadings(unit, texts)) return this.#message
    const isSame = texts.every(
      ({ field, text, at, named }) => named === field || headerKey(text) === headerKey(header[at] ?? ''),
    )
    this.#message = isSame
      ? null
      : `Row ${row} begins a second table with different columns. The rows of this table are not read. ` +
        `Import them from a separate file`
    return this.#message
  }

  /**
   * Returns true if the row is probably a row of headings.
   * Enough of its texts must be known headings. `unit` is the row's text in the unit number column.
   */
  #areHeadings(unit: string, texts: { at: number; named: string | null }[]): boolean {
    const { fields, dataType } = this.reading
    const knownCount = texts.filter(({ named }) => named !== null).length
    if (unit === '') return knownCount >= 3 && knownCount > texts.length / 2
    if (knownCount >= Math.max(2, texts.length / 2)) return true
    const others = texts.filter(({ at }) => at !== fields.indexOf('unit_number'))
    const namesUnit = fieldOfHeading(unit, dataType) === 'unit_number'
    return namesUnit ? others.length >= 2 : others.length > 0 && others.every(({ named }) => named !== null)
  }
}

/** Maximum length of a section title, such as `RELEASED`. Longer text is a note. */
export const TITLE_LENGTH = 60
/** Nouns that follow a count of records, as in `2 units`. */
export const RECORD_NOUNS = 'units?|vehicles?|cars?|trucks?|rows?|moves?|loads?'
const RECORD_COUNT = new RegExp(`^\\(?\\d{1,3}\\)?\\s*(?:${RECORD_NOUNS}|total)?\\)?$`, 'i')
export const isRecordCount = (text: string) => RECORD_COUNT.test(text.trim())
const FINISHED_TITLE =
  /\b(?:completed?|released|transferred|delivered|rec(?:eive|')?d|returned|closed|done|finished|sold|archived?)\b/i
const CANCELLED_TITLE = /\b(?:void(?:ed)?|cancell?ed|cxl'?d?)\b/i
const OPEN_TITLE =
  /\b(?:not|pending|open|active|a?waiting|outstanding|in progress|to be|still|current|needs?|out of service)\b/i
/**
 * Matches whole titles of sections with open records, such as `New units`.
 * A part of a title must not match. For example, `New York` is the name of a place.
 */
const OPEN_WHOLE = new RegExp(
  '^(?:new(?: (?:this (?:week|month)|arrivals?|units?))?|upcoming|scheduled|next (?:week|month)|to do|' +
    '(?:at|in)(?: the)? shop|problems?(?: (?:titles?|units?))?|expiring(?: .*)?|remaining(?: units?)?)$',
  'i',
)

/**
 * Returns the status that a section title gives the records below it. Cancelled records count as finished. Returns null
 * for a title that is not a status, such as the name of a location.
 */
export function statusInTitle(title: string, dataType: DataType): 'finished' | 'open' | null {
  const { finished, finishedStatus } = importKind(dataType)
  if (title.length > TITLE_LENGTH) return null
  if (OPEN_TITLE.test(title) || OPEN_WHOLE.test(title)) return 'open'
  // `finished` is undefined for transports, because delivered transports can be imported. A section title such as
  // `Delivered` therefore does not exclude the transports below it.
  const isFinished = finished !== undefined && (FINISHED_TITLE.test(title) || finishedStatus?.test(title))
  return isFinished || CANCELLED_TITLE.test(title) ? 'finished' : null
}

/**
 * Finds the rows of a section with a title such as `RELEASED`. The records in these rows are finished, but the import
 * would create open records. A title such as `PENDING` ends the section.
 */
export class FinishedSection {
  #message: string | null = null

  constructor(readonly reading: Placed) {}

  /**
   * Returns an error message for a record in a finished section.
   * Returns null for all other rows, including the rows of section titles.
   */
  find(row: number, cells: Cell[]): string | null {
    const title = this.#titleIn(cells)
    if (title === null) return this.#message
    const status = statusInTitle(title, this.reading.dataType)
    if (status === 'open') this.#message = null
    if (status === 'finished')
      this.#message =
        `This row is below the title "${title.toWellFormed()}" in row ${row}, but finished and cancelled records ` +
        'are not imported. To import the rows, delete the title'
    return null
  }

  /**
   * Returns the section title in a row, or null for other rows. The row of a title has only one text and, optionally, a
   * number of records, as in `RELEASED | 2 units`. Text in a column such as notes is a title only if the column is the
   * first one.
   */
  #titleIn(cells: Cell[]): string | null {
    const { fields, dataType } = this.reading
    // The second `findIndex` stops at the second filled cell of a record, so the search is short for almost all rows.
    const isRemark = (cell: Cell) => cellText(cell).trim() === '' || isRecordCount(cellText(cell))
    const at = cells.findIndex((cell) => cellText(cell).trim() !== '')
    if (at < 0 || cells.findIndex((cell, other) => other > at && !isRemark(cell)) >= 0) return null
    const text = cellText(cells[at] ?? null).trim()
    if (text.length > TITLE_LENGTH || !/\p{L}{3}/u.test(text)) return null
    const field = fields[at]
    return at === 0 || !field || columnOf(dataType, field)?.kind !== 'text' ? text : null
  }
}

/**
 * Minimum number of imported columns of a wide table. In a wide table, a row such as `Phoenix | 12` is probably a
 * count, because it has only a name and a small number.
 */
const WIDE_TABLE = 4

export const REPEATED_HEADINGS = 'This row repeats the headings'

/**
 * Returns a message for a row that is not a record. Examples are repeated headings, a total and a note.
 * @param requiredCount number of columns of the file in which a record needs a value
 */
export function otherThanRecord(
  { fields, header }: Placed,
  cells: Cell[],
  { hasUnit, requiredCount }: { hasUnit: boolean; requiredCount: number },
): string | null {
  const texts = fields.flatMap((field, at) => {
    const text = field ? cellText(cells[at] ?? null).trim() : ''
    return text ? [{ text, field, heading: header[at]?.trim() }] : []
  })
  if (texts.length === 0) return 'This row is not a record: all its values are in columns that are not imported'
  if (texts.every(({ text, heading = '' }) => headerKey(text) === headerKey(heading))) return REPEATED_HEADINGS
  // A small number that is alone in its row is the count below a list, not a unit number that lost its leading zeros.
  // In a wide table, a small number beside a name is a count, too: `Phoenix | 12`.
  const isWide = fields.filter(Boolean).length >= WIDE_TABLE
  const hasCount = texts.some(({ text, field }) => field === 'unit_number' && /^\d{1,2}$/.test(text))
  const isCount = hasCount && texts.length <= (isWide ? 2 : 1)
  if (hasUnit && !isCount) return null
  const shown = (text: string) => `"${text.slice(0, 40).toWellFormed()}"`
  if ((isCount && isWide) || texts.length <= requiredCount / 2)
    return `This row is not a record: only ${texts.map(({ text }) => shown(text)).join(', ')} is filled in`
  const total = texts.find(({ text }) => isTotal(text))
  return total ? `This row is a total, not a record: ${shown(total.text)}` : null
}
