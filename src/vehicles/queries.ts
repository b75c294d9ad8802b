import { eq } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { vehicles } from '../../db/schema'
import type { Actor } from '../audit/actor'
import { audit, changeRecord, changesBetween } from '../audit/write'

export type Vehicle = typeof vehicles.$inferSelect

/** Adds the vehicle when the list does not have it yet. */
export async function ensureVehicle(tx: Db, actor: Actor, unit_number: string) {
  const stamps = { created_at: actor.now, created_by: actor.username, updated_at: actor.now, updated_by: actor.username }
  const [added] = await tx
    .insert(vehicles)
    .values({ unit_number, ...stamps })
    .onConflictDoNothing()
    .returning()
  if (added) await audit(tx, actor, 'create', 'vehicles', added.id, changesBetween(null, added))
}

/** Says where a vehicle now stands. */
export async function moveVehicle(tx: Db, actor: Actor, unit_number: string, current_location: string) {
  const [vehicle] = await tx.select({ id: vehicles.id }).from(vehicles).where(eq(vehicles.unit_number, unit_number))
  if (vehicle) await changeRecord(tx, actor, vehicles, { id: vehicle.id, what: 'Vehicle', values: { current_location } })
}
