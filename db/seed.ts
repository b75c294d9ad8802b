import { sql } from 'drizzle-orm'
import type { Db } from './client'
import vehiclesFollow from './migrations/0008_vehicles-follow.sql' with { type: 'text' }
import * as schema from './schema'
import { COMPANIES, DEALERS, MOVES, NOTES, PLACES, PROBLEMS, VENDORS } from './seed-words'
import { VIN_SIGNS, vinFrom } from './vins'
import { FUEL_LEVELS, OSL_STATUSES, REGISTRATION_TYPES, TRANSPORT_STATUSES } from './vocabulary'

/** Returns a generator of pseudorandom numbers (mulberry32). The same seed always gives the same numbers. */
function dice(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    chance: (share: number) => next() < share,
    whole,
    cents: (from: number, to: number) => whole(from * 100, to * 100) / 100,
    one: <T>(list: readonly T[]) => list[whole(0, list.length - 1)] as T,
  }
}

const DAY_MS = 86_400_000

const BATCH = 500

/** SQL that sets the status, location and mileage of all vehicles. It is the last statement of migration 0008. */
const FOLLOW = vehiclesFollow.split('--> statement-breakpoint').at(-1) as string

/**
 * Fills an empty database with demo data.
 * There are 400 vehicles, and two years of records with every status. Dates are relative to `today`. The same day
 * always gives the same data.
 * @param now no record is created after this time
 */
export async function seedDemo(db: Db, today: string, now = new Date(`${today}T17:00:00Z`)) {
  const { chance, whole, cents, one } = dice(20_260_314)
  const day = (ago: number) => new Date(Date.parse(`${today}T00:00:00Z`) - ago * DAY_MS).toISOString().slice(0, 10)
  const instant = (ago: number) => new Date(Math.min(Date.parse(`${today}T17:00:00Z`) - ago * DAY_MS, now.getTime()))
  const stamps = (ago: number) => ({
    created_by: one(['ada', 'ben']),
    updated_by: one(['ada', 'ben']),
    created_at: instant(ago),
    updated_at: instant(ago),
  })
  const insert = async (tx: Db, table: Parameters<Db['insert']>[0], rows: object[]) => {
    for (let at = 0; at < rows.length; at += BATCH) await tx.insert(table).values(rows.slice(at, at + BATCH) as never)
  }

  const units = Array.from({ length: 400 }, (_, n) => String(100_200 + n * 7).padStart(6, '0'))
  const places = PLACES.map((_, n) => n + 1)
  const ahead = (n: number) => day(-n)

  const vehicles = units.map((unit_number) => ({
    unit_number,
    vin: vinFrom(() => one([...VIN_SIGNS])),
    model_year: whole(2014, 2026),
    ...stamps(730),
  }))
  const wear = new Map(units.map((unit) => [unit, { start: whole(4_000, 120_000), perDay: whole(20, 90) }]))
  const mileageOf = (unit: string, ago: number) => {
    const { start, perDay } = wear.get(unit) as { start: number; perDay: number }
    return start + perDay * (730 - ago)
  }

  const transports = Array.from({ length: 2_400 }, () => {
    const ago = whole(-2, 730)
    const location_out_id = one(places)
    const status = ago > 12 ? 'Delivered' : one(TRANSPORT_STATUSES)
    const estimated_cost = cents(90, 900)
    const unit_number = one(units)
    const issue_po = chance(0.3)
    return {
      unit_number,
      ra_number: chance(0.6) ? `RA${whole(10_000, 99_999)}` : null,
      location_out_id,
      location_in_id: one(places.filter((place) => place !== location_out_id)),
      move_date: day(ago),
      estimated_arrival_date: day(ago - whole(1, 4)),
      actual_arrival_date: status === 'Delivered' ? day(Math.max(0, ago - whole(1, 6))) : null,
      mileage: mileageOf(unit_number, ago),
      // Give only a few transports the move type Sales, because a vehicle is sold only once.
      move_type: chance(0.02) ? ('Sales' as const) : one(MOVES),
      transport_company_id: whole(1, COMPANIES.length),
      status,
      estimated_cost,
      final_cost:
        status === 'Delivered' ? cents(Math.floor(estimated_cost * 0.9), Math.ceil(estimated_cost * 1.2)) : null,
      issue_po,
      po_number: issue_po && chance(ago > 14 ? 0.99 : 0.6) ? `PO-${whole(10_000, 99_999)}` : null,
      notes: chance(0.15) ? one(NOTES) : null,
      ...stamps(Math.max(0, ago)),
    }
  })

  const osl = Array.from({ length: 320 }, () => {
    const ago = whole(0, 500)
    const isDone = chance(ago > 60 ? 0.92 : 0.4)
    const storage_fees_applicable = chance(0.45)
    const unit_number = one(units)
    return {
      unit_number,
      osl_date: day(ago),
      osl_mileage: mileageOf(unit_number, ago),
      vendor_id: chance(0.6) ? whole(1, VENDORS.length) : null,
      location_id: one(places),
      key_location: one(['Front office', 'Lock box', 'With the vendor']),
      problem: one(PROBLEMS),
      fuel_level: one(FUEL_LEVELS),
      storage_fees_applicable,
      storage_fee_daily_rate: storage_fees_applicable ? cents(15, 60) : null,
      status: isDone ? 'Completed' : one(OSL_STATUSES.filter((status) => status !== 'Completed')),
      completed_at: isDone ? instant(Math.max(0, ago - whole(1, 45))) : null,
      ...stamps(ago),
    }
  })

  const registrations = units.flatMap((unit_number, n) => {
    const expiresIn = whole(-20, 340)
    const plate_number = `${one([...'ABCDEF'])}${one([...'GHJKL'])}${one([...'MNPRS'])}${1000 + n}`
    const common = {
      unit_number,
      location_id: one(places),
      plate_number,
      state_province: one(['AZ', 'AZ', 'AZ', 'NV', 'CA']),
      cost: cents(80, 160),
      vlt: cents(90, 420),
    }
    const before = {
      ...common,
      date_issued: ahead(expiresIn - 730),
      date_expires: ahead(expiresIn - 365),
      registration_type: one(REGISTRATION_TYPES),
      received: true,
      status: 'Expired',
      ...stamps(400),
    }
    const received = chance(0.88)
    const now = {
      ...common,
      date_issued: ahead(expiresIn - 365),
      date_expires: ahead(expiresIn),
      registration_type: 'Renewal',
      received,
      status: received ? (expiresIn < 0 ? 'Expired' : 'Complete') : 'Pending',
      ...stamps(100),
    }
    return chance(0.5) ? [before, now] : [now]
  })

  /**
   * Units of the sold vehicles that get a title.
   * About 10% get no title, so that the demo also shows missing titles.
   */
  const sold = transports
    .filter(({ move_type, status }) => move_type === 'Sales' && status === 'Delivered' && chance(0.9))
    .map(({ unit_number }) => unit_number)
  const titles = Array.from({ length: 180 }, (_, n) => {
    const ago = whole(0, 260)
    const isDone = chance(ago > 40 ? 0.9 : 0.35)
    return {
      unit_number: sold[n] ?? one(units),
      location_id: one(places),
      dealer_name: one(DEALERS),
      dealer_contact: one(['Dana Ortiz', 'Lee Park', 'Rita Moss']),
      submitted_date: day(ago),
      transferred_date: isDone ? day(Math.max(0, ago - whole(3, 38))) : null,
      notes: chance(0.3) ? 'Waiting for the lien release from the bank' : null,
      ...stamps(ago),
    }
  })

  await db.transaction(async (tx) => {
    await insert(
      tx,
      schema.locations,
      PLACES.map((place) => ({ ...place, ...stamps(730) })),
    )
    await insert(
      tx,
      schema.transportCompanies,
      COMPANIES.map((company) => ({ ...company, ...stamps(730) })),
    )
    await insert(
      tx,
      schema.vendors,
      VENDORS.map((vendor) => ({ ...vendor, ...stamps(730) })),
    )
    await insert(tx, schema.vehicles, vehicles)
    await insert(tx, schema.transports, transports)
    await insert(tx, schema.oslEntries, osl)
    await insert(tx, schema.registrations, registrations)
    await insert(tx, schema.titles, titles)
    await tx.execute(sql.raw(FOLLOW))
  })
}
