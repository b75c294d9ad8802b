import type { Entry, ZipFile } from 'yauzl'
import type { Cell } from './cells'
import { unpack } from './zip'

/** Fills vertically merged cells with the value of their first row. The file stores the value only in that row. */

type Merge = { column: number; from: number; to: number; value: Cell }
/**
 * Vertically merged cells of a sheet. `waiting` contains all merges, keyed by their first row. `open` contains the
 * merges that cover the current row, keyed by column. `open` has at most one merge per column, because a malicious file
 * can have thousands of overlapping merges.
 */
export type Merges = { waiting: Map<number, Merge[]>; open: Map<number, Merge> }
export const NO_MERGES: Merges = { waiting: new Map(), open: new Map() }

const LIMIT = 20_000
/**
 * Maximum unpacked size, in bytes, of a sheet with filled merges. Merges in larger sheets are ignored. The file stores
 * merges after the rows, so the sheet must be read twice, and this takes too long.
 */
const BYTES_LIMIT = 60 * 1024 * 1024

function columnOf(letters: string): number {
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

export async function mergesIn(file: ZipFile, sheet: Entry, limit: number): Promise<Merges> {
  const merges: Merges = { waiting: new Map(), open: new Map() }
  if (sheet.uncompressedSize > BYTES_LIMIT) return merges
  const decoder = new TextDecoder('latin1')
  let rest = ''
  let count = 0
  for await (const bytes of unpack(file, sheet, limit)) {
    const text = rest + decoder.decode(bytes, { stream: true })
    for (const [, letters = '', from, to] of text.matchAll(
      /mergeCell\s[^<>]{0,40}?ref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"/g,
    )) {
      const merge = { column: columnOf(letters), from: Number(from), to: Number(to), value: null }
      if (merge.to <= merge.from || ++count > LIMIT) continue
      const sameRow = merges.waiting.get(merge.from)
      if (sameRow) sameRow.push(merge)
      else merges.waiting.set(merge.from, [merge])
    }
    // Keep the end of the text, because a cell reference can be split between two pieces. Finding the same reference
    // twice is harmless.
    rest = text.slice(-100)
  }
  return merges
}

/** @returns the positions of the cells that were filled */
export function fillMerged(merges: Merges, row: number, cells: Cell[]): number[] {
  const filled: number[] = []
  if (merges.waiting.size === 0) return filled
  for (const { column, to, value } of merges.open.values()) {
    if (to < row) merges.open.delete(column)
    if (to < row || value === null || (cells[column] ?? null) !== null) continue
    while (cells.length < column) cells.push(null)
    cells[column] = value
    filled.push(column)
  }
  for (const merge of merges.waiting.get(row) ?? [])
    merges.open.set(merge.column, { ...merge, value: cells[merge.column] ?? null })
  return filled
}
