import type { Cell } from './cells'

export type SheetLine = {
  /** Row number in the spreadsheet, starting at 1. */
  row: number
  cells: Cell[]
  /** True if the spreadsheet hides the row, for example with a filter. */
  isHidden?: boolean
  /** True if all filled cells are struck through. */
  isStruck?: boolean
  /** Positions of cells that repeat the cell of an earlier row. These are merged cells and ditto marks. */
  merged?: number[]
  /** Positions of numbers shown in scientific notation, such as `1.23E+10`. */
  scientific?: number[]
}

/**
 * A batch of spreadsheet lines. `read` is the share of the file that has been read, from 0 to 1. `hiddenColumns` are
 * the positions of columns that the spreadsheet hides.
 */
export type Piece = {
  lines: SheetLine[]
  read: number
  date1904: boolean
  hasSemicolons?: boolean
  hiddenColumns?: Set<number>
  /** Positions of cells with comments, such as `B3`. */
  commented?: string[]
}

/** Maximum number of nonblank rows below the headings. Larger files are refused, not truncated. */
export const ROW_LIMIT = 200_000
/** Columns that the workbook of failed rows adds: Row and Reason. */
export const OWN_COLUMNS = 2
export const COLUMN_LIMIT = 200 + OWN_COLUMNS
/** Maximum number of sheets that are read from a workbook. */
export const SHEET_LIMIT = 200

/** Number of lines at the top that are searched for headings. Titles can precede the headings. */
export const HEADER_SEARCH_LINES = 40

/** Maximum number of lines in a file, including blank lines. An Excel sheet has the same limit. */
export const LINE_LIMIT = 1_048_576

/** Prepares the name of a sheet for the database. Spreadsheet programs allow at most 31 characters. */
export const sheetLabel = (name: string) => name.replaceAll('\0', '').slice(0, 31).toWellFormed()
