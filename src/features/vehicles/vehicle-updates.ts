import { eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { vehicles } from '../../../db/schema'
import { prepared } from '../../platform/records/prepared-statements'
import { oncePerBatch, type Write } from '../../platform/records/transactions'
import { changeRecord } from '../../platform/records/write'
import { mileageByRecords, placeByRecords, statusByRecords } from './sql'

/**
 * Values that one record gives its vehicle. A change of the record updates the vehicle only if one of these values
 * changes. For example, correcting a note must not overwrite a location that a user entered in the vehicle.
 */
export type Trace = {
  unit_number: string
  /**
   * Text for the status that the record gives the vehicle. The text is used only to detect a change.
   * Null if the record does not affect the status, such as a transport that awaits pickup.
   */
  status: string | null
  /** Location id and date, used only to detect a change. Null if the record does not set the location. */
  place: string | null
  mileage: number | null
  model_year: number | null
}

type TransportValues = {
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
}: TransportValues): Trace {
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

type OslEntryValues = {
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
}: OslEntryValues): Trace => ({
  unit_number,
  status: status === 'Completed' ? null : 'Out of Service',
  place: `${location_id} ${osl_date}`,
  mileage: osl_mileage,
  model_year,
})

/** Values of a record before and after a change. `before` is null for a new record, `after` for a deleted record. */
type RecordChange = { before: Trace | null; after: Trace | null }

/**
 * Updates the vehicle of a changed record. If the unit number of the record changed, updates both vehicles. A batch of
 * changes updates each vehicle once, because this reads all records of the vehicle.
 */
export const followRecord = (write: Write, before: Trace | null, after: Trace | null): Promise<void> =>
  oncePerBatch(write, followRecords, { before, after })

async function followRecords(write: Write, changes: RecordChange[]): Promise<void> {
  const ofUnit = (trace: Trace | null, unit: string) => (trace?.unit_number === unit ? trace : null)
  const units = new Map<string, RecordChange[]>()
  for (const { before, after } of changes)
    for (const unit of new Set([before?.unit_number, after?.unit_number])) {
      if (!unit) continue
      const changesOfUnit = units.get(unit) ?? []
      changesOfUnit.push({ before: ofUnit(before, unit), after: ofUnit(after, unit) })
      units.set(unit, changesOfUnit)
    }
  // Lock the vehicles in unit-number order, so that concurrent changes cannot deadlock.
  for (const unit of [...units.keys()].sort()) await followUnit(write, unit, units.get(unit) as RecordChange[])
}

const UNIT = sql`${sql.placeholder('unit')}::varchar`

const lockVehicle = (tx: Db) =>
  tx
    .select()
    .from(vehicles)
    .where(eq(vehicles.unit_number, sql.placeholder('unit')))
    .for('no key update')
    .prepare('hold_vehicle')

const recordedState = (tx: Db) =>
  tx
    .select({
      status: statusByRecords(UNIT) as SQL<string>,
      place: placeByRecords(UNIT) as SQL<string | null>,
      reading: mileageByRecords(UNIT) as SQL<number | null>,
    })
    .from(sql`(select 1) one`)
    .prepare('records_of_unit')

async function followUnit(write: Write, unit: string, changes: RecordChange[]) {
  const thatChange = (part: keyof Trace) =>
    changes.filter(({ before, after }) => (before?.[part] ?? null) !== (after?.[part] ?? null))
  const differs = (part: keyof Trace) => thatChange(part).length > 0
  if (!(['status', 'place', 'mileage', 'model_year'] as const).some(differs)) return
  // Lock the vehicle and load its recorded state in separate statements. If one statement did both, it would not see
  // the changes of the transaction for which it had to wait.
  const [[vehicle], [records]] = await Promise.all([
    prepared(write.db, 'hold_vehicle', () => lockVehicle(write.db)).execute({ unit }),
    prepared(write.db, 'records_of_unit', () => recordedState(write.db)).execute({ unit }),
  ])
  if (!vehicle || !records) return
  const { id, current_status, current_mileage, model_year } = vehicle
  const values: Partial<typeof vehicles.$inferInsert> = {}
  if (differs('status') || current_status === null) values.current_status = records.status
  if (differs('place')) values.current_location = records.place
  if (differs('mileage'))
    values.current_mileage = thatChange('mileage').reduce(
      (current, { before, after }) =>
        mileageAfter(current, before?.mileage ?? null, after?.mileage ?? null, records.reading),
      current_mileage,
    )
  const typedYear = changes.findLast(({ after }) => after?.model_year)?.after?.model_year
  if (model_year === null && typedYear) values.model_year = typedYear
  await changeRecord({ ...write, actor: { ...write.actor, accepted: undefined } }, vehicles, {
    id,
    locked: vehicle,
    what: 'Vehicle',
    values,
  })
}

/**
 * Returns the mileage of a vehicle after one record has changed. The mileage of the record changed from `before` to
 * `after`. `current` is the mileage of the vehicle so far, and `highest` is the highest mileage in all its records.
 * If `current` equals `before`, the mileage came from the changed record, so the result is `highest`.
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
