import type { DataType } from '../../../../db/vocabulary'
import type { ImportKind } from '../kind'
import { type Cell, cellText } from '../spreadsheet/cells'
import { meansFinished, plainWords } from './guess-columns'
import { isBlankCell, isNegated } from './read-field'
import { shownText } from './understand-cell'

type Columns = { dataType: DataType; fields: (string | null)[]; header: string[] }

const STATUS = /^(?:\w+ )?status$/
const NO = /^(?:no|n|false|0)$/i

/**
 * Finds the rows of a file that describe finished records. The import creates open records, so these rows need a note.
 */
export class FinishedRecords {
  /**
   * Positions of ignored columns that can show that a record is finished. `#answersAt` contains columns such as
   * `Transferred`, in which most values mean that the record is finished. `#statusAt` contains columns with a status.
   */
  readonly #answersAt: number[]
  readonly #statusAt: number[]

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
  }

  /** Returns a note for each cell that marks the record of the row as finished. */
  notes(cells: Cell[]): string[] {
    const textAt = (at: number) => cellText(cells[at] ?? null).trim()
    const isAnswered = (at: number) => !isBlankCell(cells[at] ?? null) && !NO.test(textAt(at))
    const isFinished = (at: number) => this.kind.finishedStatus?.test(textAt(at)) && !isNegated(textAt(at))
    return [...this.#answersAt.filter(isAnswered), ...this.#statusAt.filter(isFinished)].map(
      (at) =>
        `${this.columns.header[at]?.trim()} is ${shownText(cells[at] ?? null)}, but the import creates an open record`,
    )
  }
}
