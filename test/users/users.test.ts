import { beforeEach, expect, test } from 'bun:test'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const cleo = { username: 'cleo', password: 'Ocotillo77', role: 'user', first_name: 'Cleo' }

test('an administrator creates, changes and lists users; no response contains a password hash', async () => {
  const made = await h.cast.ada.post('/users', cleo)
  expect([made.status, made.body.data]).toMatchObject([
    201,
    { username: 'cleo', role: 'user', is_active: true, must_change_password: false, last_login: null },
  ])
  const { id } = made.body.data as { id: number }
  const changed = await h.cast.ada.put(`/users/${id}`, {
    username: 'root',
    password: 'Hacked123',
    phone: '602',
    version: 1,
  })
  expect(changed.body.data).toMatchObject({ username: 'cleo', phone: '602', version: 2 })
  const list = await h.cast.ada.get('/users?role=user&q=cle')
  expect(list.body.meta).toMatchObject({ total: 1 })
  expect(JSON.stringify([made.body, changed.body, list.body])).not.toMatch(/hash|argon2|previous/)
})

test('the role defaults to user, and a change without a role keeps it', async () => {
  const { role: _, ...plain } = cleo
  const made = (await h.cast.ada.post('/users', plain)).body.data as { id: number; role: string }
  expect(made.role).toBe('user')
  await h.cast.ada.put(`/users/${made.id}`, { role: 'admin' })
  const changed = await h.cast.ada.put(`/users/${made.id}`, { phone: '602' })
  expect(changed.body.data).toMatchObject({ role: 'admin', phone: '602' })
})

test('usernames are unique ignoring case, and short usernames and weak passwords are rejected', async () => {
  await h.cast.ada.post('/users', cleo)
  const twice = await h.cast.ada.post('/users', { ...cleo, username: 'CLEO' })
  expect([twice.status, twice.body.message]).toEqual([409, 'Username already exists'])
  const poor = await h.cast.ada.post('/users', { username: 'ab', password: 'short', role: 'boss' })
  expect(poor.body.errors?.map((error) => error.field).sort()).toEqual(['password', 'role', 'username'])
})

test('administrators cannot deactivate or demote themselves', async () => {
  const off = await h.cast.ada.post('/users/1/deactivate')
  expect([off.status, off.body.message]).toEqual([422, 'You cannot deactivate your own account'])
  const down = await h.cast.ada.put('/users/1', { role: 'user' })
  expect([down.status, down.body.message]).toEqual([422, 'You cannot change your own role'])
})

test('two administrators cannot demote each other at the same time', async () => {
  const login = { username: cleo.username, password: cleo.password }
  const { id } = (await h.cast.ada.post('/users', { ...cleo, role: 'admin' })).body.data as { id: number }
  const { token } = (await h.cast.stranger.post('/auth/login', login)).body.data as { token: string }
  await Promise.all([
    h.cast.ada.put(`/users/${id}`, { role: 'user' }),
    h.cast.stranger.call('PUT', '/users/1', { role: 'user' }, { authorization: `Bearer ${token}` }),
  ])
  const admins = await h.ctx.db.query.users.findMany({
    where: (user, { and, eq }) => and(eq(user.role, 'admin'), eq(user.is_active, true)),
  })
  expect(admins.length).toBeGreaterThan(0)
})

test('the page requires the new password twice', async () => {
  const reset = (newPassword: string, confirmPassword: string) =>
    h.cast.ada.submit('/admin/users/2/reset-password', { newPassword, confirmPassword })
  expect((await reset('Ocotillo77', 'Different77')).find('.field-error')).toEqual(['Passwords do not match'])
  expect((await reset('Ab1', 'Ab1')).find('.field-error')).toEqual(['Password must be at least 8 characters'])
  expect((await reset('Ab1', 'Ab2')).find('.field-error')).toEqual([
    'Password must be at least 8 characters',
    'Passwords do not match',
  ])
  const isBlank = await reset('', '')
  expect([isBlank.status, isBlank.find('.field-error')]).toEqual([422, Array(2).fill('Both fields are required')])
  expect((await reset('Ocotillo77', 'Ocotillo77')).toast).toBe('Password reset successfully')
})

test('the page creates and edits users, and requires a password change at sign-in by default', async () => {
  const form = await h.cast.ada.open('/admin/users/new')
  expect(form.html).toMatch(/name="must_change_password"[^>]* checked=""/)
  expect(form.text).toContain('Minimum 8 characters with uppercase, lowercase, and number')
  expect((await h.cast.ada.submit('/admin/users/new', { ...cleo, must_change_password: 'true' })).toast).toBe(
    'User created successfully',
  )
  expect((await h.cast.ada.open('/admin/users/3/edit')).find('.stamps')).toEqual([
    'Created 03/14/2026, 12:00 PM by ada. History',
  ])
  expect(
    (await h.cast.ada.submit('/admin/users/3/edit', { role: 'user', first_name: 'Cleopatra', version: 1 })).toast,
  ).toBe('User updated successfully')
  expect((await h.cast.ada.submit('/admin/users/3/deactivate', {})).toast).toBe('User deactivated')
  expect((await h.cast.ada.submit('/admin/users/3/activate', {})).toast).toBe('User activated')
  expect((await h.cast.ada.submit('/admin/users/1/deactivate', {})).toast).toBe(
    '!You cannot deactivate your own account',
  )
})

test('the reset page requires a password change at sign-in by default', async () => {
  const page = await h.cast.ada.open('/admin/users/2/reset-password')
  expect(page.html).toMatch(/<input type="checkbox" id="must_change_password"[^>]* checked/)
})

test('a temporary password is generated, shown once, and must be changed', async () => {
  const { ada, stranger } = h.cast
  const made = await ada.post('/users', { username: 'dora', temporary_password: true })
  const { temporary_password, must_change_password } = made.body.data as Record<string, string>
  expect([made.status, must_change_password]).toEqual([201, true as never])
  expect(temporary_password).toMatch(/^Ym7-\w{23}$/)
  const login = await stranger.post('/auth/login', { username: 'dora', password: temporary_password })
  expect([login.status, (login.body.data as { user: object }).user]).toMatchObject([
    200,
    { must_change_password: true },
  ])
  const { id } = made.body.data as { id: number }
  expect((await ada.get(`/users/${id}`)).body.data).not.toHaveProperty('temporary_password')
  const reset = await ada.post(`/users/${id}/reset-password`, { temporary_password: true })
  expect(reset.body.temporary_password).toMatch(/^Ym7-\w{23}$/)
  expect(reset.body.temporary_password).not.toBe(temporary_password)
  const old = await stranger.post('/auth/login', { username: 'dora', password: temporary_password })
  expect(old.status).toBe(401)
})

test('an entered password takes precedence over a temporary one, and one of them is required', async () => {
  const { ada } = h.cast
  const typed = await ada.post('/users', { ...cleo, temporary_password: true })
  expect([typed.status, typed.body.data]).toMatchObject([201, { must_change_password: false }])
  expect(typed.body.data).not.toHaveProperty('temporary_password')
  const { password: _, ...without } = cleo
  const refused = await ada.post('/users', { ...without, username: 'dora' })
  expect([refused.status, refused.body.errors?.map(({ field }) => field)]).toEqual([422, ['password']])
  const unasked = await ada.post('/users', { ...without, username: 'dora', temporary_password: false })
  expect(unasked.status).toBe(422)
})

test('the page shows a temporary password once, and lists and the audit trail never do', async () => {
  const { ada } = h.cast
  expect((await ada.open('/admin/users/new')).html).toMatch(/name="temporary_password"[^>]* checked=""/)
  const made = await ada.submit('/admin/users/new', { username: 'dora', password: '', temporary_password: 'true' })
  const [password = ''] = made.find('.form-done .secret')
  expect([made.status, made.location, made.toast]).toEqual([200, null, null])
  expect(password).toMatch(/^Ym7-/)
  expect(made.html).not.toContain('Enter another')
  const another = { username: 'enid', password: '', temporary_password: 'true', next: 'another' }
  expect((await ada.submit('/admin/users/new', another)).html).toContain('href="/admin/users/new"')
  const reset = await ada.submit('/admin/users/2/reset-password', {
    newPassword: '',
    confirmPassword: '',
    temporary_password: 'true',
  })
  expect(reset.find('.form-done .secret')[0]).toMatch(/^Ym7-/)
  const half = { newPassword: '', confirmPassword: 'Ocotillo77', temporary_password: 'true' }
  expect((await ada.submit('/admin/users/2/reset-password', half)).status).toBe(422)
  expect((await ada.open('/admin/users')).html).not.toContain('Ym7-')
  expect((await ada.open('/admin/audit')).html).not.toContain('Ym7-')
})

test('the user list counts open sessions, and an administrator can end one or all', async () => {
  const { ada, ben } = h.cast
  const login = () => h.cast.stranger.post('/auth/login', { username: 'ben', password: 'Saguaro42' })
  await login()
  await login()
  const list = await ada.open('/admin/users')
  expect(list.html).toContain('aria-label="3 open, sessions of ben"')
  const open = (await ada.get('/users/2/sessions')).body.data as unknown as { key: string; is_current: boolean }[]
  expect(open.map(({ is_current }) => is_current)).toEqual([false, false, false])
  const page = await ada.open('/admin/users/2/sessions')
  expect(page.find('tbody tr')).toHaveLength(3)
  const { key } = open[0]!
  expect((await ada.submit('/admin/users/2/sessions/end', { key })).toast).toBe('Session ended')
  expect((await ada.submit('/admin/users/2/sessions/end', { key })).toast).toBe('The session had already ended')
  expect((await ada.get('/users/2/sessions')).body.data).toHaveLength(2)
  expect((await ada.delete(`/users/2/sessions/${open[1]!.key}`)).status).toBe(200)
  expect((await ada.delete(`/users/2/sessions/${open[1]!.key}`)).status).toBe(404)
  expect((await ada.submit('/admin/users/2/sessions/end', { key: '' })).toast).toBe('Sessions ended')
  expect((await ben.get('/auth/verify')).status).toBe(401)
  const trail = (await ada.get('/audit?entity=users&entity_id=2')).body.data as unknown as { changes: object }[]
  expect(trail.map(({ changes }) => changes)).toMatchObject([
    { sessions_ended: { new: 1 } },
    { sessions_ended: { new: 1 } },
    { sessions_ended: { new: 1 } },
  ])
})

test('an administrator who ends all own sessions keeps the current one', async () => {
  const { ada, ben } = h.cast
  await h.cast.stranger.post('/auth/login', { username: 'ada', password: 'Saguaro42' })
  expect((await ada.delete('/users/1/sessions')).status).toBe(200)
  const sessions = (await ada.get('/users/1/sessions')).body.data as unknown as { is_current: boolean }[]
  expect(sessions.map(({ is_current }) => is_current)).toEqual([true])
  expect((await ada.delete('/users/1/sessions')).status).toBe(200)
  expect((await ben.get('/users/1/sessions')).status).toBe(403)
  expect((await ada.get('/users/99/sessions')).status).toBe(404)
  expect((await ada.delete('/users/99/sessions')).status).toBe(404)
  expect((await ada.open('/admin/users/99/sessions')).status).toBe(404)
})
