import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { seedDemo } from '../../db/seed'
import { oslListings } from '../../src/features/osl/queries'
import { oslFilters } from '../../src/features/osl/rules'
import { registrationListings } from '../../src/features/registrations/queries'
import { expiringFilters } from '../../src/features/registrations/rules'
import { titleListings } from '../../src/features/titles/queries'
import { overdueFilters } from '../../src/features/titles/rules'
import { transportListings } from '../../src/features/transports/listings'
import { transportFilters } from '../../src/features/transports/rules'
import type { Listing } from '../../src/platform/records/listing'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeAll(async () => {
  h = await testContext()
  await h.ctx.db.transaction(async (tx) => {
    await tx.execute(sql`truncate locations, transport_companies restart identity cascade`)
    await seedDemo(tx, h.ctx.clock.today())
  })
})

const LISTS: Record<string, () => Listing<{ id: number }>[]> = {
  transports: () =>
    Object.values(transportListings).map((open) =>
      open(h.ctx.db, h.ctx.clock, transportFilters.parse({ per_page: 500, sort: 'location_in_name' })),
    ),
  'OSL entries': () =>
    Object.values(oslListings).map((open) =>
      open(h.ctx.db, h.ctx.clock, {
        ...oslFilters.parse({ per_page: 500 }),
        start_date: '2020-01-01',
        end_date: '2030-01-01',
      } as never),
    ),
  registrations: () =>
    Object.values(registrationListings).map((open) =>
      open(h.ctx.db, h.ctx.clock, expiringFilters.parse({ per_page: 500, days: 400 }) as never),
    ),
  titles: () =>
    Object.values(titleListings).map((open) =>
      open(h.ctx.db, h.ctx.clock, overdueFilters.parse({ per_page: 500 }) as never),
    ),
}

describe('a list serialized by the database', () => {
  for (const [name, open] of Object.entries(LISTS))
    test(`returns the same ${name}, order and fields as decoded rows`, async () => {
      let rowCount = 0
      for (const listing of open()) {
        const [{ rows, total }, text] = await Promise.all([listing.page(), listing.text()])
        const parsedRows = JSON.parse(text.rows) as object[]
        expect([text.total, parsedRows]).toEqual([total, JSON.parse(JSON.stringify(rows))])
        expect(parsedRows.map((row) => Object.keys(row))).toEqual(rows.map((row) => Object.keys(row)))
        const { lines, total: count } = await listing.lines()
        expect([count, lines.map(({ read }) => read())]).toEqual([total, rows])
        rowCount += parsedRows.length
      }
      expect(rowCount).toBeGreaterThan(20)
    })

  test('encodes special characters as valid JSON', async () => {
    const notes = 'A "quote", a \\ and </script>\n\ttab \u2028 \u0001 ü 🚚'
    const sent = {
      unit_number: '900200',
      move_date: '2026-03-10',
      location_out_id: 1,
      location_in_id: 2,
      transport_company_id: 1,
      estimated_cost: 1250.5,
      notes,
    }
    const created = (await h.cast.ben.post('/transports', sent)).body.data
    const { body } = await h.cast.ben.get('/transports?unit_number=900200')
    expect(body.data).toEqual([created] as never)
  })

  test('is an empty array when no row matches', async () => {
    const { body } = await h.cast.ben.get('/transports?unit_number=999999')
    expect([body.data, body.meta?.total]).toEqual([[], 0] as never)
  })
})
