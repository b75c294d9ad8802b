export const cellName = (row: number, field: string) => `cell.${row}.${field}`

/** Name of the checkbox that excludes a row from the import. */
export const leaveName = (row: number) => `leave.${row}`

/** Row number of the first row that the user fills in. Row 1 contains the headings, as in a spreadsheet. */
export const FIRST_ROW = 2

export const GRID_ROWS = 100
