import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import fc from 'fast-check'
import { rows } from '../../db/client'
import { oslEntries } from '../../db/schema'
import { oslListings } from '../../src/features/osl/queries'
import { oslFilters } from '../../src/features/osl/rules'
import { chargedDays, completedOn, daysOutOfService, feeOf, feeWithin, stoodWithin } from '../../src/features/osl/sql'
import { dateIn } from '../../src/platform/clock'
import { testContext } from '../support/context'
import {
  CALENDAR,
  cents,
  day,
  daysAfter,
  inBatches,
  instant,
  rowsOf,
  timeZone,
  today,
  wallDate,
} from '../support/property'

/**
 * Counts days and fees as the contract defines them, and compares them with the SQL.
 * The count is day by day in whole cents.
 */

const entry = fc.record({
  osl_date: day,
  completed_at: fc.option(instant),
  storage_fees_applicable: fc.boolean(),
  rate: fc.option(cents),
  grace: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 400 })),
  waived: fc.option(cents),
})
const setting = fc.record({
  now: today,
  zone: timeZone,
  period: fc.tuple(day, day, day).map((days) => days.sort() as [string, string, string]),
})

const e = alias(oslEntries, 'e')

test('days and fees match the calendar, and adjoining periods add up to the whole', async () => {
  const { ctx } = await testContext()
  await inBatches(entry, setting, async (batch, { now, zone, period: [start, cut, end] }) => {
    const clock = { today: () => now, timeZone: zone }
    const after = CALENDAR[CALENDAR.indexOf(cut) + 1] ?? cut
    const within = (from: string, to: string) => ({
      days: chargedDays(e, clock, from, to),
      fee: feeWithin(e, clock, from, to),
    })
    const [whole, first, second] = [within(start, end), within(start, cut), within(after, end)]
    const cases = batch.map(({ rate, grace, waived, ...one }) => ({
      ...one,
      id: 0,
      storage_fee_daily_rate: rate === null ? null : rate / 100,
      storage_grace_days: grace,
      storage_fee_waived: waived === null ? null : waived / 100,
    }))
    const found = await rows<Record<string, unknown>>(
      ctx.db,
      sql`select to_char(${completedOn(e, clock)}, 'YYYY-MM-DD') as completed_on, ${daysOutOfService(e, clock)} as days,
          ${feeOf(e, clock)} as fee, ${whole.days} as in_period, ${whole.fee} as fee_in_period,
          ${first.days} as until_cut,
          ${first.fee} as fee_until_cut, ${cut === end ? sql`0` : second.days} as after_cut,
          ${cut === end ? sql`0` : second.fee} as fee_after_cut,
          ${stoodWithin(e, clock, { start_date: start, end_date: end })} as stood
        from ${rowsOf('osl_entries', cases, 'e')} order by e.n`,
    )
    const expected = batch.map(({ osl_date, completed_at, storage_fees_applicable, rate, grace, waived }) => {
      const completed_on = completed_at && wallDate(completed_at, zone)
      const until = completed_on ?? now
      // The first day is not counted. The last day is.
      const out = daysAfter(osl_date, until)
      const charged = out.slice(grace)
      const perDay = storage_fees_applicable ? (rate ?? 0) : 0
      const daysIn = (from: string, to: string) => charged.filter((date) => date >= from && date <= to).length
      // The waiver reduces the fees of the first days.
      const costUntil = (to: string, isIncluded: boolean) => {
        const days = charged.filter((date) => date < to || (isIncluded && date === to)).length
        return Math.max(0, days * perDay - (waived ?? 0))
      }
      const costIn = (from: string, to: string) => (costUntil(to, true) - costUntil(from, false)) / 100
      return {
        completed_on,
        days: out.length,
        fee: Math.max(0, charged.length * perDay - (waived ?? 0)) / 100,
        in_period: daysIn(start, end),
        fee_in_period: costIn(start, end),
        until_cut: daysIn(start, cut),
        fee_until_cut: costIn(start, cut),
        after_cut: cut === end ? 0 : daysIn(after, end),
        fee_after_cut: cut === end ? 0 : costIn(after, end),
        stood: [osl_date, ...out].some((date) => date <= until && date >= start && date <= end),
      }
    })
    const numbers = Object.keys(expected[0] ?? {}).filter((name) => name !== 'completed_on' && name !== 'stood')
    const read = found.map((one) => ({
      ...one,
      ...Object.fromEntries(numbers.map((name) => [name, Number(one[name])])),
    }))
    expect(read as unknown[]).toEqual(expected)
  })
})

test('the completed list contains entries by business date in every time zone', async () => {
  const { ctx, cast } = await testContext()
  await ctx.db.execute(sql`insert into vehicles (unit_number) values ('100200')`)
  const period = fc.record({ zone: timeZone, days: fc.tuple(day, day).map((days) => days.sort() as [string, string]) })
  await inBatches(instant, period, async (batch, { zone, days: [start_date, end_date] }) => {
    await ctx.db.execute(sql`delete from osl_entries`)
    await ctx.db.execute(sql`insert into osl_entries (unit_number, osl_date, location_id, problem, status, completed_at)
      select '100200', '2020-01-01', ${cast.phoenix}::int, 'Transmission slips', 'Completed', e.completed_at
      from ${rowsOf(
        'osl_entries',
        batch.map((completed_at) => ({ completed_at })),
        'e',
      )}`)
    const query = { ...oslFilters.parse({ per_page: 500 }), start_date, end_date }
    const listed = await oslListings.completed(ctx.db, { today: () => end_date, timeZone: zone }, query).page()
    expect(listed.rows.map(({ completed_on }) => completed_on as string).sort()).toEqual(
      batch
        .map((at) => dateIn(at, zone))
        .filter((date) => date >= start_date && date <= end_date)
        .sort(),
    )
  })
})
