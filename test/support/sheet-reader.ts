import { readSheet, type SheetFacts, type SheetHeader } from '../../src/platform/imports/spreadsheet/read-sheet'
import { Refused } from '../../src/platform/refusals'

/** Reads files cell by cell. A line with more cells in lower case is more likely to be the header. */

type Sheet = { header: SheetHeader; rows: unknown[][]; numbers: number[]; read: number[] } & SheetFacts

export async function sheetOf(
  content: Uint8Array | string,
  name = 'a.csv',
  chosen: number | null = null,
): Promise<Sheet> {
  const sheet = { rows: [], numbers: [], read: [] } as unknown as Sheet
  await readSheet(
    typeof content === 'string' ? new TextEncoder().encode(content) : content,
    name,
    { row: chosen },
    {
      likeness: (cells) => cells.filter((cell) => /^[a-z]/.test(cell)).length,
      header: (header, facts) => Object.assign(sheet, { header, ...facts }),
      rows(rows, read) {
        sheet.rows.push(...rows.map(({ cells }) => cells))
        sheet.numbers.push(...rows.map(({ row }) => row))
        sheet.read.push(read)
      },
    },
  )
  return sheet
}
export const refusal = async (content: Uint8Array | string, name?: string) =>
  sheetOf(content, name).then(
    ({ rows }) => rows.length,
    (error) => (error instanceof Refused ? error.message : error),
  )
