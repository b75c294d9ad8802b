import { type SQL, sql } from 'drizzle-orm'
import { locations, transportCompanies } from '../../../db/schema'
import { nameMatches } from '../../platform/records/master-data/other-names'

/** SQL array with the ids of the locations that have `q` in their name, code or alias. Use it as `= any(…)`. */
export const placesLike = (q: string): SQL =>
  sql`array(select ${locations.id} from ${locations}
    where ${nameMatches({ table: locations, called: [locations.location_name, locations.location_code] }, q)})`

export const companiesLike = (q: string): SQL =>
  sql`array(select ${transportCompanies.id} from ${transportCompanies}
    where ${nameMatches({ table: transportCompanies, called: [transportCompanies.company_name] }, q)})`

const isOneOf = (ids: SQL): SQL => sql`cardinality(${ids}) > 0`

/**
 * SQL condition: the search text `q` is part of the name, code or alias of a location or company. If it is, the search
 * does not look for each word of the text separately.
 */
export const isName = (q: string): SQL => sql`(select ${isOneOf(placesLike(q))} or ${isOneOf(companiesLike(q))})`
