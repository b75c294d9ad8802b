import { expect } from 'bun:test'
import { sessions } from '../../db/schema'
import { testContext } from './context'

type Uploaded = {
  status: number
  imported: number
  failed: number
  duplicates: number
  message: string
  errors: { row: number; message: string }[]
  validation_errors: string[]
}

/** Places of an office whose names have dashes, apostrophes and accents. */
const PLACES = [
  ['MES2', 'Mesa – East Lot'],
  ['OBR', "O'Brien Yard"],
  ['CAF', 'Café Müller'],
]

/** Headings of a transport sheet. */
export const HEAD = 'unit_number,location_out,location_in,move_date,transport_company,status'
const quoted = (...cells: string[]) => cells.map((cell) => `"${cell}"`).join(',')

/** Line of a transport sheet with the columns of `HEAD`. */
export const moveLine = (unit: string, more: Record<string, string> = {}) => {
  const { out = 'Phoenix', date = '2026-11-03', status = 'In Transit' } = more
  return quoted(unit, out, 'Tempe', date, 'Copper State', status)
}

/** Returns an empty program on 25 November 2026, with the places of an office and the company Copper State. */
export async function openOffice() {
  const h = await testContext()
  const { cast, clock, ctx } = h
  clock.set(new Date('2026-11-25T19:00:00Z'))
  // Setting the clock has ended the sessions of the cast.
  await ctx.db.update(sessions).set({
    last_seen_at: clock.now(),
    expires_at: new Date(clock.now().getTime() + 3_600_000),
    authenticated_at: clock.now(),
  })
  for (const [location_code, location_name] of PLACES) {
    const place = { location_code, location_name, location_type: 'Hub' }
    expect((await cast.ada.post('/locations', place)).status).toBe(201)
  }
  await cast.ada.post('/transport-companies', { company_name: 'Copper State' })
  return {
    ...h,
    upload: async (type: string, name: string, content: string | Uint8Array, more: Record<string, unknown> = {}) => {
      const { status, body } = await cast.ben.upload(type, name, content, more)
      return { status, ...body } as unknown as Uploaded
    },
    records: async (path: string) =>
      (await cast.ben.get(`${path}?per_page=100&sort=unit_number&order=asc`)).body.data as Record<string, unknown>[],
  }
}
