import { beforeEach, expect, test } from 'bun:test'
import { testContext } from '../support/context'

// Today is 2026-03-14 in every test of this file. ada is an administrator, and ben is a user.
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
const created = async (more: object = {}) => (await h.cast.ben.post('/osl', entry(more))).body.data as { id: number }
const STEP = {
  waiting_on: 'Parts',
  next_action: 'Ask Valley Truck for the torque converter',
  next_action_on: '2026-03-20',
  owner: 'ben',
  expected_return: '2026-04-01',
}
const units = async (query: string) =>
  ((await h.cast.ben.get(`/osl/active?${query}`)).body.data as { unit_number: string }[]).map((row) => row.unit_number)

test('an entry stores its waiting reason, next action, owner and expected return', async () => {
  const { id } = await created(STEP)
  expect((await h.cast.ben.get(`/osl/${id}`)).body.data).toMatchObject(STEP)
  expect((await h.cast.ben.get(`/osl/${(await created({ unit_number: '100201' })).id}`)).body.data).toMatchObject({
    waiting_on: null,
    next_action: null,
    next_action_on: null,
    owner: null,
    expected_return: null,
  })
  const page = await h.cast.ben.open(`/osl/${id}`)
  for (const text of ['Parts', STEP.next_action, '03/20/2026', '04/01/2026']) expect(page.text).toContain(text)
  expect((await h.cast.ben.open('/osl/2')).find('h2')).not.toContain('Next step')
})

test('an action date needs an action, owners must be active, and rejected changes write nothing', async () => {
  const { id } = await created()
  const put = async (change: object) => (await h.cast.ben.put(`/osl/${id}`, change)).body
  expect((await put({ next_action_on: '2026-03-20' })).errors).toEqual([
    { field: 'next_action', message: 'Enter the next step, or clear its date' },
  ])
  expect((await put({ owner: 'nobody-here' })).errors).toEqual([
    { field: 'owner', message: 'There is no active user nobody-here' },
  ])
  expect((await put({ waiting_on: 'Weather' })).errors).toMatchObject([{ field: 'waiting_on' }])
  expect((await h.cast.ben.post('/osl', entry({ owner: 'nobody-here' }))).status).toBe(422)
  expect((await h.cast.ben.post('/osl', entry({ next_action_on: '2026-03-20' }))).status).toBe(422)
  expect((await h.cast.ben.get('/osl')).body.meta).toMatchObject({ total: 1 })
  expect((await put({ next_action: 'Call', next_action_on: '2026-03-20', owner: 'ADA' })).data).toMatchObject({
    owner: 'ada',
  })
  // The action can change, but cannot be removed while its date is set.
  expect((await put({ next_action: '' })).errors).toMatchObject([{ field: 'next_action' }])
  expect((await put({ next_action: '', next_action_on: '' })).data).toMatchObject({ next_action: null })
})

test('a deactivated owner stays on existing entries but cannot be assigned to new ones', async () => {
  const { id } = await created({ owner: 'ada' })
  const [ada] = (await h.cast.ada.get('/users?q=ada')).body.data as { id: number }[]
  await h.cast.ada.post('/users', { username: 'boss', password: 'Saguaro42', role: 'admin' })
  await h.ctx.db.execute(`update users set is_active = false where id = ${ada?.id}`)
  const edited = await h.cast.ben.put(`/osl/${id}`, { owner: 'ada', key_location: 'Front desk' })
  expect([edited.status, edited.body.data]).toMatchObject([200, { owner: 'ada', key_location: 'Front desk' }])
  expect((await h.cast.ben.post('/osl', entry({ unit_number: '100201', owner: 'ada' }))).status).toBe(422)
})

test('lists can be filtered by waiting reason and owner', async () => {
  await created(STEP)
  await created({ unit_number: '100201', waiting_on: 'Approval', owner: 'ada' })
  await created({ unit_number: '100202' })
  expect(await units('waiting_on=Parts')).toEqual(['100200'])
  expect(await units('waiting_on=Vendor')).toEqual([])
  expect(await units('owner=ada')).toEqual(['100201'])
  expect((await units('owner=')).sort()).toEqual(['100200', '100201', '100202'])
})

test('total fees appear only above the unfiltered list', async () => {
  await created({ storage_fee_daily_rate: 35 })
  await created({ unit_number: '100201', location_id: h.cast.tempe })
  const lead = async (query = '') => (await h.cast.ada.open(`/osl/active${query}`)).find('#lead')[0]
  expect(await lead()).toBe('2 out of service, storage fees so far $350.00')
  expect(await lead(`?location_id=${h.cast.tempe}`)).toBe('1 found')
  expect(await lead('?owner=ben')).toBe('0 found')
  expect(await lead('?sort=unit_number&order=desc&page=1')).toBe('2 out of service, storage fees so far $350.00')
})
