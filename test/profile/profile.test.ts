import { beforeEach, expect, test } from 'bun:test'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

test('the profile shows the account and updates names and contact details', async () => {
  const page = await h.cast.ben.open('/profile')
  expect(page.find('.tabs a')).toEqual(['Profile Information', 'Change Password'])
  expect(page.find('.facts dt')).toEqual(['Account created', 'Last login', 'Account status'])
  expect(page.text).toContain('First login')
  expect(page.find('.badge')).toEqual(['Active'])
  expect(
    (
      await h.cast.ben.submit('/profile', {
        first_name: 'Benjamin',
        last_name: 'Carter',
        email: '',
        phone: '602',
        role: 'admin',
        username: 'root',
        version: 1,
      })
    ).toast,
  ).toBe('Profile updated successfully!')
  expect((await h.cast.ben.get('/auth/verify')).body.data).toMatchObject({
    user: { username: 'ben', role: 'user', first_name: 'Benjamin', phone: '602' },
  })
  const refused = await h.cast.ben.submit('/profile', { first_name: 'x'.repeat(51) })
  expect([refused.status, refused.find('.field-error')]).toEqual([422, ['At most 50 characters']])
  expect((await h.cast.ben.submit('/profile', { first_name: 'Late', version: 1 })).status).toBe(409)
})

test('a password change reports each error at its field', async () => {
  const change = (currentPassword: string, newPassword: string, confirmPassword: string) =>
    h.cast.ben.submit('/profile/password', { currentPassword, newPassword, confirmPassword })
  expect((await change('', 'Ocotillo77', 'Ocotillo77')).find('.field-error')).toEqual(['Current password is required'])
  expect((await change(PASSWORD, 'Ocotillo77', 'Other77')).find('.field-error')).toEqual(['New passwords do not match'])
  expect((await change(PASSWORD, 'Ab1', 'Ab2')).find('.field-error')).toEqual([
    'Password must be at least 8 characters',
    'New passwords do not match',
  ])
  expect((await change(PASSWORD, 'Ab1', 'Ab1')).find('.field-error')).toEqual([
    'Password must be at least 8 characters',
  ])
  expect((await change('Wrong1234', 'Ocotillo77', 'Ocotillo77')).find('.field-error')).toEqual([
    'Current password is incorrect',
  ])
  expect((await change(PASSWORD, PASSWORD, PASSWORD)).find('.field-error')).toEqual([
    'The new password must differ from the current password',
  ])
  expect((await change(PASSWORD, 'Ocotillo77', 'Ocotillo77')).toast).toBe('Password changed successfully!')
})

test('a user who must change the password can open nothing else first', async () => {
  await h.cast.ada.put('/users/2', { must_change_password: true })
  expect((await h.cast.ben.open('/dashboard')).location).toBe('/profile/password')
  expect((await h.cast.ben.open('/profile/password')).text).toContain(
    'Please choose a new password before you continue.',
  )
  await h.cast.ben.submit('/profile/password', {
    currentPassword: PASSWORD,
    newPassword: 'Ocotillo77',
    confirmPassword: 'Ocotillo77',
  })
  expect((await h.cast.ben.open('/dashboard')).status).toBe(200)
})

test('ending a session or token that has already ended says so', async () => {
  expect((await h.cast.ben.submit('/profile/access/sessions/0123456789abcdef/end', {})).toast).toBe(
    'The session had already ended',
  )
  expect((await h.cast.ben.submit('/profile/access/tokens/99/revoke', {})).toast).toBe('The token was already revoked')
})
