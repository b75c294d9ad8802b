import { and, eq, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { type Db, oneOf, rows } from '../../../db/client'
import { bulkChanges } from '../../../db/schema'
import type { Calendar } from '../../platform/clock'
import { unitNumber } from '../../platform/fields'
import { changeMany } from '../../platform/lists/bulk/queries'
import { unitKinds } from '../../platform/records/kind'
import { inTransaction, type Write } from '../../platform/records/transactions'
import { Refused } from '../../platform/refusals'
import { unitsWithPlate } from '../registrations'
import { findManyVehicles } from '../vehicles'
import type { ScannedUnit } from './rules'

export const scans = () => unitKinds().flatMap(({ table, scan }) => (scan ? [{ table, ...scan }] : []))

/**
 * Finds a scan action by name. One scan action, for example, marks a transport as delivered.
 * @throws Refused when no action has this name
 */
export function findScanRule(name: string) {
  const rule = scans().find((scan) => scan.name === name)
  if (!rule) throw Refused.field('as', 'Choose an action')
  return rule
}

/** Maximum number of units that a message names. */
const NAMED = 5

/**
 * Finds the unit number for a scanned text. The text can be a unit number, a VIN, the ending of a VIN, or the plate of
 * a current registration.
 * @throws Refused when no unit or several units match
 */
async function unitOf(db: Db, text: string): Promise<string> {
  const number = unitNumber.safeParse(text)
  if (number.success) return number.data
  const { found } = await findManyVehicles(db, [text])
  const units = found.length > 0 ? found.map(({ unit_number }) => unit_number) : await unitsWithPlate(db, text, NAMED)
  const [only] = units
  if (!only) throw Refused.field('unit', `No vehicle found for ${text}`)
  if (units.length > 1) throw Refused.field('unit', `${text} matches several units: ${units.join(', ')}`)
  return only
}

/** `id` identifies the change for undo. `text` describes the changed record. */
export type Scanned = { id: number; as: string; entity: string; record_id: number; unit_number: string; text: string }

/**
 * Applies a scan action to one open record of the unit. If the unit has several open records, the first in the sort
 * order of the action is changed.
 * @throws Refused when the unit has no record for this action, or the record cannot be changed
 */
export async function scanUnit(write: Write, { unit, as, on }: ScannedUnit): Promise<Scanned> {
  const { bulk, table, open, order, words, none, several, set } = findScanRule(as)
  const unit_number = await unitOf(write.db, unit)
  const [record] = await write.db
    .select({
      id: table.id,
      words: sql<string>`${words(write.clock.today())}`,
      others: sql<number>`count(*) over ()::int - 1`,
    })
    .from(table as PgTable)
    .where(and(eq(table.unit_number, unit_number), open))
    .orderBy(...order)
    .limit(1)
  if (!record) {
    const { found } = await findManyVehicles(write.db, [unit_number])
    throw Refused.field(
      'unit',
      found.length > 0 ? `Unit ${unit_number} has ${none}` : `No vehicle found for ${unit_number}`,
    )
  }
  if (on && on > write.clock.today()) throw Refused.field('on', 'The date must not be after today')
  const change = { ids: [record.id as number], set: set(on ?? write.clock.today()), note: null }
  const { id, skipped } = await inTransaction(write, async (write) => {
    const { result } = await changeMany(write, bulk, change)
    await write.db.update(bulkChanges).set({ is_scan: true }).where(eq(bulkChanges.id, result.id))
    return result
  })
  const [skippedRecord] = skipped
  if (skippedRecord) throw Refused.field(on ? 'on' : 'unit', `Unit ${unit_number}: ${skippedRecord.reason}`)
  const text = `${record.words}${record.others > 0 ? `; the first of ${record.others + 1} ${several}` : ''}`
  return { id, as, entity: bulk.name, record_id: record.id as number, unit_number, text }
}

const MAX_CHANGES_READ = 500
const MAX_SCANS = 15

/** Newest first. Undone scans are left out. */
export async function lastScanned(db: Db, clock: Calendar, username: string, as: string): Promise<Scanned[]> {
  const { bulk, table, words } = findScanRule(as)
  const bulkRows = await rows<{ id: number; record_id: number }>(
    db,
    sql`select b.id, (b.items->0->>'id')::int as record_id from (select * from ${bulkChanges} order by id desc
      limit ${MAX_CHANGES_READ}) b
      where b.created_by = ${username} and b.kind = ${bulk.name} and b.undone_at is null
      and b.is_scan and jsonb_array_length(b.items) = 1
      order by b.id desc limit ${MAX_SCANS}`,
  )
  if (bulkRows.length === 0) return []
  const records = await db
    .select({ id: table.id, unit_number: table.unit_number, text: sql<string>`${words(clock.today())}` })
    .from(table as PgTable)
    .where(
      oneOf(
        table.id,
        bulkRows.map(({ record_id }) => record_id),
      ),
    )
  const recordsById = new Map(records.map((row) => [row.id, row as { unit_number: string; text: string }]))
  return bulkRows.flatMap(({ id, record_id }) => {
    const record = recordsById.get(record_id)
    return record ? [{ id, as, entity: bulk.name, record_id, unit_number: record.unit_number, text: record.text }] : []
  })
}
