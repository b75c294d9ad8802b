import type { Cell } from '../spreadsheet/cells'
import type { SheetLine } from '../spreadsheet/lines'

const DITTO = /^\s*(?:["“”″〃↓^…]|''|-"-|\.{3}|ditto|do\.?|s\/a|(?:same )?as above|same)\s*$/i

/**
 * Returns a function that replaces the ditto marks in a line.
 * Each ditto mark becomes the value of the cell above. The positions of the ditto marks are added to `merged`, so that
 * the preview can report repeated amounts. Pass the lines in the order of the file.
 */
export function dittoReader(): (line: SheetLine) => SheetLine {
  let above: Cell[] = []
  return (line) => {
    const repeated = line.cells.flatMap((cell, at) =>
      typeof cell === 'string' && DITTO.test(cell) && (above[at] ?? null) !== null ? [at] : [],
    )
    const cells = repeated.length
      ? line.cells.map((cell, at) => (repeated.includes(at) ? above[at]! : cell))
      : line.cells
    above = cells
    return repeated.length ? { ...line, cells, merged: [...(line.merged ?? []), ...repeated] } : line
  }
}
