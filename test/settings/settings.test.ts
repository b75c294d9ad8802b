import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { settings } from '../../src/features/settings/rules'
import { testContext } from '../support/context'

// Today is 2026-03-14 in every test of this file. ada is an administrator, and ben is a user.
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const USUAL = { registration_days: 30, title_days: 14, title_danger_days: 30, osl_days: 7, cost_days: 7 }
const put = (change: object, who = h.cast.ada) => who.put('/settings', change)
const due = async (kind: string) => (await h.cast.ben.get(`/due?kind=${kind}`)).body.data as { severity: string }[]

test('all users read settings, administrators change them, and stale changes are rejected', async () => {
  expect((await h.cast.ben.get('/settings')).body.data).toMatchObject({ ...USUAL, company_name: null, version: 1 })
  expect((await put({ osl_days: 3 }, h.cast.ben)).status).toBe(403)
  expect((await h.cast.ben.open('/admin/settings')).status).toBe(403)
  const [, history = ''] = /href="([^"]*)">History/.exec((await h.cast.ada.open('/admin/settings')).html) ?? []
  expect((await h.cast.ada.open(history.replaceAll('&amp;', '&'))).find('h1')).toEqual(['Audit Trail'])
  const changed = await put({ company_name: 'Copper State Rentals', osl_days: 3, version: 1 })
  expect(changed.body.data).toMatchObject({ ...USUAL, company_name: 'Copper State Rentals', osl_days: 3, version: 2 })
  expect((await put({ osl_days: 4, version: 1 })).status).toBe(409)
  expect((await put({})).body.data).toMatchObject({ osl_days: 3 })
})

test('day settings range from 0 to 365, and titles cannot become urgent before due', async () => {
  for (const days of [-1, 366, 1.5, 'soon'])
    expect([days, (await put({ cost_days: days })).status]).toEqual([days, 422])
  for (const days of [0, 365]) expect((await put({ cost_days: days })).body.data).toMatchObject({ cost_days: days })
  expect((await put({ title_days: 31 })).body.errors).toMatchObject([{ field: 'title_danger_days' }])
  expect((await put({ title_days: 30 })).status).toBe(200)
  expect((await put({ title_danger_days: 29 })).status).toBe(422)
})

test('due items follow the settings to the day', async () => {
  const { ben, phoenix, tempe, desert } = h.cast
  const unit = { unit_number: '100001', location_id: phoenix }
  await ben.post('/registrations', {
    ...unit,
    plate_number: 'KLM 555',
    state_province: 'AZ',
    date_issued: '2026-01-01',
    date_expires: '2026-04-20',
    received: true,
  })
  await ben.post('/titles', { ...unit, submitted_date: '2026-03-09' })
  await ben.post('/osl', { ...unit, osl_date: '2026-03-01', problem: 'Windshield is cracked' })
  await h.ctx.db.execute(sql`update osl_entries set updated_at = '2026-03-12T12:00:00Z'`)
  await ben.post('/transports', {
    unit_number: '100001',
    location_out_id: phoenix,
    location_in_id: tempe,
    transport_company_id: desert,
    move_date: '2026-03-01',
    status: 'Delivered',
    actual_arrival_date: '2026-03-11',
  })
  const days = { registration_expiring: 37, title_overdue: 4, osl_stale: 2, transport_no_cost: 3 }
  const settings = {
    registration_expiring: 'registration_days',
    title_overdue: 'title_days',
    osl_stale: 'osl_days',
    transport_no_cost: 'cost_days',
  } as const
  // A registration is due if fewer days are left than the setting. Other items are due after more days.
  for (const [kind, border] of Object.entries(days)) {
    const name = settings[kind as keyof typeof settings]
    const isAhead = kind === 'registration_expiring'
    await put({ [name]: isAhead ? border - 1 : border + 1 })
    expect([kind, (await due(kind)).length]).toEqual([kind, 0])
    await put({ [name]: border })
    expect([kind, (await due(kind)).length]).toEqual([kind, 1])
  }
  expect((await due('title_overdue'))[0]?.severity).toBe('warning')
  await put({ title_danger_days: 4 })
  expect((await due('title_overdue'))[0]?.severity).toBe('danger')
  expect((await h.cast.ben.get('/due/counts')).body.data).toMatchObject({ total: 4 })
  expect((await h.cast.ben.open('/dashboard')).find('.due-panel h2')).toEqual(['Due: 4'])
})

test('the page saves settings, and vendor statements print them as a letterhead', async () => {
  const vendor = (await h.cast.ada.post('/vendors', { vendor_name: 'Bolt & Co' })).body.data as { id: number }
  const statement = `/vendors/${vendor.id}/statement?start_date=2026-02-01&end_date=2026-02-28`
  expect((await h.cast.ben.open(statement)).find('.letterhead')).toEqual([])
  const form = {
    ...USUAL,
    company_name: 'Copper State Rentals',
    address: '1 Yard Way\nPhoenix AZ',
    phone: '602-555-0100',
    email: '',
  }
  const refused = await h.cast.ada.submit('/admin/settings', { ...form, osl_days: 'soon' })
  expect([refused.status, refused.find('.field-error')]).toEqual([422, ['Must be a whole number']])
  expect(refused.html).toContain('value="Copper State Rentals"')
  expect((await h.cast.ada.submit('/admin/settings', form)).toast).toBe('Settings saved')
  expect((await h.cast.ben.open(statement)).find('.letterhead > *')).toEqual([
    'Copper State Rentals',
    '1 Yard Way Phoenix AZ',
    '602-555-0100',
  ])
})

test('a cost is above the estimate only beyond the set percentage, with both costs given', async () => {
  const { ben, phoenix, tempe, desert } = h.cast
  const costs = [
    ['100001', 100, 110],
    ['100002', 100, 110.01],
    ['100003', 100, 90],
    ['100004', null, 500],
    ['100005', 100, null],
    ['100006', 0, 1],
  ] as const
  for (const [unit_number, estimated_cost, final_cost] of costs)
    await ben.post('/transports', {
      unit_number,
      location_out_id: phoenix,
      location_in_id: tempe,
      transport_company_id: desert,
      move_date: '2026-03-01',
      status: 'Delivered',
      estimated_cost,
      final_cost,
    })
  const period = 'start_date=2026-03-01&end_date=2026-03-31'
  const units = async (over: string) =>
    ((await ben.get(`/transports/completed?${period}&over_estimate=${over}`)).body.data as { unit_number: string }[])
      .map((row) => row.unit_number)
      .sort()
  expect(await units('true')).toEqual(['100002', '100006'])
  expect(await units('false')).toEqual(['100001', '100003', '100004', '100005'])
  expect((await units('')).length).toBe(6)
  const page = await ben.open(`/transports/completed?${period}&over_estimate=true`)
  expect([page.find('tbody .unit').length, page.find('.narrowed-by')]).toEqual([2, ['Above the estimate']])
  expect(page.text).not.toContain('above the estimate')
  expect((await ben.open(`/transports/completed?${period}`)).text).toContain(
    '6 delivered, move date 03/01/2026 to 03/31/2026; 2 above the estimate',
  )
  await put({ over_estimate_percent: 9 })
  expect((await ben.open(`/transports/completed?${period}`)).text).toContain('; 3 above the estimate')
  expect(await units('true')).toEqual(['100001', '100002', '100006'])
})

test('blank values keep the stored settings, and each setting has its own limit', async () => {
  const change = async (name: string, value: unknown) => (await put({ [name]: value })).status
  for (const [name, usual, most] of [
    ['registration_days', 30, 365],
    ['title_days', 14, 30],
    ['osl_days', 7, 365],
    ['cost_days', 7, 365],
    ['over_estimate_percent', 10, 1000],
    ['due_mail_hour', 7, 23],
  ] as const) {
    expect([name, (await put({})).body.data]).toMatchObject([name, { [name]: usual }])
    expect([name, await change(name, most), await change(name, most + 1)]).toEqual([name, 200, 422])
    expect([name, (await put({ [name]: '' })).body.data]).toMatchObject([name, { [name]: most }])
  }
  const texts = { company_name: 100, address: 500, phone: 20 }
  for (const [name, length] of Object.entries(texts))
    expect([name, await change(name, 'x'.repeat(length)), await change(name, 'x'.repeat(length + 1))]).toEqual([
      name,
      200,
      422,
    ])
})

test('a blank setting has its default value', () => {
  expect(settings.parse({})).toEqual({
    ...USUAL,
    company_name: null,
    address: null,
    phone: null,
    email: null,
    over_estimate_percent: 10,
    due_mail_hour: 7,
    invoice_deciders: 'Administrators',
    cost_viewers: 'Everybody',
    password_rule: 'Letters and digits',
    second_factor_required: 'Nobody',
    po_prefix: null,
    po_first: 1001,
    audit_kept_days: null,
    deleted_kept_days: null,
    upload_kept_days: null,
    sign_in_kept_days: null,
  })
})
