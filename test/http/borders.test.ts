import { beforeEach, describe, expect, test } from 'bun:test'
import { sessions } from '../../db/schema'
import { testContext } from '../support/context'

/** Each filter and search field by itself, and values exactly at a limit. Today is 2026-03-14. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Row = { id: number; unit_number: string } & Record<string, unknown>
const made = async (path: string, body: object) => {
  const { status, body: answer } = await h.cast.ben.post(path, body)
  expect([answer.errors, status]).toEqual([undefined, 201])
  return answer.data as Row
}
const units = async (path: string) =>
  ((await h.cast.ben.get(path)).body.data as Row[]).map(({ unit_number }) => unit_number).sort()

const transport = (unit_number: string, more: object = {}) =>
  made('/transports', {
    unit_number,
    location_out_id: h.cast.phoenix,
    location_in_id: h.cast.tempe,
    transport_company_id: h.cast.desert,
    move_date: '2026-03-10',
    ...more,
  })
const osl = (unit_number: string, more: object = {}) =>
  made('/osl', {
    unit_number,
    osl_date: '2026-03-10',
    location_id: h.cast.phoenix,
    problem: 'Transmission slips in third gear',
    ...more,
  })
const registration = (unit_number: string, more: object = {}) =>
  made('/registrations', {
    unit_number,
    plate_number: `AZ ${unit_number}`,
    state_province: 'AZ',
    date_issued: '2025-03-10',
    date_expires: '2027-03-10',
    location_id: h.cast.phoenix,
    ...more,
  })
const title = (unit_number: string, more: object = {}) =>
  made('/titles', { unit_number, submitted_date: '2026-03-01', location_id: h.cast.phoenix, ...more })

describe('individual filters', () => {
  test('narrow transports', async () => {
    await transport('100001')
    await transport('100002', { status: 'In Transit' })
    await transport('100003', { move_type: 'Sales' })
    await transport('100004', { location_in_id: h.cast.mesa })
    await transport('100005', { location_out_id: h.cast.mesa })
    await transport('100006', { transport_company_id: h.cast.copper })
    await transport('100007', { move_date: '2026-02-01' })
    const all = ['100001', '100002', '100003', '100004', '100005', '100006', '100007']
    const expected: Record<string, string[]> = {
      'unit_number=100003': ['100003'],
      'status=In Transit': ['100002'],
      'move_type=Sales': ['100003'],
      [`location_id=${h.cast.mesa}`]: ['100004', '100005'],
      [`transport_company_id=${h.cast.copper}`]: ['100006'],
      'start_date=2026-03-10': all.filter((unit) => unit !== '100007'),
      'start_date=2026-03-11': [],
      'end_date=2026-02-01': ['100007'],
      'end_date=2026-01-31': [],
      'start_date=2026-03-10&end_date=2026-03-10': all.filter((unit) => unit !== '100007'),
      'start_date=2026-02-01&end_date=2026-02-01': ['100007'],
      '': all,
    }
    for (const [query, found] of Object.entries(expected))
      expect([query, await units(`/transports?${query}`)]).toEqual([query, found])
    expect(await units(`/transports/location/${h.cast.mesa}`)).toEqual(['100004', '100005'])
    expect(await units('/transports/vehicle/100003')).toEqual(['100003'])
  })

  test('narrow OSL entries', async () => {
    await osl('100001')
    await osl('100002', { status: 'In Repair' })
    await osl('100003', { location_id: h.cast.mesa })
    await osl('100004', { storage_fee_daily_rate: 10 })
    const expected: Record<string, string[]> = {
      'unit_number=100001': ['100001'],
      'status=In Repair': ['100002'],
      [`location_id=${h.cast.mesa}`]: ['100003'],
      'storage_fees_applicable=true': ['100004'],
      'storage_fees_applicable=false': ['100001', '100002', '100003'],
    }
    for (const [query, found] of Object.entries(expected))
      expect([query, await units(`/osl/active?${query}`)]).toEqual([query, found])
  })

  test('narrow registrations and titles, including by location', async () => {
    await registration('100001')
    await registration('100002', { location_id: h.cast.mesa })
    await registration('100003', { registration_type: 'Replacement' })
    await registration('100004', { received: true, date_expires: '2026-03-13' })
    for (const [query, found] of Object.entries({
      'unit_number=100001': ['100001'],
      [`location_id=${h.cast.mesa}`]: ['100002'],
      'registration_type=Replacement': ['100003'],
      'status=Pending': ['100001', '100002', '100003'],
      'status=Expired': ['100004'],
      'status=Complete': [],
    }))
      expect([query, await units(`/registrations?${query}`)]).toEqual([query, found])
    expect(await units(`/registrations/location/${h.cast.mesa}`)).toEqual(['100002'])
    await title('100001')
    await title('100002', { location_id: h.cast.mesa })
    expect(await units('/titles?unit_number=100001')).toEqual(['100001'])
    expect(await units(`/titles?location_id=${h.cast.mesa}`)).toEqual(['100002'])
    expect(await units(`/titles/hub/${h.cast.mesa}`)).toEqual(['100002'])
    expect(await units('/titles/vehicle/100002')).toEqual(['100002'])
  })
})

describe('individual search fields', () => {
  test('find transports by number prefix or by any part of a name', async () => {
    await transport('100001', { ra_number: 'RA77', po_number: 'PO88' })
    await transport('200002', { location_in_id: h.cast.mesa })
    await transport('200003', { location_out_id: h.cast.mesa })
    await transport('200004', { transport_company_id: h.cast.copper })
    for (const [q, found] of Object.entries({
      '1000': ['100001'],
      '100 001': ['100001'],
      '0001': [],
      ra7: ['100001'],
      A77: [],
      po8: ['100001'],
      O88: [],
      esa: ['200002', '200003'],
      state: ['200004'],
      opper: ['200004'],
    }))
      expect([q, await units(`/transports?q=${q}`)]).toEqual([q, found])
  })

  test('find OSL entries, registrations and titles', async () => {
    await osl('100001', { ra_number: 'RA77', problem: 'Windshield cracked' })
    await osl('200002', { location_id: h.cast.mesa })
    for (const [q, found] of Object.entries({
      '1000': ['100001'],
      shield: ['100001'],
      ra7: ['100001'],
      A77: [],
      esa: ['200002'],
    }))
      expect([q, await units(`/osl/active?q=${q}`)]).toEqual([q, found])
    await registration('100001', { plate_number: 'KLM 1' })
    await registration('200002', { location_id: h.cast.mesa })
    for (const [q, found] of Object.entries({ '1000': ['100001'], 'klm 1': ['100001'], 'LM 1': [], esa: ['200002'] }))
      expect([q, await units(`/registrations?q=${q}`)]).toEqual([q, found])
    await title('100001', { dealer_name: 'Valley Trucks' })
    await title('200002', { location_id: h.cast.mesa })
    for (const [q, found] of Object.entries({ '1000': ['100001'], alley: ['100001'], esa: ['200002'] }))
      expect([q, await units(`/titles?q=${q}`)]).toEqual([q, found])
  })
})

describe('boundary values', () => {
  test('text is accepted up to its maximum length in records and filters', async () => {
    const of = (limits: Record<string, number>, more = 0) =>
      Object.fromEntries(Object.entries(limits).map(([field, limit]) => [field, 'x'.repeat(limit + more)]))
    const transports = { ra_number: 8, po_number: 50 }
    const numbers = { ra_number: 8, ta_log_number: 50, po_number: 50, non_rev_number: 50 }
    const entries = { key_location: 100, contact_phone: 20, propane_level: 20, exchange_location: 100 }
    const terms = { next_action: 255, storage_fee_waived_reason: 255 }
    await transport('100001', of(transports))
    await osl('100001', {
      ...of({ ...numbers, ...entries, ...terms }),
      contact_email: `x@${'x'.repeat(98)}`,
      storage_fee_waived: 1,
    })
    await registration('100001', { plate_number: 'x'.repeat(20) })
    await title('100001', of({ dealer_name: 100, dealer_contact: 100 }))
    for (const [path, limits] of [
      ['/transports', transports],
      ['/osl', { ...numbers, ...entries, ...terms, owner: 50 }],
      ['/registrations', { plate_number: 20, notes: 5000 }],
      ['/titles', { dealer_name: 100, dealer_contact: 100 }],
    ] as const) {
      const { errors } = (await h.cast.ben.put(`${path}/1`, of(limits, 1))).body
      expect(errors?.map(({ field, message }) => [field, message]).sort()).toEqual(
        Object.entries(limits)
          .map(([field, limit]) => [field, `At most ${limit} characters`])
          .sort(),
      )
    }
    const long = await h.cast.ben.put('/osl/1', { contact_email: `x@${'x'.repeat(99)}` })
    expect(long.body.errors).toEqual([{ field: 'contact_email', message: 'At most 100 characters' }])
    await registration('100002', { notes: 'x'.repeat(5000) })
    for (const [path, limit] of [
      ['/osl?owner=', 50],
      ['/due?assigned_to=', 50],
      ['/vehicles?current_status=', 50],
      ['/vehicles?current_location=', 100],
      ['/vehicles/search?q=', 50],
    ] as const) {
      const status = async (length: number) => (await h.cast.ben.get(path + 'x'.repeat(length))).status
      expect([path, await status(limit), await status(limit + 1)]).toEqual([path, 200, 422])
    }
  })

  test('a registration is valid on its expiry date and expiring within the given days', async () => {
    await registration('100001', { received: true, date_expires: '2026-03-13' })
    await registration('100002', { received: true, date_expires: '2026-03-14' })
    await registration('100003', { date_expires: '2026-04-13' })
    await registration('100004', { date_expires: '2026-04-14' })
    await registration('100005', { date_issued: '2026-03-20', date_expires: '2026-03-20' })
    const status = async (q: string) =>
      ((await h.cast.ben.get(`/registrations?unit_number=${q}`)).body.data as Row[])[0]?.status
    expect([await status('100001'), await status('100002')]).toEqual(['Expired', 'Complete'])
    expect(await units('/registrations/expiring')).toEqual(['100002', '100003', '100005'])
    expect(await units('/registrations/expiring?days=31')).toEqual(['100002', '100003', '100004', '100005'])
    expect(await units('/registrations/expiring?days=0')).toEqual(['100002'])
    // A registration with a later expiry replaces this one. A registration with the same expiry does not.
    await registration('100003', { date_issued: '2025-06-01', date_expires: '2026-04-13' })
    expect(await units('/registrations/expiring')).toEqual(['100002', '100003', '100003', '100005'])
    await registration('100003', { date_issued: '2025-07-01', date_expires: '2026-04-14' })
    expect(await units('/registrations/expiring')).toEqual(['100002', '100005'])
    expect((await h.cast.ben.get('/registrations/totals')).body.data).toMatchObject({
      expired: 1,
      expiring: 2,
      completed: 2,
    })
    const refused = await h.cast.ben.post('/registrations', {
      unit_number: '100009',
      plate_number: 'X',
      state_province: 'AZ',
      date_issued: '2026-03-20',
      date_expires: '2026-03-19',
      location_id: h.cast.phoenix,
    })
    expect(refused.body.errors?.map(({ field }) => field)).toEqual(['date_expires'])
  })

  test('titles become overdue after the given days, and future ones have zero days pending', async () => {
    await title('100001', { submitted_date: '2026-02-12' })
    await title('100002', { submitted_date: '2026-02-11' })
    const ahead = await title('100003', { submitted_date: '2026-03-20' })
    expect(await units('/titles/overdue')).toEqual(['100002'])
    expect(await units('/titles/overdue?days=29')).toEqual(['100001', '100002'])
    expect(ahead.days_pending).toBe(0)
    expect((await h.cast.ben.get(`/titles/${ahead.id}/calculate-days`)).body.data).toEqual({ days_pending: 0 } as never)
    const report = (await h.cast.ben.get('/reports/title_aging?start_date=2026-03-01&end_date=2026-03-14')).body
      .data as unknown as {
      rows: Record<string, unknown>[]
    }
    const records = (await h.cast.ben.get('/titles?sort=unit_number&order=asc')).body.data as Row[]
    expect(records.map(({ days_pending }) => days_pending)).toEqual([30, 31, 0])
    expect(JSON.stringify(report.rows)).not.toContain(':-')
  })

  test('a transport can arrive on its move date but not before', async () => {
    const { id } = await transport('100001', { status: 'Delivered', actual_arrival_date: '2026-03-10' })
    const refused = await h.cast.ben.put(`/transports/${id}`, { actual_arrival_date: '2026-03-09' })
    expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([422, 'actual_arrival_date'])
    expect((await h.cast.ben.put(`/transports/${id}`, { actual_arrival_date: '2026-03-11' })).status).toBe(200)
    // A transport that was delivered before its move date keeps its automatic arrival date in an edit.
    const early = await transport('100002', { move_date: '2026-03-20', status: 'Delivered' })
    expect(early.actual_arrival_date).toBe('2026-03-14')
    const edited = await h.cast.ben.put(`/transports/${early.id}`, {
      notes: 'Came early',
      actual_arrival_date: '2026-03-14',
    })
    expect(edited.body.data).toMatchObject({ notes: 'Came early', actual_arrival_date: '2026-03-14' })
    expect((await h.cast.ben.put(`/transports/${early.id}`, { actual_arrival_date: '2026-03-15' })).status).toBe(422)
    const estimate = async (estimated_arrival_date: string) =>
      (await h.cast.ben.put(`/transports/${id}`, { estimated_arrival_date })).body.errors?.[0]
    expect(await estimate('2026-03-09')).toEqual({
      field: 'estimated_arrival_date',
      message: 'The estimated arrival is before the move date',
    })
    expect(await estimate('2026-03-10')).toBeUndefined()
  })

  test('the arrival date survives edits and is cleared when the status leaves Delivered', async () => {
    const { id } = await transport('100001', { status: 'Delivered', actual_arrival_date: '2026-03-11' })
    const put = async (body: object) =>
      ((await h.cast.ben.put(`/transports/${id}`, body)).body.data as unknown as Row).actual_arrival_date
    expect([
      await put({ final_cost: 10 }),
      await put({ status: 'Delivered' }),
      await put({ status: 'In Transit' }),
      await put({ status: 'Delivered' }),
    ]).toEqual(['2026-03-11', '2026-03-11', null, '2026-03-14'])
  })

  test('a repeated transfer with a date replaces the transfer date, and reopening clears it', async () => {
    const { id } = await title('100001')
    const day = async (body?: object) =>
      ((await h.cast.ben.patch(`/titles/${id}/transfer`, body)).body.data as unknown as Row).transferred_date
    expect(await day({ transferred_date: '2026-03-10' })).toBe('2026-03-10')
    expect(await day({ transferred_date: '2026-03-14' })).toBe('2026-03-14')
    expect((await h.cast.ben.patch(`/titles/${id}/transfer`, { transferred_date: '2026-02-28' })).status).toBe(422)
    expect(((await h.cast.ben.patch(`/titles/${id}/reopen`)).body.data as unknown as Row).transferred_date).toBeNull()
  })
})

test('a session that is refreshed all day still ends after 24 hours', async () => {
  const login = await h.cast.stranger.post('/auth/login', { username: 'ben', password: 'Saguaro42' })
  let { token } = login.body.data as { token: string }
  const start = h.clock.now().getTime()
  const call = (method: string, path: string) =>
    h.cast.stranger.request(`/api${path}`, { method, headers: { authorization: `Bearer ${token}` } })
  for (const hours of [6, 12, 18, 23.9]) {
    h.clock.set(new Date(start + hours * 3_600_000))
    const answer = await call('POST', '/auth/refresh')
    expect([hours, answer.status]).toEqual([hours, 200])
    token = ((await answer.json()) as { data: { token: string } }).data.token
  }
  h.clock.set(new Date(start + 24.1 * 3_600_000))
  expect((await call('GET', '/auth/verify')).status).toBe(401)
  expect((await call('POST', '/auth/refresh')).status).toBe(401)
  expect(
    (await h.ctx.db.select().from(sessions)).every(({ expires_at }) => expires_at.getTime() <= start + 24 * 3_600_000),
  ).toBe(true)
})

test('a batch creates its valid registrations and reports the invalid one', async () => {
  const registrations = Array.from({ length: 120 }, (_, n) => ({
    unit_number: String(300_000 + n),
    plate_number: `B ${n}`,
    state_province: 'AZ',
    date_issued: '2026-03-01',
    date_expires: n === 70 ? '2026-02-01' : '2027-03-01',
    location_id: h.cast.phoenix,
  }))
  const { body } = await h.cast.ben.post('/registrations/batch', { registrations })
  expect(body.data).toMatchObject({ created: 119, failed: 1, errors: [{ index: 70 }] })
  expect((await h.cast.ben.get('/registrations?per_page=1')).body.meta?.total).toBe(119)
})

test('activating master data with a stale version is rejected', async () => {
  const { ada } = h.cast
  for (const [path, body] of [
    ['locations', { location_code: 'GLB', location_name: 'Gilbert', location_type: 'Hub' }],
    ['transport-companies', { company_name: 'Gila Haul' }],
    ['vendors', { vendor_name: 'Sunrise Storage' }],
  ] as const) {
    const { id, version } = (await ada.post(`/${path}`, body)).body.data as Row & { version: number }
    await ada.post(`/${path}/${id}/deactivate`, { version })
    expect([path, (await ada.post(`/${path}/${id}/activate`, { version })).status]).toEqual([path, 409])
    expect([path, (await ada.post(`/${path}/${id}/activate`, { version: version + 1 })).body.data]).toMatchObject([
      path,
      { is_active: true },
    ])
  }
})
