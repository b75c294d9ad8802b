/** What the form of a grid calls a cell, by the number of its row and its column. */
export const cellName = (row: number, field: string) => `cell.${row}.${field}`

/** The tick that leaves a row out. */
export const leaveName = (row: number) => `leave.${row}`

/** The number of the first row that is typed: the headings are row 1, as in a spreadsheet. */
export const FIRST_ROW = 2

/** So many rows stand in a grid at once; more are a spreadsheet's work. */
export const GRID_ROWS = 100
