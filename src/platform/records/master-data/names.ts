import { and, eq, getTableName } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Db, oneOf } from '../../../../db/client'
import { locations, merges, transportCompanies, vendors } from '../../../../db/schema'

export type Names = { location: Map<number, string>; company: Map<number, string>; vendor: Map<number, string> }

/**
 * The names of the locations, companies and vendors of these ids, which may repeat; at most one query for each of
 * the three.
 */
export async function namesOf(db: Db, ids: { [Kind in keyof Names]?: number[] }): Promise<Names> {
  const [location, company, vendor] = await Promise.all([
    named(db, locations, locations.location_name, ids.location),
    named(db, transportCompanies, transportCompanies.company_name, ids.company),
    named(db, vendors, vendors.vendor_name, ids.vendor),
  ])
  return { location, company, vendor }
}

/** What the records of a table are called, by their ids. */
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
  // What was merged into another is still called so in older entries.
  const merged = await db
    .select({ id: merges.from_id, name: merges.from_name })
    .from(merges)
    .where(and(eq(merges.entity, getTableName(table)), oneOf(merges.from_id, [...new Set(gone)])))
  for (const { id, name } of merged) names.set(id, name)
  return names
}
