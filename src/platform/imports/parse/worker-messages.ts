import type { DataType, Encoding, ImportMode } from '../../../../db/vocabulary'
import type { DateOrder } from '../../reading/dates'
import type { FieldError } from '../../refusals'
import type { NameLookup } from '../names'
import type { SheetLine } from '../spreadsheet/lines'
import type { SheetFacts, SheetHeader, SheetLimits } from '../spreadsheet/read-sheet'
import type { UnclearValues } from './unclear-values'

/**
 * Request to read and validate a spreadsheet in a worker thread. Meanwhile, the server's main thread stays free to
 * respond.
 */
export type SheetRequest = {
  uploadId: number
  bytes: Uint8Array
  fileName: string
  dataType: DataType
  existing: ImportMode
  today: string
  names: NameLookup
  /** Fields that users chose in earlier files. The keys are headings, normalized by `rememberedKey`. */
  columns: Map<string, string>
  fields: (string | null)[] | null
  headerRow: number | null
  sheet: string | null
  encoding: Encoding | null
  skipHidden: boolean
  extendShort: boolean
  /** Defaults from earlier files. The keys come from `shapeOf` and identify sheets with the same columns. */
  remembered: Map<string, Record<string, string>>
  dateOrders: Record<string, DateOrder>
  defaults: Record<string, string>
  /**
   * Number of row batches that the main thread has stored. The worker reads this number from shared memory, and waits
   * if the main thread is too far behind.
   */
  storedBatches: Int32Array<SharedArrayBuffer>
}

export type SheetSummary = {
  header_row: number
  first_rows: SheetHeader['first_rows']
  header: string[]
  fields: (string | null)[]
  missing: string[]
  contested: string[]
  samples: string[][]
  sheets: SheetFacts['sheets']
  sheet: string | null
  encoding: Encoding | null
  defaults: Record<string, string>
  dates: UnclearValues['dates']
  names: UnclearValues['names']
  words: UnclearValues['words']
  /**
   * VINs in the column of unit numbers or in a VIN column. If any of them belong to known vehicles, the file must be
   * read again with the unit numbers of these vehicles.
   */
  vins: string[]
  hidden_rows: number
  short_rows: number
  blank: { field: string; rows: number }[]
  /** Date order of each field that must be read again. */
  orders: Record<string, DateOrder>
  warnings: string[]
  refusalText: string | null
  rowCount: number
  lastRow: number
}

/** Request to read a small table, such as an invoice. Its lines are not validated. */
export type TableRequest = {
  bytes: Uint8Array
  fileName: string
  /** Patterns of the expected headings. The number of matches decides which sheet and which header line are read. */
  headings: RegExp[][]
  sheet: string | null
  limits: SheetLimits
}

export type SheetTable = Pick<SheetFacts, 'sheets' | 'sheet' | 'hiddenRows' | 'isText'> & {
  header: string[]
  lines: SheetLine[]
}

/**
 * Messages from the worker that reads a spreadsheet. It sends `begun`, then batches of `rows` in COPY format, then one
 * result: `summary`, `table`, `refused` or `broken`. `read` is the share of the file that has been read, from 0 to 1.
 */
export type SheetAnswer =
  | { begun: true }
  | { rows: Uint8Array; read: number }
  | { summary: SheetSummary }
  | { table: SheetTable }
  | { refused: FieldError[] }
  | { broken: string }
