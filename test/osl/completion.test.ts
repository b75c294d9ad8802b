import { beforeEach, describe, expect, test } from 'bun:test'
import { sessions } from '../../db/schema'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Entry = {
  id: number
  version: number
  status: string
  completed_on: string | null
  completed_at: string | null
  days_out_of_service: number
  storage_fees_total: number
}
const create = (more: object = {}) =>
  h.cast.ben.post('/osl', {
    unit_number: '100200',
    osl_date: '2026-03-04',
    location_id: h.cast.phoenix,
    problem: 'Transmission slips in third gear',
    ...more,
  })
const created = async (more: object = {}) => {
  const { status, body } = await create(more)
  expect(status).toBe(201)
  return body.data as unknown as Entry
}
const found = async (id: number) => (await h.cast.ben.get(`/osl/${id}`)).body.data as unknown as Entry
/** Sets the clock to a UTC time, and extends all sessions. */
async function at(day: string, time = '19:00') {
  const now = new Date(`${day}T${time}:00Z`)
  h.clock.set(now)
  await h.ctx.db.update(sessions).set({ last_seen_at: now, expires_at: new Date(now.getTime() + 3_600_000) })
}
const FEES = { storage_fee_daily_rate: 10 }

describe('the completion date', () => {
  test('defaults to today, can be set by API or form, and ends days and fees', async () => {
    const today = await created(FEES)
    const { body } = await h.cast.ben.patch(`/osl/${today.id}/status`, { status: 'Completed' })
    expect(body.data).toMatchObject({ completed_on: '2026-03-14', days_out_of_service: 10, storage_fees_total: 100 })
    const friday = await created(FEES)
    const dated = await h.cast.ben.patch(`/osl/${friday.id}/status`, {
      status: 'Completed',
      completed_on: '2026-03-13',
    })
    expect(dated.body.data).toMatchObject({
      completed_on: '2026-03-13',
      days_out_of_service: 9,
      storage_fees_total: 90,
    })
    const put = await h.cast.ben.put(`/osl/${(await created(FEES)).id}`, {
      status: 'Completed',
      completed_on: '2026-03-12',
    })
    expect(put.body.data).toMatchObject({ completed_on: '2026-03-12', storage_fees_total: 80 })
    expect(await created({ ...FEES, status: 'Completed', completed_on: '2026-03-11' })).toMatchObject({
      completed_on: '2026-03-11',
      storage_fees_total: 70,
    })
    const screen = await created(FEES)
    await h.cast.ben.submit(`/osl/${screen.id}/status`, {
      status: 'Completed',
      completed_on: '2026-03-10',
      version: screen.version,
    })
    expect(await found(screen.id)).toMatchObject({
      status: 'Completed',
      completed_on: '2026-03-10',
      storage_fees_total: 60,
    })
  })

  test('must be between the OSL date and today, inclusive', async () => {
    for (const [completed_on, status, message] of [
      ['2026-03-03', 422, 'The completion date must not be before the OSL date'],
      ['2026-03-04', 200, undefined],
      ['2026-03-14', 200, undefined],
      ['2026-03-15', 422, 'The completion date must not be after today'],
    ] as const) {
      const { id } = await created(FEES)
      const answer = await h.cast.ben.patch(`/osl/${id}/status`, { status: 'Completed', completed_on })
      expect([completed_on, answer.status, answer.body.errors?.[0]]).toEqual([
        completed_on,
        status,
        message && { field: 'completed_on', message },
      ] as never)
    }
  })

  test('keeps the input on the page of the entry when it is refused', async () => {
    const { id, version } = await created(FEES)
    const wrong = { status: 'Completed', completed_on: '2026-03-03', version }
    const page = await h.cast.ben.submit(`/osl/${id}/status`, wrong)
    expect(page.status).toBe(422)
    expect(page.find('#status-error')).toEqual([
      'Failed to update status: The completion date must not be before the OSL date',
    ])
    expect(page.html).toContain('<option selected="">Completed</option>')
    expect(page.html).toMatch(/name="completed_on"[^>]*value="2026-03-03"/)
    expect((await found(id)).status).toBe('Out of Service')
  })

  test('can be corrected later and is not changed by other edits', async () => {
    const { id } = await created(FEES)
    await h.cast.ben.patch(`/osl/${id}/status`, { status: 'Completed' })
    const first = await found(id)
    await at('2026-03-20')
    await h.cast.ben.put(`/osl/${id}`, { key_location: 'Hook 4' })
    await h.cast.ben.put(`/osl/${id}`, { status: 'Completed', notes: 'Picked up' })
    await h.cast.ben.patch(`/osl/${id}/status`, { status: 'Completed' })
    expect(await found(id)).toMatchObject({
      completed_on: '2026-03-14',
      completed_at: first.completed_at as string,
      storage_fees_total: 100,
    })
    await h.cast.ben.put(`/osl/${id}`, { completed_on: '2026-03-12' })
    expect(await found(id)).toMatchObject({
      completed_on: '2026-03-12',
      days_out_of_service: 8,
      storage_fees_total: 80,
    })
    expect((await h.cast.ben.put(`/osl/${id}`, { osl_date: '2026-03-13' })).status).toBe(422)
    await h.cast.ben.patch(`/osl/${id}/status`, { status: 'In Repair' })
    expect(await found(id)).toMatchObject({
      completed_on: null,
      completed_at: null,
      days_out_of_service: 16,
      storage_fees_total: 160,
    })
  })

  test('uses the business date at midnight and falls in a period of that day', async () => {
    const { id } = await created({ osl_date: '2026-03-13', ...FEES })
    // Five minutes before and after midnight in Phoenix.
    await at('2026-03-15', '06:55')
    await h.cast.ben.patch(`/osl/${id}/status`, { status: 'Completed' })
    expect(await found(id)).toMatchObject({ completed_on: '2026-03-14', storage_fees_total: 10 })
    await at('2026-03-15', '07:05')
    const { id: next } = await created({ unit_number: '100201', osl_date: '2026-03-13', ...FEES })
    await h.cast.ben.patch(`/osl/${next}/status`, { status: 'Completed' })
    expect(await found(next)).toMatchObject({ completed_on: '2026-03-15', storage_fees_total: 20 })
    await at('2026-03-15', '07:00')
    const { id: midnight } = await created({ unit_number: '100202', osl_date: '2026-03-13', ...FEES })
    await h.cast.ben.patch(`/osl/${midnight}/status`, { status: 'Completed' })
    expect(await found(midnight)).toMatchObject({ completed_on: '2026-03-15', storage_fees_total: 20 })
    const on = async (start: string, end: string) =>
      (
        (await h.cast.ben.get(`/osl/completed?start_date=${start}&end_date=${end}&sort=unit_number&order=asc`)).body
          .data as Entry[]
      ).map((row) => row.id)
    expect([
      await on('2026-03-14', '2026-03-14'),
      await on('2026-03-15', '2026-03-15'),
      await on('2026-03-14', '2026-03-15'),
      await on('2026-03-13', '2026-03-13'),
    ]).toEqual([[id], [next, midnight], [id, next, midnight], []])
  })
})

describe('storage fees', () => {
  test('are enabled by a daily rate, which is rejected when fees do not apply', async () => {
    expect(await created({ storage_fee_daily_rate: 12.5 })).toMatchObject({
      storage_fees_applicable: true,
      storage_fees_total: 125,
    })
    expect(await created({ storage_fee_daily_rate: 0 })).toMatchObject({
      storage_fees_applicable: true,
      storage_fees_total: 0,
    })
    expect(await created()).toMatchObject({ storage_fees_applicable: false, storage_fee_daily_rate: null })
    const refused = await create({ storage_fees_applicable: false, storage_fee_daily_rate: 12.5 })
    expect([refused.status, refused.body.errors?.map(({ field }) => field)]).toEqual([422, ['storage_fees_applicable']])
    const { id } = await created()
    expect((await h.cast.ben.put(`/osl/${id}`, { storage_fee_daily_rate: 5 })).body.data).toMatchObject({
      storage_fees_applicable: true,
      storage_fees_total: 50,
    })
    expect((await h.cast.ben.put(`/osl/${id}`, { storage_fees_applicable: false })).body.data).toMatchObject({
      storage_fee_daily_rate: null,
      storage_fees_total: 0,
    })
    expect((await h.cast.ben.put(`/osl/${id}`, { storage_fees_applicable: true })).body.errors?.[0]?.field).toBe(
      'storage_fee_daily_rate',
    )
  })

  test('return 404 for an unknown entry, as do notes, status changes and restores', async () => {
    for (const path of [
      '/osl/99/calculate-fees',
      '/osl/99/notes',
      '/titles/99/calculate-days',
      '/titles/99/notes',
      '/vehicles/999999/history',
    ])
      expect([path, (await h.cast.ben.get(path)).status]).toEqual([path, 404])
    for (const [path, body] of [
      ['/osl/99/notes', { note_text: 'Hello' }],
      ['/titles/99/notes', { note_text: 'Hello' }],
      ['/osl/99/restore', undefined],
      ['/transports/99/restore', undefined],
    ] as const)
      expect([path, (await h.cast.ben.post(path, body)).status]).toEqual([path, 404])
    for (const [path, status] of [
      ['/osl/99/status', 'Completed'],
      ['/transports/99/status', 'Delivered'],
    ])
      expect([path, (await h.cast.ben.patch(path as string, { status })).status]).toEqual([path as string, 404])
  })
})

describe('the vendor of an entry', () => {
  const vendor = async (vendor_name: string) =>
    ((await h.cast.ada.post('/vendors', { vendor_name })).body.data as { id: number }).id

  test('is shown by name, filters the list and cannot be deleted while in use', async () => {
    const [yard, shop] = [await vendor('Sunrise Storage'), await vendor('Gila Repair')]
    const first = await created({ vendor_id: yard })
    await created({ unit_number: '100201', vendor_id: shop })
    await created({ unit_number: '100202' })
    expect(first).toMatchObject({ vendor_id: yard, vendor_name: 'Sunrise Storage' })
    expect(((await h.cast.ben.get(`/osl/active?vendor_id=${yard}`)).body.data as Entry[]).map(({ id }) => id)).toEqual([
      first.id,
    ])
    expect((await h.cast.ada.get(`/vendors/${yard}/usage`)).body.data).toMatchObject({ osl: 1, total: 1 })
    const deleteResponse = await h.cast.ada.delete(`/vendors/${yard}`)
    expect([deleteResponse.status, deleteResponse.body.message]).toEqual([409, 'Cannot delete vendor'])
    await h.cast.ben.put(`/osl/${first.id}`, { vendor_id: null })
    expect((await h.cast.ada.delete(`/vendors/${yard}`)).status).toBe(200)
    expect((await create({ vendor_id: 99 })).body.errors?.[0]?.field).toBe('vendor_id')
  })
})

test('a completion date that is corrected on the page of the entry returns to this page', async () => {
  const { id } = await created({ ...FEES })
  const complete = (completed_on: string) =>
    h.cast.ben.submit(`/osl/${id}/status`, { status: 'Completed', completed_on })
  expect((await complete('2020-01-01')).status).toBe(422)
  expect((await complete('2026-03-13')).location).toBe(`/osl/${id}`)
})
