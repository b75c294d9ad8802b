import { beforeEach, expect, test } from 'bun:test'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const cleo = { username: 'cleo', password: 'Ocotillo77', role: 'user', first_name: 'Cleo' }

test('an administrator creates, changes and lists accounts; no answer holds a hash', async () => {
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

test('who is given no role is a user, and keeps the role that a change leaves out', async () => {
  const { role: _, ...plain } = cleo
  const made = (await h.cast.ada.post('/users', plain)).body.data as { id: number; role: string }
  expect(made.role).toBe('user')
  await h.cast.ada.put(`/users/${made.id}`, { role: 'admin' })
  const changed = await h.cast.ada.put(`/users/${made.id}`, { phone: '602' })
  expect(changed.body.data).toMatchObject({ role: 'admin', phone: '602' })
})

test('usernames are 3 to 50 characters and unique, whatever their case; passwords are strong', async () => {
  await h.cast.ada.post('/users', cleo)
  const twice = await h.cast.ada.post('/users', { ...cleo, username: 'CLEO' })
  expect([twice.status, twice.body.message]).toEqual([409, 'Username already exists'])
  const poor = await h.cast.ada.post('/users', { username: 'ab', password: 'short', role: 'boss' })
  expect(poor.body.errors?.map((error) => error.field).sort()).toEqual(['password', 'role', 'username'])
})

test('nobody deactivates or demotes themselves', async () => {
  const off = await h.cast.ada.post('/users/1/deactivate')
  expect([off.status, off.body.message]).toEqual([422, 'You cannot deactivate your own account'])
  const down = await h.cast.ada.put('/users/1', { role: 'user' })
  expect([down.status, down.body.message]).toEqual([422, 'You cannot change your own role'])
})

test('two administrators cannot remove each other at once', async () => {
  const { id } = (await h.cast.ada.post('/users', { ...cleo, role: 'admin' })).body.data as { id: number }
  const { token } = (await h.cast.stranger.post('/auth/login', cleo)).body.data as { token: string }
  await Promise.all([
    h.cast.ada.put(`/users/${id}`, { role: 'user' }),
    h.cast.stranger.call('PUT', '/users/1', { role: 'user' }, { authorization: `Bearer ${token}` }),
  ])
  const left = await h.ctx.db.query.users.findMany({
    where: (user, { and, eq }) => and(eq(user.role, 'admin'), eq(user.is_active, true)),
  })
  expect(left.length).toBeGreaterThan(0)
})

test('the page asks twice for a new password', async () => {
  const reset = (newPassword: string, confirmPassword: string) =>
    h.cast.ada.submit('/admin/users/2/reset-password', { newPassword, confirmPassword })
  expect((await reset('Ocotillo77', 'Different77')).find('.field-error')).toEqual(['Passwords do not match'])
  expect((await reset('Ab1', 'Ab1')).find('.field-error')).toEqual(['Password must be at least 8 characters'])
  expect((await reset('', '')).status).toBe(422)
  expect((await reset('Ocotillo77', 'Ocotillo77')).toast).toBe('Password reset successfully')
})

test('the page creates and edits accounts, with the first sign-in asking for a new password unless unticked', async () => {
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

test('a password that an administrator gives is to be replaced, unless they say otherwise', async () => {
  const page = await h.cast.ada.open('/admin/users/2/reset-password')
  expect(page.html).toMatch(/<input type="checkbox" id="must_change_password"[^>]* checked/)
})
