import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { vehicles } from '../../../db/schema'

/** The VINs must be valid. Unknown VINs are omitted. */
export async function unitsOfVins(db: Db, vins: readonly string[]): Promise<Map<string, string>> {
  if (vins.length === 0) return new Map()
  const vehicleRows = await db
    .select({ vin: vehicles.vin, unit_number: vehicles.unit_number })
    .from(vehicles)
    .where(sql`${vehicles.vin} = any(${`{${vins.join(',')}}`}::text[])`)
  return new Map(vehicleRows.flatMap(({ vin, unit_number }) => (vin ? [[vin, unit_number]] : [])))
}
