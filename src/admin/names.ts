import { type Db, oneOf } from '../../db/client'
import { locations, transportCompanies } from '../../db/schema'

export type Names = { location: Map<number, string>; company: Map<number, string> }

/** The names of the locations and companies of these ids, which may repeat; one query for each of the two. */
export async function namesOf(db: Db, ids: { location: number[]; company: number[] }): Promise<Names> {
  const [places, companies] = [[...new Set(ids.location)], [...new Set(ids.company)]]
  const [foundPlaces, foundCompanies] = await Promise.all([
    places.length ? db.select({ id: locations.id, name: locations.location_name }).from(locations).where(oneOf(locations.id, places)) : [],
    companies.length
      ? db.select({ id: transportCompanies.id, name: transportCompanies.company_name }).from(transportCompanies).where(oneOf(transportCompanies.id, companies))
      : [],
  ])
  const byId = (found: { id: number; name: string }[]) => new Map(found.map(({ id, name }) => [id, name]))
  return { location: byId(foundPlaces), company: byId(foundCompanies) }
}
