import type { DataType } from '../../../../db/vocabulary'
import type { SplitColumn } from '../kind'
import { importKind } from '../kinds'
import { type Cell, cellText } from '../spreadsheet/cells'
import type { SheetLine } from '../spreadsheet/lines'
import { guessColumn } from './guess-columns'
import { rememberedKey } from './heading-keys'
import { plainWords } from './heading-words'

/** Longer cells are not split, because some patterns take quadratic time. */
const LENGTH_LIMIT = 200

/**
 * Returns the position of the column to split, or -1. For example, `Route` contains both locations of a transport.
 * The column is not split if the file has a separate column for one of the two fields. After the user has chosen fields
 * for the columns, the column stays as it was, split or not. Otherwise, the choices would apply to the wrong columns.
 */
export function columnToSplit(
  header: string[],
  dataType: DataType,
  lines: SheetLine[],
  { remembered, choices }: { remembered: Map<string, string>; choices?: (string | null)[] | null },
): number {
  const { split } = importKind(dataType)
  const splitAt = header.findIndex((heading) => split?.headings.includes(plainWords(heading)))
  if (!split || splitAt < 0) return -1
  if (choices) return choices.length > header.length ? splitAt : -1
  const chosen = (heading: string) => remembered.get(rememberedKey(heading))
  const isFilled = header.some((heading, at) => {
    const field = chosen(heading) ?? (at === splitAt ? null : guessColumn(heading, dataType))
    return split.into.includes(field ?? '')
  })
  const canBeSplit = lines.length === 0 || lines.some(({ cells }) => partsOf(cells[splitAt] ?? null, split)[1] !== '')
  return !isFilled && canBeSplit ? splitAt : -1
}

function partsOf(cell: Cell, { read }: SplitColumn): [string, string] {
  const text = cellText(cell).trim()
  return text.length > LENGTH_LIMIT ? [text, ''] : read(text)
}

/**
 * Replaces a heading such as `Route` with `Route: from` and `Route: to`. The importer remembers the field that a user
 * chooses for each heading. If the headings were `From` and `To`, these fields would also apply to other files.
 */
export const splitHeadings = (header: string[], at: number, { parts }: SplitColumn): string[] =>
  header.flatMap((heading, index) => (index === at ? parts.map((part) => `${heading.trim()}: ${part}`) : [heading]))

export function splitLine(line: SheetLine, at: number, split: SplitColumn): SheetLine {
  const { cells, merged, scientific } = line
  if (at >= cells.length) return line
  const moved = (position: number) => (position > at ? position + 1 : position)
  return {
    ...line,
    cells: [...cells.slice(0, at), ...partsOf(cells[at] ?? null, split), ...cells.slice(at + 1)],
    ...(merged ? { merged: merged.map(moved) } : {}),
    ...(scientific ? { scientific: scientific.map(moved) } : {}),
  }
}
