import Papa from 'papaparse'
import type { Encoding } from '../../../../db/vocabulary'
import { Refused } from '../../refusals'
import { LINE_LIMIT, type Piece, type SheetLine } from './lines'

/**
 * Maximum number of characters that are parsed at once. A longer line is refused, because it cannot be a record and the
 * CSV library (Papa) would parse it repeatedly.
 */
const CHUNK = 512 * 1024

const refuse = (message: string) => Refused.field('file', message)

/**
 * Text of a CSV file. `foreign` is the number of invalid bytes in a UTF-8 file, which were decoded as Windows-1252. It
 * is 0 for a file in another encoding.
 */
export type DecodedText = { text: string; encoding: Encoding; foreign: number }

export function decodeText(bytes: Uint8Array, requestedEncoding: Encoding | null = null): DecodedText {
  const matchByteOrderMark = (label: Encoding, ...mark: number[]) =>
    mark.every((byte, at) => bytes[at] === byte) ? label : null
  const encoding =
    requestedEncoding ??
    matchByteOrderMark('utf-8', 0xef, 0xbb, 0xbf) ??
    matchByteOrderMark('utf-16le', 0xff, 0xfe) ??
    matchByteOrderMark('utf-16be', 0xfe, 0xff) ??
    unmarkedUtf16(bytes)
  if (encoding && encoding !== 'utf-8') return { text: new TextDecoder(encoding).decode(bytes), encoding, foreign: 0 }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8', foreign: 0 }
  } catch {
    return mixedText(bytes, encoding === 'utf-8')
  }
}

/** Range of the second byte of a UTF-8 sequence, if the first byte restricts it. */
const SECOND_BYTES: Record<number, [number, number]> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
}

/** Returns the length of the valid UTF-8 sequence at a position, from 1 to 4. Returns 0 if there is none. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4) return 0
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  const [low, high] = SECOND_BYTES[first] ?? [0x80, 0xbf]
  const second = bytes[at + 1] ?? 0
  if (second < low || second > high) return 0
  for (let next = at + 2; next < at + length; next++) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0
  return length
}

/** Windows-1252 characters of the bytes from 0x80 to 0xFF, as UTF-8. */
const HIGH_BYTES = Array.from({ length: 128 }, (_, at) =>
  new TextEncoder().encode(new TextDecoder('windows-1252').decode(Uint8Array.of(at + 128))),
)
const LONGEST_HIGH_BYTE = 3

/**
 * Decodes a CSV file that is not entirely valid UTF-8. If the file is declared as UTF-8 or has a valid multibyte
 * sequence, only the invalid bytes are decoded as Windows-1252. If not, the whole file is decoded as Windows-1252.
 * @param isUtf8 true if a byte order mark or the user declares the file to be UTF-8
 */
function mixedText(bytes: Uint8Array, isUtf8: boolean): DecodedText {
  const valid = new Uint8Array(bytes.length * LONGEST_HIGH_BYTE)
  let size = 0
  let letters = 0
  let foreign = 0
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceAt(bytes, at)
    if (length === 0) {
      foreign++
      for (const byte of HIGH_BYTES[(bytes[at++] as number) - 128] as Uint8Array) valid[size++] = byte
    } else if (length > 1) letters++
    for (let left = length; left > 0; left--) valid[size++] = bytes[at++] as number
  }
  if (letters === 0 && !isUtf8)
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252', foreign: 0 }
  return { text: new TextDecoder().decode(valid.subarray(0, size)), encoding: 'utf-8', foreign }
}

function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, 200)
  const zeros = (from: number) => sample.filter((byte, at) => at % 2 === from && byte === 0).length
  if (zeros(1) > sample.length / 4) return 'utf-16le'
  return zeros(0) > sample.length / 4 ? 'utf-16be' : null
}

/** Removes the Ctrl-Z character at the end of old MS-DOS files. */
function withoutEnd(text: string): string {
  const end = text.slice(-10).trimEnd()
  return end.endsWith('\u001A') ? text.slice(0, text.lastIndexOf('\u001A')) : text
}

/**
 * Reads a CSV file and passes its lines to `take` in pieces.
 * @throws Refused when the file is not valid CSV or exceeds a limit
 */
export function readCsv({ text: decoded }: DecodedText, take: (piece: Piece) => void) {
  // A file that was merged from several sources can mix line endings, so all are converted to `\n`.
  const whole = withoutEnd(decoded.replaceAll('\r\n', '\n').replaceAll('\r', '\n'))
  // A CSV file for Excel can start with a line such as `sep=;`, which names the delimiter. Remove the text of this line
  // but keep the empty line, so that the row numbers do not change.
  const declared = /^sep=(.)(?=\n)/i.exec(whole)
  const text = declared ? whole.slice(declared[0].length) : whole
  if (text.includes('\0')) throw refuse('The file cannot be read as CSV, because the content is not text')
  let row = 0
  let cursor = -1
  const chunk = ({ data, errors, meta }: Papa.ParseResult<string[]>) => {
    // If a quote in a quoted cell is not doubled, as in `"5" pipe"`, the CSV library reports an error but still reads
    // the cell. Ignore this error if no cell of the row contains a line break. A line break can mean that the library
    // has read several rows as one cell.
    const isHarmless = ({ code, row }: Papa.ParseError) =>
      code === 'InvalidQuotes' && row !== undefined && data[row]?.every((cell) => !cell.includes('\n'))
    const quote = errors.find((error) => error.type === 'Quotes' && !isHarmless(error))
    const problem = quote?.code === 'InvalidQuotes' ? 'a quote within a cell is not doubled' : 'a quote is not closed'
    if (quote) throw refuse(`The file is damaged near row ${row + (quote.row ?? 0) + 1}: ${problem}`)
    if (data.length === 0 && meta.cursor === cursor)
      throw refuse(`The file has a line that is far too long after row ${row}; check for an unclosed quotation mark`)
    cursor = meta.cursor
    const lines: SheetLine[] = []
    for (const cells of data) {
      if (++row > LINE_LIMIT) throw refuse(`The file has more than ${LINE_LIMIT.toLocaleString('en-US')} lines`)
      if (cells.length > 1 || cells[0] !== '') lines.push({ row, cells })
    }
    take({ lines, read: text.length ? cursor / text.length : 1, date1904: false, hasSemicolons: delimiter === ';' })
  }
  const delimiter = declared?.[1] ?? delimiterOf(text)
  const config = { newline: '\n', delimiter, chunkSize: CHUNK, chunk }
  Papa.parse<string[]>(text, config as unknown as Papa.ParseConfig<string[]>)
}

const DELIMITERS = [',', ';', '\t', '|']
const SAMPLE = 64 * 1024
const SAMPLE_LINES = 50

/**
 * Detects the delimiter of a CSV file. Chooses the delimiter that splits the most lines into the same number of cells.
 * Some lines can have a different number of cells, because blank lines and titles have fewer cells.
 */
function delimiterOf(text: string): string {
  const sample = text.slice(0, SAMPLE)
  const whole = sample.length < text.length ? sample.slice(0, sample.lastIndexOf('\n') + 1) || sample : sample
  const scores = DELIMITERS.map((delimiter) => {
    const { data } = Papa.parse<string[]>(whole, {
      newline: '\n',
      delimiter,
      preview: SAMPLE_LINES,
      skipEmptyLines: 'greedy',
    })
    const widths = Map.groupBy(data, (cells) => cells.length)
    const [width, lines] = [...widths]
      .filter(([width]) => width > 1)
      .map(([width, { length }]) => [width, length] as const)
      .sort((a, b) => b[1] - a[1])[0] ?? [0, 0]
    return { delimiter, lines, width }
  })
  const [best] = scores.sort((a, b) => b.lines - a.lines || b.width - a.width)
  return best?.lines ? best.delimiter : ','
}
