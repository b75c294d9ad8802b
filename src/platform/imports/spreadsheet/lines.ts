import type { Cell } from './cells'

/** One line of a table that has something in it; `row` counts from 1, as a spreadsheet shows it. */
export type Line = { row: number; cells: Cell[] }

/** Some lines of a file, and how much of the file has been read by then, from 0 to 1. */
export type Piece = { lines: Line[]; read: number; date1904: boolean }

/** Rows and columns beyond these are refused rather than silently left out. */
export const ROW_LIMIT = 200_000
/** A workbook of failed rows adds Row and Reason to the columns of its file. */
export const OWN_COLUMNS = 2
export const COLUMN_LIMIT = 200 + OWN_COLUMNS

/** Blank ones included: as many as a sheet of Excel can have. */
export const LINE_LIMIT = 1_048_576
