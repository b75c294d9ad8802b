import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import fc from 'fast-check'
import { rows } from '../../db/client'
import { registrations } from '../../db/schema'
import { registrationImport } from '../../src/features/registrations/import'
import { expireRegistrations } from '../../src/features/registrations/mutations'
import { renewalOf } from '../../src/features/registrations/renew'
import { registration, statusFor } from '../../src/features/registrations/rules'
import { daysUntilExpiry, isExpiring, isLatest, plateStartsWith } from '../../src/features/registrations/sql'
import { addDays, addMonths } from '../../src/platform/clock'
import { scheduleWrite } from '../../src/platform/records/transactions'
import { testContext } from '../support/context'
import { CALENDAR, day, inBatches, nearDay, rowsOf, seeded, today } from '../support/property'

const g = alias(registrations, 'g')
const UNITS = ['100201', '100202', '100203', '100204', '100205']
const some = fc.record({ unit_number: fc.constantFrom(...UNITS), date_expires: fc.oneof(day, nearDay) })

/** Replaces all registrations with the cases, in their order. */
async function store(h: Awaited<ReturnType<typeof testContext>>, cases: object[]) {
  await h.ctx.db.execute(sql`delete from registrations`)
  await h.ctx.db.execute(
    sql`insert into vehicles (unit_number) select unnest(${`{${UNITS}}`}::text::text[]) on conflict do nothing`,
  )
  await h.ctx.db.execute(sql`insert into registrations (id, unit_number, location_id, plate_number, state_province,
    date_issued, date_expires, received, status)
    select g.n, g.unit_number, ${h.cast.phoenix}::int, coalesce(g.plate_number, 'CDA4821'), 'AZ', '2020-01-01',
    g.date_expires, coalesce(g.received, false), coalesce(g.status, 'Pending')
    from ${rowsOf('registrations', cases, 'g')} order by g.n`)
}

test('a registration is expiring within the period unless the vehicle has a later one', async () => {
  const h = await testContext()
  const setting = fc.record({ now: today, days: fc.integer({ min: 0, max: 90 }) })
  await inBatches(
    some,
    setting,
    async (batch, { now, days }) => {
      await store(h, batch)
      const found = await rows(
        h.ctx.db,
        sql`select ${daysUntilExpiry(g, now)} as days, ${isLatest(g)} as latest,
          ${isExpiring(g, { start: now, end: addDays(now, days) })} as expiring
          from ${registrations} g order by g.id`,
      )
      const expected = batch.map(({ unit_number, date_expires }) => {
        const daysLeft = CALENDAR.indexOf(date_expires) - CALENDAR.indexOf(now)
        const latest = !batch.some((other) => other.unit_number === unit_number && other.date_expires > date_expires)
        return { days: daysLeft, latest, expiring: latest && daysLeft >= 0 && daysLeft <= days }
      })
      expect(found).toEqual(expected)
    },
    { upTo: 60 },
  )
})

test('the expire action, the form and imports agree on the Expired status', async () => {
  const h = await testContext()
  const one = fc.record({
    unit_number: fc.constantFrom(...UNITS),
    was: fc.oneof(day, nearDay),
    date_expires: fc.oneof(day, nearDay),
    received: fc.boolean(),
    wasReceived: fc.boolean(),
  })
  await inBatches(one, fc.oneof(today, nearDay), async (batch, now) => {
    h.clock.set(new Date(`${now}T19:00:00Z`))
    await store(
      h,
      batch.map(({ wasReceived: _, ...row }) => ({ ...row, status: row.received ? 'Complete' : 'Pending' })),
    )
    await expireRegistrations(scheduleWrite(h.ctx.db, h.clock))
    const byButton = await rows<{ status: string }>(h.ctx.db, sql`select status from registrations order by id`)
    const byForm = batch.map(({ received, date_expires }) => ({ status: statusFor(received, date_expires, now) }))
    expect(byButton).toEqual(byForm)

    const status = registrationImport.derived.find(({ column }) => column === 'status')
    const updated = status?.updated?.({ cell: String, given: 'null', today: `'${now}'` }) ?? 'null'
    const cases = batch.map(({ was, wasReceived, received, date_expires }) => ({
      ...{ date_expires: was, n_date_expires: date_expires, received: wasReceived, n_received: received },
      status: statusFor(wasReceived, was, now),
    }))
    const byImport = await rows(
      h.ctx.db,
      sql`select ${sql.raw(updated)} as status from (
        select x.*, (x.one ->> 'n_date_expires')::date as n_date_expires,
          (x.one ->> 'n_received')::boolean as n_received from ${rowsOf('registrations', cases, 'x')}) x
        order by x.n`,
    )
    expect(byImport).toEqual(byForm)
  })
})

test('a renewal adds the fewest whole years that end today or later', () => {
  fc.assert(
    fc.property(day, today, (date_expires, now) => {
      const renewed = renewalOf({ date_expires } as Parameters<typeof renewalOf>[0], now).date_expires
      const years = Array.from({ length: 200 }, (_, n) => addMonths(date_expires, 12 * (n + 1)))
      expect(renewed).toBe(years.find((date) => date >= now) as string)
    }),
    seeded(100),
  )
})

test('a plate is found by its prefix, ignoring case, blanks and dashes', async () => {
  const h = await testContext()
  const plate = fc
    .oneof(
      fc.string({ unit: fc.constantFrom(...'AZaz09 .-'), minLength: 1, maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(...'ÄÖÉÑñ%_\\\'"Кк'), minLength: 1, maxLength: 8 }),
    )
    .filter((text) => registration.shape.plate_number.safeParse(text).success)
  const one = fc.record({ stored: plate, length: fc.integer({ min: 1, max: 12 }), upper: fc.boolean() })
  await inBatches(
    one,
    fc.constant(null),
    async (batch) => {
      const cases = batch.map(({ stored }) => ({ plate_number: registration.shape.plate_number.parse(stored) }))
      const typedPrefixes = batch.map(({ stored, length, upper }) => {
        const prefix = [...stored].slice(0, length).join('')
        return upper ? prefix.toUpperCase() : prefix.toLowerCase()
      })
      const tests = typedPrefixes.map(
        (typed, n) =>
          sql`select ${n + 1}::int as n, ${plateStartsWith(g.plate_number, typed)} as found
            from (select * from ${rowsOf('registrations', [cases[n] as object], 'g')}) g`,
      )
      const found = await rows<{ n: number; found: boolean }>(
        h.ctx.db,
        sql`select * from (${sql.join(tests, sql` union all `)}) all_of order by n`,
      )
      const missed = found.flatMap(({ n, found }) => {
        const typed = typedPrefixes[n - 1] ?? ''
        return found || !/[^\s.-]/.test(typed) ? [] : [`${cases[n - 1]?.plate_number} by ${typed}`]
      })
      expect(missed).toEqual([])
    },
    { upTo: 100 },
  )
})
