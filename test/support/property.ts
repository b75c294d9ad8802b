import { type SQL, sql } from 'drizzle-orm'
import fc from 'fast-check'

/**
 * Comparing a rule in SQL with the same in TypeScript: made-up cases, a few hundred to a statement. The same ones each
 * time, so that a failure can be repeated; others by `PROPERTY_SEED`, more by `PROPERTY_RUNS`.
 */

const SEED = Number(process.env.PROPERTY_SEED ?? 7)
const RUNS = process.env.PROPERTY_RUNS

/**
 * The settings of every property in the suite: the same cases in each run, and no shrinking, whose duration nobody can
 * foresee. `PROPERTY_RUNS` asks for more cases and shrinks what fails.
 */
export const seeded = (runs: number) => ({ numRuns: Number(RUNS ?? runs), seed: SEED, endOnFailure: !RUNS })

/** Tries `runs` batches of up to `upTo` cases under a common setting, such as what day it is. */
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

/** Cases as rows of a table `name`, in their order, without being stored; each may have any of its columns. */
export const rowsOf = (table: string, cases: object[], name: string): SQL =>
  sql`(select r.*, c.n, c.one from jsonb_array_elements(${JSON.stringify(cases)}::text::jsonb) with ordinality c (one, n)
    cross join lateral jsonb_populate_record(null::${sql.raw(table)}, c.one) r) ${sql.raw(name)}`

const START = Temporal.PlainDate.from('2023-11-01')
/** Every day of four years, one after the other, a leap day among them. */
export const CALENDAR = Array.from({ length: 1461 }, (_, days) => START.add({ days }).toString())

const PLACE = new Map(CALENDAR.map((date, at) => [date, at]))
/** The days after one up to and including another. */
export const daysAfter = (first: string, last: string) =>
  CALENDAR.slice((PLACE.get(first) ?? 0) + 1, (PLACE.get(last) ?? CALENDAR.length) + 1)

/** A day of the calendar. */
export const day = fc.constantFrom(...CALENDAR)
/** One of a few days, so that cases meet on the same one. */
export const nearDay = fc.constantFrom(...CALENDAR.slice(850, 870))
/** A day that may be today, two to three years into the calendar. */
export const today = fc.constantFrom(...CALENDAR.slice(730, 1100))

/** An amount in whole cents. */
export const cents = fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 999_999_999 }))

/** Zones that are early, late, off by parts of an hour, or change their clocks, some of them at midnight. */
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

/** An instant within the calendar, nearly always close to a midnight somewhere. */
export const instant = fc
  .tuple(
    fc.constantFrom(...CALENDAR.slice(2, -2)),
    fc.integer({ min: -14 * 60, max: 14 * 60 }),
    fc.integer({ min: 0, max: 59_999 }),
  )
  .map(([date, minutes, ms]) => new Date(Date.parse(`${date}T00:00:00Z`) + minutes * 60_000 + ms))

/** The date that the calendar on a wall shows at an instant. */
export const wallDate = (at: Date, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString()
