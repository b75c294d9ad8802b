import { beforeEach, expect, test } from 'bun:test'
import { createRegistrations } from '../../src/features/registrations/mutations'
import { commandWrite } from '../../src/platform/records/transactions'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const registration = (more: object = {}) => ({
  unit_number: '100200',
  location_id: h.cast.phoenix,
  plate_number: 'CDA4821',
  state_province: 'az',
  date_issued: '2025-04-01',
  date_expires: '2026-04-01',
  ...more,
})
const created = async (more: object = {}) =>
  (await h.cast.ben.post('/registrations', registration(more))).body.data as unknown as { id: number }
const units = async (path: string) =>
  ((await h.cast.ben.get(path)).body.data as { unit_number: string }[]).map((row) => row.unit_number)

test('a registration is created with its defaults and counts the days until it expires', async () => {
  const { status, body } = await h.cast.ben.post('/registrations', registration({ cost: '108.50', vlt: 212.4 }))
  expect([status, body.data]).toMatchObject([
    201,
    {
      state_province: 'AZ',
      registration_type: 'Renewal',
      received: false,
      status: 'Pending',
      days_until_expiry: 18,
      location_name: 'Phoenix',
      cost: 108.5,
    },
  ])
})

test('a rejected registration lists the error of each field', async () => {
  const poor = await h.cast.ben.post('/registrations', {
    unit_number: '1',
    state_province: 'Ariz',
    date_issued: 'soon',
    registration_type: 'Gift',
  })
  expect(poor.body.errors?.map(({ field }) => field).sort()).toEqual([
    'date_expires',
    'date_issued',
    'location_id',
    'plate_number',
    'registration_type',
    'state_province',
    'unit_number',
  ])
  const backwards = await h.cast.ben.post('/registrations', registration({ date_expires: '2025-03-31' }))
  expect([backwards.status, backwards.body.errors?.[0]?.field]).toEqual([422, 'date_expires'])
})

test('the received flag and the status stay consistent', async () => {
  const { id } = await created()
  expect((await h.cast.ben.patch(`/registrations/${id}/toggle-received`)).body.data).toMatchObject({
    received: true,
    status: 'Complete',
  })
  expect([await units('/registrations/pending'), await units('/registrations/completed')]).toEqual([[], ['100200']])
  expect((await h.cast.ben.patch(`/registrations/${id}/toggle-received`)).body.data).toMatchObject({
    received: false,
    status: 'Pending',
  })
  expect((await h.cast.ben.patch(`/registrations/${id}/status`, { status: 'Complete' })).body.data).toMatchObject({
    received: true,
    status: 'Complete',
  })
  expect((await h.cast.ben.patch(`/registrations/${id}/status`, { status: 'Pending' })).body.data).toMatchObject({
    received: false,
  })
  expect((await h.cast.ben.patch(`/registrations/${id}/toggle-received`, { version: 1 })).status).toBe(409)
})

test('the expiring list includes both ends of the period and excludes renewed vehicles', async () => {
  for (const [unit, date_expires] of [
    ['100001', '2026-03-13'],
    ['100002', '2026-03-14'],
    ['100003', '2026-04-13'],
    ['100004', '2026-04-14'],
  ])
    await created({ unit_number: unit, date_expires })
  await created({ unit_number: '100005', date_expires: '2026-03-20' })
  await created({ unit_number: '100005', date_expires: '2027-03-20' })
  expect(await units('/registrations/expiring')).toEqual(['100002', '100003'])
  expect(await units('/registrations/expiring?days=31')).toEqual(['100002', '100003', '100004'])
  expect((await h.cast.ben.get('/registrations/expiring?days=soon')).status).toBe(422)
  expect((await h.cast.ben.get('/registrations/totals')).body.data).toEqual({
    pending: 6,
    completed: 0,
    expiring: 2,
    expired: 0,
    total_cost: 0,
    total_vlt: 0,
  } as never)
  const board = (await h.cast.ben.get('/dashboard/metrics')).body.data as {
    expiring_registrations: unknown[]
    pending_registrations: number
  }
  expect([board.expiring_registrations.length, board.pending_registrations]).toEqual([2, 6])
})

test('a received registration becomes Expired once its expiry date has passed', async () => {
  await created({ unit_number: '100001', date_expires: '2026-03-20', received: true })
  h.clock.set(new Date('2026-03-14T20:00:00Z'))
  expect((await h.cast.ben.post('/registrations/update-expired')).body.data).toEqual({ updated: 0 } as never)
  await h.cast.ben.put('/registrations/1', { date_expires: '2026-03-13' })
  expect((await h.cast.ben.get('/registrations/1')).body.data).toMatchObject({ status: 'Expired' })
  expect((await h.cast.ben.get('/registrations/totals')).body.data).toMatchObject({ expired: 1 })
})

test('an internal error fails the batch instead of rejecting its rows', async () => {
  const broken = {
    ...h.clock,
    today: () => {
      throw new Error('no clock')
    },
  }
  await expect(createRegistrations({ ...commandWrite(h.ctx.db), clock: broken }, [registration()])).rejects.toThrow(
    'no clock',
  )
})

test('a batch creates valid rows and reports the others by index', async () => {
  const { body } = await h.cast.ben.post('/registrations/batch', {
    registrations: [
      registration(),
      { unit_number: 'x' },
      registration({ location_id: 999 }),
      registration({ unit_number: '100201' }),
    ],
  })
  expect(body.data).toMatchObject({
    created: 2,
    failed: 2,
    errors: [{ index: 1 }, { index: 2, message: 'location_id: Choose one from the list' }],
  })
  expect((await h.cast.ben.post('/registrations/batch', { registrations: [] })).status).toBe(422)
})

test('the page has both logs, the add form and the received button', async () => {
  const done = await h.cast.ben.submitAnyway('/vehicles/registrations/new', registration())
  expect([done.location, done.toast]).toEqual(['/vehicles/registrations', 'Registration added successfully!'])
  const pending = await h.cast.ben.open('/vehicles/registrations')
  expect(pending.find('.tabs a')).toEqual([
    'Pending Log (1)',
    'Complete Log (0)',
    'Expiring in 30 days (1)',
    'Expired (0)',
  ])
  expect(pending.find('.yes-no')).toEqual(['N'])
  expect((await h.cast.ben.submit('/vehicles/registrations/1/toggle-received', { version: 1 })).toast).toBe(
    'Unit 100200: papers received',
  )
  expect((await h.cast.ben.open('/vehicles/registrations?tab=complete')).find('.yes-no')).toEqual(['Y'])
  const refused = await h.cast.ben.submitAnyway('/vehicles/registrations/new', registration({ plate_number: '' }))
  expect([refused.status, refused.find('.field-error')]).toEqual([422, ['Plate number is required']])
})

test('the list shows a renewed registration as renewed instead of late', async () => {
  const create = async (date_expires: string, date_issued: string) =>
    h.cast.ada.post('/registrations', {
      unit_number: '100900',
      location_id: h.cast.phoenix,
      plate_number: 'REN900',
      state_province: 'AZ',
      date_issued,
      date_expires,
      received: true,
    })
  await create('2025-03-01', '2024-03-01')
  const list = async () =>
    (await h.cast.ada.open('/vehicles/registrations?tab=complete&q=100900')).find('.due-far, td.due .also')
  expect(await list()).toEqual(['378 days late'])
  await create('2027-03-01', '2026-03-01')
  expect((await list()).sort()).toEqual(['352 days', 'renewed'])
})
