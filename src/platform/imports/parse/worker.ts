import { constants, setPriority } from 'node:os'
import { Refused } from '../../refusals'
import { CELL_LIMIT } from '../spreadsheet/cell-text'
import type { Cell } from '../spreadsheet/cells'
import { COLUMN_LIMIT, type SheetLine } from '../spreadsheet/lines'
import { matchHeadings } from '../spreadsheet/match-headings'
import { readSheet, type SheetHeader } from '../spreadsheet/read-sheet'
import { SheetImport } from './sheet-import'
import type { SheetAnswer, SheetRequest, TableRequest } from './worker-messages'

async function answer(request: SheetRequest): Promise<SheetAnswer> {
  const work = new SheetImport(request, (rows, read) =>
    self.postMessage({ rows, read } satisfies SheetAnswer, [rows.buffer]),
  )
  try {
    const { headerRow: row, sheet, encoding } = request
    work.facts = await readSheet(
      request.bytes,
      request.fileName,
      { row, sheet, encoding },
      {
        likeness: (cells) => work.likeness(cells),
        header: (header, facts, firstLines) => work.begin(header, facts, firstLines),
        rows: (rows, read) => work.take(rows, read),
      },
    )
    return { summary: work.summary() }
  } catch (error) {
    return failureOf(error)
  }
}

const failureOf = (error: unknown): SheetAnswer =>
  error instanceof Refused
    ? { refused: error.errors ?? [] }
    : { broken: error instanceof Error ? error.message : String(error) }

async function answerTable({ bytes, fileName, headings, sheet, limits }: TableRequest): Promise<SheetAnswer> {
  const { columns = COLUMN_LIMIT, text = CELL_LIMIT } = limits
  const shorten = (cell: Cell) => (typeof cell === 'string' ? cell.slice(0, text) : cell)
  let header: string[] = []
  const lines: SheetLine[] = []
  const reader = {
    likeness: (cells: string[]) => matchHeadings(cells, headings).filter((at) => at >= 0).length,
    header({ names }: SheetHeader) {
      header = names
      if (names.length > columns)
        throw Refused.field('file', `The sheet has more than ${columns} columns. Delete those that are not needed.`)
    },
    rows: (rows: SheetLine[]) => lines.push(...rows.map((row) => ({ ...row, cells: row.cells.map(shorten) }))),
  }
  try {
    const {
      sheets,
      sheet: chosen,
      hiddenRows,
      isText,
    } = await readSheet(bytes, fileName, { row: null, sheet }, reader, limits)
    return { table: { header, lines, sheets, sheet: chosen, hiddenRows, isText } }
  } catch (error) {
    return failureOf(error)
  }
}

// Silence the spreadsheet library, which logs every defect of a damaged workbook and could flood the log.
console.error = () => {}

// Lower the priority of this thread, because pages and the database are more urgent than reading files. This is done
// only on Linux, because elsewhere the whole process would get the lower priority.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)

self.onmessage = async ({ data }: MessageEvent<SheetRequest | TableRequest>) => {
  self.postMessage({ begun: true } satisfies SheetAnswer)
  self.postMessage(await ('headings' in data ? answerTable(data) : answer(data)))
}
