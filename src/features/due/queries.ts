import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { dueAssignments, dueSnoozes } from '../../../db/schema'
import { type DueSeverity, NOBODY } from '../../../db/vocabulary'
import { usernameOf } from '../../platform/auth/accounts'
import type { Page } from '../../platform/http/answers'
import { type DueCalendar, dueRules } from '../../platform/records/kind'
import { beginningWith, containing, matchingWords } from '../../platform/records/search'
import { whileUnchanged } from '../../platform/records/unchanged'
import { changeRecord, createRecord, inTransaction, removeRecord, type Write } from '../../platform/records/write'
import { Missing } from '../../platform/refusals'
import { dueItems } from './items'
import { checkSnooze, type DueFilters, type Snooze } from './rules'

/**
 * `entity` is the table of the record; `snoozed_until` is null for what is due now, and for what is put off for good.
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
  /** The username of whose it is. */
  assigned_to: string | null
}

/** What is due, with how it was put off (no longer once the day has come) and whose it is. */
const withState = (clock: DueCalendar, only?: string | null): SQL => sql`(${dueItems(clock, only)}) d
  left join ${dueSnoozes} s on s.kind = d.kind and s.record_id = d.id
    and (s.until is null or s.until > ${clock.today()}::date)
  left join ${dueAssignments} a on a.kind = d.kind and a.record_id = d.id`

const ASSIGNED_TO = sql`coalesce(a.assigned_to, d.owner)`

const SHOWN = sql`d.kind, d.entity, d.id, d.unit_number, d.text, to_char(d.due_on, 'YYYY-MM-DD') as due_on, d.days,
  d.severity, to_char(s.until, 'YYYY-MM-DD') as snoozed_until, s.reason as snooze_reason, ${ASSIGNED_TO} as assigned_to`

/** All that an answer depends on beside what is stored by the time it is asked for. */
const dayOf = ({ today, lead }: DueCalendar) => `${today()} ${JSON.stringify(lead)}`

/** The gravest first, and of those what is due the longest. */
const WORST_FIRST = sql`d.severity, d.due_on, d.kind, d.id`

export const listDue = (db: Db, clock: DueCalendar, query: DueFilters): Promise<Page<DueItem>> =>
  whileUnchanged(db, `due ${dayOf(clock)} ${JSON.stringify(query)}`, () => readDue(db, clock, query))

const matching = (q: string) => sql`(d.unit_number like ${beginningWith(q)} or d.text ilike ${containing(q)})`

async function readDue(db: Db, clock: DueCalendar, query: DueFilters): Promise<Page<DueItem>> {
  const { page, per_page, q, kind, snoozed, assigned_to } = query
  const where = sql.join(
    [
      snoozed ? sql`s.id is not null` : sql`s.id is null`,
      ...(assigned_to === NOBODY ? [sql`${ASSIGNED_TO} is null`] : []),
      ...(assigned_to && assigned_to !== NOBODY ? [sql`${ASSIGNED_TO} = ${assigned_to}`] : []),
      ...(q ? [sql`(${matchingWords(q, matching)})`] : []),
    ],
    sql` and `,
  )
  // All that is due is put together to be sorted, so it is counted on the way.
  const counted = await rows<DueItem & { total: number }>(
    db,
    sql`select ${SHOWN}, count(*) over ()::int as total from ${withState(clock, kind)}
      where ${where} order by ${WORST_FIRST} limit ${per_page} offset ${(page - 1) * per_page}`,
  )
  const found = counted.map(({ total: _, ...item }) => item)
  if (found.length > 0 || page === 1) return { rows: found, total: counted[0]?.total ?? 0 }
  return { rows: found, total: (await listDue(db, clock, { ...query, page: 1, per_page: 1 })).total }
}

export type DueCounts = Record<string, number> & { total: number }

function countsOf(found: { kind: string; count: number }[]): DueCounts {
  const counts = Object.fromEntries(dueRules().map(({ name }) => [name, 0]))
  for (const { kind, count } of found) counts[kind] = count
  return { ...counts, total: found.reduce((sum, { count }) => sum + count, 0) }
}

/** How much of each kind is due now. */
export const countDue = (db: Db, clock: DueCalendar): Promise<DueCounts> =>
  whileUnchanged(db, `due counts ${dayOf(clock)}`, async () => {
    const found = await rows<{ kind: string; count: number }>(
      db,
      sql`select d.kind, count(*)::int as count from ${withState(clock)} where s.id is null group by d.kind`,
    )
    return countsOf(found)
  })

type Glance = { counts: DueCounts; worst: DueItem[] }

/** How much of each kind is due now, and the worst `limit` of each: the first look of the day, in one statement. */
export const dueAtAGlance = (db: Db, clock: DueCalendar, limit: number): Promise<Glance> =>
  whileUnchanged(db, `due at a glance ${dayOf(clock)} ${limit}`, () => glanceAtDue(db, clock, limit))

async function glanceAtDue(db: Db, clock: DueCalendar, limit: number): Promise<Glance> {
  const found = await rows<DueItem & { place: number; count: number }>(
    db,
    sql`select * from (select ${SHOWN}, row_number() over (partition by d.kind order by ${WORST_FIRST})::int as place,
        count(*) over (partition by d.kind)::int as count
      from ${withState(clock)} where s.id is null) w where w.place <= ${limit} order by w.kind, w.place`,
  )
  return {
    counts: countsOf(found.filter(({ place }) => place === 1)),
    worst: found.map(({ place: _, count: __, ...item }) => item),
  }
}

/** Something that is due, put off or not. @throws Missing when it is not, or no longer */
export async function findDue(db: Db, clock: DueCalendar, kind: string, id: number): Promise<DueItem> {
  const [found] = await rows<DueItem>(db, sql`select ${SHOWN} from ${withState(clock, kind)} where d.id = ${id}`)
  if (!found) throw new Missing('Due item')
  return found
}

const of = (table: typeof dueSnoozes | typeof dueAssignments, kind: string, id: number) =>
  and(eq(table.kind, kind), eq(table.record_id, id))

/** Puts something off until a day, or for good with a reason. @throws Missing, Refused */
export const snoozeDue = (write: Write, clock: DueCalendar, kind: string, id: number, how: Snooze): Promise<DueItem> =>
  inTransaction(write, async (write) => {
    checkSnooze(how, clock.today())
    await findDue(write.db, clock, kind, id)
    const [before] = await write.db
      .select()
      .from(dueSnoozes)
      .where(of(dueSnoozes, kind, id))
      .for('update')
    if (before) await changeRecord(write, dueSnoozes, { id: before.id, what: 'Snooze', values: how })
    else await createRecord(write, dueSnoozes, { kind, record_id: id, ...how })
    return findDue(write.db, clock, kind, id)
  })

/** Makes it due again. @throws Missing when it was not put off */
export const unsnoozeDue = (write: Write, kind: string, id: number) =>
  inTransaction(write, async (write) => {
    const [before] = await write.db
      .select()
      .from(dueSnoozes)
      .where(of(dueSnoozes, kind, id))
      .for('update')
    if (!before) throw new Missing('Snooze')
    return removeRecord(write, dueSnoozes, before.id, 'Snooze')
  })

/**
 * Gives something that is due to a user, or to nobody; an OSL entry falls to its owner then. @throws Missing, Refused
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
      .where(of(dueAssignments, kind, id))
      .for('update')
    if (before)
      await changeRecord(write, dueAssignments, { id: before.id, what: 'Assignment', values: { assigned_to } })
    else await createRecord(write, dueAssignments, { kind, record_id: id, assigned_to })
    return findDue(write.db, clock, kind, id)
  })
