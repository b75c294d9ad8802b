import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import fc from 'fast-check'
import { rows } from '../../db/client'
import { oslEntries } from '../../db/schema'
import { dateIn } from '../../src/clock'
import { oslListings } from '../../src/osl/queries'
import { oslFilters } from '../../src/osl/rules'
import { completedOn, daysOutOfService, daysWithin, feeFor, stoodWithin } from '../../src/osl/sql'
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

/** Days and fees as the contract tells them, counted day by day in whole cents, beside those of the SQL. */

const entry = fc.record({
  osl_date: day,
  completed_at: fc.option(instant),
  storage_fees_applicable: fc.boolean(),
  rate: fc.option(cents),
})
const setting = fc.record({
  now: today,
  zone: timeZone,
  period: fc.tuple(day, day, day).map((days) => days.sort() as [string, string, string]),
})

const e = alias(oslEntries, 'e')

test('days and fees are those of the calendar, and adjoining periods add up to the whole', async () => {
  const { ctx } = await testContext()
  await inBatches(entry, setting, async (batch, { now, zone, period: [start, cut, end] }) => {
    const clock = { today: () => now, timeZone: zone }
    const after = CALENDAR[CALENDAR.indexOf(cut) + 1] ?? cut
    const days = {
      all: daysOutOfService(e, clock),
      until_cut: daysWithin(e, clock, { start_date: start, end_date: cut }),
      after_cut: daysWithin(e, clock, { start_date: after, end_date: end }),
      period: daysWithin(e, clock, { start_date: start, end_date: end }),
    }
    const cases = batch.map(({ rate, ...one }) => ({
      ...one,
      storage_fee_daily_rate: rate === null ? null : rate / 100,
    }))
    const found = await rows<Record<string, unknown>>(
      ctx.db,
      sql`select to_char(${completedOn(e, clock)}, 'YYYY-MM-DD') as completed_on, ${days.all} as days, ${feeFor(e, days.all)} as fee,
          ${days.period} as in_period, ${days.until_cut} as until_cut, ${feeFor(e, days.until_cut)} as fee_until_cut,
          ${cut === end ? sql`0` : days.after_cut} as after_cut, ${stoodWithin(e, clock, { start_date: start, end_date: end })} as stood
        from ${rowsOf('osl_entries', cases, 'e')} order by e.n`,
    )
    const expected = batch.map(({ osl_date, completed_at, storage_fees_applicable, rate }) => {
      const completed_on = completed_at && wallDate(completed_at, zone)
      const until = completed_on ?? now
      // The first day counts 0; the last one counts.
      const charged = daysAfter(osl_date, until)
      const within = (from: string, to: string) => charged.filter((date) => date >= from && date <= to).length
      const perDay = storage_fees_applicable ? (rate ?? 0) : 0
      return {
        completed_on,
        days: charged.length,
        fee: (charged.length * perDay) / 100,
        in_period: within(start, end),
        until_cut: within(start, cut),
        fee_until_cut: (within(start, cut) * perDay) / 100,
        after_cut: within(start, end) - within(start, cut),
        stood: [osl_date, ...charged].some((date) => date <= until && date >= start && date <= end),
      }
    })
    const numbers = ['days', 'fee', 'in_period', 'until_cut', 'fee_until_cut', 'after_cut']
    const read = found.map((one) => ({
      ...one,
      ...Object.fromEntries(numbers.map((name) => [name, Number(one[name])])),
    }))
    expect(read as unknown[]).toEqual(expected)
  })
})

test('an entry is in the completed list of a period when its business date is, whatever the clocks do', async () => {
  const { ctx, cast } = await testContext()
  await ctx.db.execute(sql`insert into vehicles (unit_number) values ('100200')`)
  const period = fc.record({ zone: timeZone, days: fc.tuple(day, day).map((days) => days.sort() as [string, string]) })
  await inBatches(instant, period, async (batch, { zone, days: [start_date, end_date] }) => {
    await ctx.db.execute(sql`delete from osl_entries`)
    await ctx.db.execute(sql`insert into osl_entries (unit_number, osl_date, location_id, problem, status, completed_at)
      select '100200', '2020-01-01', ${cast.phoenix}::int, 'Transmission slips', 'Completed', e.completed_at from ${rowsOf(
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
