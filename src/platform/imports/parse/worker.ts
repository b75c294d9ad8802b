import { constants, setPriority } from 'node:os'
import type { DataType } from '../../../../db/vocabulary'
import { type FieldError, Refused } from '../../refusals'
import type { Names } from '../names'
import { cellText, type DateOrder } from '../spreadsheet/cells'
import type { Line } from '../spreadsheet/lines'
import { readSheet, type SheetFacts, type SheetHeader } from '../spreadsheet/read-sheet'
import { missingColumns, type Placed, placeColumns } from './place-columns'
import { stagedText } from './staged-text'
import { RowValidator } from './validate-rows'

/** Reads and validates one file away from the server's thread, which goes on answering meanwhile. */
export type SheetRequest = {
  uploadId: number
  bytes: Uint8Array
  fileName: string
  dataType: DataType
  /** The business day. */
  today: string
  names: Names
  /** Fields by column names (as `headerKey` writes them) that users explained before. */
  columns: Map<string, string>
  /** Is how its columns are read seen before anything is written? */
  isPreviewed: boolean
  /** The user's choices for this file, if any. */
  fields: (string | null)[] | null
  headerRow: number | null
  dateOrders: Record<string, DateOrder>
  /** Shared with the server's thread: how many batches it has stored. */
  kept: Int32Array<SharedArrayBuffer>
}

export type SheetSummary = {
  header_row: number
  first_rows: SheetHeader['first_rows']
  header: string[]
  fields: (string | null)[]
  missing: string[]
  samples: string[][]
  dates: RowValidator['dates']
  names: RowValidator['names']
  warnings: string[]
  /** Set when required columns are missing. */
  complaint: string | null
  rowCount: number
  lastRow: number
}

/**
 * That the worker is at it; rows as COPY takes them, with how much of the file has been read, from 0 to 1; then the
 * summary or a refusal.
 */
export type SheetAnswer =
  | { begun: true }
  | { rows: Uint8Array; read: number }
  | { summary: SheetSummary }
  | { refused: FieldError[] }
  | { broken: string }

const BATCH = 1000
const SAMPLES = 3

/** In bytes: what a file may take in the database while it waits, whatever it unpacks to. */
const STAGED_BASE = 16 * 1024 * 1024
export const STAGED_PER_BYTE = 40
/** Batches that are read ahead of the database. */
const AHEAD = 8

class Work {
  #staged = 0
  #sent = 0
  header: SheetHeader = { row: 1, names: [], first_rows: [] }
  samples: string[][] = []
  placed: Placed = { fields: [], missing: [], warnings: [] }
  validator: RowValidator | undefined
  rowCount = 0
  lastRow = 0

  constructor(readonly request: SheetRequest) {}

  /** How many columns of a line have names that are known. */
  likeness(cells: string[]): number {
    const { dataType, columns, isPreviewed } = this.request
    return placeColumns(cells, dataType, { remembered: columns, guesses: isPreviewed }).fields.filter(Boolean).length
  }

  begin(header: SheetHeader, { date1904, isText }: SheetFacts) {
    const { dataType, today, names, columns, fields, dateOrders, isPreviewed } = this.request
    this.header = header
    this.samples = header.names.map(() => [])
    this.placed = placeColumns(header.names, dataType, {
      remembered: columns,
      chosen: fields,
      guesses: isPreviewed,
    })
    if (this.placed.missing.length === 0)
      this.validator = new RowValidator({
        dataType,
        today,
        names,
        fields: this.placed.fields,
        dateOrders,
        date1904,
        isText,
        isPreviewed,
      })
  }

  take(lines: Line[], read: number) {
    for (let at = 0; at < lines.length; at += BATCH) this.#batch(lines.slice(at, at + BATCH), read)
  }

  #batch(lines: Line[], read: number) {
    this.rowCount += lines.length
    this.lastRow = lines.at(-1)?.row ?? this.lastRow
    this.#sample(lines)
    const { validator } = this
    if (!validator) return
    const text = stagedText(
      this.request.uploadId,
      lines.map((line) => validator.validate(line)),
    )
    const rows = new TextEncoder().encode(text)
    this.#staged += rows.length
    if (this.#staged > STAGED_BASE + STAGED_PER_BYTE * this.request.bytes.length)
      throw Refused.field('file', 'The file holds far more text than its size allows; remove what repeats in its cells')
    this.#awaitRoom()
    self.postMessage({ rows, read } satisfies SheetAnswer, [rows.buffer])
  }

  /** Waits for the server's thread to store what was read, so that it does not gather in memory. */
  #awaitRoom() {
    const { kept } = this.request
    for (let stored = Atomics.load(kept, 0); this.#sent - stored >= AHEAD; stored = Atomics.load(kept, 0))
      Atomics.wait(kept, 0, stored, 1000)
    this.#sent++
  }

  #sample(lines: Line[]) {
    if (this.samples.every((values) => values.length === SAMPLES)) return
    for (const { cells } of lines.slice(0, 100)) {
      this.samples.forEach((values, at) => {
        const cell = cells[at] ?? null
        const text = cellText(cell)
        if (text.trim() && values.length < SAMPLES && !values.includes(text))
          values.push(text.slice(0, 60).toWellFormed())
      })
    }
  }

  summary(): SheetSummary {
    const { header, samples, placed, validator, rowCount, lastRow } = this
    return {
      header_row: header.row,
      first_rows: header.first_rows,
      header: header.names,
      samples,
      fields: placed.fields,
      missing: placed.missing,
      complaint: placed.missing.length ? missingColumns(this.request.dataType, placed) : null,
      warnings: [...placed.warnings, ...(validator?.warnings ?? [])],
      dates: validator?.dates ?? [],
      names: validator?.names ?? [],
      rowCount,
      lastRow,
    }
  }
}

async function answer(request: SheetRequest): Promise<SheetAnswer> {
  const work = new Work(request)
  try {
    await readSheet(request.bytes, request.fileName, request.headerRow, {
      likeness: (cells) => work.likeness(cells),
      header: (header, facts) => work.begin(header, facts),
      rows: (rows, read) => work.take(rows, read),
    })
    return { summary: work.summary() }
  } catch (error) {
    if (error instanceof Refused) return { refused: error.errors ?? [] }
    return { broken: error instanceof Error ? error.message : String(error) }
  }
}

// The library reports each oddity of a damaged workbook, which would fill the log with what strangers send.
console.error = () => {}

// Reading a file is nobody's hurry: pages and the database come first on a busy machine. Elsewhere than on Linux it would
// be the whole program that steps back.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)

self.onmessage = async (event: MessageEvent<SheetRequest>) => {
  self.postMessage({ begun: true } satisfies SheetAnswer)
  self.postMessage(await answer(event.data))
}
