import { asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { vehicles } from '../../../db/schema'
import { readIdentifier } from '../../platform/reading/numbers'
import { prepared } from '../../platform/records/prepared-statements'
import { Missing } from '../../platform/refusals'

export type Vehicle = typeof vehicles.$inferSelect

/**
 * Finds vehicles by unit number, VIN or the ending of a VIN. An ending has at least four characters. Each vehicle is
 * returned once. `not_found` lists the inputs without a match.
 */
export async function findManyVehicles(db: Db, numbers: string[]): Promise<{ found: Vehicle[]; not_found: string[] }> {
  const numbersByIdentifier = new Map(numbers.map((number) => [readIdentifier(number), number]))
  const bare = [...numbersByIdentifier.keys()].filter((number) => /^[0-9A-Z]{4,17}$/.test(number))
  const list = sql`${`{${bare.join()}}`}::text[]`
  // To find a VIN by its ending, compare the reversed ending with the beginning of the reversed VIN. Postgres can use
  // an index for this. The end of the range is `~`, which sorts after every character of a VIN.
  // Use a union instead of conditions with `or`, because Postgres would check such conditions for each vehicle.
  const ids = sql`select v.id from ${vehicles} v where v.unit_number = any(${list})
    union select v.id from ${vehicles} v where v.vin = any(${list})
    union select v.id from unnest(${list}) n join ${vehicles} v
      on reverse(v.vin) ~>=~ reverse(n) and reverse(v.vin) ~<~ (reverse(n) || '~')`
  const matches = await db
    .select()
    .from(vehicles)
    .where(sql`${vehicles.id} in (${ids})`)
    .orderBy(asc(vehicles.unit_number))
  const hasNumber = (number: string) => (vehicle: Vehicle) =>
    vehicle.unit_number === number || (number.length >= 4 && (vehicle.vin?.endsWith(number) ?? false))
  return {
    found: matches,
    not_found: [...numbersByIdentifier].filter(([number]) => !matches.some(hasNumber(number))).map(([, text]) => text),
  }
}

export async function findVehicleOrNone(db: Db, unit: string): Promise<Vehicle | null> {
  const [vehicle] = await prepared(db, 'vehicle_by_unit', () =>
    db
      .select()
      .from(vehicles)
      .where(eq(vehicles.unit_number, sql.placeholder('unit')))
      .prepare('vehicle_by_unit'),
  ).execute({ unit })
  return vehicle ?? null
}

export async function findVehicleByUnit(db: Db, unit: string): Promise<Vehicle> {
  const vehicle = await findVehicleOrNone(db, unit)
  if (!vehicle) throw new Missing('Vehicle')
  return vehicle
}

export async function findVehicleByVin(db: Db, vin: string): Promise<Vehicle> {
  const [vehicle] = await db.select().from(vehicles).where(eq(vehicles.vin, vin))
  if (!vehicle) throw new Missing('Vehicle')
  return vehicle
}

export async function findVehicle(db: Db, id: number): Promise<Vehicle> {
  const [vehicle] = await db.select().from(vehicles).where(eq(vehicles.id, id))
  if (!vehicle) throw new Missing('Vehicle')
  return vehicle
}
