import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Db, oneOf, rows } from '../../../db/client'
import { bulkChanges, locations, registrations, titles, transports } from '../../../db/schema'
import type { Scan } from '../../../db/vocabulary'
import type { Clock } from '../../platform/clock'
import { unitNumber } from '../../platform/fields'
import type { BulkKind } from '../../platform/lists/bulk/kind'
import { changeMany } from '../../platform/lists/bulk/queries'
import type { Actor } from '../../platform/records/actor'
import { Refused } from '../../platform/refusals'
import { registrationBulk } from '../registrations'
import { isPending, titleBulk } from '../titles'
import { isUnderWay, transportBulk } from '../transports'
import { findManyVehicles } from '../vehicles'
import type { ScannedUnit } from './rules'

type Kind = {
  kind: BulkKind
  table: typeof transports | typeof registrations | typeof titles
  /** The records of a unit that it can be done to, the likeliest first. */
  open: SQL
  order: SQL[]
  /** Which record it is, for who scanned only its unit. */
  words: SQL
  /** What a unit without one has not; several of it. */
  none: string
  several: string
  set: (on: string) => Record<string, unknown>
}

const inUsWords = (day: AnyPgColumn) => sql`to_char(${day}, 'MM/DD/YYYY')`
const placeOf = (id: AnyPgColumn) => sql`(select l.location_name from ${locations} l where l.id = ${id})`

const KINDS: Record<Scan, Kind> = {
  delivered: {
    kind: transportBulk,
    table: transports,
    open: isUnderWay(transports),
    order: [sql`${transports.status} = 'In Transit' desc`, asc(transports.move_date), asc(transports.id)],
    words: sql`${placeOf(transports.location_out_id)} || ' → ' || ${placeOf(transports.location_in_id)} || ', moved ' || ${inUsWords(transports.move_date)}`,
    none: 'no transport under way',
    several: 'transports under way',
    set: (on) => ({ status: 'Delivered', actual_arrival_date: on }),
  },
  received: {
    kind: registrationBulk,
    table: registrations,
    open: eq(registrations.received, false),
    order: [desc(registrations.date_expires), desc(registrations.id)],
    words: sql`'plate ' || ${registrations.plate_number} || ', until ' || ${inUsWords(registrations.date_expires)}`,
    none: 'no papers outstanding',
    several: 'papers outstanding',
    set: () => ({ received: true }),
  },
  transferred: {
    kind: titleBulk,
    table: titles,
    open: isPending(titles),
    order: [asc(titles.submitted_date), asc(titles.id)],
    words: sql`'submitted ' || ${inUsWords(titles.submitted_date)}`,
    none: 'no title pending',
    several: 'titles pending',
    set: (on) => ({ transferred_date: on }),
  },
}

/** The unit that a text means: its number, its VIN or the end of that. @throws Refused when none or several do */
async function unitOf(db: Db, text: string): Promise<string> {
  const number = unitNumber.safeParse(text)
  if (number.success) return number.data
  const { found } = await findManyVehicles(db, [text])
  const [only] = found
  if (!only) throw Refused.field('unit', `No unit or VIN is called ${text}`)
  if (found.length > 1)
    throw Refused.field('unit', `${text} may be ${found.map(({ unit_number }) => unit_number).join(', ')}`)
  return only.unit_number
}

/** `id` is that of the change, by which it is taken back; `text` says which record it was done to. */
export type Scanned = { id: number; as: Scan; entity: string; record_id: number; unit_number: string; text: string }

/**
 * Does to a unit what it is scanned for, by the rules of one record.
 * @throws Refused when the unit has nothing that it could be done to, or its record refuses
 */
export async function scanUnit(db: Db, actor: Actor, clock: Clock, { unit, as, on }: ScannedUnit): Promise<Scanned> {
  const { kind, table, open, order, words, none, several, set } = KINDS[as]
  const unit_number = await unitOf(db, unit)
  const [record] = await db
    .select({ id: table.id, words: sql<string>`${words}`, others: sql<number>`count(*) over ()::int - 1` })
    .from(table as PgTable)
    .where(and(eq(table.unit_number, unit_number), open))
    .orderBy(...order)
    .limit(1)
  if (!record) throw Refused.field('unit', `Unit ${unit_number} has ${none}`)
  if (on && on > clock.today()) throw Refused.field('on', 'This day is still ahead')
  const change = { ids: [record.id as number], set: set(on ?? clock.today()), note: null }
  const { id, skipped } = await changeMany(db, actor, clock, kind, change)
  const [refused] = skipped
  if (refused) throw Refused.field(on ? 'on' : 'unit', `Unit ${unit_number}: ${refused.reason}`)
  const text = `${record.words}${record.others > 0 ? `; the first of ${record.others + 1} ${several}` : ''}`
  return { id, as, entity: kind.name, record_id: record.id as number, unit_number, text }
}

const LOOKED_THROUGH = 500
const SHOWN = 15

/** What somebody scanned last, the newest first, without what was taken back. */
export async function lastScanned(db: Db, username: string, as: Scan): Promise<Scanned[]> {
  const { kind, table, words } = KINDS[as]
  const found = await rows<{ id: number; record_id: number }>(
    db,
    sql`select b.id, (b.items->0->>'id')::int as record_id from (select * from ${bulkChanges} order by id desc limit ${LOOKED_THROUGH}) b
      where b.created_by = ${username} and b.kind = ${kind.name} and b.undone_at is null and jsonb_array_length(b.items) = 1
      order by b.id desc limit ${SHOWN}`,
  )
  if (found.length === 0) return []
  const records = await db
    .select({ id: table.id, unit_number: table.unit_number, text: words })
    .from(table as PgTable)
    .where(
      oneOf(
        table.id,
        found.map(({ record_id }) => record_id),
      ),
    )
  const known = new Map(records.map((row) => [row.id, row as { unit_number: string; text: string }]))
  return found.flatMap(({ id, record_id }) => {
    const record = known.get(record_id)
    return record ? [{ id, as, entity: kind.name, record_id, unit_number: record.unit_number, text: record.text }] : []
  })
}
