export const cellName = (row: number, field: string) => `cell.${row}.${field}`

/** Name of the checkbox that excludes a row from the import. */
export const leaveName = (row: number) => `leave.${row}`

/** Number of the first typed row. The headings are row 1, as in a spreadsheet. */
export const FIRST_ROW = 2

export const GRID_ROWS = 100
