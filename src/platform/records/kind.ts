import { getTableName, type SQL } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client'
import type { companySettings } from '../../../db/schema'
import type { Role } from '../../../db/vocabulary'
import type { Calendar } from '../clock'
import { kinds } from '../kinds'
import type { BulkKind } from '../lists/bulk/kind'
import type { SearchText } from './search'

export type RecordAddress = { id: number; unit_number: string }

/**
 * Describes one kind of record, such as titles. Each feature declares its kinds as plain data in `kind.ts`, so that
 * platform code does not name any kind.
 */
export type RecordKind = {
  table: PgTable
  /** Lowercase singular noun, such as `title`. `many` is the plural. */
  noun: string
  many: string
  /** Name of this kind in files, reports, search and URLs. Defaults to the table name. */
  name?: string
  /** Column whose value identifies a record to users. An example is the unit number. */
  calledBy?: AnyPgColumn
  /** Other columns whose values identify a record to users. An example is the code of a location. */
  codes?: AnyPgColumn[]
  page?: (record: RecordAddress) => string
  /** Defaults to all fields. */
  timelineFields?: string[]
  /** Users who can read the history. By default, only administrators can. */
  history?: 'everybody' | 'cost viewers'
  /**
   * Users who receive live events when a record changes. By default, nobody does.
   * Kinds with live events need a table with a `version` column.
   */
  events?: 'everybody' | 'administrators'
  /**
   * Set if each record is part of a parent record. For example, a note is part of an OSL entry. `kind` is the kind of
   * the parent, and `key` is the column that refers to the parent.
   */
  partOf?: { kind: RecordKind; key: AnyPgColumn; isNote?: true }
  /** Column with the unit number, if each record belongs to one vehicle. */
  unit?: AnyPgColumn
  /**
   * True if a location, company or vendor counts these records separately. It then shows how many of these records
   * refer to it, as in `12 transports`. Records of all kinds without `isUse` are counted together.
   */
  isUse?: true
  /**
   * Returns SQL for a short description of the record with this `id`.
   * In reports, the description distinguishes records of the same unit.
   */
  about?: (id: SQL) => SQL
  /** Defaults to `page`. */
  reportPage?: (record: RecordAddress) => string
  /**
   * Loads a record in the format of the API, for webhooks.
   * @throws Missing when the record does not exist
   */
  find?: (db: Db, clock: Calendar, id: number) => Promise<object>
  /**
   * POST route that restores a deleted record, and the required role.
   * Undefined if deleted records cannot be restored. Records are restored from the audit entry of their deletion. This
   * entry is the only copy of the record, so it is not removed with other old audit entries.
   */
  restore?: { path: (id: number) => string; role: Role }
  search?: SearchRule[]
  scan?: ScanRule
  due?: DueRule[]
}

/** In `label` and `where`, the SQL alias of the record is `x`. */
export type SearchRule = {
  /** Results of the rule with the lowest rank come first. */
  rank: number
  label: SQL
  where: (search: SearchText) => SQL
}

export type ScanRule = {
  /** Name of the scan action in URLs, such as `delivered`. */
  name: string
  tab: string
  /** Past participle of the scan action, such as `Delivered`. `done` returns the message for a changed unit. */
  verb: string
  done: (unit: string) => string
  /** Label of the date input of the scan action. Null if the action has no date. */
  day: string | null
  bulk: BulkKind
  /**
   * SQL condition for the records that the scan action can change. `order` sorts the matching records of a scanned
   * unit. The record that the user most likely means must come first.
   */
  open: SQL
  order: SQL[]
  /** SQL for a short description of the changed record. Users then see more than the unit number. */
  words: (today: string) => SQL
  /**
   * Phrases for messages about a scanned unit.
   * `none`, such as `no title pending`, is used if the unit has no record that can be changed. `several`, such as
   * `titles pending`, is used if the unit has more than one such record.
   */
  none: string
  several: string
  set: (on: string) => Record<string, unknown>
}

/** Lead times in days, from the company settings. They decide when a record becomes a due item. */
export type LeadTimes = Pick<
  typeof companySettings.$inferSelect,
  'registration_days' | 'title_days' | 'title_danger_days' | 'osl_days' | 'cost_days'
>
export type DueCalendar = Calendar & { lead: LeadTimes }

export type DueRule = {
  name: string
  /** Items of the rule with the lowest rank come first. They are the most urgent. */
  rank: number
  label: string
  /** Text of the link from a due item to `href`. The link opens in a dialog. */
  verb: string
  href: (record: RecordAddress) => string
  /** Path to which the due list sends a form at once, instead of the link to `href`. */
  send?: (record: RecordAddress) => string
  /** Format of the number of days of a due item. The formats are `3 days late`, `in 3 days` and `3 days`. */
  days: 'late' | 'ahead' | 'waiting'
  items: (calendar: DueCalendar) => DueItems
}

export type DueItems = {
  id: SQL
  unit: SQL
  text: SQL
  /** Date on which the record became or will become a due item. */
  dueOn: SQL
  days: SQL
  severity: 'danger' | 'warning' | SQL
  owner?: SQL
  /** The `from` and `where` clauses of the query. */
  from: SQL
}

const byTable = new WeakMap<RecordKind[], Map<string, RecordKind>>()

export const entityOf = ({ table }: RecordKind) => getTableName(table)

export const restorableEntities = (): string[] =>
  kinds('records')
    .filter(({ restore }) => restore)
    .map(entityOf)

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
/** Kinds whose records have a page and a name, but no unit. Examples are locations and vendors. */
export const namedKinds = () =>
  kinds('records').filter(({ unit, page, events, calledBy, partOf }) => !unit && !partOf && page && events && calledBy)

/** Maximum number of records of one kind in the history of a vehicle. The history contains the latest ones. */
export const HISTORY_LIMIT = 300

export const unitKinds = () => kinds('records').filter(({ unit }) => unit !== undefined) as UnitKind[]

export const dueRules = (): DueRule[] =>
  kinds('records')
    .flatMap(({ due = [] }) => due)
    .sort((a, b) => a.rank - b.rank)

const inDays = (days: number) => `${days.toLocaleString('en-US')} ${days === 1 ? 'day' : 'days'}`

/**
 * Formats how late a due item is, or when it is due. Examples are `11 days late`, `today` and `in 2 days`. If the item
 * has no due date, formats its age: `45 days`.
 */
export function formatDaysOverdue({ kind, days }: { kind: string; days: number }): string {
  const rule = dueRules().find(({ name }) => name === kind)
  if (rule?.days === 'ahead') return days === 0 ? 'today' : `in ${inDays(days)}`
  return rule?.days === 'late' ? `${inDays(days)} late` : inDays(days)
}

export const capitalised = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
