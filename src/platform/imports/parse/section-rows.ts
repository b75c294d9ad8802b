import type { DataType } from '../../../../db/vocabulary'
import { fieldLabel } from '../../field-label'
import { readDate } from '../../reading/dates'
import { isTotal, nameKey, wordKey } from '../../reading/text'
import type { ColumnKind } from '../kind'
import { columnOf, importKind } from '../kinds'
import type { NameLookup } from '../names'
import { type Cell, cellText, isDate } from '../spreadsheet/cells'
import type { SheetLine } from '../spreadsheet/lines'
import { headerKey } from './heading-keys'
import { isRecordCount, RECORD_NOUNS, statusInTitle } from './other-lines'
import { placeColumns } from './place-columns'

/** Functions for files in which a row with a single location, company or date is the title of the rows below it. */

/** Maximum length of a title. A longer text is a note. */
const TITLE_LENGTH = 60

/** Matches what follows the name in a title: a colon, or a number of vehicles, as in `Phoenix (3 units)`. */
const AFTER_NAME = new RegExp(`\\s*(?::|[-–(]\\s*\\d+\\s*(?:${RECORD_NOUNS})?\\)?\\s*:?)$`, 'i')

/** Matches a name with digits, such as `Yard 4521`, `1200 W Main St` or `Rapid Transport LLC 2026`. */
const NUMBERED_NAME = new RegExp(
  [
    '^(?:yard|lot|site|branch|hub|location|building|bldg|store) ?#?\\d',
    '^\\d{1,5} (?:[nsew]\\.? )?\\p{L}.*\\b(?:st|street|ave?|avenue|rd|road|blvd|dr|drive|hwy|ln|lane|way)\\.?$',
    '\\b(?:llc|inc|corp|transport|transportation|towing|hauling|haul|logistics|movers?|trucking|carriers?)\\.?' +
      '(?: \\d{4})?$',
  ].join('|'),
  'iu',
)

/** Matches the title of records without a date, such as `TBD` or `Unscheduled`, among titles with dates. */
const WITHOUT_DAY = new RegExp(
  '^(?:tbd|tba|un-?scheduled|not scheduled|to be scheduled|no date|unknown|(?:on )?hold|waiting\\b.*|backlog|later|' +
    'pending|permanent|carried over|none|n/?a)$',
  'i',
)

/** Matches the noun before the name, as in `Location: Phoenix`. */
const BEFORE_NAME = /^(?:location|yard|site|branch|hub|lot|company|carrier|hauler)\s*[:#]\s*(?=\p{L})/iu
/** Matches a cell with such a noun alone. The cell beside it has the name. */
const LABEL = /^(?:location|yard|site|branch|hub|lot|company|carrier|hauler|date)\s*:$/i
const WEEKDAY = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?[.,]?$/i

/** Title row of a section: its row number, its value, and the position of the column that contains it. */
type Title = { row: number; value: Cell; column: number }

/** Matches what can surround a day in a title: the word `Date` before it, and a colon or remark after it. */
const AROUND_DAY = new RegExp(
  `^date\\b\\s*[:-]?\\s*|\\s*(?:\\([^)]*\\)\\s*|[-–]\\s*\\d+\\s*(?:${RECORD_NOUNS})\\s*)?:?$`,
  'gi',
)
const dayText = (cell: string) => (cell.length > TITLE_LENGTH ? cell : cell.trim().replace(AROUND_DAY, ''))

const isDay = (cell: Cell, today: string) =>
  isDate(cell) || (typeof cell === 'string' && readDate(dayText(cell), { today }) !== null)

/**
 * Matches a text that names a day but may be impossible to read, such as `Tuesday`, `11/31/2026`, `11/17/2026 pm` or
 * `Date TBD`.
 */
const DAY_LIKE = new RegExp(
  [
    '\\d\\s*[/.-]\\s*\\d',
    '\\b(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\\b',
    '\\b(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*[.,]?\\s*\\d',
    '\\d\\s*(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)',
    '\\b(?:date|week|today|tomorrow|yesterday)\\b',
  ].join('|'),
  'i',
)

const isTitle = (text: string) => text.length <= TITLE_LENGTH && !isTotal(text)

type PlacedCell = { cell: Cell; column: number }
const filledCells = ({ cells }: SheetLine): PlacedCell[] =>
  cells.flatMap((cell, column) => (cellText(cell).trim() ? [{ cell, column }] : []))

/** Returns the only filled cell of a row, or null if several cells or none are filled. */
function onlyCell(line: SheetLine): PlacedCell | null {
  const filled = filledCells(line)
  return filled.length === 1 ? (filled[0] ?? null) : null
}

/**
 * Returns the cell with the title of a row. Beside it, there can be a number of records, as in `Phoenix | 2 units`, a
 * remark on a day, or a label before it, as in `Location: | Phoenix` or `Mon | 11/30/2026`.
 */
function titleCell(line: SheetLine, today: string): PlacedCell | null {
  const [first, second, ...others] = filledCells(line)
  if (!first || others.length > 0) return null
  if (!second) return first
  const [text, next] = [cellText(first.cell).trim(), cellText(second.cell).trim()]
  if (LABEL.test(text) || (WEEKDAY.test(text) && isDay(second.cell, today))) return { ...first, cell: second.cell }
  const isRemark = isRecordCount(next) || (isDay(first.cell, today) && !/\d/.test(next))
  return isRemark && !/^\d+$/.test(text) ? first : null
}

/**
 * Returns the title in a row, which may be an unknown name. Returns null for other rows, such as records, totals and
 * long notes.
 */
function titleOf(line: SheetLine, today: string): Title | null {
  const found = titleCell(line, today)
  if (!found) return null
  const { cell, column } = found
  const { row } = line
  if (isDay(cell, today)) return { row, value: typeof cell === 'string' ? dayText(cell) : cell, column }
  const text = cellText(cell).trim()
  const name = text.replace(AFTER_NAME, '').replace(BEFORE_NAME, '')
  const isName = isTitle(text) && /\p{L}{2}/u.test(name) && (!/\d{4}/.test(name) || NUMBERED_NAME.test(name))
  return isName ? { row, value: name, column } : null
}

/** Returns the kind of column to which the value of a title belongs. Returns null for unknown names. */
function kindOf({ value }: Title, { names, today, dataType }: Known): ColumnKind | null {
  if (isDay(value, today)) return 'date'
  const key = nameKey(cellText(value))
  if (names.locations.get(key)?.id) return 'location'
  if (names.companies.get(key)?.id) return 'company'
  const isStatus = importKind(dataType).columns.some(
    ({ isRequired, words }) => isRequired && words?.some((word) => wordKey(word) === wordKey(cellText(value))),
  )
  return isStatus ? 'word' : null
}

/**
 * A kind of section of a file. `field` is the field that the titles fill, and `at` is the position of its column. If
 * the file has no such column, `isAdded` is true, and a column with this heading is added. `field` is null if the user
 * ignores the added column.
 */
export type Section = {
  kind: ColumnKind
  first: Title
  field: string | null
  at: number
  isAdded: boolean
  heading: string
}

type Known = { names: NameLookup; today: string; dataType: DataType }

/** A title is in the first column, or in a column without text. A name in the notes belongs to the row above it. */
function canHoldTitle(
  at: number,
  { header, placed, dataType }: { header: string[]; placed: (string | null)[]; dataType: DataType },
): boolean {
  const column = placed[at] ? columnOf(dataType, placed[at]) : undefined
  return at === 0 || (column ? column.kind !== 'text' : !header[at]?.trim())
}

/**
 * Finds the sections of a file by its first rows. A file can have sections of several kinds, such as a date below each
 * company. A title counts only if it is a known location or company, or a date. The titles fill a required column of
 * this kind if the file lacks exactly one such column. Names also fill the blank cells of a column that is the only one
 * of its kind. Dates do not, because a date below a table can be that of a report. The fields that a user has chosen do
 * not change the result, as in `columnToSplit`.
 */
export function findSections(
  lines: SheetLine[],
  header: string[],
  dataType: DataType,
  {
    remembered,
    choices,
    ...context
  }: Omit<Known, 'dataType'> & { remembered: Map<string, string>; choices?: (string | null)[] | null },
): Section[] {
  const known = { ...context, dataType }
  const placed = placeColumns(header, dataType, { remembered }).fields
  const firstOfKind = new Map<ColumnKind, Title>()
  for (const line of lines) {
    const title = titleOf(line, known.today)
    const kind = title && kindOf(title, known)
    if (title && kind && !firstOfKind.has(kind) && canHoldTitle(title.column, { header, placed, dataType }))
      firstOfKind.set(kind, title)
  }
  const columnsOf = (kind: ColumnKind) =>
    importKind(dataType).columns.filter((column) => column.kind === kind && column.isRequired)
  const openOf = (kind: ColumnKind) => columnsOf(kind).filter(({ name }) => !placed.includes(name))
  const added = [...firstOfKind.keys()].filter((kind) => openOf(kind).length === 1)
  const hasAdded = !choices || choices.length === header.length + added.length
  return [...firstOfKind].flatMap(([kind, first]): Section[] => {
    const [open] = openOf(kind)
    if (open && hasAdded && added.includes(kind)) {
      const at = header.length + added.indexOf(kind)
      return [
        {
          kind,
          first,
          field: choices ? (choices[at] ?? null) : open.name,
          at,
          isAdded: true,
          heading: fieldLabel(open.name),
        },
      ]
    }
    const [only, ...others] = columnsOf(kind)
    const at = only && others.length === 0 && kind !== 'date' ? (choices ?? placed).indexOf(only.name) : -1
    return only && at >= 0 ? [{ kind, first, field: only.name, at, isAdded: false, heading: '' }] : []
  })
}

/**
 * Returns a function that enters the values of the last title rows into the rows below them. The function returns null
 * for a title row, which is not a record. The lines must be passed in the order of the file. An unknown name is entered
 * too, so that the user is asked what it stands for. A day that cannot be read is also entered. Otherwise, the rows
 * below it would get the day above it.
 */
export function sectionReader(
  sections: Section[],
  header: string[],
  known: Known,
): (line: SheetLine) => SheetLine | null {
  const { today, dataType } = known
  const values = new Map<Section, Cell>()
  const { fields: placed } = placeColumns(header, dataType)
  const sectionOf = (title: Title): Section | undefined => {
    const kind = kindOf(title, known)
    // A known name or a day can also be in the first column, or in a column without a heading. In a column with another
    // field, it is the only value of an incomplete record.
    const isElsewhere = title.column === 0 || (!placed[title.column] && !header[title.column]?.trim())
    return sections.find((section) =>
      kind
        ? section.kind === kind && (section.first.column === title.column || isElsewhere)
        : section.kind !== 'date' && section.first.column === title.column,
    )
  }
  /** Begins a section. Titles whose kind first appears below this one are inside the section, and end with it. */
  const begin = (begun: Section, value: Cell) => {
    for (const section of sections) if (section.first.row > begun.first.row) values.delete(section)
    values.set(begun, value)
  }
  const unreadDay = (line: SheetLine): Title | null => {
    const { cell, column } = onlyCell(line) ?? {}
    return typeof cell === 'string' && column !== undefined && isTitle(cell) && DAY_LIKE.test(cell)
      ? { row: line.row, value: cell, column }
      : null
  }
  return (line) => {
    const title = titleOf(line, today)
    const hasKind = title !== null && kindOf(title, known) !== null
    const unread = hasKind ? null : unreadDay(line)
    const dates = unread && sections.find(({ kind, first }) => kind === 'date' && first.column === unread.column)
    if (unread && dates) {
      begin(dates, unread.value)
      return null
    }
    const undated =
      title && !hasKind && WITHOUT_DAY.test(cellText(title.value).trim())
        ? sections.find(({ kind, first }) => kind === 'date' && first.column === title.column)
        : undefined
    if (undated) {
      begin(undated, null)
      return null
    }
    const namesStatus = title && !hasKind && statusInTitle(cellText(title.value), dataType) !== null
    const begun = title && !namesStatus && sectionOf(title)
    if (begun) {
      begin(begun, title.value)
      return null
    }
    // Do not fill in a title of another kind or a note. The message about this row would quote the values.
    if (title || isCount(line) || repeatsHeadings(line, header)) return line
    return sections.reduce((line, section) => enter(line, section, values.get(section) ?? null), line)
  }
}

/** Returns true for a row that repeats the headings, for example at the beginning of a page. */
const repeatsHeadings = ({ cells }: SheetLine, header: string[]) =>
  cells.every((cell, at) => {
    const text = cellText(cell).trim()
    return text === '' || headerKey(text) === headerKey(header[at] ?? '')
  })

/** Returns true for a row with only a small number, such as the number of vehicles below a list. */
const isCount = (line: SheetLine) => /^\d{1,2}$/.test(cellText(onlyCell(line)?.cell ?? null).trim())

/** Enters the value of a section into a row that has no value in this column. */
function enter(line: SheetLine, { at, isAdded }: Section, value: Cell): SheetLine {
  const isBlank = isAdded || cellText(line.cells[at] ?? null).trim() === ''
  if (value === null || !isBlank) return line
  const cells: Cell[] = Array.from({ length: Math.max(at, line.cells.length) }, (_, index) => line.cells[index] ?? null)
  return { ...line, cells: cells.toSpliced(at, isAdded ? 0 : 1, value) }
}
