import { Refused } from '../../refusals'
import { COLUMN_LIMIT, SHEET_LIMIT } from './lines'

/**
 * Filter for the records of .xls workbooks ([MS-XLS]). The spreadsheet library trusts the counts and ranges in records,
 * so a small file could fill gigabytes of memory. Records that are not needed, or that claim more than they contain,
 * become records that the library skips. Their lengths stay, because sheets are found by their position.
 */

const SKIPPED = 0x0034

const [CONTINUE, BOUND_SHEET, SHARED_STRINGS, COLUMN_INFO, MERGED_CELLS] = [0x3c, 0x85, 0xfc, 0x7d, 0xe5]
/** In the versions of Excel, a record can have several types. */
const FORMATS = [0x001e, 0x041e]
const CELL_FORMATS = [0x0043, 0x0243, 0x0443, 0x00e0]

/** A record with several numbers of one row. */
const NUMBERS = 0x00bd
/** Records of cells. They begin with the row and the column. */
const CELLS = new Set([
  ...[0x0002, 0x0003, 0x0203, 0x027e, NUMBERS], // numbers
  ...[0x0004, 0x0204, 0x00d6, 0x00fd], // texts
  ...[0x0005, 0x0205, 0x0006, 0x0206, 0x0406], // true, false, errors, formulas
])

const NEEDED = new Set([
  ...[0x0009, 0x0209, 0x0409, 0x0809, 0x000a], // begin and end of the workbook and of each sheet
  ...[0x0022, 0x0042, 0x002f], // dates since 1904, code page, password
  ...FORMATS,
  ...CELL_FORMATS,
  ...[CONTINUE, BOUND_SHEET, SHARED_STRINGS, COLUMN_INFO, MERGED_CELLS],
  ...[0x0000, 0x0200, 0x0008, 0x0208], // dimensions of a sheet, rows
  ...CELLS,
  ...[0x0007, 0x0207], // texts of formulas
])

/** Maximum numbers of records and merged cells. They are higher than those of Excel or of an import. */
const FORMATS_LIMIT = 5000
const CELL_FORMATS_LIMIT = 65_536
const MERGES = 20_000
const TEXTS = 2_000_000
/**
 * Maximum number of cells of all sheets. The library reads all sheets at once and needs up to 500 bytes for a cell.
 * `PLACES` limits the places in rows up to their last cells, because each needs 8 bytes.
 */
const CELLS_LIMIT = 1_500_000
const PLACES = 5_000_000

/**
 * Returns a copy of the records of a workbook in which harmful records are skipped.
 * @throws Refused when the sheets have too many cells
 */
export function harmlessRecords(stream: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(stream)
  const view = new DataView(bytes.buffer)
  const left = {
    sheets: SHEET_LIMIT,
    formats: FORMATS_LIMIT,
    cellFormats: CELL_FORMATS_LIMIT,
    merges: MERGES,
    cells: CELLS_LIMIT,
    places: PLACES,
    row: -1,
    column: -1,
  }
  let isSkipped = false
  for (let at = 0; at + 4 <= bytes.length; ) {
    const [type, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)]
    const data = at + 4
    // Ignore a last record that is cut off.
    if (data + length > bytes.length) return bytes.subarray(0, at)
    // The data of a long record continue in further records.
    isSkipped = type === CONTINUE ? isSkipped : !isHarmless(view, { type, data, length }, left)
    if (isSkipped) view.setUint16(at, SKIPPED, true)
    at = data + length
  }
  return bytes
}

/** What a workbook may still contain. `row` and `column` are those of the previous cell. */
type Left = Record<'sheets' | 'formats' | 'cellFormats' | 'merges' | 'cells' | 'places' | 'row' | 'column', number>

/**
 * Counts the cells of a record. Cells beyond the limit of columns are skipped, except in the first column beyond it,
 * which shows that there are too many columns.
 * @throws Refused when the workbook has too many cells
 */
function countCells(view: DataView, { type, data, length }: BiffRecord, left: Left): boolean {
  if (length < 6) return true
  const [row, first] = [view.getUint16(data, true), view.getUint16(data + 2, true)]
  if (first > COLUMN_LIMIT) return false
  const count = type === NUMBERS ? Math.floor((length - 6) / 6) : 1
  const column = first + count - 1
  left.cells -= count
  left.places -= row === left.row ? Math.max(0, column - left.column) : column + 1
  left.column = row === left.row ? Math.max(column, left.column) : column
  left.row = row
  if (left.cells >= 0 && left.places >= 0) return true
  throw Refused.field('file', 'The workbook has too many cells. Save it as .xlsx and upload that file.')
}
type BiffRecord = { type: number; data: number; length: number }

/** Decides about one record, and corrects its range or count if that is enough. */
function isHarmless(view: DataView, record: BiffRecord, left: Left): boolean {
  const { type, data, length } = record
  if (!NEEDED.has(type)) return false
  if (CELLS.has(type)) return countCells(view, record, left)
  if (type === BOUND_SHEET) return left.sheets-- > 0
  if (FORMATS.includes(type)) return left.formats-- > 0
  if (CELL_FORMATS.includes(type)) return left.cellFormats-- > 0
  if (type === SHARED_STRINGS && length >= 8)
    view.setUint32(data + 4, Math.min(view.getUint32(data + 4, true), TEXTS), true)
  if (type === COLUMN_INFO) {
    if (length < 4 || view.getUint16(data, true) > COLUMN_LIMIT) return false
    view.setUint16(data + 2, Math.min(view.getUint16(data + 2, true), COLUMN_LIMIT), true)
  }
  if (type === MERGED_CELLS) {
    const count = length < 2 ? 0 : view.getUint16(data, true)
    left.merges -= count
    return count > 0 && 2 + 8 * count <= length && left.merges >= 0
  }
  return true
}
