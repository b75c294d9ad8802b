import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { rows } from '../../db/client'
import { readConfig } from '../../src/app/config'
import { addDays, addMonths, dateIn, daysBetween, noonOf } from '../../src/platform/clock'
import { testContext } from '../support/context'
import { inBatches, instant, timeZone, wallDate } from '../support/property'

/** Compares day arithmetic of the program and the database, for all days that forms accept. */

const FIRST = Temporal.PlainDate.from('1900-01-01')
const anyDay = fc.integer({ min: 0, max: 109_571 }).map((days) => FIRST.add({ days }).toString())

test('adding days and months matches the database and the calendar', async () => {
  const { ctx } = await testContext()
  const one = fc.record({
    date: anyDay,
    other: anyDay,
    days: fc.integer({ min: -40_000, max: 40_000 }),
    months: fc.integer({ min: -600, max: 600 }),
  })
  await inBatches(one, fc.constant(null), async (batch) => {
    const found = await rows(
      ctx.db,
      sql`select to_char(c.date + c.days, 'YYYY-MM-DD') as later, c.other - c.date as between,
          to_char(c.date + c.months * interval '1 month', 'YYYY-MM-DD') as months_later
        from jsonb_to_recordset(${JSON.stringify(batch)}::text::jsonb) as c (date date, other date, days int,
        months int)`,
    )
    const computed = batch.map(({ date, other, days, months }) => ({
      later: addDays(date, days),
      between: daysBetween(date, other),
      months_later: addMonths(date, months),
    }))
    expect(computed).toEqual(found as never)
    const calendar = batch.map(({ date, other, days, months }) => ({
      later: Temporal.PlainDate.from(date).add({ days }).toString(),
      between: Temporal.PlainDate.from(date).until(other).days,
      months_later: Temporal.PlainDate.from(date).add({ months }).toString(),
    }))
    expect(computed).toEqual(calendar)
  })
})

test('an instant has the same business date in the program and the database', async () => {
  const { ctx } = await testContext()
  await inBatches(fc.record({ at: instant, date: anyDay }), timeZone, async (batch, zone) => {
    const cases = batch.map(({ at, date }) => ({ at, noon: noonOf(date, zone) }))
    const found = await rows<{ at: string; noon: string }>(
      ctx.db,
      sql`select to_char(c.at at time zone ${zone}, 'YYYY-MM-DD') as at,
        to_char(c.noon at time zone ${zone}, 'YYYY-MM-DD') as noon
        from jsonb_to_recordset(${JSON.stringify(cases)}::text::jsonb) as c (at timestamptz, noon timestamptz)`,
    )
    expect(found).toEqual(batch.map(({ at, date }) => ({ at: dateIn(at, zone), noon: date })))
    expect(found.map(({ at }) => at)).toEqual(batch.map(({ at }) => wallDate(at, zone)))
  })
})

test('every accepted time zone has the same meaning in the database', async () => {
  const { ctx } = await testContext()
  const accepted = (zone: string) => {
    try {
      return readConfig({ BUSINESS_TIME_ZONE: zone }).timeZone === zone
    } catch {
      return false
    }
  }
  const names = [...Intl.supportedValuesOf('timeZone'), 'utc', 'america/phoenix', 'EST', 'Etc/GMT+5', '+05:30', '-0700']
  const zones = names.filter(accepted)
  expect(zones.length).toBeGreaterThan(400)
  expect(names.filter((zone) => !zones.includes(zone))).toEqual(['+05:30', '-0700'])
  const at = new Date('2026-07-14T12:34:00Z')
  const local = (zone: string) =>
    Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDateTime().toString()
  const found = await rows<{ zone: string; local: string }>(
    ctx.db,
    sql`select zone, to_char(${at.toISOString()}::timestamptz at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS') as local
      from jsonb_array_elements_text(${JSON.stringify(zones)}::text::jsonb) z (zone)`,
  )
  expect(found).toEqual(zones.map((zone) => ({ zone, local: local(zone) })))
})
