export const cellName = (row: number, field: string) => `cell.${row}.${field}`

/** Name of the checkbox that excludes a row from the import. */
export const leaveName = (row: number) => `leave.${row}`

/** Row number of the grid's first line. Row 1 is the heading row, as in a spreadsheet. */
export const FIRST_ROW = 2

export const GRID_ROWS = 100
