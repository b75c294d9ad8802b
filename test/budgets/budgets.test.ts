import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'
import { makeTransport } from '../support/entries'

// Today is 2026-03-14 in every test of this file.
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const NONE = Array.from({ length: 12 }, () => null as number | null)
const set = (id: number, year: number, amounts: unknown, more: object = {}) =>
  h.cast.ada.put(`/locations/${id}/budget`, { year, amounts, ...more })
const data = async <T>(path: string) => (await h.cast.ben.get(path)).body.data as unknown as T
const move = (location_in_id: number, move_date: string, final_cost: number, more: object = {}) => {
  const delivery = { status: 'Delivered', move_date, actual_arrival_date: move_date, final_cost }
  return makeTransport(h.cast, {
    unit_number: '100001',
    location_out_id: h.cast.mesa,
    location_in_id,
    ...delivery,
    ...more,
  })
}

describe('a budget', () => {
  test('has twelve amounts per location and year, initially empty', async () => {
    const { phoenix, tempe } = h.cast
    expect(await data<unknown>(`/locations/${phoenix}/budget`)).toEqual({
      location_id: phoenix,
      year: 2026,
      amounts: NONE,
      version: null,
    })
    const amounts = NONE.with(0, 1500).with(11, 0.5).with(1, 0)
    const first = await set(phoenix, 2026, amounts)
    expect([first.status, first.body.data as unknown]).toEqual([
      200,
      { location_id: phoenix, year: 2026, amounts, version: 1 },
    ])
    await set(phoenix, 2027, NONE.with(0, 7))
    expect((await data<{ amounts: unknown }>(`/locations/${phoenix}/budget?year=2026`)).amounts).toEqual(amounts)
    expect((await data<{ amounts: unknown }>(`/locations/${phoenix}/budget?year=2027`)).amounts).toEqual(
      NONE.with(0, 7),
    )
    expect((await data<{ amounts: unknown }>(`/locations/${tempe}/budget`)).amounts).toEqual(NONE)
  })

  test('rejects stale versions and is recorded in the audit trail', async () => {
    const { phoenix } = h.cast
    await set(phoenix, 2026, NONE.with(0, 10))
    expect((await set(phoenix, 2026, NONE.with(0, 20), { version: 1 })).status).toBe(200)
    expect((await set(phoenix, 2026, NONE.with(0, 30), { version: 1 })).status).toBe(409)
    expect((await data<{ amounts: unknown[] }>(`/locations/${phoenix}/budget`)).amounts[0]).toBe(20)
    const { body } = await h.cast.ada.get('/audit?entity=budgets')
    expect(
      (body.data as unknown as { action: string; changes: object }[]).map(({ action, changes }) => [
        action,
        Object.keys(changes).includes('amounts'),
      ]),
    ).toEqual([
      ['update', true],
      ['create', true],
    ])
  })

  test('stores one value when two requests create it at the same time', async () => {
    const answers = await Promise.all([set(1, 2026, NONE.with(0, 1)), set(1, 2026, NONE.with(0, 2))])
    const statuses = answers.map(({ status }) => status).sort()
    expect([
      [200, 200],
      [200, 409],
    ]).toContainEqual(statuses)
    expect((await data<{ amounts: unknown[] }>('/locations/1/budget')).amounts[0]).toBeOneOf([1, 2])
  })

  test('is rejected for invalid input, unknown locations and non-administrators', async () => {
    for (const [body, field] of [
      [{ year: 1999, amounts: NONE }, 'year'],
      [{ year: 2200, amounts: NONE }, 'year'],
      [{ year: 'soon', amounts: NONE }, 'year'],
      [{ amounts: NONE }, 'year'],
      [{ year: 2026, amounts: NONE.slice(1) }, 'amounts'],
      [{ year: 2026, amounts: [...NONE, null] }, 'amounts'],
      [{ year: 2026 }, 'amounts'],
      [{ year: 2026, amounts: NONE.with(3, -1) }, 'amounts.3'],
    ] as [object, string][]) {
      const { status, body: responseBody } = await h.cast.ada.put('/locations/1/budget', body)
      expect([status, responseBody.errors?.map(({ field }) => field)]).toEqual([422, [field]])
    }
    expect((await set(99, 2026, NONE)).status).toBe(404)
    expect((await h.cast.ben.put('/locations/1/budget', { year: 2026, amounts: NONE })).status).toBe(403)
    expect((await h.cast.ben.get('/locations/99/budget')).status).toBe(404)
    expect((await h.cast.ben.get('/locations/1/budget?year=nine')).status).toBe(422)
    expect((await set(1, 2000, NONE)).status).toBe(200)
    expect((await set(1, 2199, NONE)).status).toBe(200)
  })
})

describe('monthly costs', () => {
  test('include transports, storage fees, the year before and the budget', async () => {
    const { phoenix, tempe } = h.cast
    await set(phoenix, 2026, NONE.with(1, 500).with(2, 0))
    await set(phoenix, 2025, NONE.with(3, 40))
    await set(tempe, 2026, NONE.with(1, 9))
    await move(phoenix, '2026-02-01', 100)
    await move(phoenix, '2026-02-28', 10.25)
    await move(phoenix, '2026-03-31', 3)
    await move(tempe, '2026-02-10', 5)
    await move(phoenix, '2025-02-28', 7)
    await move(phoenix, '2024-02-28', 70)
    await h.cast.ben.post('/osl', {
      unit_number: '100002',
      osl_date: '2026-02-20',
      location_id: phoenix,
      problem: 'Windshield is cracked',
      storage_fees_applicable: true,
      storage_fee_daily_rate: 2,
    })
    const months = await data<Record<string, unknown>[]>(`/locations/${phoenix}/months`)
    expect([months.length, months[11]?.start_date]).toEqual([12, '2025-04-01'])
    expect(months.slice(0, 2)).toEqual([
      {
        start_date: '2026-03-01',
        end_date: '2026-03-31',
        transport_cost: 3,
        registration_cost: 0,
        storage_fees: 28,
        total_cost: 31,
        year_before: 0,
        budget: 0,
      },
      {
        start_date: '2026-02-01',
        end_date: '2026-02-28',
        transport_cost: 110.25,
        registration_cost: 0,
        storage_fees: 16,
        total_cost: 126.25,
        year_before: 7,
        budget: 500,
      },
    ])
    expect(months[2]).toEqual({
      start_date: '2026-01-01',
      end_date: '2026-01-31',
      transport_cost: 0,
      registration_cost: 0,
      storage_fees: 0,
      total_cost: 0,
      year_before: 0,
      budget: null,
    })
    expect(months[11]?.budget).toBe(40)
    expect((await h.cast.ben.get('/locations/99/months')).status).toBe(404)

    const fleet = await data<Record<string, unknown>[]>('/budgets/months')
    expect(fleet[1]).toMatchObject({ transport_cost: 115.25, total_cost: 131.25, year_before: 7 })
    expect(fleet[2]).toMatchObject({ total_cost: 0, year_before: 0 })
    // The dashboard computes the costs again only after a pause.
    const strip = async (text: string) => {
      for (;;) {
        const page = await h.cast.ben.open('/budgets/months')
        if (page.text.includes(text)) return page.text
        await Bun.sleep(20)
      }
    }
    expect(await strip('Feb$131$131.25')).toContain('As of 03/14/2026, ')
    await move(tempe, '2026-02-11', 4.75)
    expect((await data<Record<string, unknown>[]>('/budgets/months'))[1]?.total_cost).toBe(136)
    expect(await strip('Feb$136$136.00')).toContain('As of 03/14/2026, ')
  })

  test('are summed by location and year with the budget to date', async () => {
    const { phoenix, tempe } = h.cast
    await set(phoenix, 2026, NONE.with(0, 100).with(2, 50.5).with(3, 1000))
    await set(tempe, 2025, NONE.with(11, 7))
    await move(tempe, '2026-02-10', 5)
    await move(phoenix, '2026-03-01', 200)
    const year = (query: string) => data<unknown>(`/budgets${query}`)
    expect(await year('')).toEqual([
      { location_id: phoenix, location_name: 'Phoenix', budget: 1150.5, budget_so_far: 150.5, spent: 200 },
      { location_id: tempe, location_name: 'Tempe', budget: null, budget_so_far: null, spent: 5 },
    ])
    await move(phoenix, '2025-05-01', 1)
    // A location without costs and without a budget is not listed.
    await move(h.cast.mesa, '2025-05-01', 0)
    expect(await year('?year=2025')).toEqual([
      { location_id: tempe, location_name: 'Tempe', budget: 7, budget_so_far: 7, spent: 0 },
      { location_id: phoenix, location_name: 'Phoenix', budget: null, budget_so_far: null, spent: 1 },
    ])
    expect(await year('?year=')).toEqual(await year(''))
    expect(await year('?year=2027')).toEqual([])
    await set(tempe, 2027, NONE.with(0, 7))
    expect(await year('?year=2027')).toEqual([
      { location_id: tempe, location_name: 'Tempe', budget: 7, budget_so_far: null, spent: 0 },
    ])
    // An administrator can set the budgets of all active locations.
    expect((await h.cast.ada.open('/budgets?year=2028')).text).toContain('Mesa')
    const { text, html } = await h.cast.ben.open('/budgets')
    expect(text).toContain('Phoenix$1,150.50$150.50$200.00$49.50 over')
    expect(text).toContain('Total$1,150.50$150.50$205.00$49.50 over')
    expect(html).not.toContain('Set the budget of')
    expect((await h.cast.ada.open('/budgets')).html).toContain('Set the budget of Mesa')
  })
})

test('locations furthest over their budget come first, and those without a budget last', async () => {
  const { phoenix, tempe, mesa } = h.cast
  await set(phoenix, 2026, NONE.with(0, 100))
  await set(tempe, 2026, NONE.with(0, 10))
  for (const [location, cost] of [
    [phoenix, 120],
    [tempe, 50],
    [mesa, 500],
  ] as const)
    await move(location, '2026-02-10', cost)
  const listed = await data<{ location_name: string }[]>('/budgets')
  expect(listed.map(({ location_name }) => location_name)).toEqual(['Tempe', 'Phoenix', 'Mesa'])
})

test('the budget to date counts every month that has begun', async () => {
  await set(h.cast.phoenix, 2026, NONE.with(8, 1).with(9, 10).with(10, 100).with(11, 1000))
  h.clock.set(new Date('2026-11-01T07:00:00Z'))
  await h.ctx.db.execute(`update sessions set last_seen_at = '2026-11-01T07:00:00Z', expires_at = '2026-11-02'`)
  expect(await data<unknown>('/budgets')).toMatchObject([{ budget: 1111, budget_so_far: 111 }])
})

test('locations with budgets for the same year cannot be merged', async () => {
  const { phoenix, tempe, mesa } = h.cast
  await set(phoenix, 2026, NONE.with(0, 10))
  await set(tempe, 2026, NONE.with(0, 20))
  const refused = await h.cast.ada.post(`/locations/${tempe}/merge`, { into_id: phoenix })
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'Both locations have a budget for the same year. Delete one budget, then merge.',
  ])
  expect((await h.cast.ada.post(`/locations/${tempe}/merge`, { into_id: mesa })).status).toBe(200)
  expect((await data<{ amounts: unknown[] }>(`/locations/${mesa}/budget`)).amounts[0]).toBe(20)
})
