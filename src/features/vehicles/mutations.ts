import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, violatedUnique } from '../../../db/client'
import { vehicles } from '../../../db/schema'
import { VEHICLE_STATUSES } from '../../../db/vocabulary'
import type { Actor } from '../../platform/records/actor'
import { audit, changeRecord, changesBetween, createRecord } from '../../platform/records/write'
import { Conflict, Missing, Refused } from '../../platform/refusals'
import { findVehicleOrNone, type Vehicle } from './find'
import type { vehicle, vehicleStatus, vehicleUpsert } from './rules'

/** Of a vehicle that nothing has happened to yet. */
export const FIRST_STATUS = VEHICLE_STATUSES[0]

const vinTaken = (error: unknown): never => {
  if (!violatedUnique(error)?.includes('vin')) throw error
  throw new Conflict('Another vehicle has this VIN', [{ field: 'vin', message: 'Another vehicle has this VIN' }])
}

/** Adds a vehicle that is not in the list. @throws Refused when it is, Conflict when another vehicle has the VIN */
export async function createVehicle(db: Db, actor: Actor, values: z.output<typeof vehicle>): Promise<Vehicle> {
  const isThere = () => Refused.field('unit_number', `Unit ${values.unit_number} is in the vehicle list already`)
  if (await findVehicleOrNone(db, values.unit_number)) throw isThere()
  return createRecord(db, actor, vehicles, { ...values, current_status: values.current_status ?? FIRST_STATUS }).catch(
    (error) => {
      if (violatedUnique(error)?.includes('unit_number')) throw isThere()
      return vinTaken(error)
    },
  )
}

/** Adds a vehicle, or changes the one of that unit number. @throws Conflict when another vehicle has the VIN, Stale */
export async function upsertVehicle(
  db: Db,
  actor: Actor,
  { version, ...values }: z.output<typeof vehicleUpsert>,
): Promise<{ vehicle: Vehicle; isNew: boolean }> {
  for (;;) {
    const [known] = await db
      .select({ id: vehicles.id })
      .from(vehicles)
      .where(eq(vehicles.unit_number, values.unit_number))
    try {
      if (!known)
        return {
          vehicle: await createRecord(db, actor, vehicles, {
            ...values,
            current_status: values.current_status ?? FIRST_STATUS,
          }),
          isNew: true,
        }
      const { after } = await changeRecord(db, actor, vehicles, { id: known.id, version, what: 'Vehicle', values })
      return { vehicle: after, isNew: false }
    } catch (error) {
      // Somebody else added it, or took it away, since it was looked for.
      const isOther = known ? error instanceof Missing : violatedUnique(error)?.includes('unit_number')
      if (!isOther) vinTaken(error)
    }
  }
}

/** Changes any of status, place and mileage. @throws Missing, Stale */
export async function changeVehicleStatus(
  db: Db,
  actor: Actor,
  id: number,
  { version, ...given }: z.output<typeof vehicleStatus>,
): Promise<{ before: Vehicle; after: Vehicle }> {
  const values: Partial<Vehicle> = {}
  if ('status' in given) values.current_status = given.status ?? null
  if ('location' in given) values.current_location = given.location ?? null
  if ('mileage' in given) values.current_mileage = given.mileage ?? null
  return changeRecord(db, actor, vehicles, { id, version, what: 'Vehicle', values })
}

/**
 * Adds the vehicle when the list does not have it yet, and keeps it there until the transaction ends: an import that is
 * undone meanwhile may be about to take it away.
 */
export async function ensureVehicle(tx: Db, actor: Actor, unit_number: string) {
  const stamps = {
    created_at: actor.now,
    created_by: actor.username,
    updated_at: actor.now,
    updated_by: actor.username,
  }
  for (;;) {
    const [known] = await tx
      .select({ id: vehicles.id })
      .from(vehicles)
      .where(eq(vehicles.unit_number, unit_number))
      .for('key share')
    if (known) return
    const [added] = await tx
      .insert(vehicles)
      .values({ unit_number, current_status: FIRST_STATUS, ...stamps })
      .onConflictDoNothing()
      .returning()
    if (added) return audit(tx, actor, 'create', 'vehicles', added.id, changesBetween(null, added))
  }
}

/** For a record that comes back: its vehicle may have gone meanwhile, with the import that had brought it. */
export const itsVehicle =
  (actor: Actor) =>
  (tx: Db, { unit_number }: Record<string, unknown>) =>
    ensureVehicle(tx, actor, String(unit_number))
