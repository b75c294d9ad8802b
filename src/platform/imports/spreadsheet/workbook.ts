import * as XLSX from 'xlsx'
import type { Entry, ZipFile } from 'yauzl'
import { Refused } from '../../refusals'
import { TextCollector } from './cell-text'
import type { DateCell } from './cells'
import { shownPart } from './date-cell'
import { SHEET_LIMIT, sheetLabel } from './lines'
import { FORMAT_LIMIT, type ShownNumber, textAround } from './number-format'
import { type Attributes, type XmlEvents, XmlScanner } from './xml'
import { openZip, type Parts, unpack } from './zip'

const SHARED_TEXT_LIMIT = 1_000_000
const PART_BYTES_LIMIT = 100 * 1024 * 1024

const refuse = (message: string) => Refused.field('file', message)

/** A sheet of an .xlsx workbook. The workbook is a zip file, and `path` is the path of the sheet within it. */
export type Sheet = { name: string; isHidden: boolean; entry: Entry; path: string }

export type Workbook = Parts & {
  sheets: Sheet[]
  date1904: boolean
  isDateStyle: boolean[]
  /** For each cell style, the part of a date that it shows. Undefined if it shows the whole date, or no date. */
  shownPartOfStyle: DateCell['shows'][]
  /**
   * Number of digits in each cell style with leading zeros. For example, it is 6 for `000000`. 0 means that the style
   * adds no zeros.
   */
  digitsOfStyle: number[]
  /** Text around the numbers of each cell style, such as ` km`. Null if the style shows only the number. */
  textOfStyle: (ShownNumber | null)[]
  isScientificStyle: boolean[]
  isStruckStyle: boolean[]
  texts: string[]
}

/** @throws Refused when the file is not an .xlsx workbook or exceeds a limit */
export async function openWorkbook(bytes: Uint8Array): Promise<Workbook> {
  const parts = await openZip(bytes)
  const { file, entries } = parts
  const main = await workbookPath(parts)
  const entry = entries.get(main)
  if (!entry) throw refuse('The file could not be read as .xlsx')
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const related = await relations(parts, `${folder}_rels/${main.slice(folder.length)}.rels`, folder)
  const properties = { sheets: [] as { id: string; name: string; isHidden: boolean }[], date1904: false }
  await scan(file, entry, {
    open(name, attributes) {
      if (name === 'sheet' && properties.sheets.length < SHEET_LIMIT)
        properties.sheets.push({
          id: relationId(attributes),
          name: sheetLabel(attributes.name ?? ''),
          isHidden: /hidden/i.test(attributes.state ?? ''),
        })
      if (name === 'workbookPr') properties.date1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
    },
  })
  const partOf = (path: string | undefined) => (path ? entries.get(path) : undefined)
  const usedEntries = new Set<Entry>()
  const sheets = properties.sheets.flatMap(({ id, name, isHidden }): Sheet[] => {
    const path = related.byId.get(id) ?? ''
    const entry = partOf(path)
    // Several sheets can refer to the same part of the workbook file. Only the first of them is read, because reading
    // the part repeatedly would take too long.
    if (!entry || usedEntries.has(entry)) return []
    usedEntries.add(entry)
    return [{ name, isHidden, entry, path }]
  })
  if (sheets.length === 0) throw refuse('The file could not be read as .xlsx')
  const styles = partOf(related.byKind.get('styles'))
  const texts = partOf(related.byKind.get('sharedStrings'))
  return {
    file,
    entries,
    sheets,
    date1904: properties.date1904,
    ...(styles
      ? await readStyles(file, styles)
      : {
          isDateStyle: [],
          shownPartOfStyle: [],
          digitsOfStyle: [],
          textOfStyle: [],
          isStruckStyle: [],
          isScientificStyle: [],
        }),
    texts: texts ? await readSharedTexts(file, texts) : [],
  }
}

const COMMENTS_LIMIT = 1000

/** Returns the positions of cells with comments, such as `B3`. */
export async function commentedCells(parts: Parts, { path }: Sheet): Promise<string[]> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const { byKind } = await relations(parts, `${folder}_rels/${path.slice(folder.length)}.rels`, folder)
  // The path of the comments is relative to the folder of the sheet, such as `xl/worksheets/../comments1.xml`.
  const target = new URL(byKind.get('comments') ?? '', 'file:///').pathname.slice(1)
  const entry = parts.entries.get(target)
  const cells: string[] = []
  if (entry)
    await scan(parts.file, entry, {
      open(name, { ref }) {
        if (name === 'comment' && ref && cells.length < COMMENTS_LIMIT) cells.push(ref.slice(0, 10))
      },
    })
  return cells
}

/**
 * Returns the id that links a sheet to its workbook part. The id is in an attribute whose namespace prefix varies
 * between files, so any attribute whose name ends in `:id` is used.
 */
const relationId = (attributes: Attributes) =>
  attributes['r:id'] ?? Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''

async function workbookPath(parts: Parts): Promise<string> {
  const { byKind } = await relations(parts, '_rels/.rels', '')
  return byKind.get('officeDocument') ?? 'xl/workbook.xml'
}

async function relations({ file, entries }: Parts, path: string, folder: string) {
  const byId = new Map<string, string>()
  const byKind = new Map<string, string>()
  const entry = entries.get(path.toLowerCase())
  const events = {
    open(name: string, attributes: Attributes) {
      if (name !== 'Relationship') return
      const target = (attributes.Target ?? '').toLowerCase()
      const full = target.startsWith('/') ? target.slice(1) : folder + target
      byId.set(attributes.Id ?? '', full)
      byKind.set((attributes.Type ?? '').replace(/^.*\//, ''), full)
    },
  }
  if (entry) await scan(file, entry, events)
  return { byId, byKind }
}

async function scan(file: ZipFile, entry: Entry, events: Partial<XmlEvents>) {
  const scanner = new XmlScanner({ open() {}, close() {}, text() {}, ...events })
  const decoder = new TextDecoder()
  for await (const piece of unpack(file, entry, PART_BYTES_LIMIT)) scanner.push(decoder.decode(piece, { stream: true }))
}

async function readStyles(file: ZipFile, entry: Entry) {
  const builtIn = XLSX.SSF.get_table() as Record<string, string>
  const formats: Record<string, string> = {}
  const isDate: boolean[] = []
  const shownParts: DateCell['shows'][] = []
  const digits: number[] = []
  const texts: (ShownNumber | null)[] = []
  const isStruck: boolean[] = []
  const isScientific: boolean[] = []
  const isStruckFont: boolean[] = []
  let isInCellStyles = false
  await scan(file, entry, {
    open(name, attributes) {
      if (name === 'numFmt') formats[attributes.numFmtId ?? ''] = attributes.formatCode ?? ''
      if (name === 'font') isStruckFont.push(false)
      if (name === 'strike') isStruckFont[isStruckFont.length - 1] = !['0', 'false'].includes(attributes.val ?? '')
      if (name === 'cellXfs') isInCellStyles = true
      if (name !== 'xf' || !isInCellStyles || isDate.length > 100_000) return
      const id = attributes.numFmtId ?? '0'
      const format = Object.hasOwn(formats, id) ? formats[id] : builtIn[id]
      const isDateFormat = format !== undefined && format.length <= FORMAT_LIMIT && XLSX.SSF.is_date(format)
      isDate.push(isDateFormat)
      shownParts.push(isDateFormat ? shownPart(format) : undefined)
      isScientific.push(/E[+-]/i.test(format ?? ''))
      isStruck.push(isStruckFont[Number(attributes.fontId ?? 0)] ?? false)
      digits.push(/^0{2,20}$/.test(format ?? '') ? (format as string).length : 0)
      texts.push(format !== undefined && !isDateFormat && format.length <= FORMAT_LIMIT ? textAround(format) : null)
    },
    close(name) {
      if (name === 'cellXfs') isInCellStyles = false
    },
  })
  return {
    isDateStyle: isDate,
    shownPartOfStyle: shownParts,
    digitsOfStyle: digits,
    textOfStyle: texts,
    isStruckStyle: isStruck,
    isScientificStyle: isScientific,
  }
}

async function readSharedTexts(file: ZipFile, entry: Entry): Promise<string[]> {
  const texts: string[] = []
  const collector = new TextCollector()
  await scan(file, entry, {
    open: (name) => collector.open(name),
    close(name) {
      collector.close(name)
      if (name !== 'si') return
      if (texts.length >= SHARED_TEXT_LIMIT) throw refuse('The workbook contains too many different text values')
      texts.push(collector.take())
    },
    text: (piece) => collector.add(piece),
  })
  return texts
}
