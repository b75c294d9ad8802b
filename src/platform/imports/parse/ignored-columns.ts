import type { DataType, ImportMode } from '../../../../db/vocabulary'
import { CREATES_OPEN, type ImportKind } from '../kind'
import { type Cell, cellText } from '../spreadsheet/cells'
import { meansFinished } from './guess-columns'
import { plainWords } from './heading-words'
import { headingOf } from './headings'
import { isBlankCell, isNegated } from './read-field'
import { shownText } from './reading'
import { NO, YES } from './understand-cell'

type Columns = { dataType: DataType; existing: ImportMode; fields: (string | null)[]; header: string[] }

const isNo = (text: string) => NO.test(text) || text === '0'
const AMOUNT = /^[$\d.,\s]+$/
const FREE = /^(?:none|free|no charge|n\/?c|exempt)$/i
/**
 * Returns true for a cell that denies a fee. Examples: `0`, `No` and `waived`.
 * Returns false for `Yes`, an amount or a blank cell.
 */
const isDenial = (cell: Cell) => {
  const text = cellText(cell).trim()
  if (isNo(text) || FREE.test(text)) return true
  return !isBlankCell(cell) && !YES.test(text) && !AMOUNT.test(text)
}
/**
 * Matches text that means that a record is not finished. Examples: `Not yet`, `still here` and `lost in mail`.
 * Used for columns that show which records are finished.
 */
const STILL_OPEN = new RegExp(
  '^(?:not\\b|no\\b|pending|open|still\\b|waiting|tbd|in (?:yard|shop|progress))|' +
    '\\b(?:promised|expected|eta|estimated|est|lost|missing|never|reject(?:ed)?|denied|wrong|problem|' +
    're-?order(?:ed)?)\\b',
  'i',
)
const VOID = /\b(?:void(?:ed)?|cancell?ed|cxl'?d?)\b/i
const STATUS = /^(?:\w+ )?status$/

/**
 * Finds contradictions between ignored columns and the imported record.
 * For example, a date in the column `Transferred` shows that a vehicle title is finished, but the import would create
 * the title as open. The row then gets a note.
 */
export class IgnoredColumns {
  /**
   * Positions of columns that can show that a record is finished.
   * - `#answersAt`: ignored columns such as `Transferred`. Most values in them mean that the record is finished.
   * - `#statusAt`: ignored columns with a status.
   * - `#ownStatusAt`: the imported status column. It is -1 if there is no such column, or if the import can also create
   *   finished records.
   */
  readonly #answersAt: number[]
  readonly #statusAt: number[]
  readonly #ownStatusAt: number
  readonly #deniedAt: number[]

  constructor(
    readonly columns: Columns,
    readonly kind: ImportKind,
  ) {
    const { dataType, fields, header } = columns
    // A column that is imported as notes can show that the record is finished, too.
    const isRead = (at: number) => fields[at] && fields[at] !== 'notes'
    const ignored = header.flatMap((heading, at) => (isRead(at) ? [] : [{ heading, at }]))
    const positionsOf = (isWanted: (heading: string) => boolean) =>
      ignored.filter(({ heading }) => isWanted(heading)).map(({ at }) => at)
    this.#answersAt = positionsOf((heading) => meansFinished(heading, dataType))
    this.#statusAt = positionsOf((heading) => STATUS.test(plainWords(heading)))
    this.#ownStatusAt = kind.finishedStatus ? fields.indexOf('status') : -1
    this.#deniedAt = positionsOf((heading) => kind.denied?.headings.includes(plainWords(heading)) ?? false)
  }

  /**
   * Returns an error if a cell denies the row's fee.
   * For example, `Storage fee` is No, but the row has a daily rate.
   */
  contradictions(cells: Cell[], valueIn: (field: string) => string | null): string[] {
    const field = this.kind.denied?.field
    const at = this.#deniedAt.find((at) => isDenial(cells[at] ?? null))
    if (field === undefined || at === undefined || Number(valueIn(field) ?? 0) === 0) return []
    return [`${headingOf(this.columns, field)}: ${this.#answer(cells, at)}; clear one of the two cells`]
  }

  /**
   * Returns a note if a row claims a fee without an amount.
   * For example, `Storage fee` is Yes, but the row has no daily rate. Returns no note if the import updates records,
   * because the stored record can have the amount.
   */
  missingValues(cells: Cell[], valueIn: (field: string) => string | null): string[] {
    const field = this.kind.denied?.field
    const at = this.#deniedAt.find((at) => YES.test(cellText(cells[at] ?? null).trim()))
    const isMissing = field !== undefined && Number(valueIn(field) ?? 0) === 0 && this.columns.existing === 'skip'
    if (at === undefined || !isMissing) return []
    return [`${headingOf(this.columns, field)}: ${this.#answer(cells, at)}, but the row has no amount`]
  }

  #answer = (cells: Cell[], at: number) => `${this.columns.header[at]?.trim()} is ${shownText(cells[at] ?? null)}`

  /**
   * Returns the notes for a row. A cell gets a note if it shows that the record is finished. A cell in the imported
   * status column also gets a note if its status is unknown.
   */
  notes(cells: Cell[], valueIn: (field: string) => string | null): string[] {
    const textAt = (at: number) => cellText(cells[at] ?? null).trim()
    const isAnswered = (at: number) =>
      !isBlankCell(cells[at] ?? null) && !isNo(textAt(at)) && !STILL_OPEN.test(textAt(at))
    const isFinished = (at: number) =>
      (VOID.test(textAt(at)) || this.kind.finishedStatus?.test(textAt(at))) && !isNegated(textAt(at))
    const effect =
      this.columns.existing === 'skip'
        ? CREATES_OPEN
        : ', but the import does not complete records and creates new ones as open'
    const own = this.#ownStatusAt
    const isUnread = own >= 0 && !isBlankCell(cells[own] ?? null) && valueIn('status') === null
    const isOwnFinished = isUnread && isFinished(own)
    const statuses = [...this.#statusAt.filter(isFinished), ...(isOwnFinished ? [own] : [])]
    return [
      ...[...this.#answersAt.filter(isAnswered), ...statuses].map((at) => this.#answer(cells, at) + effect),
      ...(isUnread && !isOwnFinished
        ? [`${this.#answer(cells, own)}, which is not known, so it was not imported`]
        : []),
    ]
  }
}
