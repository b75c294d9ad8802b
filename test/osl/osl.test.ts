import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'

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
const created = async (more: object = {}) =>
  (await h.cast.ben.post('/osl', entry(more))).body.data as unknown as { id: number; version: number }
const units = async (path: string) =>
  ((await h.cast.ben.get(path)).body.data as { unit_number: string }[]).map((row) => row.unit_number)

describe('an OSL entry', () => {
  test('is created with its defaults, days and fees', async () => {
    const { status, body } = await h.cast.ben.post(
      '/osl',
      entry({ storage_fees_applicable: true, storage_fee_daily_rate: 35.15, fuel_level: '3/4', generator_hours: 12.5 }),
    )
    expect([status, body.data]).toMatchObject([
      201,
      {
        status: 'Out of Service',
        location_name: 'Phoenix',
        days_out_of_service: 10,
        storage_fees_total: 351.5,
        completed_at: null,
        generator_hours: 12.5,
        created_by: 'ben',
      },
    ])
  })

  test('requires a problem of ten characters, and a daily rate when fees apply', async () => {
    const short = await h.cast.ben.post('/osl', entry({ problem: 'Flat tire' }))
    expect([short.status, short.body.errors]).toEqual([
      422,
      [{ field: 'problem', message: 'Problem must be at least 10 characters' }],
    ])
    const free = await h.cast.ben.post('/osl', entry({ storage_fees_applicable: true }))
    expect(free.body.errors).toEqual([
      { field: 'storage_fee_daily_rate', message: 'Daily rate is required when storage fees apply' },
    ])
    const { id } = await created({ storage_fees_applicable: true, storage_fee_daily_rate: 10 })
    expect((await h.cast.ben.put(`/osl/${id}`, { storage_fee_daily_rate: null })).status).toBe(422)
    expect(
      (await h.cast.ben.put(`/osl/${id}`, { storage_fee_daily_rate: null, storage_fees_applicable: false })).status,
    ).toBe(200)
  })

  test('counts the first day as 0 and stops on the business date of completion', async () => {
    const { id } = await created({ osl_date: '2026-03-14', storage_fees_applicable: true, storage_fee_daily_rate: 0.1 })
    expect((await h.cast.ben.get(`/osl/${id}/calculate-fees`)).body.data).toEqual({
      days_out_of_service: 0,
      storage_fee_daily_rate: 0.1,
      storage_grace_days: 0,
      storage_fees_total: 0,
      total: 0,
      lines: [],
      waived: 0,
      waived_reason: null,
      as_of: '2026-03-14',
    } as never)
    h.clock.set(new Date('2026-03-15T02:00:00Z')) // still the 14th in Phoenix
    const done = await h.cast.ben.patch(`/osl/${id}/status`, { status: 'Completed' })
    expect(done.body.data).toMatchObject({
      status: 'Completed',
      completed_at: '2026-03-15T02:00:00.000Z',
      days_out_of_service: 0,
    })
    expect(await units('/osl/completed?start_date=2026-03-14&end_date=2026-03-14')).toEqual(['100200'])
    expect(await units('/osl/completed?start_date=2026-03-15&end_date=2026-03-15')).toEqual([])
    const back = await h.cast.ben.patch(`/osl/${id}/status`, { status: 'In Repair' })
    expect(back.body.data).toMatchObject({ status: 'In Repair', completed_at: null })
  })

  test('is active until it is completed', async () => {
    await created({ unit_number: '100001' })
    await created({ unit_number: '100002', status: 'Ready' })
    await created({ unit_number: '100003', status: 'Completed' })
    expect((await units('/osl/active')).sort()).toEqual(['100001', '100002'])
    expect(await units('/osl?status=Completed')).toEqual(['100003'])
    expect(await units('/osl/vehicle/100002')).toEqual(['100002'])
    expect((await units(`/osl/location/${h.cast.phoenix}`)).length).toBe(3)
  })

  test('requires both dates in a search of completed entries', async () => {
    for (const query of ['', '?start_date=2026-03-01', '?end_date=2026-03-01']) {
      const { status, body } = await h.cast.ben.get(`/osl/completed${query}`)
      expect([status, body.message]).toEqual([422, 'Please select both start and end dates'])
    }
  })

  test('adds up the fees of active entries to the cent', async () => {
    await created({ unit_number: '100001', storage_fees_applicable: true, storage_fee_daily_rate: 0.1 })
    await created({ unit_number: '100002', storage_fees_applicable: true, storage_fee_daily_rate: 0.2 })
    await created({ unit_number: '100003' })
    await created({
      unit_number: '100004',
      storage_fees_applicable: true,
      storage_fee_daily_rate: 99,
      status: 'Completed',
    })
    const { body } = await h.cast.ben.get('/osl/storage-fees')
    expect(body.data).toMatchObject({
      total: 3,
      entries: [
        { unit_number: '100002', storage_fees_total: 2 },
        { unit_number: '100001', storage_fees_total: 1 },
      ],
    })
    expect((await h.cast.ada.get('/dashboard/admin')).body.data).toMatchObject({ storage_fees_total: 3, active_osl: 3 })
  })

  test('stores notes with their line breaks, newest first, and rejects blank ones', async () => {
    const { id } = await created()
    const added = await h.cast.ben.post(`/osl/${id}/notes`, { note_text: '  Parts ordered\nfrom Tempe ' })
    expect([added.status, added.body.data]).toMatchObject([
      201,
      { note_text: 'Parts ordered\nfrom Tempe', created_by: 'ben' },
    ])
    await h.cast.ada.post(`/osl/${id}/notes`, { note_text: 'Arrived' })
    expect(
      ((await h.cast.ben.get(`/osl/${id}/notes`)).body.data as { note_text: string }[]).map((note) => note.note_text),
    ).toEqual(['Arrived', 'Parts ordered\nfrom Tempe'])
    expect([
      (await h.cast.ben.post(`/osl/${id}/notes`, { note_text: ' ' })).status,
      (await h.cast.ben.post('/osl/999/notes', { note_text: 'x' })).status,
      (await h.cast.ben.get('/osl/999/notes')).status,
    ]).toEqual([422, 404, 404])
  })

  test('refuses a stale change', async () => {
    const { id } = await created()
    await h.cast.ada.put(`/osl/${id}`, { notes: 'first', version: 1 })
    expect((await h.cast.ben.patch(`/osl/${id}/status`, { status: 'Ready', version: 1 })).status).toBe(409)
  })
})

describe('the OSL pages', () => {
  test('create an entry, or keep the input and show the error', async () => {
    const refused = await h.cast.ben.submitAnyway('/osl/new', {
      ...entry({ problem: 'Short' }),
      key_location: 'Front desk',
    })
    expect([refused.status, refused.find('.field-error')]).toEqual([422, ['Problem must be at least 10 characters']])
    expect(refused.html).toContain('value="Front desk"')
    const done = await h.cast.ben.submitAnyway('/osl/new', entry())
    expect([done.location, done.toast]).toEqual(['/osl/active', 'OSL entry created successfully!'])
    expect((await h.cast.ben.open('/osl/active')).text).toContain('Transmission slips in third gear')
  })

  test('show an entry with its fee calculation and notes', async () => {
    const { id } = await created({ storage_fees_applicable: true, storage_fee_daily_rate: 35 })
    expect((await h.cast.ben.submit(`/osl/${id}/notes`, { note_text: 'Keys with Ada' })).toast).toBe('Note added')
    const page = await h.cast.ben.open(`/osl/${id}`)
    expect(page.text).toContain('10 days × $35.00 = $350.00')
    expect(page.text).toContain('Keys with Ada')
    expect(page.text).toContain('by ben')
  })

  test('change the status with its completion date, and reopen the entry', async () => {
    const { id } = await created()
    const here = { referer: `http://localhost/osl/${id}` }
    const page = await h.cast.ben.open(`/osl/${id}`)
    expect(page.html).toContain(`action="/osl/${id}/status"`)
    const done = await h.cast.ben.submit(
      `/osl/${id}/status`,
      { status: 'Completed', completed_on: '2026-03-10', version: '1' },
      here,
    )
    expect([done.location?.split('#')[0], done.toast]).toEqual([`/osl/${id}`, 'Unit 100200 is now Completed'])
    // The form also sends the old completion date, which the new status clears.
    const again = { status: 'In Repair', completed_on: '2026-03-10', version: '2' }
    expect((await h.cast.ben.submit(`/osl/${id}/status`, again, here)).toast).toBe('Unit 100200 is now In Repair')
    expect((await h.cast.ben.get(`/osl/${id}`)).body.data).toMatchObject({ status: 'In Repair', completed_on: null })
    const early = { status: 'Ready', completed_on: '2026-03-10', version: '3' }
    const refused = await h.cast.ben.submit(`/osl/${id}/status`, early, here)
    expect([refused.status, refused.find('#status-error')[0]]).toEqual([
      422,
      expect.stringContaining('Failed to update status: Only a completed entry can have a completion date.'),
    ])
  })

  test('require both dates to search completed entries', async () => {
    expect((await h.cast.ben.open('/osl/completed')).find('[role=alert]')).toEqual([])
    const one = await h.cast.ben.open('/osl/completed?start_date=2026-03-01&end_date=&search=1')
    expect([one.status, one.find('[role=alert]')]).toEqual([422, ['Please select both start and end dates']])
    await created({ status: 'Completed' })
    expect(
      (await h.cast.ben.open('/osl/completed?start_date=2026-03-01&end_date=2026-03-31')).find('tbody tr').length,
    ).toBe(1)
  })
})
