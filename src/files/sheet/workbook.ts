import * as XLSX from 'xlsx'
import { Refused } from '../../refusals'
import { type Cell, dateOf } from './cells'
import { COLUMN_LIMIT, LINE_LIMIT, type Line, type Piece } from './lines'
import { attribute, type XmlEvents, XmlScanner } from './xml'
import { unpack, type ZipEntry, zipEntries } from './zip'

/** Excel itself stores no more than this in one cell. In characters. */
const CELL_LIMIT = 32_767
const SHARED_TEXT_LIMIT = 1_000_000
const SHEET_BYTES_LIMIT = 300 * 1024 * 1024
const PART_BYTES_LIMIT = 100 * 1024 * 1024

const refuse = (message: string) => Refused.field('file', message)
const TOO_LONG = `A cell holds more than ${CELL_LIMIT.toLocaleString('en-US')} characters`

type Workbook = { bytes: Uint8Array; parts: Map<string, ZipEntry>; sheets: ZipEntry[]; date1904: boolean; isDateStyle: boolean[]; texts: string[] }

/** Hands out the lines of an .xlsx workbook's first filled sheet, as they are unpacked. @throws Refused */
export async function readXlsx(bytes: Uint8Array, take: (piece: Piece) => void) {
  const book = await openWorkbook(bytes)
  for (const sheet of book.sheets) {
    if (await readSheetPart(book, sheet, take)) return
  }
  throw refuse('The workbook is empty')
}

async function openWorkbook(bytes: Uint8Array): Promise<Workbook> {
  const parts = zipEntries(bytes)
  const main = await workbookPath(bytes, parts)
  const entry = parts.get(main)
  if (!entry) throw refuse('The file could not be read as .xlsx')
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const related = await relations(bytes, parts, `${folder}_rels/${main.slice(folder.length)}.rels`, folder)
  const found = { ids: [] as string[], date1904: false }
  await scan(bytes, entry, {
    open(name, attributes) {
      if (name === 'sheet') found.ids.push(attribute(attributes, 'r:id') ?? /\b\w+:id="([^"]*)"/.exec(attributes)?.[1] ?? '')
      if (name === 'workbookPr') found.date1904 = ['1', 'true'].includes(attribute(attributes, 'date1904') ?? '')
    },
  })
  const partOf = (path: string | undefined) => (path ? parts.get(path) : undefined)
  const sheets = found.ids.flatMap((id) => partOf(related.byId.get(id)) ?? [])
  if (sheets.length === 0) throw refuse('The file could not be read as .xlsx')
  const styles = partOf(related.byKind.get('styles'))
  const texts = partOf(related.byKind.get('sharedStrings'))
  return {
    bytes,
    parts,
    sheets,
    date1904: found.date1904,
    isDateStyle: styles ? await readDateStyles(bytes, styles) : [],
    texts: texts ? await readSharedTexts(bytes, texts) : [],
  }
}

async function workbookPath(bytes: Uint8Array, parts: Map<string, ZipEntry>): Promise<string> {
  const { byKind } = await relations(bytes, parts, '_rels/.rels', '')
  return byKind.get('officeDocument') ?? 'xl/workbook.xml'
}

/** Where the parts that one part refers to lie: by the id it uses, and by their kind. */
async function relations(bytes: Uint8Array, parts: Map<string, ZipEntry>, path: string, folder: string) {
  const byId = new Map<string, string>()
  const byKind = new Map<string, string>()
  const entry = parts.get(path.toLowerCase())
  const events = {
    open(name: string, attributes: string) {
      if (name !== 'Relationship') return
      const target = (attribute(attributes, 'Target') ?? '').toLowerCase()
      const full = target.startsWith('/') ? target.slice(1) : folder + target
      byId.set(attribute(attributes, 'Id') ?? '', full)
      byKind.set((attribute(attributes, 'Type') ?? '').replace(/.*\//, ''), full)
    },
  }
  if (entry) await scan(bytes, entry, events)
  return { byId, byKind }
}

async function scan(bytes: Uint8Array, entry: ZipEntry, events: Partial<XmlEvents>) {
  const scanner = new XmlScanner({ open() {}, close() {}, text() {}, ...events })
  const decoder = new TextDecoder()
  for await (const piece of unpack(bytes, entry, PART_BYTES_LIMIT)) scanner.push(decoder.decode(piece, { stream: true }))
}

/** Which of the workbook's cell styles show a number as a date. */
async function readDateStyles(bytes: Uint8Array, entry: ZipEntry): Promise<boolean[]> {
  const builtIn = XLSX.SSF.get_table() as Record<string, string>
  const formats: Record<string, string> = {}
  const isDate: boolean[] = []
  let isInCellStyles = false
  await scan(bytes, entry, {
    open(name, attributes) {
      if (name === 'numFmt') formats[attribute(attributes, 'numFmtId') ?? ''] = attribute(attributes, 'formatCode') ?? ''
      if (name === 'cellXfs') isInCellStyles = true
      if (name !== 'xf' || !isInCellStyles || isDate.length > 100_000) return
      const id = attribute(attributes, 'numFmtId') ?? '0'
      const format = Object.hasOwn(formats, id) ? formats[id] : builtIn[id]
      isDate.push(format !== undefined && format.length < 300 && XLSX.SSF.is_date(format))
    },
    close(name) {
      if (name === 'cellXfs') isInCellStyles = false
    },
  })
  return isDate
}

/** Excel writes characters that XML cannot hold as `_x000D_`. */
const unescapeExcel = (text: string) =>
  text.includes('_x') ? text.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))) : text

/** Gathers the text of `t` elements, without the reading aids that East Asian workbooks add. */
class TextCollector {
  #text = ''
  #isOpen = false
  #isAid = false

  open(name: string) {
    if (name === 'rPh') this.#isAid = true
    if (name === 't') this.#isOpen = true
  }

  close(name: string) {
    if (name === 'rPh') this.#isAid = false
    if (name === 't') this.#isOpen = false
  }

  add(piece: string) {
    if (!this.#isOpen || this.#isAid) return
    this.#text += piece
    if (this.#text.length > CELL_LIMIT) throw refuse(TOO_LONG)
  }

  take(): string {
    const text = unescapeExcel(this.#text)
    this.#text = ''
    return text
  }
}

async function readSharedTexts(bytes: Uint8Array, entry: ZipEntry): Promise<string[]> {
  const texts: string[] = []
  const collector = new TextCollector()
  await scan(bytes, entry, {
    open: (name) => collector.open(name),
    close(name) {
      collector.close(name)
      if (name !== 'si') return
      if (texts.length >= SHARED_TEXT_LIMIT) throw refuse('The workbook holds far too many texts')
      texts.push(collector.take())
    },
    text: (piece) => collector.add(piece),
  })
  return texts
}

/** `AB12` → 27; -1 when the reference has no letters. */
function columnOf(reference: string): number {
  let column = 0
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - 64
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  return column - 1
}

/** Turns the events of a sheet's XML into lines. */
class SheetEvents implements XmlEvents {
  lines: Line[] = []
  #row = 0
  #cells: Cell[] = []
  #column = -1
  #type: string | undefined
  #style = 0
  #value = ''
  #isValue = false
  #isCell = false
  readonly #text = new TextCollector()

  constructor(readonly book: Workbook) {}

  open(name: string, attributes: string) {
    if (name === 'c') {
      const reference = attribute(attributes, 'r')
      const named = reference ? columnOf(reference) : -1
      this.#column = named >= 0 ? named : this.#column + 1
      this.#type = attribute(attributes, 't')
      this.#style = Number(attribute(attributes, 's') ?? 0)
      this.#value = ''
      this.#isCell = true
    } else if (name === 'v') this.#isValue = true
    else if (name === 'row') {
      const number = Number(attribute(attributes, 'r'))
      this.#row = number > this.#row ? number : this.#row + 1
      if (this.#row > LINE_LIMIT) throw refuse('The sheet has more rows than Excel can hold')
      this.#cells = []
      this.#column = -1
    } else if (this.#isCell) this.#text.open(name)
  }

  close(name: string) {
    if (name === 'v') this.#isValue = false
    else if (name === 'c') this.#closeCell()
    else if (name === 'row') {
      if (this.#cells.length > 0) this.lines.push({ row: this.#row, cells: this.#cells })
      this.#cells = []
    } else if (this.#isCell) this.#text.close(name)
  }

  text(piece: string) {
    if (this.#isValue) {
      this.#value += piece
      if (this.#value.length > CELL_LIMIT) throw refuse(TOO_LONG)
    } else if (this.#isCell) this.#text.add(piece)
  }

  #closeCell() {
    this.#isCell = false
    const inline = this.#text.take()
    const cell = this.#read(inline)
    // One column beyond the limit is kept, so that a header there is seen and refused.
    if (cell === null || cell === '' || this.#column > COLUMN_LIMIT) return
    while (this.#cells.length < this.#column) this.#cells.push(null)
    this.#cells[this.#column] = cell
  }

  #read(inline: string): Cell {
    const value = this.#value
    if (this.#type === 'inlineStr') return inline
    if (value === '') return inline || null
    if (this.#type === 's') return this.book.texts[Number(value)] ?? null
    if (this.#type === 'str') return unescapeExcel(value)
    if (this.#type === 'b') return value === '1' || value === 'true'
    // An error cell such as #REF! says so, so that its row is refused with the reason in sight.
    if (this.#type === 'e') return value
    if (this.#type === 'd') return /^\d{4}-\d\d-\d\d/.test(value) ? { date: value.slice(0, 10) } : value
    const number = Number(value)
    if (!Number.isFinite(number)) return value
    return this.book.isDateStyle[this.#style] ? (dateOf(number, this.book.date1904) ?? number) : number
  }
}

/** @returns whether the sheet holds anything */
async function readSheetPart(book: Workbook, sheet: ZipEntry, take: (piece: Piece) => void): Promise<boolean> {
  const events = new SheetEvents(book)
  const scanner = new XmlScanner(events)
  const decoder = new TextDecoder()
  let unpacked = 0
  let isFilled = false
  for await (const piece of unpack(book.bytes, sheet, SHEET_BYTES_LIMIT)) {
    scanner.push(decoder.decode(piece, { stream: true }))
    unpacked += piece.length
    const { lines } = events
    events.lines = []
    isFilled ||= lines.length > 0
    take({ lines, read: sheet.size ? Math.min(1, unpacked / sheet.size) : 1, date1904: book.date1904 })
  }
  return isFilled
}
