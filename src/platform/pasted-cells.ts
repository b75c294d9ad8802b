import Papa from 'papaparse'
import { Refused } from './refusals'

/**
 * Splits pasted text into lines and cells. Tabs separate the cells if the text contains tabs. Otherwise, commas or
 * semicolons separate the cells. If the first line has no separator, each line is one cell.
 * @throws Refused with the field `rows` when a quotation mark is not closed
 */
export function pastedCells(text: string): string[][] {
  const plain = text.replaceAll('\r\n', '\n').replaceAll('\0', '')
  const first = plain.trimStart().split('\n', 1)[0] as string
  const isTabbed = plain.includes('\t') || !/[,;]/.test(first)
  // Find the delimiter here, because the parser would parse the text several times to find it.
  const unquoted = first.replace(/"[^"]*"/g, '')
  const delimiter = isTabbed ? '\t' : unquoted.split(';').length > unquoted.split(',').length ? ';' : ','
  const { data, errors } = Papa.parse<string[]>(plain, { delimiter })
  const quoteError = errors.find(({ type }) => type === 'Quotes')
  // In tab-separated text, a quotation mark usually means inches or is part of a name. But the parser can read the text
  // between two quotation marks, even on different lines, as one quoted cell. A cell that contains a tab and a line
  // break shows that this has happened.
  const hasSwallowed = isTabbed && data.some((line) => line.some((cell) => /\t/.test(cell) && /\n/.test(cell)))
  if (!quoteError && !hasSwallowed) return data
  if (isTabbed) return plain.split('\n').map((line) => line.split('\t'))
  throw Refused.field('rows', `Line ${(quoteError?.row ?? 0) + 1}: a quotation mark is not closed`)
}
