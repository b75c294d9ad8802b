import { type SQL, sql } from 'drizzle-orm'
import { locations, transportCompanies } from '../../../db/schema'
import { nameMatches } from '../../platform/records/master-data/other-names'

/** Ids of the locations whose name, code or alias contains `q`. */
export const locationsLike = (q: string): SQL =>
  sql`select ${locations.id} from ${locations}
    where ${nameMatches({ table: locations, called: [locations.location_name, locations.location_code] }, q)}`

/** Ids of the transport companies whose name or alias contains `q`. */
export const companiesLike = (q: string): SQL =>
  sql`select ${transportCompanies.id} from ${transportCompanies}
    where ${nameMatches({ table: transportCompanies, called: [transportCompanies.company_name] }, q)}`

/** SQL array with the ids that `locationsLike` selects. Use it as `= any(…)`. */
export const placesLike = (q: string): SQL => sql`array(${locationsLike(q)})`

/**
 * SQL condition: a location or transport company has `q` in its name. Codes and aliases count as names. A search for
 * such a name finds only records that contain the whole text, such as `Mesa Yard`. Any other search also finds records
 * that contain all words of `q` separately.
 */
export const isName = (q: string): SQL => sql`(select exists (${locationsLike(q)}) or exists (${companiesLike(q)}))`
