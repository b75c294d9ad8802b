import { and, eq, getTableName } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Db, oneOf } from '../../../../db/client'
import { locations, merges, transportCompanies, vendors } from '../../../../db/schema'

export type Names = { location: Map<number, string>; company: Map<number, string>; vendor: Map<number, string> }

/**
 * Loads the names of locations, companies and vendors by id. Ids can repeat. Sends one query per kind, and a second one
 * if ids were deleted or merged.
 */
export async function namesOf(db: Db, ids: { [Kind in keyof Names]?: number[] }): Promise<Names> {
  const [location, company, vendor] = await Promise.all([
    named(db, locations, locations.location_name, ids.location),
    named(db, transportCompanies, transportCompanies.company_name, ids.company),
    named(db, vendors, vendors.vendor_name, ids.vendor),
  ])
  return { location, company, vendor }
}

/** Loads the names of a table's records, by id. */
export async function named(
  db: Db,
  table: PgTable & { id: AnyPgColumn },
  name: AnyPgColumn,
  ids: number[] = [],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const found = await db
    .select({ id: table.id, name })
    .from(table)
    .where(oneOf(table.id, [...new Set(ids)]))
  const names = new Map((found as { id: number; name: string }[]).map((row) => [row.id, row.name]))
  const gone = ids.filter((id) => !names.has(id))
  if (gone.length === 0) return names
  // Older audit entries still refer to records that were merged.
  const merged = await db
    .select({ id: merges.from_id, name: merges.from_name })
    .from(merges)
    .where(and(eq(merges.entity, getTableName(table)), oneOf(merges.from_id, [...new Set(gone)])))
  for (const { id, name } of merged) names.set(id, name)
  return names
}
