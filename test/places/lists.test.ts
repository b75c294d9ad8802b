import { beforeEach, describe, expect, test } from 'bun:test'
import { users } from '../../db/schema'
import { updateUser } from '../../src/features/users/queries'
import { findSession, type Session } from '../../src/platform/auth/sessions'
import { commandWrite } from '../../src/platform/records/transactions'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Item = { id: number; version: number } & Record<string, unknown>
const add = async (path: string, body: object) => {
  const { status, body: answer } = await h.cast.ada.post(path, body)
  expect([answer.errors, status]).toEqual([undefined, 201])
  return answer.data as Item
}
const listed = async (path: string, field: string) =>
  ((await h.cast.ada.get(path)).body.data as Item[]).map((item) => item[field])

describe('lists', () => {
  test('vendors can be sorted, searched and filtered, with ties in insertion order', async () => {
    await add('/vendors', { vendor_name: 'Copper', vendor_type: 'Yard', contact_person: 'Zoe' })
    await add('/vendors', { vendor_name: 'Axle', vendor_type: 'Shop', is_active: false })
    await add('/vendors', { vendor_name: 'Bolt', vendor_type: 'Yard', contact_person: 'Abe' })
    await add('/vendors', { vendor_name: 'Dent' })
    for (const [query, names] of Object.entries({
      '': ['Axle', 'Bolt', 'Copper', 'Dent'],
      'order=desc': ['Dent', 'Copper', 'Bolt', 'Axle'],
      'sort=contact_person&q=e': ['Bolt', 'Copper', 'Axle', 'Dent'],
      'sort=vendor_type&type=yard': ['Copper', 'Bolt'],
      'sort=vendor_type&order=desc&type=Yard': ['Copper', 'Bolt'],
      'type=none': [],
      'is_active=true': ['Bolt', 'Copper', 'Dent'],
      'is_active=false': ['Axle'],
      'is_active=': ['Axle', 'Bolt', 'Copper', 'Dent'],
    }))
      expect([query, await listed(`/vendors?${query}`, 'vendor_name')]).toEqual([query, names])
    expect((await h.cast.ada.get('/vendors?is_active=perhaps')).status).toBe(422)
    expect(await listed('/vendors/active', 'vendor_name')).toEqual(['Bolt', 'Copper', 'Dent'])
    expect(await listed('/vendors/type/YARD', 'vendor_name')).toEqual(['Bolt', 'Copper'])
    expect((await h.cast.ada.get(`/vendors/type/${'x'.repeat(50)}`)).status).toBe(200)
    expect((await h.cast.ada.get(`/vendors/type/${'x'.repeat(51)}`)).status).toBeGreaterThanOrEqual(400)
    for (const [length, status] of [
      [50, 200],
      [51, 422],
    ] as const)
      expect((await h.cast.ada.get(`/vendors?type=${'x'.repeat(length)}`)).status).toBe(status)
    const page = await h.cast.ada.open('/admin/vendors')
    expect(page.find('select[name=type] option')).toEqual(['All types', 'Shop', 'Yard'])
    // Companies have no type, so this filter is ignored.
    expect((await h.cast.ada.get('/transport-companies?type=yard')).body.meta?.total).toBe(2)
  })

  test('users can be sorted, searched and filtered', async () => {
    await add('/users', { username: 'zoe', password: 'Ocotillo77', role: 'admin', email: 'z@yard.example' })
    await add('/users', { username: 'abe', password: 'Ocotillo77', last_name: 'Zimmer', is_active: false })
    for (const [query, names] of Object.entries({
      '': ['abe', 'ada', 'ben', 'zoe'],
      'order=desc': ['zoe', 'ben', 'ada', 'abe'],
      'sort=role': ['ada', 'zoe', 'ben', 'abe'],
      'sort=role&order=desc': ['ben', 'abe', 'ada', 'zoe'],
      'role=admin': ['ada', 'zoe'],
      'role=user': ['abe', 'ben'],
      'is_active=true': ['ada', 'ben', 'zoe'],
      'is_active=false': ['abe'],
      'q=zimm': ['abe'],
      'q=carter': ['ben'],
      'q=yard.ex': ['zoe'],
      'q=Reyes': ['ada'],
    }))
      expect([query, await listed(`/users?${query}`, 'username')]).toEqual([query, names])
    expect((await h.cast.ada.get('/users/99')).status).toBe(404)
  })
})

test('usage counts the records of each kind that refer to a record', async () => {
  const { ben, phoenix, tempe, mesa, desert } = h.cast
  const vendor = (await add('/vendors', { vendor_name: 'Bolt' })).id
  const move = { unit_number: '100200', move_date: '2026-03-10', transport_company_id: desert }
  await ben.post('/transports', { ...move, location_out_id: phoenix, location_in_id: tempe })
  await ben.post('/transports', { ...move, location_out_id: tempe, location_in_id: tempe })
  const place = { unit_number: '100200', location_id: phoenix }
  const problem = 'Transmission slips in third gear'
  await ben.post('/osl', { ...place, osl_date: '2026-03-10', problem, vendor_id: vendor })
  for (let n = 0; n < 2; n++)
    await ben.post('/registrations', {
      ...place,
      plate_number: `P${n}`,
      state_province: 'AZ',
      date_issued: '2026-01-01',
      date_expires: '2027-01-01',
    })
  for (let n = 0; n < 3; n++) await ben.post('/titles', { ...place, submitted_date: '2026-03-01' })
  const usage = async (path: string) => (await ben.get(`${path}/usage`)).body.data as unknown
  const none = { transports: 0, osl: 0, registrations: 0, titles: 0, total: 0 }
  expect([
    await usage(`/locations/${phoenix}`),
    await usage(`/locations/${tempe}`),
    await usage(`/locations/${mesa}`),
    await usage(`/transport-companies/${desert}`),
    await usage(`/vendors/${vendor}`),
  ]).toEqual([
    { transports: 1, osl: 1, registrations: 2, titles: 3, total: 7 },
    { ...none, transports: 2, total: 2 },
    none,
    { ...none, transports: 2, total: 2 },
    { ...none, osl: 1, total: 1 },
  ])
  expect((await ben.get('/vendors/99/usage')).status).toBe(404)
})

describe('an admin form', () => {
  const ticked = (html: string, name: string) => new RegExp(`type="checkbox"[^>]*name="${name}"[^>]*checked`).test(html)

  test('defaults new records to active, as does the API', async () => {
    for (const path of ['locations', 'transport-companies', 'vendors', 'users']) {
      const { html } = await h.cast.ada.open(`/admin/${path}/new`)
      if (html.includes('name="is_active"')) expect([path, ticked(html, 'is_active')]).toEqual([path, true])
    }
    const bolt = await add('/vendors', { vendor_name: 'Bolt' })
    expect(bolt).toMatchObject({ is_active: true, storage_grace_days: 0, storage_daily_rate: null })
    expect(await add('/users', { username: 'zoe', password: 'Ocotillo77' })).toMatchObject({
      is_active: true,
      must_change_password: false,
      role: 'user',
    })
  })

  test('labels adding and editing, and reports a stale activation', async () => {
    await add('/vendors', { vendor_name: 'Bolt' })
    for (const [path, what] of [
      ['locations', 'location'],
      ['transport-companies', 'transport company'],
      ['vendors', 'vendor'],
    ]) {
      const words = async (page: string) => {
        const { find } = await h.cast.ada.open(`/admin/${path}/${page}`)
        return [find('h1')[0], find('form.form button[type=submit]').at(-1)]
      }
      expect([await words('new'), await words('1/edit')]).toEqual([
        [`Add ${what}`, expect.stringMatching(/^(Create|Add) /)],
        [`Edit ${what}`, 'Save changes'],
      ])
      const turn = async (word: string, version: unknown) =>
        (await h.cast.ada.submit(`/admin/${path}/1/${word}`, { version })).toast
      const stale = 'This record has changed since you opened it'
      expect(await turn('deactivate', 1)).toEndWith(' deactivated')
      expect(await turn('activate', 1)).toBe(`!Failed to update ${what}: ${stale}`)
      expect(await turn('activate', 'x')).toBe(`!Failed to update ${what}`)
      expect(await turn('activate', 2)).toEndWith(' activated')
    }
  })

  test('enforces the limits of texts, grace days and usernames', async () => {
    const findErrorField = async (path: string, body: object) =>
      (await h.cast.ada.post(path, body)).body.errors?.[0]?.field
    for (const [count, field] of [
      [5000, undefined],
      [5001, 'notes'],
    ] as const) {
      const notes = 'x'.repeat(count)
      expect(await findErrorField('/vendors', { vendor_name: `V${count}`, notes })).toBe(field)
      expect(await findErrorField('/transport-companies', { company_name: `C${count}`, notes })).toBe(field)
    }
    expect(await findErrorField('/vendors', { vendor_name: 'Ten', storage_grace_days: 3650 })).toBeUndefined()
    expect(await findErrorField('/vendors', { vendor_name: 'More', storage_grace_days: 3651 })).toBe(
      'storage_grace_days',
    )
    expect(await findErrorField('/users', { username: 'abc', password: 'Ocotillo77' })).toBeUndefined()
    expect(await findErrorField('/users', { username: 'ab', password: 'Ocotillo77' })).toBe('username')
  })

  test('requires the new password twice', async () => {
    const reset = (form: object) => h.cast.ada.submit('/admin/users/2/reset-password', form as never)
    const both = 'Both fields are required'
    expect((await reset({ newPassword: 'Ocotillo77' })).find('.field-error')).toEqual([both])
    expect((await reset({ confirmPassword: 'Ocotillo77' })).find('.field-error')).toEqual([both])
    expect((await reset({ newPassword: 'Ocotillo77', confirmPassword: 'Ocotillo77' })).status).toBe(303)
    const { body } = await h.cast.stranger.post('/auth/login', { username: 'ben', password: 'Ocotillo77' })
    expect((body.data as { user: Item }).user).toMatchObject({ must_change_password: false })
  })
})

describe('a user account', () => {
  const signedIn = async (username = 'ben') =>
    ((await h.cast.stranger.post('/auth/login', { username, password: PASSWORD })).body.data as { token: string }).token
  const isIn = async (token: string) =>
    (await h.cast.stranger.call('GET', '/auth/verify', undefined, { authorization: `Bearer ${token}` })).status === 200

  test('is signed out when its role or status changes, and not by other changes', async () => {
    const put = (body: object) => h.cast.ada.put('/users/2', body)
    for (const [change, stays] of [
      [{ phone: '602' }, true],
      [{ role: 'user', is_active: true }, true],
      [{ role: 'admin' }, false],
      [{ first_name: 'Ben', is_active: true, role: 'admin' }, true],
      [{ is_active: false }, false],
    ] as const) {
      const token = await signedIn()
      expect((await put(change)).status).toBe(200)
      expect([change, await isIn(token)]).toEqual([change, stays])
    }
    expect((await put({ is_active: true })).body.data).toMatchObject({ role: 'admin', is_active: true })
  })

  test('can lose administrator rights unless it is the last active administrator', async () => {
    await h.cast.ada.put('/users/2', { role: 'admin' })
    expect((await h.cast.ada.put('/users/2', { is_active: false })).status).toBe(200)
    const session = (await findSession(h.ctx.db, String(h.cast.ada.session), h.ctx.clock.now())) as Session
    // The other administrator is not active, and this one has no means to sign in, so they do not count.
    await h.ctx.db.insert(users).values({ username: 'lou', password_hash: '!', role: 'admin' })
    const change = (id: number, values: object) =>
      updateUser(h.ctx, commandWrite(h.ctx.db, h.clock), session, id, values).then(
        ({ role, is_active }) => [role, is_active],
        (error) => error.message,
      )
    const last = 'At least one administrator must stay active'
    expect(await change(1, { role: 'user' })).toBe(last)
    expect(await change(1, { is_active: false })).toBe(last)
    expect(await change(1, { first_name: 'Ada' })).toEqual(['admin', true])
    expect(await change(2, { role: 'user' })).toEqual(['user', false])
    expect(await change(2, { is_active: true, role: 'admin' })).toEqual(['admin', true])
    expect(await change(1, { role: 'user' })).toEqual(['user', true])
  })

  test('cannot deactivate or demote itself, but can change other fields', async () => {
    const own = async (body: object) => {
      const { status, body: answer } = await h.cast.ada.put('/users/1', body)
      return [status, answer.message]
    }
    expect(await own({ is_active: false })).toEqual([422, 'You cannot deactivate your own account'])
    expect(await own({ role: 'user' })).toEqual([422, 'You cannot change your own role'])
    expect((await own({ role: 'admin', is_active: true, phone: '602' }))[0]).toBe(200)
  })

  test('hides the status and role fields from its own user', async () => {
    const fields = async (path: string) => {
      const { html, find } = await h.cast.ada.open(`/admin/users/${path}`)
      const has = (name: string) => html.includes(`name="${name}"`)
      return [find('h1'), has('is_active'), html.includes('<select id="role"'), has('password')]
    }
    expect([await fields('1/edit'), await fields('2/edit'), await fields('new')]).toEqual([
      [['Edit user'], false, false, false],
      [['Edit user'], true, true, false],
      [['Add user'], true, true, true],
    ])
  })
})
