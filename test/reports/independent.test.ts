import { beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { seedDemo } from '../../db/seed'
import { REPORT_TYPES, type ReportType } from '../../src/features/reports/types'
import { testContext } from '../support/context'

/**
 * Compares every report with an independent calculation from the stored rows.
 * It is plain TypeScript in whole cents, and shares no query with the reports.
 */

const TODAY = '2026-03-14'

type Row = Record<string, string | null>
type Figures = Record<string, number | null>
/** Figures by the texts of their row. Money is in cents, and other figures are in tenths. */
type Table = Map<string, Figures>

let h: Awaited<ReturnType<typeof testContext>>
let tables: {
  transports: Row[]
  osl: Row[]
  registrations: Row[]
  titles: Row[]
  vehicles: Row[]
  locations: Row[]
  companies: Row[]
  vendors: Row[]
}

beforeAll(async () => {
  h = await testContext()
  await h.ctx.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql`truncate locations, transport_companies restart identity cascade`)
  })
  await seedDemo(h.ctx.db, TODAY)
  const all = async (table: string) => {
    const found = await rows<{ row: Row }>(h.ctx.db, sql`select to_jsonb(t) as row from ${sql.identifier(table)} t`)
    return found.map(({ row }) =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value === null ? null : String(value)])),
    )
  }
  tables = {
    transports: await all('transports'),
    osl: await all('osl_entries'),
    registrations: await all('registrations'),
    titles: await all('titles'),
    vehicles: await all('vehicles'),
    locations: await all('locations'),
    companies: await all('transport_companies'),
    vendors: await all('vendors'),
  }
})

const cents = (amount: string | null | undefined) => Math.round(Number(amount ?? 0) * 100)
const dayNumber = (date: string) => Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / 86_400_000
const tenths = (value: number) => Math.round(value * 10 + Number.EPSILON)
const average = (values: number[]) => (values.length ? tenths(values.reduce((a, b) => a + b, 0) / values.length) : null)
/** The calendar day of an instant in Phoenix, which is seven hours behind UTC all year. */
const phoenixDay = (instant: string) => new Date(Date.parse(instant) - 7 * 3_600_000).toISOString().slice(0, 10)

const daysOut = (e: Row) =>
  Math.max(0, dayNumber(e.completed_at ? phoenixDay(e.completed_at) : TODAY) - dayNumber(e.osl_date as string))
/** The last day of an entry. Its charged days are those from the second day to this one. */
const lastDay = (e: Row) => dayNumber(e.completed_at ? phoenixDay(e.completed_at) : TODAY)
function chargedDays(e: Row, from: number, to: number): number {
  let days = 0
  for (let day = dayNumber(e.osl_date as string) + 1; day <= lastDay(e); day++) if (day >= from && day <= to) days++
  return days
}
const rateOf = (e: Row) => (e.storage_fees_applicable === 'true' ? cents(e.storage_fee_daily_rate) : 0)
const sum = (list: Row[], of: (row: Row) => number) => list.reduce((total, row) => total + of(row), 0)

/** Groups rows by name, and computes the figures of each group. */
function grouped(list: Row[], name: (row: Row) => string, figures: (lot: Row[]) => Figures): Table {
  const lots = new Map<string, Row[]>()
  for (const row of list) lots.set(name(row), [...(lots.get(name(row)) ?? []), row])
  return new Map([...lots].map(([key, lot]) => [key, figures(lot)]))
}

/** Variance of the final costs from the estimates, for rows with both. */
function comparedCosts(lot: Row[]): Figures {
  const both = lot.filter((t) => t.estimated_cost && t.final_cost)
  const [planned, spent] = [sum(both, (t) => cents(t.estimated_cost)), sum(both, (t) => cents(t.final_cost))]
  return { variance: spent - planned, variance_rate: planned ? tenths((100 * (spent - planned)) / planned) : null }
}

const CATEGORIES: [string, string[]][] = [
  ['Transmission', ['transmission', 'gear', 'clutch', 'drive']],
  ['Brakes, tires and chassis', ['brake', 'tire', 'wheel', 'suspension', 'steering', 'axle']],
  ['Electrical and generator', ['generator', 'battery', 'electric', 'wiring', 'alternator']],
  ['Engine and cooling', ['engine', 'misfire', 'coolant', 'oil', 'pump', 'radiator', 'starter']],
  ['Climate and appliances', ['air condition', 'heater', 'hvac', 'furnace', 'propane', 'fridge']],
  [
    'Body and glass',
    ['windshield', 'glass', 'window', 'body', 'bumper', 'door', 'paint', 'slide', 'roof', 'accident', 'dent'],
  ],
]

function expected(type: ReportType, from: string, to: string, place: string | null): Table {
  const inside = (date: string | null) => date !== null && date >= from && date <= to
  const here = (id: string | null) => place === null || id === place
  const nameOf = (id: string | null) => tables.locations.find((location) => location.id === id)?.location_name ?? ''
  const month = (date: string | null) => String(date).slice(0, 7)
  const moves = tables.transports.filter(
    (t) => inside(t.move_date as string) && (here(t.location_out_id as string) || here(t.location_in_id as string)),
  )
  const delivered = moves.filter((t) => t.status === 'Delivered')
  const [first, last] = [dayNumber(from), dayNumber(to)]
  const days = (e: Row) => chargedDays(e, first, last)
  const fees = (e: Row) => days(e) * rateOf(e)
  const stood = tables.osl.filter(
    (e) => dayNumber(e.osl_date as string) <= last && lastDay(e) >= first && here(e.location_id as string),
  )
  const newEntries = tables.osl.filter((e) => inside(e.osl_date as string) && here(e.location_id as string))
  const oslFigures = (lot: Row[]) => ({
    count: lot.length,
    average_days: average(lot.map(daysOut)),
    storage_fees: sum(lot, fees),
  })

  /** Storage fees of an entry for each month in which it was out of service. */
  const storage = (e: Row) => {
    const months = new Map<string, number>()
    for (let day = Math.max(first, dayNumber(e.osl_date as string)); day <= Math.min(last, lastDay(e)); day++) {
      const name = new Date(day * 86_400_000).toISOString().slice(0, 7)
      const isCharged = day > dayNumber(e.osl_date as string)
      months.set(name, (months.get(name) ?? 0) + (isCharged ? rateOf(e) : 0))
    }
    return [...months].map(([day, amount]) => ({ day, location_id: e.location_id as string, amounts: [0, 0, amount] }))
  }

  const costs = (name: (row: { day: string | null; location_id: string | null }) => string): Table => {
    const lines = [
      ...tables.transports
        .filter((t) => t.status === 'Delivered' && inside(t.move_date as string) && here(t.location_in_id as string))
        .map((t) => ({
          day: t.move_date as string,
          location_id: t.location_in_id as string,
          amounts: [cents(t.final_cost), 0, 0],
        })),
      ...tables.registrations
        .filter((r) => inside(r.date_issued as string) && here(r.location_id as string))
        .map((r) => ({
          day: r.date_issued as string,
          location_id: r.location_id as string,
          amounts: [0, cents(r.cost) + cents(r.vlt), 0],
        })),
      ...stood.flatMap((e) => storage(e)),
    ]
    const table: Table = new Map()
    for (const line of lines) {
      const [t = 0, r = 0, s = 0] = line.amounts
      const so = table.get(name(line)) ?? { transport_cost: 0, registration_cost: 0, storage_fees: 0, total_cost: 0 }
      table.set(name(line), {
        transport_cost: Number(so.transport_cost) + t,
        registration_cost: Number(so.registration_cost) + r,
        storage_fees: Number(so.storage_fees) + s,
        total_cost: Number(so.total_cost) + t + r + s,
      })
    }
    return table
  }

  switch (type) {
    case 'transport_summary':
      return grouped(
        moves,
        (t) => String(t.status),
        (lot) => ({
          count: lot.length,
          estimated_cost: sum(lot, (t) => cents(t.estimated_cost)),
          final_cost: sum(lot, (t) => cents(t.final_cost)),
        }),
      )
    case 'transport_costs':
      return grouped(
        delivered,
        (t) => `${month(t.move_date as string)}|${t.move_type}`,
        (lot) => ({
          count: lot.length,
          estimated_cost: sum(lot, (t) => cents(t.estimated_cost)),
          final_cost: sum(lot, (t) => cents(t.final_cost)),
        }),
      )
    case 'transport_company_performance':
      return grouped(
        moves,
        (t) => String(tables.companies.find(({ id }) => id === t.transport_company_id)?.company_name),
        (lot) => {
          const judged = lot.filter((t) => t.actual_arrival_date && t.estimated_arrival_date)
          const onTime = judged.filter((t) => String(t.actual_arrival_date) <= String(t.estimated_arrival_date)).length
          const arrived = lot.filter((t) => t.actual_arrival_date)
          return {
            count: lot.length,
            delivered: lot.filter((t) => t.status === 'Delivered').length,
            on_time: onTime,
            on_time_rate: judged.length ? tenths((100 * onTime) / judged.length) : null,
            average_days: average(
              arrived.map((t) =>
                Math.max(0, dayNumber(String(t.actual_arrival_date)) - dayNumber(String(t.move_date))),
              ),
            ),
            final_cost: sum(
              lot.filter((t) => t.status === 'Delivered'),
              (t) => cents(t.final_cost),
            ),
            ...comparedCosts(lot.filter((t) => t.status === 'Delivered')),
          }
        },
      )
    case 'transport_by_location': {
      const table: Table = new Map()
      for (const { id, location_name } of tables.locations.filter((location) => here(location.id as string))) {
        const out = tables.transports.filter(
          (t) =>
            inside(t.move_date as string) &&
            t.location_out_id === id &&
            ['In Transit', 'Delivered'].includes(String(t.status)),
        )
        const came = tables.transports.filter(
          (t) => inside(t.move_date as string) && t.location_in_id === id && t.status === 'Delivered',
        )
        const figures = {
          moves_out: out.length,
          moves_in: came.length,
          final_cost_in: sum(came, (t) => cents(t.final_cost)),
        }
        if (out.length + came.length) table.set(String(location_name), figures)
      }
      return table
    }
    case 'osl_summary':
      return grouped(stood, (e) => String(e.status), oslFigures)
    case 'osl_storage_fees':
      return new Map(
        stood
          .filter((e) => e.storage_fees_applicable === 'true' && days(e) > 0)
          .map((e) => [
            `${e.unit_number}|${nameOf(e.location_id as string)}|${e.osl_date}|${e.status}`,
            { days: days(e), daily_rate: cents(e.storage_fee_daily_rate), storage_fees: fees(e) },
          ]),
      )
    case 'osl_vendor_analysis': {
      const vendorOf = (e: Row) => tables.vendors.find(({ id }) => id === e.vendor_id)?.vendor_name
      const isAtVendor = (e: Row) => tables.locations.find(({ id }) => id === e.location_id)?.location_type === 'Vendor'
      return grouped(
        stood.filter((e) => vendorOf(e) || isAtVendor(e)),
        (e) => vendorOf(e) ?? nameOf(e.location_id as string),
        (lot) => ({ ...oslFigures(lot), completed: lot.filter((e) => e.status === 'Completed').length }),
      )
    }
    case 'osl_problem_categories': {
      const categoryOf = (e: Row) =>
        CATEGORIES.find(([, words]) => words.some((word) => String(e.problem).toLowerCase().includes(word)))?.[0] ??
        'Other'
      return grouped(newEntries, categoryOf, (lot) => ({ count: lot.length, average_days: average(lot.map(daysOut)) }))
    }
    case 'vehicle_status':
      return grouped(
        tables.vehicles.filter((v) => place === null || v.current_location === nameOf(place)),
        (v) => v.current_status ?? 'Unknown',
        (lot) => {
          const mileages = lot.flatMap((v) => (v.current_mileage ? [Number(v.current_mileage)] : []))
          return {
            count: lot.length,
            average_mileage: mileages.length
              ? Math.round(mileages.reduce((a, b) => a + b, 0) / mileages.length) * 10
              : null,
          }
        },
      )
    case 'registration_expiring':
      return new Map(
        tables.registrations
          .filter((r) => inside(r.date_expires as string) && here(r.location_id as string))
          .filter(
            (r) =>
              !tables.registrations.some(
                (later) => later.unit_number === r.unit_number && String(later.date_expires) > String(r.date_expires),
              ),
          )
          .map((r) => [
            [r.unit_number, r.plate_number, r.state_province, nameOf(r.location_id as string), r.date_expires].join(
              '|',
            ),
            { days_until_expiry: dayNumber(String(r.date_expires)) - dayNumber(TODAY) },
          ]),
      )
    case 'title_aging': {
      const age = (s: Row) => Math.max(0, dayNumber(TODAY) - dayNumber(String(s.submitted_date)))
      const name = (days: number) =>
        days <= 14 ? '0–14 days' : days <= 30 ? '15–30 days' : days <= 60 ? '31–60 days' : 'Over 60 days'
      return grouped(
        tables.titles.filter((s) => !s.transferred_date && here(s.location_id as string)),
        (s) => name(age(s)),
        (lot) => ({ count: lot.length, average_days: average(lot.map(age)) }),
      )
    }
    case 'monthly_costs':
      return costs((line) => month(line.day))
    case 'location_costs':
      return costs((line) => nameOf(line.location_id))
    case 'budget_analysis':
      return grouped(
        delivered.filter((t) => t.estimated_cost && t.final_cost),
        (t) => month(t.move_date as string),
        (lot) => {
          return {
            count: lot.length,
            estimated_cost: sum(lot, (t) => cents(t.estimated_cost)),
            final_cost: sum(lot, (t) => cents(t.final_cost)),
            ...comparedCosts(lot),
          }
        },
      )
  }
}

for (const type of REPORT_TYPES) {
  for (const [from, to, place] of [
    ['2025-09-01', '2026-03-14', null],
    ['2025-12-15', '2026-02-10', null],
    ['2025-09-01', '2026-03-14', '2'],
  ] as const) {
    test(`${type}, ${from} to ${to}${place ? ` at location ${place}` : ''}, matches the stored rows`, async () => {
      const { body } = await h.cast.ben.get(
        `/reports/${type}?start_date=${from}&end_date=${to}${place ? `&location_id=${place}` : ''}`,
      )
      const report = body.data as unknown as {
        columns: { key: string; kind: string }[]
        rows: Record<string, number | string | null>[]
      }
      const isFigure = ({ kind }: { kind: string }) => kind !== 'text' && kind !== 'date'
      const unit = (kind: string) => (kind === 'money' ? 100 : kind === 'count' ? 1 : 10)
      const reported: Table = new Map(
        report.rows.map((row) => [
          report.columns
            .filter((column) => !isFigure(column))
            .map(({ key }) => row[key])
            .join('|'),
          Object.fromEntries(
            report.columns
              .filter(isFigure)
              .map(({ key, kind }) => [key, row[key] === null ? null : Math.round(Number(row[key]) * unit(kind))]),
          ),
        ]),
      )
      const independent = expected(type, from, to, place)
      expect(reported.size).toBe(report.rows.length)
      for (const [name, figures] of independent) expect([name, reported.get(name)]).toEqual([name, figures])
      expect(reported.size).toBe(independent.size)
    })
  }
}
