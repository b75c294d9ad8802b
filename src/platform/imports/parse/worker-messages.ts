import type { DataType, Encoding } from '../../../../db/vocabulary'
import type { DateOrder } from '../../reading/dates'
import type { FieldError } from '../../refusals'
import type { NameLookup } from '../names'
import type { SheetFacts, SheetHeader } from '../spreadsheet/read-sheet'
import type { RowValidator } from './validate-rows'

/** Request to read and validate a file in a worker. The worker keeps the server's main thread free to respond. */
export type SheetRequest = {
  uploadId: number
  bytes: Uint8Array
  fileName: string
  dataType: DataType
  today: string
  names: NameLookup
  /** Maps each column heading to its remembered field. The keys come from `headerKey`. */
  columns: Map<string, string>
  fields: (string | null)[] | null
  headerRow: number | null
  sheet: string | null
  encoding: Encoding | null
  skipHidden: boolean
  /** Defaults that were remembered for sheets with the same columns. The map's keys come from `shapeOf`. */
  remembered: Map<string, Record<string, string>>
  dateOrders: Record<string, DateOrder>
  defaults: Record<string, string>
  /** Number of batches stored so far. The memory is shared by the worker and the main thread. */
  kept: Int32Array<SharedArrayBuffer>
}

export type SheetSummary = {
  header_row: number
  first_rows: SheetHeader['first_rows']
  header: string[]
  fields: (string | null)[]
  missing: string[]
  samples: string[][]
  sheets: SheetFacts['sheets']
  sheet: string | null
  encoding: Encoding | null
  defaults: Record<string, string>
  dates: RowValidator['dates']
  names: RowValidator['names']
  words: RowValidator['words']
  hidden_rows: number
  dayFirst: string[]
  warnings: string[]
  refusalText: string | null
  rowCount: number
  lastRow: number
}

/**
 * Messages from the worker: first `begun`, then batches of rows, then one result. `rows` are in COPY format. `read` is
 * the share of the file that has been read, from 0 to 1.
 */
export type SheetAnswer =
  | { begun: true }
  | { rows: Uint8Array; read: number }
  | { summary: SheetSummary }
  | { refused: FieldError[] }
  | { broken: string }
