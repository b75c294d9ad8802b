import { readDate } from '../../reading/dates'
import { isTotal } from '../../reading/text'
import { type Cell, cellText, isDate } from '../spreadsheet/cells'
import type { SheetLine } from '../spreadsheet/lines'
import { isRecordCount, RECORD_NOUNS, TITLE_LENGTH } from './other-lines'

/**
 * Matches the text after the name in a section title.
 * The text is a colon, or a number of vehicles, as in `Phoenix (3 units)`.
 */
const AFTER_NAME = new RegExp(`\\s*(?::|[-–(]\\s*\\d+\\s*(?:${RECORD_NOUNS})?\\)?\\s*:?)$`, 'i')

/** Matches a name with digits. Examples: `Yard 4521`, `1200 W Main St` and `Rapid Transport LLC 2026`. */
const NUMBERED_NAME = new RegExp(
  [
    '^(?:yard|lot|site|branch|hub|location|building|bldg|store) ?#?\\d',
    '^\\d{1,5} (?:[nsew]\\.? )?\\p{L}.*\\b(?:st|street|ave?|avenue|rd|road|blvd|dr|drive|hwy|ln|lane|way)\\.?$',
    '\\b(?:llc|inc|corp|transport|transportation|towing|hauling|haul|logistics|movers?|trucking|carriers?)\\.?' +
      '(?: \\d{4})?$',
  ].join('|'),
  'iu',
)

/**
 * Matches a section title without a date, such as `TBD` or `Unscheduled`.
 * If the other section titles in the file are dates, the rows below such a title have no date.
 */
const WITHOUT_DAY = new RegExp(
  '^(?:tbd|tba|un-?scheduled|not scheduled|to be scheduled|no date|unknown|(?:on )?hold|waiting\\b.*|backlog|later|' +
    'pending|permanent|carried over|none|n/?a)$',
  'i',
)

/** Matches the noun before a name, as in `Location: Phoenix`. */
const BEFORE_NAME = /^(?:location|yard|site|branch|hub|lot|company|carrier|hauler)\s*[:#]\s*(?=\p{L})/iu
/** Matches a label such as `Location:`. The next cell contains the name. */
const LABEL = /^(?:location|yard|site|branch|hub|lot|company|carrier|hauler|date)\s*:$/i
const WEEKDAY = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?[.,]?$/i

export type Title = { row: number; value: Cell; column: number }

/**
 * Matches the text around a date in a section title.
 * The text is the word `Date` before the date, and a colon, a count or a remark after it.
 */
const AROUND_DAY = new RegExp(
  `^date\\b\\s*[:-]?\\s*|\\s*(?:\\([^)]*\\)\\s*|[-–]\\s*\\d+\\s*(?:${RECORD_NOUNS})\\s*)?:?$`,
  'gi',
)
const dayText = (cell: string) => (cell.length > TITLE_LENGTH ? cell : cell.trim().replace(AROUND_DAY, ''))

export const isDay = (cell: Cell, today: string) =>
  isDate(cell) || (typeof cell === 'string' && readDate(dayText(cell), { today }) !== null)

/**
 * Matches text that looks like a day, even an invalid one.
 * Examples: `Tuesday`, `11/31/2026`, `11/17/2026 pm` and `Date TBD`.
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

/** Matches symbols around a section title, as in `** PHOENIX **` and `--- Mesa ---`. */
const DECORATION = /^[\s*=_~#<>•–—-]+|[\s*=_~#<>•–—-]+$/g
export const withoutDecoration = (text: string) => text.slice(0, 2 * TITLE_LENGTH).replace(DECORATION, '')

const isTitle = (text: string) => text.length <= TITLE_LENGTH && !isTotal(text)

type PlacedCell = { cell: Cell; column: number }
const filledCells = ({ cells }: SheetLine): PlacedCell[] =>
  cells.flatMap((cell, column) => (cellText(cell).trim() ? [{ cell, column }] : []))

export function onlyCell(line: SheetLine): PlacedCell | null {
  const filled = filledCells(line)
  return filled.length === 1 ? (filled[0] ?? null) : null
}

/**
 * Returns the cell with a row's section title, or null. The row can have one more cell:
 * - a number of records, as in `Phoenix | 2 units`
 * - a remark, if the title is a day
 * - a label before the title, as in `Location: | Phoenix` or `Mon | 11/30/2026`
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
 * Returns the section title in a row. The title may be an unknown name.
 * Returns null for other rows, such as records, totals and long notes.
 */
export function titleOf(line: SheetLine, today: string): Title | null {
  const found = titleCell(line, today)
  if (!found) return null
  const { cell, column } = found
  const { row } = line
  if (isDay(cell, today)) return { row, value: typeof cell === 'string' ? dayText(cell) : cell, column }
  const text = withoutDecoration(cellText(cell))
  const name = text.replace(AFTER_NAME, '').replace(BEFORE_NAME, '')
  const isName = isTitle(text) && /\p{L}{2}/u.test(name) && (!/\d{4}/.test(name) || NUMBERED_NAME.test(name))
  return isName ? { row, value: name, column } : null
}

export const isWithoutDay = ({ value }: Title) => WITHOUT_DAY.test(cellText(value).trim())

/**
 * Returns a row's section title if it looks like a day.
 * The day may be invalid, such as `11/31/2026`. Returns null for other rows.
 */
export function unreadDayOf(line: SheetLine): Title | null {
  const { cell, column } = onlyCell(line) ?? {}
  return typeof cell === 'string' && column !== undefined && isTitle(cell) && DAY_LIKE.test(cell)
    ? { row: line.row, value: cell, column }
    : null
}
