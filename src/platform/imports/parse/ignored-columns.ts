import type { DataType, ImportMode } from '../../../../db/vocabulary'
import { CREATES_OPEN, type ImportKind } from '../kind'
import { type Cell, cellText } from '../spreadsheet/cells'
import { meansFinished, plainWords } from './guess-columns'
import { headingOf } from './headings'
import { isBlankCell, isNegated } from './read-field'
import { shownText } from './reading'
import { NO, YES } from './understand-cell'

type Columns = { dataType: DataType; existing: ImportMode; fields: (string | null)[]; header: string[] }

const isNo = (text: string) => NO.test(text) || text === '0'
const AMOUNT = /^[$\d.,\s]+$/
const FREE = /^(?:none|free|no charge|n\/?c|exempt)$/i
/** Returns true for an answer other than Yes, such as `waived`. A blank cell or an amount is no answer. */
const isDenial = (cell: Cell) => {
  const text = cellText(cell).trim()
  if (isNo(text) || FREE.test(text)) return true
  return !isBlankCell(cell) && !YES.test(text) && !AMOUNT.test(text)
}
/** Matches an answer such as `Not yet` or `still here` in a column that shows which records are finished. */
const STILL_OPEN = /^(?:not\b|no\b|pending|open|still\b|waiting|tbd|in (?:yard|shop|progress))/i
/** Matches the status of a record that is not valid any more. */
const VOID = /\b(?:void(?:ed)?|cancell?ed|cxl'?d?)\b/i
const STATUS = /^(?:\w+ )?status$/

/**
 * Reads the columns that are not imported but contradict a row. An example is a column that shows that the record is
 * finished: the import creates open records, so the row needs a note.
 */
export class IgnoredColumns {
  /**
   * Positions of ignored columns that can show that a record is finished. `#answersAt` contains columns such as
   * `Transferred`, in which most values mean that the record is finished. `#statusAt` contains columns with a status.
   */
  readonly #answersAt: number[]
  readonly #statusAt: number[]
  readonly #deniedAt: number[]

  constructor(
    readonly columns: Columns,
    readonly kind: ImportKind,
  ) {
    const { dataType, fields, header } = columns
    const ignored = header.flatMap((heading, at) => (fields[at] ? [] : [{ heading, at }]))
    const positionsOf = (isWanted: (heading: string) => boolean) =>
      ignored.filter(({ heading }) => isWanted(heading)).map(({ at }) => at)
    this.#answersAt = positionsOf((heading) => meansFinished(heading, dataType))
    this.#statusAt = positionsOf((heading) => STATUS.test(plainWords(heading)))
    this.#deniedAt = positionsOf((heading) => kind.denied?.headings.includes(plainWords(heading)) ?? false)
  }

  /**
   * Returns an error if a cell says No or, for example, `waived`, although the row has a value that needs a Yes.
   * @param valueIn returns the value of a field in the row
   */
  contradictions(cells: Cell[], valueIn: (field: string) => string | null): string[] {
    const field = this.kind.denied?.field
    const at = this.#deniedAt.find((at) => isDenial(cells[at] ?? null))
    if (field === undefined || at === undefined || Number(valueIn(field) ?? 0) === 0) return []
    return [`${headingOf(this.columns, field)}: ${this.#answer(cells, at)}; clear one of the two cells`]
  }

  /** Returns a note if a cell says Yes, although a new record of the row has no value that goes with it. */
  missingValues(cells: Cell[], valueIn: (field: string) => string | null): string[] {
    const field = this.kind.denied?.field
    const at = this.#deniedAt.find((at) => YES.test(cellText(cells[at] ?? null).trim()))
    const isMissing = field !== undefined && Number(valueIn(field) ?? 0) === 0 && this.columns.existing === 'skip'
    if (at === undefined || !isMissing) return []
    return [`${headingOf(this.columns, field)}: ${this.#answer(cells, at)}, but the row has no amount`]
  }

  #answer = (cells: Cell[], at: number) => `${this.columns.header[at]?.trim()} is ${shownText(cells[at] ?? null)}`

  /** Returns a note for each cell that shows that the record of its row is finished. */
  notes(cells: Cell[]): string[] {
    const textAt = (at: number) => cellText(cells[at] ?? null).trim()
    const isAnswered = (at: number) =>
      !isBlankCell(cells[at] ?? null) && !isNo(textAt(at)) && !STILL_OPEN.test(textAt(at))
    const isFinished = (at: number) =>
      (VOID.test(textAt(at)) || this.kind.finishedStatus?.test(textAt(at))) && !isNegated(textAt(at))
    const effect =
      this.columns.existing === 'skip'
        ? CREATES_OPEN
        : ', but the import does not complete records, and new ones are open'
    return [...this.#answersAt.filter(isAnswered), ...this.#statusAt.filter(isFinished)].map(
      (at) => this.#answer(cells, at) + effect,
    )
  }
}
