import type { Elysia } from 'elysia'
import { CAST, CAST_COMPANIES, CAST_LOCATIONS } from '../../db/cast'
import { locations, transportCompanies, users } from '../../db/schema'
import { hashPassword } from '../../src/platform/auth/passwords'
import { openSession } from '../../src/platform/auth/sessions'
import type { AppContext } from '../../src/platform/context'
import { Visitor } from './visitor'

export const PASSWORD = 'Saguaro42'

/** Shared by all accounts, because hashing is slow by design. */
let passwordHash: Promise<string> | undefined

/**
 * Creates the people and places of the tests. Ada is an administrator, Ben is a user, and vehicles move between
 * Phoenix, Tempe and Mesa with Desert Auto Haul or Copper State Transport.
 */
export async function castPeople(app: Elysia, ctx: AppContext) {
  passwordHash ??= hashPassword(PASSWORD)
  const password_hash = await passwordHash
  const { db } = ctx
  const [adaRow, benRow] = await db
    .insert(users)
    .values([
      { ...CAST.ada, password_hash },
      { ...CAST.ben, password_hash },
    ])
    .returning()
  const places = await db
    .insert(locations)
    .values([...CAST_LOCATIONS])
    .returning()
  const companies = await db
    .insert(transportCompanies)
    .values([...CAST_COMPANIES])
    .returning()
  const visitor = async (id: number) =>
    new Visitor(app, ctx, await openSession(db, id, { address: '127.0.0.1', userAgent: 'test' }, ctx.clock.now()))
  const [phoenix, tempe, mesa] = places.map((place) => place.id) as [number, number, number]
  const [desert, copper] = companies.map((company) => company.id) as [number, number]
  return {
    ada: await visitor(adaRow!.id),
    ben: await visitor(benRow!.id),
    stranger: new Visitor(app, ctx, null),
    phoenix,
    tempe,
    mesa,
    desert,
    copper,
  }
}

export type Cast = Awaited<ReturnType<typeof castPeople>>
