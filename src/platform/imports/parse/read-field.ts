import type { DataType } from '../../../../db/vocabulary'
import { fieldErrors } from '../../accept'
import { fieldLabel } from '../../field-label'
import { nameKey } from '../../records/name-key'
import { inWords } from '../../records/warnings'
import type { ColumnKind, ImportColumn } from '../kind'
import type { Named, Names } from '../names'
import {
  type Cell,
  cellText,
  type DateOrder,
  isFaulty,
  isUncomputed,
  readDate,
  readPlain,
  readText,
  readUnit,
} from '../spreadsheet/cells'

/** How a file is to be read. */
export type Reading = {
  dataType: DataType
  /** The business day. */
  today: string
  names: Names
  /** The field that each column fills. */
  fields: (string | null)[]
  dateOrders: Record<string, DateOrder>
  date1904: boolean
  /** Does somebody see how it was read before anything is written? */
  isPreviewed: boolean
  /** Is it text such as CSV, where a surplus cell means that a comma was not quoted? */
  isText: boolean
}

/** What reading one cell brings. `unknown` is a name that stands for nothing. */
export type Read = { value: string | null; note?: string; error?: string; unknown?: string }

function readName(label: string, what: string, names: Map<string, Named>, cell: Cell): Read {
  const text = readText(cell)
  const name = typeof text === 'string' ? text.trim() : ''
  if (!name) return { value: null, error: `${label} is required` }
  const found = names.get(nameKey(name))
  if (found?.id)
    return { value: String(found.id), ...(found.alias ? { note: `"${name}" stands for ${found.alias}` } : {}) }
  const error = found ? `"${name}" stands for more than one ${what}; use its code` : `Unknown ${what} "${name}"`
  return { value: null, error, unknown: name }
}

const SHOWN = 60

/** What a user would want to know of how a cell was read, if anything. */
function correction(field: string, kind: ColumnKind, cell: Cell, value: string | null): string | undefined {
  const shown = cellText(cell)
  const bare = shown.trim()
  if (value === null || shown === value) return undefined
  if (bare === value) return `${fieldLabel(field)}: spaces were taken off`
  if ((kind === 'count' || kind === 'money') && Number(bare) === Number(value)) return undefined
  const meant = kind === 'date' ? inWords(value) : value
  // An amount with its signs, a day in the usual order: nobody needs to be told.
  if (bare === meant || (kind === 'money' && Number(bare.replace(/[$,\s]/g, '')) === Number(value))) return undefined
  return `${fieldLabel(field)}: ${bare.slice(0, SHOWN)} was read as ${meant.slice(0, SHOWN)}`
}

/** A value as Postgres reads it; amounts in whole cents, for a computed cell may be off by a hair. */
function textOf(kind: ColumnKind, value: unknown): string | null {
  if (value === null || value === undefined) return null
  return kind === 'money' ? String(Number(Number(value).toFixed(2))) : String(value)
}

function readField(
  { name, kind, rule, isNear }: ImportColumn,
  cell: Cell,
  { names, dateOrders, date1904, isPreviewed, today }: Reading,
): Read {
  if (isUncomputed(cell))
    return {
      value: null,
      error: 'the formula has no stored result; open the file in a spreadsheet program and save it there',
    }
  if (isFaulty(cell)) return { value: null, error: `the cell shows ${cell.error}; mend it in the spreadsheet` }
  if (kind === 'location') return readName(fieldLabel(name), 'location', names.locations, cell)
  if (kind === 'company') return readName(fieldLabel(name), 'transport company', names.companies, cell)
  const near = isNear && isPreviewed ? today : undefined
  const date = (given: Cell) => readDate(given, { date1904, order: dateOrders[name], near })
  const raw = {
    unit: (given: Cell) => readUnit(given, isPreviewed),
    text: readText,
    word: readText,
    count: readPlain,
    money: readPlain,
    flag: readPlain,
    date,
  }[kind](cell)
  const result = rule.safeParse(raw)
  if (!result.success) return { value: null, error: fieldErrors(result.error.issues)[0]?.message ?? 'Cannot be read' }
  const value = textOf(kind, result.data)
  const note = correction(name, kind, cell, value)
  return { value, ...(note ? { note } : {}) }
}

const REMEMBERED = 2000

/**
 * Reads the cells of one field. Most columns repeat themselves, so what a cell was read as is remembered; in a column
 * that does not, such as a mileage, looking it up costs as much as reading it, and is left off.
 */
export function cellReader(column: ImportColumn, reading: Reading): (cell: Cell) => Read {
  const known = new Map<Cell, Read>()
  let asked = 0
  let isRepeating = true
  return (cell) => {
    const found = isRepeating ? known.get(cell) : undefined
    if (found) return found
    const read = readField(column, cell, reading)
    if (isRepeating && typeof cell !== 'object') {
      asked++
      if (known.size < REMEMBERED) known.set(cell, read)
      else isRepeating = asked < 2 * REMEMBERED
    }
    return read
  }
}
