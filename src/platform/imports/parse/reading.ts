import type { DateOrder } from '../../reading/dates'
import type { NameLookup } from '../names'
import { type Cell, cellText } from '../spreadsheet/cells'

/** What the cells of a file mean, decided by its headings, its first values and the user. */
export type Reading = {
  today: string
  names: NameLookup
  dateOrders: Record<string, DateOrder>
  date1904: boolean
  /** Year of the dates without a year, if the name of the sheet contains it. Expiry dates are not included. */
  sheetYear?: number | undefined
  /** Date fields whose dates with dots, such as `05.11.2026`, have the day first. */
  dottedDays?: ReadonlySet<string>
  /** Date fields whose short dates, such as `11/27`, are a month and a year. */
  monthYears?: ReadonlySet<string>
  /** Fields of expiry dates whose cells such as `27-Nov` can be a day, or the month and year that a program changed. */
  dayOrYear?: ReadonlySet<string>
  /** Date fields that need a day, but whose short dates can be a month and a year. */
  lackDays?: ReadonlySet<string>
  /** True for a file with decimal commas, in which a dot usually groups thousands. */
  hasDecimalCommas?: boolean
  /** True if the column of the unit numbers contains VINs. */
  hasVins?: boolean
}

/** Matches text such as `NOV 28`, which is November 2028 in a column of months and years. */
export const MONTH_AND_SPACED_YEAR = /^\s*([a-z]{3,9})\.?\s+(\d{2})\s*$/i

export type ParsedCell = { raw: unknown; note?: string; error?: string }

export const MAX_SHOWN_LENGTH = 60
export const shownText = (cell: Cell) => cellText(cell).trim().slice(0, MAX_SHOWN_LENGTH).toWellFormed()

export const readAs = (cell: Cell, value: string) => `${shownText(cell)} was read as ${value}`
