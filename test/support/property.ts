import { type SQL, sql } from 'drizzle-orm'
import fc from 'fast-check'

/**
 * Property tests that compare an SQL rule with its TypeScript version. Each statement checks a few hundred generated
 * cases. They are the same in every run, so that failures can be reproduced; `PROPERTY_SEED` selects others and
 * `PROPERTY_RUNS` more.
 */

const SEED = Number(process.env.PROPERTY_SEED ?? 7)
const RUNS = process.env.PROPERTY_RUNS

/**
 * Settings of every property test. Cases are the same in each run and are not shrunk, because the duration of shrinking
 * is unpredictable. `PROPERTY_RUNS` sets the number of cases and enables shrinking.
 */
export const seeded = (runs: number) => ({ numRuns: Number(RUNS ?? runs), seed: SEED, endOnFailure: !RUNS })

/**
 * Checks batches of cases under a shared setting, such as today's date. There are `runs` batches of up to `upTo` cases.
 */
export const inBatches = <Case, Setting>(
  one: fc.Arbitrary<Case>,
  setting: fc.Arbitrary<Setting>,
  compare: (batch: Case[], setting: Setting) => Promise<void>,
  { runs = 8, upTo = 250 } = {},
) =>
  fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: upTo, size: 'max' }), setting, compare),
    seeded(runs),
  )

/** Returns cases as ordered rows of a table `name`, without storing them. Each case can have any columns of `table`. */
export const rowsOf = (table: string, cases: object[], name: string): SQL =>
  sql`(select r.*, c.n, c.one from jsonb_array_elements(${JSON.stringify(cases)}::text::jsonb)
    with ordinality c (one, n)
    cross join lateral jsonb_populate_record(null::${sql.raw(table)}, c.one) r) ${sql.raw(name)}`

const START = Temporal.PlainDate.from('2023-11-01')
/** All days of four years in order, including a leap day. */
export const CALENDAR = Array.from({ length: 1461 }, (_, days) => START.add({ days }).toString())

const PLACE = new Map(CALENDAR.map((date, at) => [date, at]))
/** Days after `first`, up to and including `last`. */
export const daysAfter = (first: string, last: string) =>
  CALENDAR.slice((PLACE.get(first) ?? 0) + 1, (PLACE.get(last) ?? CALENDAR.length) + 1)

export const day = fc.constantFrom(...CALENDAR)
/** A day from a small range, so that cases share dates. */
export const nearDay = fc.constantFrom(...CALENDAR.slice(850, 870))
/** A possible today, two to three years into the calendar. */
export const today = fc.constantFrom(...CALENDAR.slice(730, 1100))

export const cents = fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 999_999_999 }))

/** Zones with large or fractional offsets, or clock changes, some at midnight. */
export const timeZone = fc.constantFrom(
  'America/Phoenix',
  'UTC',
  'Europe/Berlin',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Africa/Cairo',
  'America/Havana',
)

/** An instant within the calendar, usually close to a midnight somewhere. */
export const instant = fc
  .tuple(
    fc.constantFrom(...CALENDAR.slice(2, -2)),
    fc.integer({ min: -14 * 60, max: 14 * 60 }),
    fc.integer({ min: 0, max: 59_999 }),
  )
  .map(([date, minutes, ms]) => new Date(Date.parse(`${date}T00:00:00Z`) + minutes * 60_000 + ms))

export const wallDate = (at: Date, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString()
