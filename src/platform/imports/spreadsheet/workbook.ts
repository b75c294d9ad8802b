import * as XLSX from 'xlsx'
import type { Entry, ZipFile } from 'yauzl'
import { Refused } from '../../refusals'
import { TextCollector } from './cell-text'
import { type Attributes, type XmlEvents, XmlScanner } from './xml'
import { openZip, type Parts, unpack } from './zip'

/** What a workbook says before its sheets: where they lie, which numbers are dates, and the texts they share. */

const SHEET_LIMIT = 200
const SHARED_TEXT_LIMIT = 1_000_000
const PART_BYTES_LIMIT = 100 * 1024 * 1024

const refuse = (message: string) => Refused.field('file', message)

export type Workbook = {
  file: ZipFile
  sheets: Entry[]
  date1904: boolean
  isDateStyle: boolean[]
  texts: string[]
}

/** @throws Refused when it is none, or larger than any that we could mean */
export async function openWorkbook(bytes: Uint8Array): Promise<Workbook> {
  const parts = await openZip(bytes)
  const { file, entries } = parts
  const main = await workbookPath(parts)
  const entry = entries.get(main)
  if (!entry) throw refuse('The file could not be read as .xlsx')
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const related = await relations(parts, `${folder}_rels/${main.slice(folder.length)}.rels`, folder)
  const found = { ids: [] as string[], date1904: false }
  await scan(file, entry, {
    open(name, attributes) {
      if (name === 'sheet' && found.ids.length < SHEET_LIMIT) found.ids.push(relationId(attributes))
      if (name === 'workbookPr') found.date1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
    },
  })
  const partOf = (path: string | undefined) => (path ? entries.get(path) : undefined)
  // Several names of one part would have it read again and again.
  const sheets = [...new Set(found.ids.slice(0, SHEET_LIMIT).flatMap((id) => partOf(related.byId.get(id)) ?? []))]
  if (sheets.length === 0) throw refuse('The file could not be read as .xlsx')
  const styles = partOf(related.byKind.get('styles'))
  const texts = partOf(related.byKind.get('sharedStrings'))
  return {
    file,
    sheets,
    date1904: found.date1904,
    isDateStyle: styles ? await readDateStyles(file, styles) : [],
    texts: texts ? await readSharedTexts(file, texts) : [],
  }
}

/** The prefix of the name is the file's own choice. */
const relationId = (attributes: Attributes) =>
  attributes['r:id'] ?? Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''

async function workbookPath(parts: Parts): Promise<string> {
  const { byKind } = await relations(parts, '_rels/.rels', '')
  return byKind.get('officeDocument') ?? 'xl/workbook.xml'
}

/** Where the parts that one part refers to lie: by the id it uses, and by their kind. */
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

/** Which of the workbook's cell styles show a number as a date. */
async function readDateStyles(file: ZipFile, entry: Entry): Promise<boolean[]> {
  const builtIn = XLSX.SSF.get_table() as Record<string, string>
  const formats: Record<string, string> = {}
  const isDate: boolean[] = []
  let isInCellStyles = false
  await scan(file, entry, {
    open(name, attributes) {
      if (name === 'numFmt') formats[attributes.numFmtId ?? ''] = attributes.formatCode ?? ''
      if (name === 'cellXfs') isInCellStyles = true
      if (name !== 'xf' || !isInCellStyles || isDate.length > 100_000) return
      const id = attributes.numFmtId ?? '0'
      const format = Object.hasOwn(formats, id) ? formats[id] : builtIn[id]
      isDate.push(format !== undefined && format.length < 300 && XLSX.SSF.is_date(format))
    },
    close(name) {
      if (name === 'cellXfs') isInCellStyles = false
    },
  })
  return isDate
}

async function readSharedTexts(file: ZipFile, entry: Entry): Promise<string[]> {
  const texts: string[] = []
  const collector = new TextCollector()
  await scan(file, entry, {
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
