import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { dueAssignments, dueSnoozes } from '../../../db/schema'
import { type DueSeverity, NOBODY } from '../../../db/vocabulary'
import { usernameOf } from '../../platform/auth/accounts'
import type { Page } from '../../platform/http/answers'
import { rowsBefore } from '../../platform/lists/rows-before'
import { type DueCalendar, dueRules } from '../../platform/records/kind'
import { whileUnchanged } from '../../platform/records/query-cache'
import { beginningWith, containing, matchingWords } from '../../platform/records/search'
import { inTransaction, type Write } from '../../platform/records/transactions'
import { changeRecord, createRecord, removeRecord } from '../../platform/records/write'
import { Missing } from '../../platform/refusals'
import { dueItems } from './items'
import { type CountFilters, checkSnooze, type DueFilters, NOT_SNOOZED, type Snooze } from './rules'

/**
 * A due item: something to be done for a record. `entity` is the table of this record.
 * `snoozed_until` is null if the item is not snoozed or is snoozed permanently. A permanent snooze has a
 * `snooze_reason`.
 */
export type DueItem = {
  kind: string
  entity: string
  id: number
  unit_number: string
  text: string
  due_on: string
  days: number
  severity: DueSeverity
  snoozed_until: string | null
  snooze_reason: string | null
  /** Username of the user to whom the item is assigned. For an unassigned item, username of the record's owner. */
  assigned_to: string | null
}

/** A snooze ends at the start of its `until` day. */
const withState = (clock: DueCalendar, only?: string | null): SQL => sql`(${dueItems(clock, only)}) d
  left join ${dueSnoozes} s on s.kind = d.kind and s.record_id = d.id
    and (s.until is null or s.until > ${clock.today()}::date)
  left join ${dueAssignments} a on a.kind = d.kind and a.record_id = d.id`

const ASSIGNED_TO = sql`coalesce(a.assigned_to, d.owner)`

const ITEM_COLUMNS = sql`d.kind, d.entity, d.id, d.unit_number, d.text, to_char(d.due_on, 'YYYY-MM-DD') as due_on,
  d.days,
  d.severity, to_char(s.until, 'YYYY-MM-DD') as snoozed_until, s.reason as snooze_reason, ${ASSIGNED_TO} as assigned_to`

/** Part of the cache key of due items. Due items depend on the current day and on the lead times in the settings. */
const dayOf = ({ today, lead }: DueCalendar) => `${today()} ${JSON.stringify(lead)}`

/** Sorts `danger` before `warning`, and then by due date. */
const WORST_FIRST = sql`d.severity, d.due_on, d.kind, d.id`

export const listDue = (db: Db, clock: DueCalendar, query: DueFilters): Promise<Page<DueItem>> =>
  whileUnchanged(db, `due ${dayOf(clock)} ${JSON.stringify(query)}`, () => readDue(db, clock, query))

const matching = (q: string) => sql`(d.unit_number like ${beginningWith(q)} or d.text ilike ${containing(q)})`

const conditionOf = (clock: DueCalendar, { q, snoozed, assigned_to, when }: CountFilters): SQL =>
  sql.join(
    [
      snoozed ? sql`s.id is not null` : sql`s.id is null`,
      ...(when ? [sql`d.due_on ${sql.raw(when === 'today' ? '<=' : '<')} ${clock.today()}::date`] : []),
      ...(assigned_to === NOBODY ? [sql`${ASSIGNED_TO} is null`] : []),
      ...(assigned_to && assigned_to !== NOBODY ? [sql`${ASSIGNED_TO} = ${assigned_to}`] : []),
      ...(q ? [sql`(${matchingWords(q, matching)})`] : []),
    ],
    sql` and `,
  )

async function readDue(db: Db, clock: DueCalendar, query: DueFilters): Promise<Page<DueItem>> {
  const { per_page, kind } = query
  const [items, total] = await Promise.all([
    rows<DueItem>(
      db,
      sql`select ${ITEM_COLUMNS} from ${withState(clock, kind)} where ${conditionOf(clock, query)}
        order by ${WORST_FIRST} limit ${per_page} offset ${rowsBefore(query)}`,
    ),
    countDueOf(db, clock, query),
  ])
  return { rows: items, total }
}

export type DueCounts = Record<string, number> & { total: number }

function countsOf(countRows: { kind: string; count: number }[]): DueCounts {
  const counts = Object.fromEntries(dueRules().map(({ name }) => [name, 0]))
  for (const { kind, count } of countRows) counts[kind] = count
  return { ...counts, total: countRows.reduce((sum, { count }) => sum + count, 0) }
}

/** Counts the items of each kind that match the filters. */
export const countDue = (db: Db, clock: DueCalendar, filters: CountFilters = NOT_SNOOZED): Promise<DueCounts> =>
  countItems(db, clock, filters)

/** Counts the items that match the filters, including the filter by kind. */
export const countDueOf = async (db: Db, clock: DueCalendar, { kind, ...filters }: DueFilters): Promise<number> =>
  (await countItems(db, clock, filters, kind)).total

function countItems(db: Db, clock: DueCalendar, filters: CountFilters, only?: string | null): Promise<DueCounts> {
  const { q, snoozed, when, assigned_to } = filters
  const key = `due counts ${dayOf(clock)} ${JSON.stringify([q, snoozed, when, assigned_to, only])}`
  return whileUnchanged(db, key, async () => {
    const countRows = await rows<{ kind: string; count: number }>(
      db,
      sql`select d.kind, count(*)::int as count from ${withState(clock, only)} where ${conditionOf(clock, filters)}
        group by d.kind`,
    )
    return countsOf(countRows)
  })
}

type Glance = { counts: DueCounts; worst: DueItem[] }

/**
 * Loads the number and the most urgent items of each kind. One statement loads both, so that the numbers and the items
 * on the dashboard agree.
 */
export const dueAtAGlance = (db: Db, clock: DueCalendar, limit: number): Promise<Glance> =>
  whileUnchanged(db, `due at a glance ${dayOf(clock)} ${limit}`, () => glanceAtDue(db, clock, limit))

async function glanceAtDue(db: Db, clock: DueCalendar, limit: number): Promise<Glance> {
  // The items of each kind have their own query. A window over all kinds would sort all items with their texts.
  const worst = dueRules().map(
    ({ name }) => sql`(select ${ITEM_COLUMNS} from ${withState(clock, name)} where s.id is null
      order by ${WORST_FIRST} limit ${limit})`,
  )
  const itemsWithCount = await rows<DueItem & { count: number }>(
    db,
    sql`with counts as (
        select d.kind, count(*)::int as count from ${withState(clock)} where s.id is null group by d.kind)
      select w.*, c.count from (${sql.join(worst, sql` union all `)}) w join counts c on c.kind = w.kind
      order by w.kind, w.severity, w.due_on, w.id`,
  )
  const counted = new Map(itemsWithCount.map(({ kind, count }) => [kind, { kind, count }]))
  return { counts: countsOf([...counted.values()]), worst: itemsWithCount.map(({ count: _, ...item }) => item) }
}

/**
 * Finds a due item, even if it is snoozed.
 * @throws Missing when the record does not exist or needs no action
 */
export async function findDue(db: Db, clock: DueCalendar, kind: string, id: number): Promise<DueItem> {
  const [item] = await rows<DueItem>(db, sql`select ${ITEM_COLUMNS} from ${withState(clock, kind)} where d.id = ${id}`)
  if (!item) throw new Missing('Due item')
  return item
}

const isRow = (table: typeof dueSnoozes | typeof dueAssignments, kind: string, id: number) =>
  and(eq(table.kind, kind), eq(table.record_id, id))

/**
 * Hides a due item until a day or, with a reason, permanently.
 * @throws Missing when no such item is due
 * @throws Refused when date and reason are both missing, or the date is not after today
 */
export const snoozeDue = (
  write: Write,
  clock: DueCalendar,
  kind: string,
  id: number,
  values: Snooze,
): Promise<DueItem> =>
  inTransaction(write, async (write) => {
    checkSnooze(values, clock.today())
    await findDue(write.db, clock, kind, id)
    const [before] = await write.db
      .select()
      .from(dueSnoozes)
      .where(isRow(dueSnoozes, kind, id))
      .for('update')
    if (before) await changeRecord(write, dueSnoozes, { id: before.id, what: 'Snooze', values: values })
    else await createRecord(write, dueSnoozes, { kind, record_id: id, ...values })
    return findDue(write.db, clock, kind, id)
  })

/** @throws Missing when the item is not snoozed */
export const unsnoozeDue = (write: Write, kind: string, id: number) =>
  inTransaction(write, async (write) => {
    const [before] = await write.db
      .select()
      .from(dueSnoozes)
      .where(isRow(dueSnoozes, kind, id))
      .for('update')
    if (!before) throw new Missing('Snooze')
    return removeRecord(write, dueSnoozes, before.id, 'Snooze')
  })

/**
 * Assigns a due item to a user. Null removes the assignment. An unassigned item of an OSL entry (out-of-service period)
 * belongs to the owner of the entry.
 * @throws Missing when no such item is due
 * @throws Refused when no active user has this name
 */
export const assignDue = (
  write: Write,
  clock: DueCalendar,
  kind: string,
  id: number,
  name: string | null,
): Promise<DueItem> =>
  inTransaction(write, async (write) => {
    await findDue(write.db, clock, kind, id)
    const assigned_to = name && (await usernameOf(write.db, 'assigned_to', name))
    const [before] = await write.db
      .select()
      .from(dueAssignments)
      .where(isRow(dueAssignments, kind, id))
      .for('update')
    if (before)
      await changeRecord(write, dueAssignments, { id: before.id, what: 'Assignment', values: { assigned_to } })
    else await createRecord(write, dueAssignments, { kind, record_id: id, assigned_to })
    return findDue(write.db, clock, kind, id)
  })
