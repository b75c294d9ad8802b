import type { Elysia } from 'elysia'
import { locations, transportCompanies, users } from '../../db/schema'
import { hashPassword } from '../../src/auth/passwords'
import { openSession } from '../../src/auth/queries'
import type { Office } from '../../src/office'
import { Visitor } from './visitor'

export const PASSWORD = 'Saguaro42'

/** One hash for everybody: making it is slow on purpose. */
let passwordHash: Promise<string> | undefined

/**
 * The people and places that the tests speak of: Ada runs the office, Ben is a clerk, and vehicles move between Phoenix,
 * Tempe and Mesa with Desert Auto Haul or Copper State Transport.
 */
export async function castPeople(app: Elysia, office: Office) {
  passwordHash ??= hashPassword(PASSWORD)
  const password_hash = await passwordHash
  const { db } = office
  const [adaRow, benRow] = await db
    .insert(users)
    .values([
      { username: 'ada', password_hash, role: 'admin', first_name: 'Ada', last_name: 'Reyes' },
      { username: 'ben', password_hash, role: 'user', first_name: 'Ben', last_name: 'Carter' },
    ])
    .returning()
  const places = await db
    .insert(locations)
    .values([
      { location_code: 'PHX', location_name: 'Phoenix', location_type: 'Hub' },
      { location_code: 'TMP', location_name: 'Tempe', location_type: 'Dealer' },
      { location_code: 'MES', location_name: 'Mesa', location_type: 'Tow' },
    ])
    .returning()
  const companies = await db
    .insert(transportCompanies)
    .values([{ company_name: 'Desert Auto Haul' }, { company_name: 'Copper State Transport' }])
    .returning()
  const visitor = async (id: number) => new Visitor(app, office, await openSession(db, id, { address: '127.0.0.1', userAgent: 'test' }, office.clock.now()))
  const [phoenix, tempe, mesa] = places.map((place) => place.id) as [number, number, number]
  const [desert, copper] = companies.map((company) => company.id) as [number, number]
  return { ada: await visitor(adaRow!.id), ben: await visitor(benRow!.id), stranger: new Visitor(app, office, null), phoenix, tempe, mesa, desert, copper }
}

export type Cast = Awaited<ReturnType<typeof castPeople>>
