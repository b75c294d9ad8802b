export const cellName = (row: number, field: string) => `cell.${row}.${field}`

/** Form field name of the checkbox that excludes a row from the import. */
export const leaveName = (row: number) => `leave.${row}`

/** Number of the first row in the form for typing rows. Row 1 contains the headings, as in a spreadsheet. */
export const FIRST_ROW = 2

export const GRID_ROWS = 100
