import { beforeEach, describe, expect, test } from 'bun:test'
import { MONTH_NAMES } from '../../db/vocabulary'
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

describe('Budget Analysis', () => {
  type Report = { columns: { key: string }[]; rows: Record<string, unknown>[]; totals: Record<string, number> }
  const run = (query: string) => data<Report>(`/reports/budget_analysis?${query}`)
  const WINTER = 'start_date=2026-01-01&end_date=2026-03-14'

  test('compares estimates with costs if there is no budget', async () => {
    const { phoenix } = h.cast
    await set(phoenix, 2025, NONE.with(11, 7))
    await set(phoenix, 2026, NONE.with(3, 7))
    await move(phoenix, '2026-02-01', 100, { estimated_cost: 90 })
    const { columns, rows } = await run(WINTER)
    expect(columns.map(({ key }) => key)).not.toContain('budget')
    expect(rows).toEqual([
      { month: '2026-02', count: 1, estimated_cost: 90, final_cost: 100, variance: 10, variance_rate: 11.1 },
    ])
  })

  test('compares costs with the monthly budgets', async () => {
    const { phoenix, tempe } = h.cast
    await set(phoenix, 2026, NONE.with(0, 50).with(1, 120).with(3, 9))
    await set(tempe, 2026, NONE.with(1, 30))
    await move(phoenix, '2026-02-01', 100, { estimated_cost: 90 })
    await move(tempe, '2026-02-20', 60.5)
    // These costs have no budget: one is of another location, and one is in a month without a budget.
    await move(h.cast.mesa, '2026-02-20', 1000)
    await move(phoenix, '2026-03-01', 1000)
    const { rows, totals } = await run(WINTER)
    expect(rows).toEqual([
      { month: '2026-01', budget: 50, total_cost: 0, left: 50, ...estimates(0, 0, 0, 0, null) },
      { month: '2026-02', budget: 150, total_cost: 160.5, left: -10.5, ...estimates(1, 90, 100, 10, 11.1) },
    ])
    expect(totals).toMatchObject({ budget: 200, total_cost: 160.5, left: 39.5 })
    const here = await run(`${WINTER}&location_id=${tempe}`)
    expect(here.rows).toEqual([
      { month: '2026-02', budget: 30, total_cost: 60.5, left: -30.5, ...estimates(0, 0, 0, 0, null) },
    ])
    // A part of a month has the share of the budget for its days. The parts add up to the whole, to the cent.
    const parts = ['01&end_date=2026-01-10', '11&end_date=2026-01-11', '12&end_date=2026-01-31'].map(
      async (days) => (await run(`start_date=2026-01-${days}`)).totals.budget,
    )
    expect(await Promise.all(parts)).toEqual([16.13, 1.61, 32.26])
  })
  const estimates = (
    count: number,
    estimated_cost: number,
    final_cost: number,
    variance: number,
    rate: number | null,
  ) => ({
    count,
    estimated_cost,
    final_cost,
    variance,
    variance_rate: rate,
  })

  test('lists the records behind its figures', async () => {
    const { phoenix } = h.cast
    await set(phoenix, 2026, NONE.with(1, 120))
    await move(phoenix, '2026-02-01', 100, { estimated_cost: 90 })
    const behind = async (figure: string) =>
      (
        await data<{ kind: string; record_id: number; about: string }[]>(
          `/reports/budget_analysis/records?${WINTER}&figure=${figure}`,
        )
      ).map(({ kind, record_id, about }) => [kind, record_id, about])
    expect(await behind('budget')).toEqual([['budgets', phoenix, 'Phoenix']])
    expect(await behind('total_cost')).toEqual([['transports', 1, 'Mesa → Phoenix, Delivered']])
    expect(await behind('final_cost')).toEqual([['transports', 1, 'Mesa → Phoenix, Delivered']])
    const { html } = await h.cast.ben.open(`/reports/records?type=budget_analysis&${WINTER}&figure=budget`)
    expect(html).toContain(`href="/locations/${phoenix}"`)
  })
})

const typedIn = (html: string, name: string) => {
  const [input = ''] = html.match(new RegExp(`<input[^>]*id="${name}"[^>]*>`)) ?? []
  return /value="([^"]*)"/.exec(input)?.[1]
}

describe('the budget pages', () => {
  test('set a budget by month or for all blank months', async () => {
    const { phoenix } = h.cast
    const saved = await h.cast.ada.submit(`/locations/${phoenix}/budget`, {
      year: '2026',
      every_month: '$1,000',
      december: '2500.50',
      january: '0',
    })
    expect(saved.location).toBe(`/locations/${phoenix}`)
    const thousand = Array.from({ length: 12 }, () => 1000 as number | null)
    expect((await data<{ amounts: unknown }>(`/locations/${phoenix}/budget`)).amounts).toEqual(
      thousand.with(0, 0).with(11, 2500.5),
    )
    const form = await h.cast.ada.open(`/locations/${phoenix}/budget`)
    expect(typedIn(form.html, 'december')).toBe('2500.50')
    expect(typedIn((await h.cast.ada.open(`/locations/${phoenix}/budget?year=2027`)).html, 'december')).toBe('')
    expect((await h.cast.ben.open(`/locations/${phoenix}`)).text).toContain(
      'Mar 2026$0.00$0.00$0.00$0.00$0.00$1,000.00$1,000.00',
    )
    const head = async (who: typeof h.cast.ben) => (await who.open(`/locations/${phoenix}`)).find('.page-head a').length
    expect([await head(h.cast.ben), await head(h.cast.ada)]).toEqual([0, 2])
    expect((await h.cast.ben.open(`/locations/${phoenix}/budget`)).status).toBe(403)
  })

  test('show errors at their fields and keep the input', async () => {
    const { phoenix } = h.cast
    const wrong = await h.cast.ada.submit(`/locations/${phoenix}/budget`, {
      year: '2026',
      every_month: 'many',
      march: '-5',
    })
    expect(wrong.status).toBe(422)
    expect(typedIn(wrong.html, 'march')).toBe('-5')
    expect(wrong.html).toContain('id="every_month-error"')
    expect(wrong.html).toContain('id="march-error"')
    expect(wrong.html).not.toContain('id="april-error"')
    const fraction = await h.cast.ada.submit(`/locations/${phoenix}/budget`, {
      year: '2026',
      every_month: '123456.789',
    })
    expect([fraction.status, fraction.html.includes('At most two decimals')]).toEqual([422, true])
  })

  test('apply the common amount to blank months, or to all if the box is ticked', async () => {
    const { phoenix } = h.cast
    const full = Object.fromEntries(MONTH_NAMES.map((name) => [name.toLowerCase(), '10']))
    const send = (form: Record<string, string>) =>
      h.cast.ada.submit(`/locations/${phoenix}/budget`, { year: '2026', ...full, ...form })
    const refused = await send({ every_month: '20', overwrites: 'false' })
    expect([refused.status, refused.find('.field-error')]).toEqual([
      422,
      [
        'Every month already has an amount. Clear the months that you want to fill, or select the checkbox to ' +
          'overwrite all months.',
      ],
    ])
    const amounts = async () => (await data<{ amounts: number[] }>(`/locations/${phoenix}/budget`)).amounts
    await send({ every_month: '20', may: ' ' })
    expect(await amounts()).toEqual(Array.from({ length: 12 }, () => 10).with(4, 20))
    const { version } = await data<{ version: number }>(`/locations/${phoenix}/budget`)
    const wrong = await send({ every_month: '(20)', overwrites: 'true', version: String(version) })
    expect([wrong.status, wrong.html.includes('id="every_month-error"')]).toEqual([422, true])
    await send({ every_month: '20', overwrites: 'true', version: String(version) })
    expect(await amounts()).toEqual(Array.from({ length: 12 }, () => 20))
    // If the box is ticked without a common amount, each month gets its own amount.
    await send({ overwrites: 'true', version: String(version + 1) })
    expect(await amounts()).toEqual(Array.from({ length: 12 }, () => 10))
    expect((await send({ year: '2027' })).location).toBe('/budgets?year=2027')
  })

  test('show both values when another user has changed the budget', async () => {
    const { phoenix } = h.cast
    await set(phoenix, 2026, NONE.with(0, 10).with(1, 10))
    const was = JSON.stringify({ january: '10.00', february: '10.00' })
    await set(phoenix, 2026, NONE.with(0, 20).with(1, 10))
    const stale = await h.cast.ada.submit(`/locations/${phoenix}/budget`, {
      year: '2026',
      version: '1',
      was,
      january: '30',
      february: '40',
    })
    expect(stale.status).toBe(409)
    expect(stale.html).toContain('choice_january')
    expect(stale.html).not.toContain('choice_february')
  })
})

test('saving twelve blank months deletes a budget', async () => {
  await set(1, 2026, NONE)
  expect((await h.cast.ada.get('/audit?entity=budgets')).body.data as unknown).toEqual([])
  await set(1, 2026, NONE.with(0, 10))
  await set(1, 2026, NONE.with(0, 20), { version: 1 })
  expect((await set(1, 2026, NONE, { version: 1 })).status).toBe(409)
  expect((await set(1, 2026, NONE, { version: 2 })).body.data).toMatchObject({ version: null } as never)
  const { body } = await h.cast.ada.get('/audit?entity=budgets')
  expect((body.data as unknown as { action: string }[]).map(({ action }) => action)).toEqual([
    'delete',
    'update',
    'create',
  ])
})
