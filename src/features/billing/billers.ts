import type { z } from 'zod'
import type { Db } from '../../../db/client'
import type { Calendar } from '../../platform/clock'
import { transportCompanyQueries, vendorQueries } from '../places'
import type { CheckedLine } from './checked-line'
import { movesChecked } from './moves'
import type { Writing } from './pasted-lines'
import {
  type MoveLine,
  moveInvoice,
  moveLine,
  type NewInvoice,
  type StorageLine,
  storageInvoice,
  storageLine,
} from './rules'
import type { SheetColumns } from './sheet-columns'
import type { Period } from './statement'
import { storageChecked } from './storage'

export type Biller<Line> = {
  column: 'vendor_id' | 'transport_company_id'
  invoice: z.ZodType<NewInvoice<Line>>
  writing: Writing
  sheet: SheetColumns
  /** @throws Missing when no vendor or transport company has this id */
  nameOf(db: Db, id: number): Promise<string>
  check(db: Db, clock: Calendar, id: number, period: Period, lines: Line[]): Promise<CheckedLine[]>
}

/**
 * Patterns that find the columns of an invoice spreadsheet by their headings.
 * The fields are matched one after another. A field gets the first unused column that matches its first pattern. If
 * there is none, its next pattern is tried. `amount` is the last field, because its patterns also match some headings
 * of rate columns.
 */
const unit = (words: string) =>
  new RegExp(`^(?!.*\\b(make|model|year|price|cost|rate|type|size|location|business)\\b).*\\b(${words})\\b`, 'i')
const UNIT = [
  unit('units?'),
  unit('veh|vehicles?|car|asset|equip|equipment|fleet'),
  unit('truck'),
  unit('stock|inventory'),
]
/** Words in headings of dates other than the move date. Example: `Due date`. */
const OTHER_DATES = 'due|invoiced?|inv|bill(?:ed)?|statement|order(?:ed)?|paid|payment|cost|rate|fee|amount'
/** Words in headings of columns without the billed amount. Examples: `Amount paid` and `Tax`. */
const OTHER_FIGURES =
  'date|days?|hours|hrs|nights|miles|mi|mileage|weight|wt|lbs|units|pieces|qty|no|number|id|code|terms|' +
  'previous|previously|prior|past|last|ytd|running|invoice|paid|received|deposit|refund|credits?|waived|' +
  'discount|adjustment|tax|taxes|gst|vat|est|estimated|quoted|budget|approved|max|maximum|min|minimum|insured|' +
  'type|description|desc|category'
const amount = (words: string) => new RegExp(`^(?!.*\\b(${OTHER_FIGURES})\\b).*\\b(${words})\\b`, 'i')
/**
 * Patterns for the amount, in order of preference.
 * A row often has several amounts, such as a tow fee and a gate fee, and their total. The total must match first.
 */
const AMOUNT = [
  amount('current charges?|new charges?|this (?:invoice|period|month)'),
  amount('total due|amount due|balance due|line total|grand total|extended|extension|ext'),
  amount('total amount|total charges?|total cost|total price|total'),
  amount('debits?'),
  amount('net|balance'),
  amount('amount|amt|charges?|due|fees?|sum|current|billed'),
  amount('price|cost|freight|line ?haul|gross'),
  /^\s*invoice (?:total|amount)\s*$/i,
]

export const VENDOR: Biller<StorageLine> = {
  column: 'vendor_id',
  invoice: storageInvoice,
  writing: {
    line: storageLine,
    figures: { 1: ['amount'], 3: ['days', 'daily_rate', 'amount'] },
    help: 'enter unit and amount, or unit, days, rate and amount, separated by spaces',
  },
  sheet: {
    unit_number: UNIT,
    days: [/^(?!.*\b(?:free|grace)\b).*\bdays?\b(?!.*rate)/i],
    daily_rate: [/^(?!.*\b(?:tax|month|monthly|week|weekly)\b).*(?:\brate\b|\bper day\b|\bdaily\b)/i],
    amount: AMOUNT,
  },
  nameOf: async (db, id) => (await vendorQueries.find(db, id)).vendor_name,
  check: storageChecked,
}

export const COMPANY: Biller<MoveLine> = {
  column: 'transport_company_id',
  invoice: moveInvoice,
  writing: {
    line: moveLine,
    figures: { 1: ['amount'], 2: ['move_date', 'amount'] },
    help: 'enter unit and amount, or unit, move date (3/2/2026) and amount, separated by spaces',
  },
  sheet: {
    unit_number: UNIT,
    move_date: [
      new RegExp(
        `^(?!.*\\b(${OTHER_DATES})\\b).*\\b(moved?|ship(?:ped)?|pickup|pick-up|haul(?:ed)?|transport)\\b`,
        'i',
      ),
      new RegExp(`^(?!.*\\b(${OTHER_DATES})\\b).*\\b(date|day|deliver(?:y|ed)|dropped)\\b`, 'i'),
    ],
    amount: AMOUNT,
  },
  nameOf: async (db, id) => (await transportCompanyQueries.find(db, id)).company_name,
  check: movesChecked,
}
