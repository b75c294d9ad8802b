import { and, eq, getTableName, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Db, idList, oneOf } from '../../../../db/client'
import { locations, merges, transportCompanies, vendors } from '../../../../db/schema'
import { prepared } from '../prepared-statements'

export type RecordNames = { location: Map<number, string>; company: Map<number, string>; vendor: Map<number, string> }

/** `ids` can contain duplicates. Each table takes one query, or two if some of its records were deleted or merged. */
export async function loadNamesByKind(db: Db, ids: { [Kind in keyof RecordNames]?: number[] }): Promise<RecordNames> {
  const [location, company, vendor] = await Promise.all([
    loadNames(db, locations, locations.location_name, ids.location),
    loadNames(db, transportCompanies, transportCompanies.company_name, ids.company),
    loadNames(db, vendors, vendors.vendor_name, ids.vendor),
  ])
  return { location, company, vendor }
}

/** A merged record has the name that it had before the merge. */
export async function loadNames(
  db: Db,
  table: PgTable & { id: AnyPgColumn },
  name: AnyPgColumn,
  ids: number[] = [],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const entity = getTableName(table)
  const nameRows = await prepared(db, `names_of_${entity}_${name.name}`, (statement) =>
    db
      .select({ id: table.id, name })
      .from(table)
      .where(oneOf(table.id, sql.placeholder('ids')))
      .prepare(statement),
  ).execute({ ids: idList([...new Set(ids)]) })
  const names = new Map((nameRows as { id: number; name: string }[]).map((row) => [row.id, row.name]))
  const missingIds = ids.filter((id) => !names.has(id))
  if (missingIds.length === 0) return names
  // Look up merged records too, because older audit entries still refer to them.
  const merged = await db
    .select({ id: merges.from_id, name: merges.from_name })
    .from(merges)
    .where(and(eq(merges.entity, entity), oneOf(merges.from_id, [...new Set(missingIds)])))
  for (const { id, name } of merged) names.set(id, name)
  return names
}
