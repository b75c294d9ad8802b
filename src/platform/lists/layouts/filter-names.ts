import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../../db/client'
import { locations, transportCompanies, vendors } from '../../../../db/schema'

type Ids = { location_id?: number | null; vendor_id?: number | null; transport_company_id?: number | null }
/**
 * Names of the records that are selected in a list's filters. A name is null if the filter is not set, or if no record
 * has the selected id.
 */
export type FilterNames = { [Key in keyof Ids]?: string | null }

export async function loadFilterNames(
  db: Db,
  { location_id, vendor_id, transport_company_id }: Ids,
): Promise<FilterNames> {
  if (!location_id && !vendor_id && !transport_company_id) return {}
  const [names] = await rows<FilterNames>(
    db,
    sql`select (select location_name from ${locations} where id = ${location_id ?? null}::int) as location_id,
      (select vendor_name from ${vendors} where id = ${vendor_id ?? null}::int) as vendor_id,
      (select company_name from ${transportCompanies} where id = ${transport_company_id ?? null}::int) as
      transport_company_id`,
  )
  return names ?? {}
}
