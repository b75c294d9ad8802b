import { beforeEach, describe, expect, test } from 'bun:test'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const sessionCookie = (headers: Headers) =>
  headers.getSetCookie().find((cookie) => cookie.startsWith('yardmaster_session=')) ?? ''

describe('the login screen', () => {
  test('shows the texts of the specification', async () => {
    const page = await h.cast.stranger.open('/login')
    expect(page.find('h1')).toEqual(['Yardmaster'])
    expect(page.text).toContain('Fleet Management System')
    expect(page.find('button[type=submit]')).toEqual(['Login'])
    expect(page.html).toContain('data-busy="Logging in..."')
    expect(page.find('footer')).toEqual(['Version 1.0.0'])
  })

  test('redirects to the dashboard and sets an HttpOnly cookie', async () => {
    const page = await h.cast.stranger.submit('/login', { username: 'ben', password: PASSWORD })
    expect([page.status, page.location]).toEqual([303, '/dashboard'])
    expect(sessionCookie(page.headers)).toMatch(/; Path=\/; HttpOnly; SameSite=Lax/)
    expect(sessionCookie(page.headers)).not.toContain('Secure')
  })

  test('redirects to the requested page, but never to another site', async () => {
    const after = async (next: string) =>
      (await h.cast.stranger.submit('/login', { username: 'ben', password: PASSWORD, next })).location
    expect(await after('/transports/active?q=100')).toBe('/transports/active?q=100')
    for (const evil of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/\t/evil.example',
      '/login?next=/login',
    ])
      expect(await after(evil)).toBe('/dashboard')
  })

  test('keeps the username and shows the error after a failed sign-in', async () => {
    const wrong = await h.cast.stranger.submit('/login', { username: 'ben', password: 'Wrong1234' })
    expect([wrong.status, wrong.find('[role=alert]')]).toEqual([401, ['Invalid username or password']])
    expect(wrong.html).toContain('value="ben"')
    const empty = await h.cast.stranger.submit('/login', { username: '', password: '' })
    expect(empty.find('[role=alert]')).toEqual(['Please enter username and password'])
  })

  test('redirects signed-in users to the dashboard until they log out', async () => {
    expect((await h.cast.ben.open('/login')).location).toBe('/dashboard')
    const out = await h.cast.ben.submit('/logout', {})
    expect([out.location, sessionCookie(out.headers)]).toEqual([
      '/login',
      'yardmaster_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    ])
    expect((await h.cast.ben.open('/dashboard')).location).toBe('/login?next=%2Fdashboard')
  })

  test('sets Secure cookies behind a trusted HTTPS proxy', async () => {
    h = await testContext({ trustProxy: true })
    const page = await h.cast.stranger.submit(
      '/login',
      { username: 'ben', password: PASSWORD },
      { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'localhost', origin: 'https://localhost' },
    )
    expect(page.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-yardmaster_session=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=86400; Secure$/,
      ),
      expect.stringMatching(
        /^__Host-yardmaster_device=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000; Secure$/,
      ),
    ])
  })
})

test('an htmx request without a session redirects the whole page to login', async () => {
  const page = await h.cast.stranger.open('/transports/active', {
    'hx-request': 'true',
    'hx-current-url': 'http://localhost/transports/active?q=1',
  })
  expect([page.status, page.headers.get('hx-redirect'), page.text]).toEqual([
    401,
    '/login?next=%2Ftransports%2Factive%3Fq%3D1',
    '',
  ])
})

test('the layout shows the user, and the admin section only to administrators', async () => {
  const bens = await h.cast.ben.open('/dashboard')
  expect(bens.find('.menu-who')).toEqual(['Ben CarterUser'])
  expect(bens.find('.avatar')).toEqual(['B'])
  expect(bens.find('.side-section summary')).toEqual(['Transports', 'Out of Service', 'Vehicles'])
  const adas = await h.cast.ada.open('/dashboard')
  expect(adas.find('.menu-who')).toEqual(['Ada ReyesAdministrator'])
  expect(adas.find('.side-section summary')).toEqual(['Admin', 'Transports', 'Out of Service', 'Vehicles'])
  expect(adas.find('.side-link')).toEqual(
    expect.arrayContaining([
      'Manage Locations',
      'Transport Companies',
      'Manage Vendors',
      'Manage Users',
      'Title Tracking',
      'File Upload',
      'Reports',
    ]),
  )
})

test('the sidebar keeps its hidden and collapsed state', async () => {
  const cookie =
    `${(await h.cast.ben.cookieHeaders()).cookie}; ` + `yardmaster_sidebar=${encodeURIComponent('hidden|Vehicles')}`
  const page = await h.cast.ben.open('/dashboard', { cookie })
  expect(page.html).toMatch(/id="sidebar-toggle"[^>]* checked=""/)
  expect(page.find('.side-section[open] summary')).toEqual(['Transports', 'Out of Service'])
})
