import type { DateOrder } from '../../reading/dates'
import type { NameLookup } from '../names'
import { type Cell, cellText } from '../spreadsheet/cells'

/** Context for reading the cells of a file. It comes from the headings, the first values and the user's choices. */
export type Reading = {
  today: string
  names: NameLookup
  dateOrders: Record<string, DateOrder>
  date1904: boolean
  /** Year in the name of the sheet, if it has one. Dates without a year get this year, except expiry dates. */
  sheetYear?: number | undefined
  /** Fields whose dates with dots have the day first, as in `05.11.2026`. */
  dottedDays?: ReadonlySet<string>
  /** Fields whose short dates, such as `11/27`, are months and years. */
  monthYears?: ReadonlySet<string>
  /** Expiry date fields in which `27-Nov` can also be November 2027. Excel changes the input `Nov-27` to `27-Nov`. */
  dayOrYear?: ReadonlySet<string>
  /**
   * Date fields in which `11/27` is rejected, because it is ambiguous.
   * It can mean November 27 or November 2027. Does not contain fields with expiry dates.
   */
  lackDays?: ReadonlySet<string>
  /** True for a file with decimal commas. Its dots usually group thousands. */
  hasDecimalCommas?: boolean
  /** True if errors about unknown names do not suggest a similar name. The search for it is slow. */
  withoutSuggestions?: boolean
  /** True if text that is too short gets its column's `prefix`. */
  extendsShort?: boolean
  /** True if the column of the unit numbers contains VINs. */
  hasVins?: boolean
}

/** Matches text such as `NOV 28`. In a column of months and years, this text is November 2028. */
export const MONTH_AND_SPACED_YEAR = /^\s*([a-z]{3,9})\.?\s+(\d{2})\s*$/i

/** Result of reading a cell. `day` is the text of a date beside a word, as in `Delivered 11/21`. */
export type ParsedCell = { raw: unknown; note?: string; error?: string; day?: string }

export const MAX_SHOWN_LENGTH = 60
export const shownText = (cell: Cell) => cellText(cell).trim().slice(0, MAX_SHOWN_LENGTH).toWellFormed()

export const readAs = (cell: Cell, value: string) => `${shownText(cell)} was read as ${value}`
