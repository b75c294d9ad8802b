import { getTableName, type SQL } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client'
import type { companySettings } from '../../../db/schema'
import type { Calendar } from '../clock'
import { kinds } from '../kinds'
import type { BulkKind } from '../lists/bulk/kind'
import type { SearchText } from './search'

/** The values of a record that its URL can contain: its id or its unit number. */
export type RecordAddress = { id: number; unit_number: string }

/**
 * Describes one kind of record. Each feature declares its kinds as plain data in `kind.ts`, so that platform code does
 * not name any kind.
 */
export type RecordKind = {
  table: PgTable
  /** Singular noun for the middle of a sentence, such as `title`. `many` is the plural. */
  noun: string
  many: string
  /** Name in files, reports, search and URLs; defaults to the table name. */
  name?: string
  /** The column that identifies a record to users, such as its unit number. */
  calledBy?: AnyPgColumn
  page?: (record: RecordAddress) => string
  /** Users who can read the history of a record; only administrators by default. */
  history?: 'everybody' | 'cost viewers'
  /** Users who receive live events when a record changes; none by default. The table must have a `version` column. */
  events?: 'everybody' | 'administrators'
  /**
   * The kind of the parent record, if each record is part of another record, as a note is. `key` is the column that
   * refers to the parent.
   */
  partOf?: { kind: RecordKind; key: AnyPgColumn; isNote?: true }
  /** The unit number column, if each record belongs to one vehicle. */
  unit?: AnyPgColumn
  /** True if the usage of master data counts the records of this kind separately. */
  isUse?: true
  /** Returns SQL for a text that distinguishes records of the same unit in reports. `id` is the id of the record. */
  about?: (id: SQL) => SQL
  /** The page that reports link to; defaults to `page`. */
  reportPage?: (record: RecordAddress) => string
  /**
   * Reads a record in the format of its GET call, for webhooks.
   * @throws Missing when the record does not exist
   */
  find?: (db: Db, clock: Calendar, id: number) => Promise<object>
  search?: SearchRule[]
  scan?: ScanRule
  due?: DueRule[]
}

/** One way to find records in the search. In `label` and `where`, the alias of the record is `x`. */
export type SearchRule = {
  /** Results of the rule with the lowest rank come first. */
  rank: number
  label: SQL
  where: (search: SearchText) => SQL
}

/** The change that the scan page applies to each scanned unit. */
export type ScanRule = {
  /** Name in URLs: `delivered`. */
  name: string
  tab: string
  /** Past participle of the action, such as `Delivered`. `done` returns the message for a changed unit. */
  verb: string
  done: (unit: string) => string
  /** Label of the action's date; null if the action has no date. */
  day: string | null
  bulk: BulkKind
  /**
   * Condition that selects the records of a unit that a scan can change. `order` puts the record that the user most
   * likely means first.
   */
  open: SQL
  order: SQL[]
  /** SQL for a text that describes the record to a user who scanned only its unit. */
  words: SQL
  /** Noun phrases for messages. `none` is for a unit without such a record, `several` for a unit with many. */
  none: string
  several: string
  set: (on: string) => Record<string, unknown>
}

/** Lead times in days, which decide when a record becomes a due item. */
export type LeadTimes = Pick<
  typeof companySettings.$inferSelect,
  'registration_days' | 'title_days' | 'title_danger_days' | 'osl_days' | 'cost_days'
>
/** The business day and the lead times, which decide when a record becomes a due item. */
export type DueCalendar = Calendar & { lead: LeadTimes }

export type DueRule = {
  name: string
  /** The lowest rank is the most urgent and comes first. */
  rank: number
  label: string
  /** Text of the link to `href`. The link opens in a dialog unless `isPage` is set. */
  verb: string
  href: (record: RecordAddress) => string
  isPage?: true
  /** Format of the number of days: `3 days late`, `in 3 days` or `3 days`. */
  days: 'late' | 'ahead' | 'waiting'
  items: (calendar: DueCalendar) => DueItems
}

/** The SQL parts that select the due items of one rule. */
export type DueItems = {
  id: SQL
  unit: SQL
  text: SQL
  /** The date on which the record became due or will become due. */
  dueOn: SQL
  days: SQL
  severity: 'danger' | 'warning' | SQL
  /** The username of the record's owner. */
  owner?: SQL
  /** The `from` and `where` clauses. */
  from: SQL
}

const byTable = new WeakMap<RecordKind[], Map<string, RecordKind>>()

/** Returns the table name, which audit entries and events call `entity`. */
export const entityOf = ({ table }: RecordKind) => getTableName(table)

export function kindOf(entity: string): RecordKind | undefined {
  const all = kinds('records')
  const byEntity = byTable.get(all) ?? new Map(all.map((kind) => [entityOf(kind), kind]))
  byTable.set(all, byEntity)
  return byEntity.get(entity)
}

export const nameOf = (kind: RecordKind) => kind.name ?? entityOf(kind)

export const findKindByName = (name: string): RecordKind | undefined =>
  kinds('records').find((kind) => nameOf(kind) === name)

export const recordPage = (entity: string, record: RecordAddress): string | null =>
  kindOf(entity)?.page?.(record) ?? null

export function reportedPage(name: string, { record_id, unit_number }: { record_id: number; unit_number: string }) {
  const kind = findKindByName(name)
  return (kind?.reportPage ?? kind?.page)?.({ id: record_id, unit_number })
}

type UnitKind = RecordKind & { table: PgTable & { id: AnyPgColumn; unit_number: AnyPgColumn } }
export const unitKinds = () => kinds('records').filter(({ unit }) => unit !== undefined) as UnitKind[]

export const dueRules = (): DueRule[] =>
  kinds('records')
    .flatMap(({ due = [] }) => due)
    .sort((a, b) => a.rank - b.rank)

const inDays = (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`

/** Formats the time to or since the due date. Examples: `11 days late`, `in 2 days`, `today`, `45 days`. */
export function formatDaysOverdue({ kind, days }: { kind: string; days: number }): string {
  const rule = dueRules().find(({ name }) => name === kind)
  if (rule?.days === 'ahead') return days === 0 ? 'today' : `in ${inDays(days)}`
  return rule?.days === 'late' ? `${inDays(days)} late` : inDays(days)
}

export const capitalised = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
