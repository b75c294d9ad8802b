import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { sessions } from '../../db/schema'
import { seal, unseal } from '../../src/platform/auth/held-forms'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const TITLE = {
  unit_number: '100200',
  location_id: '1',
  dealer_name: 'Valley & Sons “RV”',
  notes: 'Two\nlines',
  issue: ['false', 'true'],
}
const BEN = 2
const form = { path: '/titles/new', action: 'Create a title' }
/** Makes Ben's session expire without moving the clock. */
const expire = () =>
  h.ctx.db
    .update(sessions)
    .set({ last_seen_at: new Date(h.ctx.clock.now().getTime() - 8 * 3_600_000) })
    .where(eq(sessions.id, String(h.cast.ben.session)))
const heldOf = (location: string | null) => new URLSearchParams(location?.split('?')[1]).get('held')
const signIn = (held: string | null, more: object = {}) =>
  h.cast.stranger.submit('/login', { username: 'ben', password: PASSWORD, next: '/titles', held: held ?? '', ...more })

test('a form sent with a replaced token is not preserved', async () => {
  const old = await h.cast.ben.token()
  await h.cast.ben.post('/auth/confirm-password', { current_password: PASSWORD })
  h.clock.set(new Date(h.clock.now().getTime() + 61_000))
  const headers = { cookie: `yardmaster_session=${old}`, origin: 'http://localhost' }
  const sent = await h.cast.stranger.submit('/titles/new', TITLE, headers)
  expect([sent.status, heldOf(sent.location)]).toEqual([303, null])
})

test('a form submitted after the session expired is offered again after sign-in', async () => {
  await expire()
  const turnedAway = await h.cast.ben.submit('/titles/new?from=here', TITLE, { referer: 'http://localhost/titles/new' })
  expect([turnedAway.status, turnedAway.location?.startsWith('/login?next=%2Ftitles%2Fnew&held=')]).toEqual([303, true])
  const held = heldOf(turnedAway.location)
  // More people can read a URL than a form, so the input in it is encrypted.
  expect(Buffer.from(String(held), 'base64url').toString('latin1')).not.toContain('Valley')
  const login = await h.cast.stranger.open(String(turnedAway.location))
  expect(login.html).toContain(`name="held" value="${held}"`)
  const wrong = await signIn(held, { password: 'Nonsense1' })
  expect([wrong.status, wrong.html.includes(`value="${held}"`)]).toEqual([401, true])
  const again = await signIn(held)
  expect([again.status, again.find('h1'), again.find('.facts dd')]).toEqual([
    200,
    ['You are signed in again'],
    ['Create a title', '/titles/new?from=here', 'ben', '100200', '1', 'Valley & Sons “RV”', 'Two lines', 'true'],
  ])
  expect(again.headers.getSetCookie().join()).toContain('yardmaster_session=')
  expect(again.html).toContain('action="/titles/new?from=here"')
  const sent = [...again.html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ])
  expect(sent).toEqual([
    ['unit_number', '100200'],
    ['location_id', '1'],
    ['dealer_name', 'Valley &amp; Sons “RV”'],
    ['notes', 'Two\nlines'],
    ['issue', 'false'],
    ['issue', 'true'],
  ] as never)
})

test('forms that are empty, too long, anonymous or contain passwords are not preserved', async () => {
  await expire()
  const heldFor = async (fields: Record<string, string>, who = h.cast.ben) =>
    heldOf((await who.submit('/titles/new', fields)).location)
  expect(await heldFor({ unit_number: '100200', new_password: 'Ocotillo77' })).toBe(null)
  expect(await heldFor({ unit_number: '', version: '3' })).toBe(null)
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(6000))).toString('base64')
  expect(await heldFor({ notes: random })).toBe(null)
  expect(await heldFor({ unit_number: '100200' }, h.cast.stranger)).toBe(null)
  expect(await heldFor({ unit_number: '100200' })).not.toBe(null)
})

test('forged forms and forms older than a day are not shown after sign-in', async () => {
  await expire()
  const held = heldOf((await h.cast.ben.submit('/titles/new', TITLE)).location) as string
  const at = held.length >> 1
  const forged = held.slice(0, at) + (held[at] === 'A' ? 'B' : 'A') + held.slice(at + 1)
  for (const text of ['', 'nonsense', forged, held.slice(0, 20)])
    expect([text, (await signIn(text)).location]).toEqual([text, '/titles'])
  expect((await signIn(held)).status).toBe(200)
  h.clock.set(new Date(h.ctx.clock.now().getTime() + 86_400_000))
  expect((await signIn(held)).location).toBe('/titles')
})

test('a preserved form uses at most 6,000 characters in the URL and 256 KB unpacked', () => {
  // Text that does not compress, the same in every run.
  const noise = Array.from({ length: 200 }, (_, n) =>
    new Bun.CryptoHasher('sha256').update(`${n}`).digest('base64'),
  ).join('')
  const sealNotes = (notes: string) => seal(h.ctx, BEN, form, { notes })
  const longest = Array.from({ length: 900 }, (_, n) => sealNotes(noise.slice(n % 3, 5600 + n / 3)) ?? '')
    .toSorted((a, b) => a.length - b.length)
    .at(-1)
  expect([longest?.length, unseal(h.ctx, BEN, longest)?.path]).toEqual([6000, '/titles/new'])
  const sealed = { ...form, fields: [['notes', '']], user: BEN, at: h.ctx.clock.now().getTime() }
  const rest = JSON.stringify(sealed).length
  const opened = (size: number) => unseal(h.ctx, BEN, sealNotes('x'.repeat(size - rest)))?.path
  expect([opened(256 * 1024), opened(256 * 1024 + 1)]).toEqual(['/titles/new', undefined])
})

test('the login page explains why sign-in is needed', async () => {
  const { stranger } = h.cast
  const hints = async (path: string) => (await stranger.open(path)).find('.login-card .hint')
  expect(await hints('/login')).toEqual([])
  const sent = await stranger.open('/titles')
  expect(await hints(sent.location ?? '')).toEqual(['Sign in to continue where you left off.'])
  const unsaved = await stranger.submit('/titles/new', TITLE)
  expect(await hints(unsaved.location ?? '')).toEqual([
    'You were signed out, so your change was not saved. Sign in and try again.',
  ])
  await expire()
  const response = await h.cast.ben.submit('/titles/new', TITLE)
  expect(await hints(response.location ?? '')).toEqual([
    'Your session expired. Sign in again to send the form that you filled in.',
  ])
  const wrong = await stranger.submit('/login', { username: 'ben', password: 'x', next: '/titles' })
  expect(wrong.find('.login-card .hint')).toEqual([])
})

test('a multipart form is not parsed before sign-in, so it is not offered again', async () => {
  await expire()
  const form = new FormData()
  for (const [name, value] of Object.entries(TITLE)) form.set(name, String(value))
  const response = await h.cast.ben.request('/titles/new', {
    method: 'POST',
    headers: { origin: 'http://localhost', ...(await h.cast.ben.cookieHeaders()) },
    body: form,
  })
  expect([response.status, heldOf(response.headers.get('location'))]).toEqual([303, null])
})
