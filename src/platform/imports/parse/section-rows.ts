import type { DataType } from '../../../../db/vocabulary'
import { fieldLabel } from '../../field-label'
import { nameKey, wordKey } from '../../reading/text'
import type { ColumnKind, ImportColumn } from '../kind'
import { columnOf, importKind } from '../kinds'
import type { NameLookup } from '../names'
import { type Cell, cellText } from '../spreadsheet/cells'
import type { SheetLine } from '../spreadsheet/lines'
import { headerKey } from './heading-keys'
import { statusInTitle } from './other-lines'
import { placeColumns } from './place-columns'
import { isDay, isWithoutDay, onlyCell, type Title, titleOf, unreadDayOf } from './section-titles'

/** Functions for files with section titles. A title, such as `Phoenix`, supplies a value for the rows below it. */

const AFTER_KNOWN_NAME = /\s+(?:yard|lot|site|branch|hub|location|units|vehicles)$/i

/** Returns the section title in a row, or null. `Mesa yard` becomes `Mesa` if `Mesa` is a known location or company. */
function titleIn(line: SheetLine, { names, today }: TitleContext): Title | null {
  const title = titleOf(line, today)
  if (!title) return null
  const text = cellText(title.value).trim()
  const short = text.replace(AFTER_KNOWN_NAME, '')
  const isKnown = (name: string) => names.locations.get(nameKey(name))?.id || names.companies.get(nameKey(name))?.id
  return short !== text && !isKnown(text) && isKnown(short) ? { ...title, value: short } : title
}

const canComeFromTitle = ({ isRequired, isTitle }: ImportColumn) => isRequired || isTitle === true

/**
 * Returns the kind of column that a section title fills.
 * For example, returns `location` for the title `Phoenix`. Returns null if the title is not a known location or
 * company, a date or a status.
 */
function kindOf({ value }: Title, { names, today, dataType }: TitleContext): ColumnKind | null {
  if (isDay(value, today)) return 'date'
  const key = nameKey(cellText(value))
  if (names.locations.get(key)?.id) return 'location'
  if (names.companies.get(key)?.id) return 'company'
  const isStatus = importKind(dataType).columns.some(
    (column) => canComeFromTitle(column) && column.words?.some((word) => wordKey(word) === wordKey(cellText(value))),
  )
  return isStatus ? 'word' : null
}

/**
 * Sections of one kind in a file. Example: one section for each location.
 * The title of a section, such as `Phoenix`, is the value of `field` in all rows of the section. The field has the
 * column at position `at`.
 * If the file has no column for the field, the program adds a column with the heading `heading`, and `isAdded` is true.
 * If the user ignores the added column, `field` is null.
 */
export type Section = {
  kind: ColumnKind
  first: Title
  field: string | null
  at: number
  isAdded: boolean
  heading: string
}

type TitleContext = { names: NameLookup; today: string; dataType: DataType }

/**
 * Returns true if a column can contain section titles.
 * Such a column is the first column, a column without a heading, or an imported column without free text. A single
 * text in a column such as the notes is not a title, because it usually continues the notes of the row above.
 */
function canHoldTitle(
  at: number,
  { header, placed, dataType }: { header: string[]; placed: (string | null)[]; dataType: DataType },
): boolean {
  const column = placed[at] ? columnOf(dataType, placed[at]) : undefined
  return at === 0 || (column ? column.kind !== 'text' : !header[at]?.trim())
}

/**
 * Finds the sections of a file by its first rows. A file can have sections of several kinds, such as a date below each
 * company.
 * - Only known locations and companies, dates and statuses count as titles.
 * - If exactly one field of a kind, such as location, has no column, a column is added for the titles. Only required
 *   fields and fields with `isTitle` count.
 * - If the only such field of a kind has a column, the titles fill its blank cells. Titles that are dates do not,
 *   because a date below a table can be the date of a report.
 * - The user's column choices do not affect which columns are added (see `columnToSplit`).
 */
export function findSections(
  lines: SheetLine[],
  header: string[],
  dataType: DataType,
  {
    remembered,
    choices,
    ...context
  }: Omit<TitleContext, 'dataType'> & { remembered: Map<string, string>; choices?: (string | null)[] | null },
): Section[] {
  const titleContext = { ...context, dataType }
  const placed = placeColumns(header, dataType, { remembered }).fields
  const firstOfKind = new Map<ColumnKind, Title>()
  for (const line of lines) {
    const title = titleIn(line, titleContext)
    const kind = title && kindOf(title, titleContext)
    if (title && kind && !firstOfKind.has(kind) && canHoldTitle(title.column, { header, placed, dataType }))
      firstOfKind.set(kind, title)
  }
  const columnsOf = (kind: ColumnKind) =>
    importKind(dataType).columns.filter((column) => column.kind === kind && canComeFromTitle(column))
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
 * Returns a function that copies section titles into the rows below.
 * For the row of the title itself, the function returns null. Pass the lines to the function in the order of the file.
 * The function also copies two kinds of values that are not valid yet:
 * - unknown names, because the user is asked later what these names mean
 * - days that cannot be read, such as `Tuesday`, because the rows below must not get the previous day
 */
export function sectionReader(
  sections: Section[],
  header: string[],
  titleContext: TitleContext,
): (line: SheetLine) => SheetLine | null {
  const { dataType } = titleContext
  const values = new Map<Section, Cell>()
  const { fields: placed } = placeColumns(header, dataType)
  const sectionOf = (title: Title): Section | undefined => {
    const kind = kindOf(title, titleContext)
    // A known name or a day always begins a section if it is in the first column, or in a column without a heading. In
    // any other column, a name or day begins a section only if the first title of the section is in the same column. If
    // not, the row is an incomplete record.
    const isElsewhere = title.column === 0 || (!placed[title.column] && !header[title.column]?.trim())
    return sections.find((section) =>
      kind
        ? section.kind === kind && (section.first.column === title.column || isElsewhere)
        : section.kind !== 'date' && section.first.column === title.column,
    )
  }
  const statusesAt = (column: number) => sections.find(({ kind, first }) => kind === 'word' && first.column === column)
  /**
   * Returns the section that begins in a row with other text. Example: `Tempe | Manager: Al`.
   * The row itself fails, because `Tempe` is not a unit number.
   */
  const sectionBesideText = ({ row, cells }: SheetLine): { section: Section; value: Cell } | undefined => {
    const column = cells.findIndex((cell) => cellText(cell).trim() !== '')
    const title = { row, value: cells[column] ?? null, column }
    if (placed[column] !== 'unit_number' || !/\p{L}{2}/u.test(cellText(title.value))) return undefined
    const section = kindOf(title, titleContext) === null ? undefined : sectionOf(title)
    return section && { section, value: title.value }
  }
  /**
   * Begins a section, and ends the sections inside the previous section. If a file has dates below each company, the
   * title of a new company ends the section of the previous company's last date.
   */
  const begin = (newSection: Section, value: Cell) => {
    for (const section of sections) if (section.first.row > newSection.first.row) values.delete(section)
    values.set(newSection, value)
  }
  return (line) => {
    const title = titleIn(line, titleContext)
    const hasKind = title !== null && kindOf(title, titleContext) !== null
    const unread = hasKind ? null : unreadDayOf(line)
    const dates = unread && sections.find(({ kind, first }) => kind === 'date' && first.column === unread.column)
    if (unread && dates) {
      begin(dates, unread.value)
      return null
    }
    const undated =
      title && !hasKind && isWithoutDay(title)
        ? sections.find(({ kind, first }) => kind === 'date' && first.column === title.column)
        : undefined
    if (undated) {
      begin(undated, null)
      return null
    }
    const namesStatus = title && !hasKind && statusInTitle(cellText(title.value), dataType) !== null
    const newSection = namesStatus ? statusesAt(title.column) : title && sectionOf(title)
    if (newSection && title) {
      begin(newSection, title.value)
      return null
    }
    const beside = title ? undefined : sectionBesideText(line)
    if (beside) {
      begin(beside.section, beside.value)
      return line
    }
    // Do not copy the values of a section, such as its location, into rows that are not records. Such rows are other
    // titles, counts of vehicles and repeated headings. Such a row fails, and its error message would quote values that
    // the row does not contain.
    if (title || isCount(line) || repeatsHeadings(line, header)) return line
    return sections.reduce((line, section) => enter(line, section, values.get(section) ?? null), line)
  }
}

const repeatsHeadings = ({ cells }: SheetLine, header: string[]) =>
  cells.every((cell, at) => {
    const text = cellText(cell).trim()
    return text === '' || headerKey(text) === headerKey(header[at] ?? '')
  })

/** Returns true for a row that contains only a small number. Such a row below a list is usually a count of its rows. */
const isCount = (line: SheetLine) => /^\d{1,2}$/.test(cellText(onlyCell(line)?.cell ?? null).trim())

/** Enters a section's value into a row whose cell is blank. */
function enter(line: SheetLine, { at, isAdded }: Section, value: Cell): SheetLine {
  const isBlank = isAdded || cellText(line.cells[at] ?? null).trim() === ''
  if (value === null || !isBlank) return line
  const cells: Cell[] = Array.from({ length: Math.max(at, line.cells.length) }, (_, index) => line.cells[index] ?? null)
  return { ...line, cells: cells.toSpliced(at, isAdded ? 0 : 1, value) }
}
