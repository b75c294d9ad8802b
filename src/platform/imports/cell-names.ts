export const cellName = (row: number, field: string) => `cell.${row}.${field}`

/** Form field name of the checkbox that excludes a row from the import. */
export const leaveName = (row: number) => `leave.${row}`

/** Row number of the first line of the form in which users type rows. Row 1 is the heading row, as in a spreadsheet. */
export const FIRST_ROW = 2

export const GRID_ROWS = 100
