import { getTableName, type SQL } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { companySettings } from '../../../db/schema'
import type { Calendar } from '../clock'
import { kinds } from '../kinds'
import type { BulkKind } from '../lists/bulk/kind'
import type { SearchText } from './search'

/** A record as its page is addressed: by its id, or a vehicle by its unit number. */
export type RecordAddress = { id: number; unit_number: string }

/**
 * One kind of record. Each feature declares its own in `kind.ts`, as plain data; the platform loops over them and names
 * none.
 */
export type RecordKind = {
  table: PgTable
  /** One and several, as in the middle of a sentence: `title`, `titles`. */
  noun: string
  many: string
  /** In files, reports, the search and addresses; the table's name unless given. */
  name?: string
  /** The column that people know a record by, such as its unit number. */
  calledBy?: AnyPgColumn
  /** The page of a record, if it has one. */
  page?: (record: RecordAddress) => string
  /** Who may read its history; only administrators unless given. */
  history?: 'everybody' | 'cost viewers'
  /** Who is told of its changes by live events; nobody unless given. Such a table has a version. */
  events?: 'everybody' | 'administrators'
  /** Of a table whose rows belong to a record: the column that refers to it. */
  partOf?: { kind: RecordKind; key: AnyPgColumn; isNote?: true }
  /** Of a record of one vehicle. */
  unit?: AnyPgColumn
  /** Counted under its name where master data says how many records refer to it. */
  isUse?: true
  /** Words that tell a record from others of its unit, for reports; `id` is the record's. */
  about?: (id: SQL) => SQL
  /** The page that reports lead to, if not `page`. */
  reportPage?: (record: RecordAddress) => string
  /** How the search finds it. */
  search?: SearchRule[]
  /** What scanning a unit does to its record. */
  scan?: ScanRule
  /** The work that falls due. */
  due?: DueRule[]
}

/** One way of finding records in the search; SQL names the record `x`. */
export type SearchRule = {
  /** The lowest comes first. */
  rank: number
  label: SQL
  where: (typed: SearchText) => SQL
}

/** What scanning units one after another does. */
export type ScanRule = {
  /** `delivered`, in addresses. */
  name: string
  tab: string
  /** What was done: `Delivered`, and in a sentence about a unit. */
  verb: string
  done: (unit: string) => string
  /** The label of the day that goes with it, if one does. */
  day: string | null
  bulk: BulkKind
  /** The records of a unit that it can be done to, the likeliest first. */
  open: SQL
  order: SQL[]
  /** Which record it is, for somebody who scanned only its unit. */
  words: SQL
  /** What a unit without such a record lacks; and several of them. */
  none: string
  several: string
  set: (on: string) => Record<string, unknown>
}

/** Before or after how many days work falls due. */
export type LeadTimes = Pick<
  typeof companySettings.$inferSelect,
  'registration_days' | 'title_days' | 'title_danger_days' | 'osl_days' | 'cost_days'
>
/** What decides what is due: the business day and the company's lead times. */
export type DueCalendar = Calendar & { lead: LeadTimes }

/** One kind of work that falls due. */
export type DueRule = {
  name: string
  /** The lowest, which is the gravest, comes first. */
  rank: number
  label: string
  /** What its link says and where it leads, in a dialog unless `isPage`. */
  verb: string
  href: (record: RecordAddress) => string
  isPage?: true
  /** How its days read: `3 days late`, `in 3 days`, or `3 days`. */
  days: 'late' | 'ahead' | 'waiting'
  items: (calendar: DueCalendar) => DueItems
}

/** The due work of one kind, as the parts of a `select`. */
export type DueItems = {
  id: SQL
  unit: SQL
  text: SQL
  /** The day on which it became, or becomes, due. */
  dueOn: SQL
  days: SQL
  severity: 'danger' | 'warning' | SQL
  /** The username that the record names for it. */
  owner?: SQL
  /** From and where. */
  from: SQL
}

const byTable = new WeakMap<RecordKind[], Map<string, RecordKind>>()

/** The name of its table, which is the `entity` of audit entries and events. */
export const entityOf = ({ table }: RecordKind) => getTableName(table)

/** The kind whose table has this name. */
export function kindOf(entity: string): RecordKind | undefined {
  const all = kinds('records')
  const known = byTable.get(all) ?? new Map(all.map((kind) => [entityOf(kind), kind]))
  byTable.set(all, known)
  return known.get(entity)
}

export const nameOf = (kind: RecordKind) => kind.name ?? entityOf(kind)

/** The kind of that name. */
export const kindNamed = (name: string): RecordKind | undefined =>
  kinds('records').find((kind) => nameOf(kind) === name)

/** The page of a record, by the name of its table; null when it has none. */
export const recordPage = (entity: string, record: RecordAddress): string | null =>
  kindOf(entity)?.page?.(record) ?? null

/** The page that a report leads to, by the name of a kind. */
export function reportedPage(name: string, { record_id, unit_number }: { record_id: number; unit_number: string }) {
  const kind = kindNamed(name)
  return (kind?.reportPage ?? kind?.page)?.({ id: record_id, unit_number })
}

/** The kinds whose records are each of one vehicle. */
type UnitKind = RecordKind & { table: PgTable & { id: AnyPgColumn; unit_number: AnyPgColumn } }
export const unitKinds = () => kinds('records').filter(({ unit }) => unit !== undefined) as UnitKind[]

/** Every kind of due work, the gravest first. */
export const dueRules = (): DueRule[] =>
  kinds('records')
    .flatMap(({ due = [] }) => due)
    .sort((a, b) => a.rank - b.rank)

const inDays = (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`

/** How far due work is, in words: `11 days late`, `in 2 days`, `today`, `45 days`. */
export function howFar({ kind, days }: { kind: string; days: number }): string {
  const rule = dueRules().find(({ name }) => name === kind)
  if (rule?.days === 'ahead') return days === 0 ? 'today' : `in ${inDays(days)}`
  return rule?.days === 'late' ? `${inDays(days)} late` : inDays(days)
}

/** As the first word of a sentence or a label. */
export const capitalised = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
