import { expect, test } from 'bun:test'
import { oslEntries, oslRates, vehicles, vendors } from '../../db/schema'
import { testContext } from '../support/context'

/**
 * Compares every total of storage fees with an independent calculation.
 * It follows only the text of the contract, day by day in whole cents.
 */

const TODAY = '2026-03-14'
const DAY_MS = 86_400_000
const plus = (date: string, days: number) => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
const min = (a: string, b: string) => (a < b ? a : b)

/** Returns a generator of random numbers, the same in every run. */
function seeded(seed: number) {
  let state = seed
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
  return { upTo: (max: number) => Math.floor(next() * max), chance: (share: number) => next() < share }
}

type Stay = {
  id: number
  unit: string
  vendor: number
  startDate: string
  completed: string | null
  rate: number | null
  grace: number
  waived: number
  rates: { from: string; daily_rate: number }[]
}

/** Yields the fee of each day after the grace period, in cents. */
function* days({ startDate, completed, rate, grace, rates }: Stay): Generator<[day: string, cents: number]> {
  if (rate === null) return
  const last = completed ?? TODAY
  for (let day = plus(startDate, 1 + grace); day <= last; day = plus(day, 1)) {
    const own = rates.filter(({ from }) => from <= day).sort((a, b) => (a.from < b.from ? 1 : -1))[0]
    yield [day, Math.round((own?.daily_rate ?? rate) * 100)]
  }
}

const daysOf = new Map<Stay, [string, number][]>()
const charged = (stay: Stay) => {
  const dailyFees = daysOf.get(stay) ?? [...days(stay)]
  daysOf.set(stay, dailyFees)
  return dailyFees
}

/** Returns the fees of a stay up to a day, in cents. The waiver reduces the first fees. */
function costUntil(stay: Stay, day: string): number {
  let sum = 0
  for (const [at, cents] of charged(stay)) if (at <= day) sum += cents
  return Math.max(0, sum - Math.round(stay.waived * 100))
}
const costWithin = (stay: Stay, first: string, last: string) => costUntil(stay, last) - costUntil(stay, plus(first, -1))

const { upTo, chance } = seeded(20_260_314)

const stay = (at: number): Stay => {
  const startDate = plus('2025-06-01', upTo(286))
  const completed = chance(0.5) ? min(plus(startDate, upTo(90)), TODAY) : null
  const starts = new Set(Array.from({ length: chance(0.4) ? upTo(4) : 0 }, () => plus(startDate, upTo(120))))
  return {
    id: at + 1,
    unit: String(100_000 + at),
    vendor: 1 + upTo(3),
    startDate,
    completed,
    rate: chance(0.9) ? upTo(9_000) / 100 : null,
    grace: chance(0.4) ? upTo(20) : 0,
    waived: chance(0.2) ? upTo(60_000) / 100 : 0,
    rates: [...starts].map((from) => ({ from, daily_rate: upTo(12_000) / 100 })),
  }
}
const stays = Array.from({ length: 1000 }, (_, at) => stay(at))

test('independently computed fees of 1,000 stays match lists, statements, reports and the dashboard', async () => {
  const h = await testContext()
  const { db } = h.ctx
  await db.insert(vendors).values([1, 2, 3].map((at) => ({ vendor_name: `Yard ${at}` })))
  await db.insert(vehicles).values(stays.map(({ unit }) => ({ unit_number: unit })))
  await db.insert(oslEntries).values(
    stays.map((one) => ({
      unit_number: one.unit,
      vendor_id: one.vendor,
      location_id: h.cast.phoenix,
      osl_date: one.startDate,
      problem: 'Transmission slips in third gear',
      status: one.completed ? ('Completed' as const) : ('Ready' as const),
      completed_at: one.completed ? new Date(`${one.completed}T19:00:00Z`) : null,
      storage_fees_applicable: one.rate !== null,
      storage_fee_daily_rate: one.rate,
      storage_grace_days: one.grace,
      storage_fee_waived: one.waived || null,
    })),
  )
  await db.insert(oslRates).values(stays.flatMap(({ id, rates }) => rates.map((rate) => ({ osl_id: id, ...rate }))))

  const listed: { id: number; storage_fees_total: number }[] = []
  for (const page of [1, 2])
    listed.push(...((await h.cast.ben.get(`/osl?per_page=500&page=${page}`)).body.data as unknown as typeof listed))
  const byId = new Map(listed.map(({ id, storage_fees_total }) => [id, Math.round(storage_fees_total * 100)]))
  expect(stays.map(({ id }) => byId.get(id))).toEqual(stays.map((one) => costUntil(one, TODAY)))

  for (const one of stays.slice(0, 100)) {
    const { lines, waived, total } = (await h.cast.ben.get(`/osl/${one.id}/calculate-fees`)).body.data as unknown as {
      lines: { days: number; daily_rate: number; amount: number }[]
      waived: number
      total: number
    }
    for (const { days, daily_rate, amount } of lines)
      expect(Math.round(days * daily_rate * 100)).toBe(Math.round(amount * 100))
    const gross = lines.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
    expect([gross - Math.round(waived * 100), Math.round(total * 100)]).toEqual(
      Array(2).fill(costUntil(one, TODAY)) as [number, number],
    )
  }

  const cuts = ['2025-06-01', ...Array.from({ length: 6 }, () => plus('2025-06-01', upTo(300))), '2026-04-01'].sort()
  const periods = cuts
    .slice(1)
    .map((end, at) => ({ first: cuts[at] as string, last: plus(end, -1) }))
    .filter(({ first, last }) => first <= last)
  for (const vendor of [1, 2, 3]) {
    const own = stays.filter((one) => one.vendor === vendor)
    const totals: number[] = []
    for (const { first, last } of periods) {
      const { data } = (await h.cast.ben.get(`/vendors/${vendor}/statement?start_date=${first}&end_date=${last}`))
        .body as unknown as { data: { total: number; lines: { amount: number }[] } }
      totals.push(Math.round(data.total * 100))
      expect(data.lines.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)).toBe(totals.at(-1) as number)
    }
    expect(totals).toEqual(
      periods.map(({ first, last }) => own.reduce((sum, one) => sum + costWithin(one, first, last), 0)),
    )
    expect(totals.reduce((a, b) => a + b, 0)).toBe(own.reduce((sum, one) => sum + costUntil(one, TODAY), 0))
  }

  for (const { first, last } of periods.slice(0, 3)) {
    const fees = (await h.cast.ben.get(`/reports/osl_storage_fees?start_date=${first}&end_date=${last}`)).body
      .data as unknown as { totals: { storage_fees: number } }
    expect(Math.round(fees.totals.storage_fees * 100)).toBe(
      stays.reduce((sum, one) => sum + costWithin(one, first, last), 0),
    )
  }
  const { storage_fees_total } = (await h.cast.ada.get('/dashboard/admin')).body.data as { storage_fees_total: number }
  expect(Math.round(storage_fees_total * 100)).toBe(
    stays.filter(({ completed }) => !completed).reduce((sum, one) => sum + costUntil(one, TODAY), 0),
  )
}, 600_000)
