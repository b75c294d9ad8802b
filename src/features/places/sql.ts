import { type SQL, sql } from 'drizzle-orm'
import { locations, transportCompanies } from '../../../db/schema'
import { nameMatches } from '../../platform/records/master-data/other-names'

/** Query for the ids of the locations that have `q` in their name, code or alias. */
export const locationsLike = (q: string): SQL =>
  sql`select ${locations.id} from ${locations}
    where ${nameMatches({ table: locations, called: [locations.location_name, locations.location_code] }, q)}`

/** Query for the ids of the transport companies that have `q` in their name or alias. */
export const companiesLike = (q: string): SQL =>
  sql`select ${transportCompanies.id} from ${transportCompanies}
    where ${nameMatches({ table: transportCompanies, called: [transportCompanies.company_name] }, q)}`

/** SQL array with the ids that `locationsLike` selects. Use it as `= any(…)`. */
export const placesLike = (q: string): SQL => sql`array(${locationsLike(q)})`

/**
 * SQL condition: `q` is part of the name, code or alias of any location or transport company.
 * A search for such a name finds only records that contain the whole text, such as `Mesa Yard`. Any other search also
 * finds records that contain all words of `q` separately.
 */
export const isName = (q: string): SQL => sql`(select exists (${locationsLike(q)}) or exists (${companiesLike(q)}))`
