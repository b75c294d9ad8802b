import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '../../db/schema'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'
import type { Visitor } from '../support/visitor'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const HOUR = 3_600_000
const later = (ms: number) => h.clock.set(new Date(h.ctx.clock.now().getTime() + ms))
const BEN = 2

describe('an API token', () => {
  const create = (values: object, who = h.cast.ada) =>
    who.post('/auth/tokens', { name: 'ERP', scope: 'write', ...values })
  const made = async (values: object = {}, who = h.cast.ada) => {
    const { status, body } = await create({ current_password: PASSWORD, ...values }, who)
    expect(status).toBe(201)
    return (body.data as { token: string }).token
  }
  const call = (token: string, method: string, path: string, body?: unknown) =>
    h.cast.stranger.call(method, path, body, { authorization: `Bearer ${token}` })
  const isAlive = async (token: string) => (await call(token, 'GET', '/auth/verify')).status === 200

  test('requires the current password even in a fresh session', async () => {
    expect((await create({})).body.errors).toEqual([
      { field: 'current_password', message: 'Enter your current password to confirm this change' },
    ])
    expect((await create({ current_password: 'Wrong1234' })).body.errors).toEqual([
      { field: 'current_password', message: 'Current password is incorrect' },
    ])
    const page = await h.cast.ada.submit('/profile/access/tokens', { name: 'ERP', scope: 'read' })
    expect([page.status, page.find('.field-error')]).toEqual([
      422,
      ['Enter your current password to confirm this change'],
    ])
    for (let n = 0; n < 9; n++) await create({ current_password: 'Wrong1234' })
    expect((await create({ current_password: PASSWORD })).status).toBe(429)
  })

  test('is revoked on password change or ending other sessions, unless its owner opts out', async () => {
    const change = (more: object, current = PASSWORD, next = 'Ocotillo77') =>
      h.cast.ada.post('/auth/change-password', { currentPassword: current, newPassword: next, ...more })
    const token = await made()
    expect([(await change({ revoke_tokens: false })).status, await isAlive(token)]).toEqual([200, true])
    expect([(await change({}, 'Ocotillo77', PASSWORD)).status, await isAlive(token)]).toEqual([200, false])
    const secondToken = await made()
    await h.cast.ada.delete('/auth/sessions?revoke_tokens=false')
    expect(await isAlive(secondToken)).toBe(true)
    await h.cast.ada.delete('/auth/sessions')
    expect(await isAlive(secondToken)).toBe(false)
    const ticked = await made()
    await h.cast.ada.submit('/profile/access/end-others', {})
    expect(await isAlive(ticked)).toBe(true)
    await h.cast.ada.submit('/profile/access/end-others', { revoke_tokens: 'true' })
    expect(await isAlive(ticked)).toBe(false)
  })

  test('with scope records can change records, but not master data or admin resources', async () => {
    const token = await made({ scope: 'records' })
    const title = { unit_number: '100200', location_id: 1 }
    expect((await call(token, 'POST', '/titles', title)).status).toBe(201)
    expect((await call(token, 'GET', '/locations/active')).status).toBe(200)
    const place = { location_code: 'GLB', location_name: 'Gilbert', location_type: 'Hub' }
    for (const [method, path, body] of [
      ['POST', '/locations', place],
      ['POST', '/vendors/1/deactivate', {}],
      ['GET', '/users', undefined],
      ['GET', '/audit', undefined],
      ['PUT', '/settings', {}],
      ['GET', '/dashboard/admin', undefined],
      ['POST', '/reports/schedules', { name: 'x', report_type: 'transport_costs', mail_to: 'x@evil.example' }],
    ] as const)
      expect([path, (await call(token, method, path, body)).status]).toEqual([path, 403])
  })

  test('with scope records sees costs only if everyone can', async () => {
    const token = await made({ scope: 'records' })
    expect((await call(token, 'GET', '/budgets')).status).toBe(200)
    await h.cast.ada.put('/settings', { cost_viewers: 'Administrators' })
    expect((await call(token, 'GET', '/budgets')).status).toBe(403)
    expect((await h.cast.ada.get('/budgets')).status).toBe(200)
  })

  test('with scope records cannot create locations through an import', async () => {
    const token = await made({ scope: 'records' })
    const form = new FormData()
    form.set('data_type', 'titles')
    form.set('file', new File(['unit_number,location\n100300,Evilville\n'], 'titles.csv'))
    const headers = { authorization: `Bearer ${token}` }
    const response = await h.cast.stranger.request('/api/files/imports', { method: 'POST', body: form, headers })
    const { data } = (await response.json()) as { data: { id: number } }
    await h.cast.ada.settled(data.id)
    const names = [{ kind: 'location', name: 'Evilville', create: true }]
    expect((await call(token, 'PUT', `/files/${data.id}`, { names })).status).toBe(403)
  })

  test('is named in the audit trail, including for imports', async () => {
    const token = await made()
    await call(token, 'POST', '/titles', { unit_number: '100200', location_id: 1 })
    const form = new FormData()
    form.set('data_type', 'titles')
    form.set('file', new File(['unit_number,location\n100300,Phoenix\n'], 'titles.csv'))
    await h.cast.stranger.request('/api/files/upload', {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${token}` },
    })
    await h.cast.ada.post('/titles', { unit_number: '100400', location_id: 1 })
    const entries = (await h.cast.ada.get('/audit?entity=titles')).body.data as { token_name: string | null }[]
    expect(entries.map(({ token_name }) => token_name)).toEqual([null, 'ERP', 'ERP'])
    expect((await h.cast.ada.open('/admin/audit?entity=titles')).text).toContain('API, token ERP')
  })
})

describe('a sensitive change', () => {
  const CONFIRM = { field: 'current_password', message: 'Enter your current password to confirm this change' }
  const ada = () => h.cast.ada
  const CHANGES: [what: string, change: (more: object) => ReturnType<Visitor['post']>][] = [
    ['another e-mail address', (more) => ada().put('/auth/profile', { email: 'ada@yard.example', ...more })],
    [
      'a new administrator',
      (more) => ada().post('/users', { username: 'cleo', password: 'Quartz-9x', role: 'admin', ...more }),
    ],
    ['the role of an administrator', (more) => ada().put('/users/2', { role: 'admin', ...more })],
    ['another e-mail address of a user', (more) => ada().put('/users/2', { email: 'x@evil.example', ...more })],
    ['who sees costs', (more) => ada().put('/settings', { cost_viewers: 'Administrators', ...more })],
    ['a reset password', (more) => ada().post('/users/2/reset-password', { newPassword: 'Quartz-9x', ...more })],
  ]

  test('requires the password again after one hour', async () => {
    for (const [what, change] of CHANGES) {
      h = await testContext()
      later(HOUR)
      expect([what, (await change({})).body.errors]).toEqual([what, [CONFIRM]])
      expect([what, (await change({ current_password: 'Wrong1234' })).status]).toEqual([what, 422])
      expect([what, (await change({ current_password: PASSWORD })).body.success]).toEqual([what, true])
    }
  })

  test('needs no password within one hour of sign-in or confirmation', async () => {
    for (const [what, change] of CHANGES) {
      h = await testContext()
      later(HOUR - 1)
      expect([what, (await change({})).body.success]).toEqual([what, true])
    }
    later(HOUR)
    expect((await ada().delete('/auth/sessions')).body.errors).toEqual([CONFIRM])
    expect((await ada().delete('/users/2/sessions')).body.errors).toEqual([CONFIRM])
    expect((await ada().post('/auth/confirm-password', {})).body.errors).toEqual([CONFIRM])
    const confirmed = await ada().post('/auth/confirm-password', { current_password: PASSWORD })
    const { token } = confirmed.body.data as { token: string }
    // The old token stays valid for a minute, so that requests under way can finish.
    later(59_999)
    expect((await ada().get('/auth/verify')).status).toBe(200)
    later(1)
    expect((await ada().get('/auth/verify')).status).toBe(401)
    const renewed = { authorization: `Bearer ${token}` }
    expect((await h.cast.stranger.call('DELETE', '/auth/sessions', undefined, renewed)).status).toBe(200)
  })

  test('is the creation or activation of an account and the deactivation of an administrator', async () => {
    await ada().token()
    later(HOUR)
    const account = { username: 'carla', password: 'Cottonwood88' }
    expect((await ada().post('/users', account)).body.errors).toEqual([CONFIRM])
    expect((await ada().post('/users', { ...account, current_password: PASSWORD })).status).toBe(201)
    await h.ctx.db.update(users).set({ is_active: false }).where(eq(users.id, BEN))
    expect((await ada().post('/users/2/activate')).body.errors).toEqual([CONFIRM])
    await h.ctx.db.update(users).set({ is_active: true }).where(eq(users.id, BEN))
    expect((await ada().post('/users/2/deactivate')).status).toBe(200)
    await h.ctx.db.update(users).set({ is_active: true, role: 'admin' }).where(eq(users.id, BEN))
    expect((await ada().post('/users/2/deactivate')).body.errors).toEqual([CONFIRM])
    await h.ctx.db.update(users).set({ single_sign_on: true }).where(eq(users.id, BEN))
    expect((await ada().put('/users/2', { single_sign_on: false })).body.errors).toEqual([CONFIRM])
  })

  test('still requires the password after a token refresh', async () => {
    later(HOUR)
    const { token } = (await ada().post('/auth/refresh')).body.data as { token: string }
    const renewed = await h.cast.stranger.call('DELETE', '/auth/sessions', undefined, {
      authorization: `Bearer ${token}`,
    })
    expect(renewed.body.errors).toEqual([CONFIRM])
  })

  test('shows the password field in the rejected form and keeps the input', async () => {
    later(HOUR)
    const refused = await ada().submit('/profile', { first_name: 'Adela', email: 'ada@yard.example' })
    expect([refused.status, refused.find('.field-error')]).toEqual([422, [CONFIRM.message]])
    expect(refused.html).toMatch(/name="first_name"[^>]*value="Adela"/)
    expect(refused.html).toMatch(/name="current_password"/)
    const saved = await ada().submit('/profile', {
      first_name: 'Adela',
      email: 'ada@yard.example',
      current_password: PASSWORD,
    })
    expect(saved.toast).toBe('Profile updated successfully!')
  })

  test('started by a button redirects to a password page and back', async () => {
    later(HOUR)
    const sent = await ada().submit('/profile/access/end-others', {})
    expect(sent.location).toBe('/profile/confirm?next=%2Fprofile%2Faccess')
    const wrong = await ada().submit('/profile/confirm', { next: '/profile/access', current_password: 'Wrong1234' })
    expect([wrong.status, wrong.find('.field-error')]).toEqual([422, ['Current password is incorrect']])
    const right = await ada().submit('/profile/confirm', { next: 'https://evil.example/', current_password: PASSWORD })
    const cookie = right.headers
      .getSetCookie()
      .find((one) => one.startsWith('yardmaster_session='))
      ?.split(';')[0]
    expect([right.status, right.location]).toEqual([303, '/profile/access'])
    const ended = await h.cast.stranger.submit('/profile/access/end-others', {}, { cookie: String(cookie) })
    expect(ended.toast).toBe('All other sessions ended')
  })
})
