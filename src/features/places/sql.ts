import { type SQL, sql } from 'drizzle-orm'
import { locations, transportCompanies } from '../../../db/schema'
import { isCalledLike } from '../../platform/records/master-data/other-names'

/** Master data by what it is called, as SQL for the lists of what refers to it. */

/** The ids of the locations whose name, code or other name has `q` in it; for `= any(…)`. */
export const placesLike = (q: string): SQL =>
  sql`array(select ${locations.id} from ${locations}
    where ${isCalledLike({ table: locations, called: [locations.location_name, locations.location_code] }, q)})`

/** The ids of the transport companies whose name or other name has `q` in it. */
export const companiesLike = (q: string): SQL =>
  sql`array(select ${transportCompanies.id} from ${transportCompanies}
    where ${isCalledLike({ table: transportCompanies, called: [transportCompanies.company_name] }, q)})`

const isOneOf = (ids: SQL): SQL => sql`cardinality(${ids}) > 0`

/** Is it all of it the name of a location or company, or a part of one? Then its words say nothing by themselves. */
export const isName = (q: string): SQL => sql`(select ${isOneOf(placesLike(q))} or ${isOneOf(companiesLike(q))})`
