import { expect, test } from 'bun:test'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'

test('a setting decides whether passwords need letters and digits', async () => {
  const { cast } = await testContext()
  const create = async (username: string, password: string) => {
    const { status, body } = await cast.ada.post('/users', { username, password })
    return [status, body.errors?.[0]?.message]
  }
  const tooSimple = [422, 'Password must contain an uppercase letter, a lowercase letter and a number']
  for (const password of ['ocotillo7', 'OCOTILLO7', 'Ocotilloo', 'mesquite lantern gravel'])
    expect([password, await create('cleo', password)]).toEqual([password, tooSimple])
  const reset = await cast.ada.post('/users/2/reset-password', { newPassword: 'ocotillo7' })
  expect([reset.status, reset.body.errors?.[0]?.message]).toEqual(tooSimple)
  await cast.ada.put('/settings', { password_rule: 'Length only', current_password: PASSWORD })
  expect(await create('cleo', 'mesquite lantern gravel')).toEqual([201, undefined])
  await cast.ada.post('/locations', { location_code: 'H12', location_name: 'Hub 12', location_type: 'Hub' })
  expect(await create('digits', '8374-6291-0573')).toEqual([201, undefined])
  expect(await create('dora', 'short')).toEqual([422, 'Password must be at least 8 characters'])
  for (const password of [
    'password',
    '!!!!!!!!',
    '        ',
    '12121212',
    'abcabcab',
    'abcdabcd',
    '87654321',
    '0987654321',
    '7890123456',
    'abcdefgh',
  ])
    expect([password, await create('dora', password)]).toEqual([
      password,
      [422, 'This is one of the most common passwords. Choose another password.'],
    ])
})
