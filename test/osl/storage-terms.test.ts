import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { testContext } from '../support/context'

// Today is 2026-03-14 in every test of this file.
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const entry = (more: object = {}) => ({
  unit_number: '100200',
  osl_date: '2026-03-04',
  location_id: h.cast.phoenix,
  problem: 'Transmission slips in third gear',
  ...more,
})
const create = async (more: object = {}) =>
  (await h.cast.ben.post('/osl', entry(more))).body.data as Record<string, unknown> & { id: number }
const working = async (id: number) =>
  (await h.cast.ben.get(`/osl/${id}/calculate-fees`)).body.data as unknown as Record<string, unknown>

describe('storage terms', () => {
  test('grace days are free, and the calculation shows the charged days', async () => {
    const { id, storage_fees_total } = await create({ storage_fee_daily_rate: 10, storage_grace_days: 3 })
    expect(storage_fees_total).toBe(70)
    expect(await working(id)).toMatchObject({
      days_out_of_service: 10,
      lines: [{ from: '2026-03-08', to: '2026-03-14', days: 7, daily_rate: 10, amount: 70 }],
      waived: 0,
      total: 70,
      storage_fees_total: 70,
      as_of: '2026-03-14',
    })
  })

  test('fees are zero when the grace period covers the whole stay', async () => {
    for (const [storage_grace_days, total] of [
      [9, 10],
      [10, 0],
      [30, 0],
    ] as const) {
      const { id } = await create({ storage_fee_daily_rate: 10, storage_grace_days })
      expect(await working(id)).toMatchObject({ total, lines: total ? [{ days: 1 }] : [] })
    }
  })

  test('a rate applies from its start date, regardless of the order of entry', async () => {
    const { id } = await create({ storage_fee_daily_rate: 10 })
    const later = await h.cast.ben.post(`/osl/${id}/rates`, { from: '2026-03-13', daily_rate: 0.1 })
    expect([later.status, later.body.data]).toMatchObject([201, { osl_id: id, from: '2026-03-13', daily_rate: 0.1 }])
    await h.cast.ben.post(`/osl/${id}/rates`, { from: '2026-03-10', daily_rate: 12.5 })
    await h.cast.ben.post(`/osl/${id}/rates`, { from: '2026-03-20', daily_rate: 99 })
    expect(await working(id)).toMatchObject({
      lines: [
        { from: '2026-03-05', to: '2026-03-09', days: 5, daily_rate: 10, amount: 50 },
        { from: '2026-03-10', to: '2026-03-12', days: 3, daily_rate: 12.5, amount: 37.5 },
        { from: '2026-03-13', to: '2026-03-14', days: 2, daily_rate: 0.1, amount: 0.2 },
      ],
      total: 87.7,
    })
    expect((await h.cast.ben.get('/osl/active')).body.data).toMatchObject([{ storage_fees_total: 87.7 }])
    expect(((await h.cast.ben.get('/osl/storage-fees')).body.data as { total: number }).total).toBe(87.7)
    expect((await h.cast.ben.get(`/osl/${id}/rates`)).body.data).toHaveLength(3)
    expect((await h.cast.ben.delete(`/osl/${id}/rates/1`)).status).toBe(200)
    expect(await working(id)).toMatchObject({ total: 112.5 })
  })

  test('a rate from the OSL date replaces the first; earlier or duplicate dates are rejected', async () => {
    const { id } = await create({ storage_fee_daily_rate: 10 })
    const before = await h.cast.ben.post(`/osl/${id}/rates`, { from: '2026-03-03', daily_rate: 5 })
    expect([before.status, before.body.errors]).toEqual([
      422,
      [{ field: 'from', message: 'The rate must not start before the OSL date' }],
    ])
    expect((await h.cast.ben.post(`/osl/${id}/rates`, { from: '2026-03-04', daily_rate: 5 })).status).toBe(201)
    expect((await h.cast.ben.post(`/osl/${id}/rates`, { from: '2026-03-04', daily_rate: 6 })).status).toBe(409)
    expect(await working(id)).toMatchObject({ total: 50 })
    expect((await h.cast.ben.post('/osl/99/rates', { from: '2026-03-04', daily_rate: 6 })).status).toBe(404)
    expect((await h.cast.ben.get('/osl/99/rates')).status).toBe(404)
    expect((await h.cast.ben.post(`/osl/${id}/rates`, { from: '2026-03-05' })).body.errors).toEqual([
      { field: 'daily_rate', message: 'Daily rate is required' },
    ])
    const { id: other } = await create({ unit_number: '100201', storage_fee_daily_rate: 10 })
    expect((await h.cast.ben.delete(`/osl/${other}/rates/1`)).status).toBe(404)
  })

  test('adding a rate enables fees, which start on its first day', async () => {
    const { id } = await create()
    await h.cast.ben.post(`/osl/${id}/rates`, { from: '2026-03-11', daily_rate: 10 })
    expect((await h.cast.ben.get(`/osl/${id}`)).body.data).toMatchObject({
      storage_fees_applicable: true,
      storage_fees_total: 40,
    })
  })

  test('a waiver requires a reason and never makes fees negative', async () => {
    const { id } = await create({ storage_fee_daily_rate: 10 })
    expect((await h.cast.ben.put(`/osl/${id}`, { storage_fee_waived: 25 })).body.errors).toEqual([
      { field: 'storage_fee_waived_reason', message: 'Enter a reason for waiving the storage fees' },
    ])
    const waived = { storage_fee_waived: 25.5, storage_fee_waived_reason: 'Their lot was closed' }
    expect((await h.cast.ben.put(`/osl/${id}`, waived)).body.data).toMatchObject({ storage_fees_total: 74.5 })
    expect(await working(id)).toMatchObject({ waived: 25.5, waived_reason: 'Their lot was closed', total: 74.5 })
    await h.cast.ben.put(`/osl/${id}`, { storage_fee_waived: 500 })
    expect(await working(id)).toMatchObject({ waived: 100, total: 0, storage_fees_total: 0 })
    await h.cast.ben.put(`/osl/${id}`, { storage_fee_waived: null })
    expect((await h.cast.ben.get(`/osl/${id}`)).body.data).toMatchObject({
      storage_fee_waived_reason: null,
      storage_fees_total: 100,
    })
  })

  test('a new entry copies the terms of its vendor and keeps them', async () => {
    const vendor = { vendor_name: 'Bolt & Co', storage_daily_rate: 45, storage_grace_days: 2 }
    const { id: vendor_id } = (await h.cast.ada.post('/vendors', vendor)).body.data as { id: number }
    const { id } = await create({ vendor_id })
    const terms = { storage_fees_applicable: true, storage_fee_daily_rate: 45, storage_grace_days: 2 }
    expect((await h.cast.ben.get(`/osl/${id}`)).body.data).toMatchObject({ ...terms, storage_fees_total: 360 })
    await h.cast.ada.put(`/vendors/${vendor_id}`, { storage_daily_rate: 60, storage_grace_days: 0 })
    expect((await h.cast.ben.get(`/osl/${id}`)).body.data).toMatchObject(terms)
    const own = { vendor_id, unit_number: '100201', storage_fee_daily_rate: 5, storage_grace_days: 1 }
    expect(await create(own)).toMatchObject({ storage_fee_daily_rate: 5, storage_grace_days: 1 })
    expect(await create({ vendor_id, unit_number: '100202', storage_fees_applicable: false })).toMatchObject({
      storage_fees_applicable: false,
      storage_fee_daily_rate: null,
    })
    const form = { ...entry({ unit_number: '100203', vendor_id }), storage_fees_applicable: 'false' }
    await h.cast.ben.submitAnyway('/osl/new', form)
    expect((await h.cast.ben.get('/osl?q=100203')).body.data).toMatchObject([{ storage_fee_daily_rate: 60 }])
  })

  test('rates are deleted and restored with their entry', async () => {
    const { id } = await create({ storage_fee_daily_rate: 10 })
    await h.cast.ben.post(`/osl/${id}/rates`, { from: '2026-03-10', daily_rate: 20 })
    await h.cast.ben.delete(`/osl/${id}`)
    expect((await h.cast.ben.post(`/osl/${id}/restore`)).body.data).toMatchObject({ storage_fees_total: 150 })
  })

  test('an entry has at most 24 later rates', async () => {
    const { id } = await create({ storage_fee_daily_rate: 10 })
    await h.ctx.db.execute(sql`insert into osl_rates (osl_id, "from", daily_rate)
      select ${id}::int, date '2026-04-01' + n, n from generate_series(1, 23) n`)
    const add = (from: string) => h.cast.ben.post(`/osl/${id}/rates`, { from, daily_rate: 20 })
    expect((await add('2026-03-10')).status).toBe(201)
    const { status, body } = await add('2026-03-11')
    const message = 'An OSL entry can have at most 24 later daily rates'
    expect([status, body.errors]).toEqual([409, [{ field: 'from', message }]])
  })

  test('a completed entry is charged up to its completion date', async () => {
    const { id } = await create({ storage_fee_daily_rate: 10, storage_grace_days: 2 })
    await h.cast.ben.patch(`/osl/${id}/status`, { status: 'Completed', completed_on: '2026-03-08' })
    expect(await working(id)).toMatchObject({ total: 20, as_of: '2026-03-08', lines: [{ days: 2 }] })
  })

  test('disabling fees deletes the rates, and enabling them again charges nothing for the gap', async () => {
    const { id } = await create({ storage_fee_daily_rate: 20 })
    await h.cast.ben.post(`/osl/${id}/rates`, { from: '2026-03-06', daily_rate: 40 })
    await h.cast.ben.put(`/osl/${id}`, { storage_fees_applicable: false })
    expect((await h.cast.ben.get(`/osl/${id}/rates`)).body.meta).toMatchObject({ total: 0 })
    await h.cast.ben.post(`/osl/${id}/rates`, { from: '2026-03-13', daily_rate: 9 })
    expect((await h.cast.ben.get(`/osl/${id}`)).body.data).toMatchObject({
      storage_fees_total: 18,
      current_daily_rate: 9,
    })
  })

  test('the current rate is the rate of today or of the completion date', async () => {
    const { id } = await create({ storage_fee_daily_rate: 20 })
    const now = async () =>
      ((await h.cast.ben.get(`/osl/${id}`)).body.data as { current_daily_rate: number | null }).current_daily_rate
    expect(await now()).toBe(20)
    await h.cast.ben.post(`/osl/${id}/rates`, { from: '2026-03-14', daily_rate: 30 })
    await h.cast.ben.post(`/osl/${id}/rates`, { from: '2026-03-15', daily_rate: 50 })
    expect(await now()).toBe(30)
    await h.cast.ben.patch(`/osl/${id}/status`, { status: 'Completed', completed_on: '2026-03-10' })
    expect(await now()).toBe(20)
    await h.cast.ben.put(`/osl/${id}`, { storage_fees_applicable: false })
    expect(await now()).toBe(null)
  })
})
