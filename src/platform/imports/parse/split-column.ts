import type { DataType } from '../../../../db/vocabulary'
import { importKind } from '../kinds'
import { cellText } from '../spreadsheet/cells'
import type { SheetLine } from '../spreadsheet/lines'
import { guessColumn, plainWords } from './guess-columns'
import { rememberedKey } from './heading-keys'

/**
 * Separators between two locations, in the order in which they are tried. The later separators can also be part of a
 * name.
 */
const SEPARATORS = [/\s*(?:→|⇒|->|=>|>)\s*/, /\s+to\s+/i, /\s+[-–—]\s+/, /\s*\/\s*/, /\s*[-–—]\s*/]

/** Maximum length of a cell that is split, because splitting at blanks takes quadratic time. */
const LENGTH_LIMIT = 200

const hasLetter = (part: string) => /\p{L}/u.test(part)

/**
 * Splits text such as `PHX → DEN` into its two locations. Text that cannot be split, such as the route number `R-12`,
 * becomes the first part.
 */
export function splitInTwo(text: string): [string, string] {
  if (text.length <= LENGTH_LIMIT)
    for (const separator of SEPARATORS) {
      const [first, second, ...more] = text.split(separator).map((part) => part.trim())
      if (first && second && more.length === 0 && hasLetter(first) && hasLetter(second)) return [first, second]
    }
  return [text, '']
}

/**
 * Returns the position of a column that contains two fields, such as `Route` with both locations of a transport, or -1.
 * The result is -1 if the file has a separate column for one of the two fields. The fields that a user has chosen do
 * not change the result, because a different split would move the columns to which the choices refer.
 */
export function columnToSplit(
  header: string[],
  dataType: DataType,
  { remembered, choices }: { remembered: Map<string, string>; choices?: (string | null)[] | null },
): number {
  const { split } = importKind(dataType)
  const splitAt = () => header.findIndex((heading) => split?.headings.includes(plainWords(heading)))
  if (choices) return choices.length > header.length ? splitAt() : -1
  const fieldOf = (heading: string) => remembered.get(rememberedKey(heading)) ?? guessColumn(heading, dataType)
  if (!split || header.some((heading) => split.into.includes(fieldOf(heading) ?? ''))) return -1
  return splitAt()
}

/**
 * Replaces a heading such as `Route` with `Route: from` and `Route: to`. The new headings must differ from `From` and
 * `To`, because the importer remembers the fields that users choose for headings.
 */
export const splitHeadings = (header: string[], at: number): string[] =>
  header.flatMap((heading, index) => (index === at ? [`${heading.trim()}: from`, `${heading.trim()}: to`] : [heading]))

export function splitLine(line: SheetLine, at: number): SheetLine {
  const { cells, merged } = line
  if (at >= cells.length) return line
  return {
    ...line,
    cells: [...cells.slice(0, at), ...splitInTwo(cellText(cells[at] ?? null).trim()), ...cells.slice(at + 1)],
    ...(merged ? { merged: merged.map((position) => (position > at ? position + 1 : position)) } : {}),
  }
}
