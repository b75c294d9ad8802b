import { eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { vehicles } from '../../../db/schema'
import { prepared } from '../../platform/records/prepared'
import { changeRecord, type Write } from '../../platform/records/write'
import { mileageByRecords, placeByRecords, statusByRecords } from './sql'

/**
 * A vehicle follows what happens to it. What somebody set by hand stays until a record says something new, so a change
 * is told by what the record said before and what it says now.
 */
export type Trace = {
  unit_number: string
  /** What it means for the vehicle's status; null when nothing, as of a transport that waits. */
  status: string | null
  /** Where it puts the vehicle and when; null when nowhere. */
  place: string | null
  mileage: number | null
  model_year: number | null
}

type Transport = {
  unit_number: string
  status: string
  move_type: string
  location_in_id: number
  move_date: string
  actual_arrival_date: string | null
  mileage: number | null
}

export function traceOfTransport({
  unit_number,
  status,
  move_type,
  location_in_id,
  move_date,
  actual_arrival_date,
  mileage,
}: Transport): Trace {
  const isDelivered = status === 'Delivered'
  const arrival = actual_arrival_date ?? move_date
  return {
    unit_number,
    status: isDelivered ? `${move_type} delivered ${arrival}` : status === 'In Transit' ? status : null,
    place: isDelivered ? `${location_in_id} ${arrival}` : null,
    mileage,
    model_year: null,
  }
}

type OslEntry = {
  unit_number: string
  status: string
  location_id: number
  osl_date: string
  osl_mileage: number | null
  model_year: number | null
}

export const traceOfOsl = ({
  unit_number,
  status,
  location_id,
  osl_date,
  osl_mileage,
  model_year,
}: OslEntry): Trace => ({
  unit_number,
  status: status === 'Completed' ? null : 'Out of Service',
  place: `${location_id} ${osl_date}`,
  mileage: osl_mileage,
  model_year,
})

/**
 * Brings the vehicles of a record up to what it says now; either side is null where the record did not or does not
 * exist.
 */
export async function followRecord(write: Write, before: Trace | null, after: Trace | null): Promise<void> {
  // In the order of their numbers, so that two changes never wait for each other.
  for (const unit of [...new Set([before?.unit_number, after?.unit_number])].sort()) {
    if (unit)
      await followUnit(
        write,
        unit,
        before?.unit_number === unit ? before : null,
        after?.unit_number === unit ? after : null,
      )
  }
}

const UNIT = sql`${sql.placeholder('unit')}::varchar`

const holdByUnit = (tx: Db) =>
  tx
    .select()
    .from(vehicles)
    .where(eq(vehicles.unit_number, sql.placeholder('unit')))
    .for('no key update')
    .prepare('hold_vehicle')

/** What all records of a unit say together. */
const saidByRecords = (tx: Db) =>
  tx
    .select({
      status: statusByRecords(UNIT) as SQL<string>,
      place: placeByRecords(UNIT) as SQL<string | null>,
      reading: mileageByRecords(UNIT) as SQL<number | null>,
    })
    .from(sql`(select 1) one`)
    .prepare('records_of_unit')

async function followUnit(write: Write, unit: string, before: Trace | null, after: Trace | null) {
  const said = (part: keyof Trace) => before?.[part] ?? null
  const says = (part: keyof Trace) => after?.[part] ?? null
  const differs = (part: keyof Trace) => said(part) !== says(part)
  if (!(['status', 'place', 'mileage', 'model_year'] as const).some(differs)) return
  const [held] = await prepared(write.db, 'hold_vehicle', () => holdByUnit(write.db)).execute({ unit })
  if (!held) return
  // Of its own, so that it sees what whoever held the vehicle before wrote.
  const [records] = await prepared(write.db, 'records_of_unit', () => saidByRecords(write.db)).execute({ unit })
  if (!records) return
  const { id, current_status, current_mileage, model_year } = held
  const values: Partial<typeof vehicles.$inferInsert> = {}
  if (differs('status') || current_status === null) values.current_status = records.status
  if (differs('place')) values.current_location = records.place
  if (differs('mileage'))
    values.current_mileage = mileageAfter(
      current_mileage,
      before?.mileage ?? null,
      after?.mileage ?? null,
      records.reading,
    )
  if (model_year === null && after?.model_year) values.model_year = after.model_year
  await changeRecord({ ...write, actor: { ...write.actor, accepted: undefined } }, vehicles, {
    id,
    held,
    what: 'Vehicle',
    values,
  })
}

/**
 * A vehicle's mileage once a record's reading has changed from `before` to `after`. The record that the mileage came
 * from takes it along; otherwise only a higher reading counts. `highest` is that of all records.
 */
export function mileageAfter(
  current: number | null,
  before: number | null,
  after: number | null,
  highest: number | null,
): number | null {
  if (current === null || current === before) return highest
  return after !== null && after > current ? after : current
}
