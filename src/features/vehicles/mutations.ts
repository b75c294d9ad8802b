import { eq, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { violatedUnique } from '../../../db/client'
import { vehicles } from '../../../db/schema'
import { VEHICLE_STATUSES } from '../../../db/vocabulary'
import { audit, changesBetween } from '../../platform/records/audit-entry'
import type { Write } from '../../platform/records/transactions'
import { countUpToLimit, RECORDS_PER_UNIT, TOO_MANY_RECORDS } from '../../platform/records/unit-limit'
import { changeRecord, createRecord } from '../../platform/records/write'
import { Conflict, Missing, Refused } from '../../platform/refusals'
import { findVehicleOrNone, type Vehicle } from './find'
import type { vehicle, vehicleStatus, vehicleUpsert } from './rules'

export const FIRST_STATUS = VEHICLE_STATUSES[0]

const vinTaken = (error: unknown): never => {
  if (!violatedUnique(error)?.includes('vin')) throw error
  throw new Conflict('Another vehicle has this VIN', [{ field: 'vin', message: 'Another vehicle has this VIN' }])
}

const unitTaken = (unit: string) => Refused.field('unit_number', `Unit ${unit} is already in the vehicle list`)

/** @throws Refused when the unit number already exists */
export async function checkNewVehicle({ db }: Pick<Write, 'db'>, { unit_number }: { unit_number: string }) {
  if (await findVehicleOrNone(db, unit_number)) throw unitTaken(unit_number)
}

/**
 * @throws Refused when the unit number already exists
 * @throws Conflict when another vehicle has the same VIN
 */
export async function createVehicle(write: Write, values: z.output<typeof vehicle>): Promise<Vehicle> {
  await checkNewVehicle(write, values)
  return createRecord(write, vehicles, { ...values, current_status: values.current_status ?? FIRST_STATUS }).catch(
    (error) => {
      if (violatedUnique(error)?.includes('unit_number')) throw unitTaken(values.unit_number)
      return vinTaken(error)
    },
  )
}

/**
 * @throws Stale when another user has changed the vehicle
 * @throws Conflict when another vehicle has the same VIN
 */
export async function upsertVehicle(
  write: Write,
  { version, ...values }: z.output<typeof vehicleUpsert>,
): Promise<{ vehicle: Vehicle; isNew: boolean }> {
  for (;;) {
    const [existing] = await write.db
      .select({ id: vehicles.id })
      .from(vehicles)
      .where(eq(vehicles.unit_number, values.unit_number))
    try {
      if (!existing)
        return {
          vehicle: await createRecord(write, vehicles, {
            ...values,
            current_status: values.current_status ?? FIRST_STATUS,
          }),
          isNew: true,
        }
      const { after } = await changeRecord(write, vehicles, { id: existing.id, version, what: 'Vehicle', values })
      return { vehicle: after, isNew: false }
    } catch (error) {
      // Try again if another transaction has added or deleted the vehicle since the query above.
      const isOther = existing ? error instanceof Missing : violatedUnique(error)?.includes('unit_number')
      if (!isOther) vinTaken(error)
    }
  }
}

/**
 * @throws Missing when the vehicle does not exist
 * @throws Stale when another user has changed the vehicle
 */
export async function changeVehicleStatus(
  write: Write,
  id: number,
  { version, ...changes }: z.output<typeof vehicleStatus>,
): Promise<{ before: Vehicle; after: Vehicle }> {
  const values: Partial<Vehicle> = {}
  if ('status' in changes) values.current_status = changes.status ?? null
  if ('location' in changes) values.current_location = changes.location ?? null
  if ('mileage' in changes) values.current_mileage = changes.mileage ?? null
  return changeRecord(write, vehicles, { id, version, what: 'Vehicle', values })
}

/**
 * Adds a vehicle, or locks the vehicle if it exists. Without the lock, the undo of an import could delete the vehicle
 * before this transaction ends.
 * @param table the table of the record that refers to the vehicle
 * @throws Refused when the vehicle already has the maximum number of such records
 */
export async function ensureVehicle(write: Write, table: PgTable, unit_number: string) {
  const stamps = {
    created_at: write.actor.now,
    created_by: write.actor.username,
    updated_at: write.actor.now,
    updated_by: write.actor.username,
  }
  for (;;) {
    const [existing] = await write.db
      .select({ records: countUpToLimit(sql`${table}`, sql`${unit_number}`) })
      .from(vehicles)
      .where(eq(vehicles.unit_number, unit_number))
      .for('key share')
    if (existing && existing.records >= RECORDS_PER_UNIT)
      throw Refused.field('unit_number', `Unit ${unit_number} ${TOO_MANY_RECORDS}`)
    if (existing) return
    const [added] = await write.db
      .insert(vehicles)
      .values({ unit_number, current_status: FIRST_STATUS, ...stamps })
      .onConflictDoNothing()
      .returning()
    if (added) return audit(write, 'create', 'vehicles', added.id, changesBetween(null, added))
  }
}

/** Does nothing if the record keeps its unit. */
export async function ensureNewVehicle(
  write: Write,
  table: PgTable,
  stored: { unit_number: string },
  { unit_number }: { unit_number?: string | undefined },
) {
  if (unit_number && unit_number !== stored.unit_number) await ensureVehicle(write, table, unit_number)
}

/**
 * Adds the vehicle of a restored record if it is missing. The undo of an import may have deleted the vehicle.
 * @throws Refused when the vehicle already has the maximum number of such records
 */
export const restoreVehicle =
  (table: PgTable) =>
  (write: Write, { unit_number }: Record<string, unknown>) =>
    ensureVehicle(write, table, String(unit_number))
