import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { sessions } from '../../db/schema'
import { hold, release } from '../../src/auth/held'
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
const endSignIn = () => h.ctx.db.delete(sessions).where(eq(sessions.id, String(h.cast.ben.session)))
const heldOf = (location: string | null) => new URLSearchParams(location?.split('?')[1]).get('held')
const signIn = (held: string | null, more: object = {}) =>
  h.cast.stranger.submit('/login', { username: 'ben', password: PASSWORD, next: '/titles', held: held ?? '', ...more })

test('what is sent when the sign-in has ended is there again after the next, and saved when somebody says so', async () => {
  await endSignIn()
  const turnedAway = await h.cast.ben.submit('/titles/new?from=here', TITLE, { referer: 'http://localhost/titles/new' })
  expect([turnedAway.status, turnedAway.location?.startsWith('/login?next=%2Ftitles%2Fnew&held=')]).toEqual([303, true])
  const held = heldOf(turnedAway.location)
  // An address is read by more people than a form.
  expect(Buffer.from(String(held), 'base64url').toString('latin1')).not.toContain('Valley')
  const login = await h.cast.stranger.open(String(turnedAway.location))
  expect(login.html).toContain(`name="held" value="${held}"`)
  const wrong = await signIn(held, { password: 'Nonsense1' })
  expect([wrong.status, wrong.html.includes(`value="${held}"`)]).toEqual([401, true])
  const again = await signIn(held)
  expect([again.status, again.find('h1'), again.find('.facts dd')]).toEqual([
    200,
    ['You are signed in again'],
    ['100200', '1', 'Valley & Sons “RV”', 'Two lines', 'true'],
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

test('passwords, files, empty forms and long ones are not held; nor anything of who never signed in', async () => {
  await endSignIn()
  const heldFor = async (fields: Record<string, string>, who = h.cast.ben) =>
    heldOf((await who.submit('/titles/new', fields)).location)
  expect(await heldFor({ unit_number: '100200', new_password: 'Ocotillo77' })).toBe(null)
  expect(await heldFor({ unit_number: '', version: '3' })).toBe(null)
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(6000))).toString('base64')
  expect(await heldFor({ notes: random })).toBe(null)
  expect(await heldFor({ unit_number: '100200' }, h.cast.stranger)).toBe(null)
  expect(await heldFor({ unit_number: '100200' })).not.toBe(null)
  for (const body of [undefined, null, 'unit_number']) expect(hold(h.ctx, '/titles/new', body)).toBeUndefined()
})

test('nothing but what we held ourselves, less than a day ago, is shown', async () => {
  await endSignIn()
  const held = heldOf((await h.cast.ben.submit('/titles/new', TITLE)).location) as string
  const at = held.length >> 1
  const forged = held.slice(0, at) + (held[at] === 'A' ? 'B' : 'A') + held.slice(at + 1)
  for (const text of ['', 'nonsense', forged, held.slice(0, 20)])
    expect([text, (await signIn(text)).location]).toEqual([text, '/titles'])
  expect((await signIn(held)).status).toBe(200)
  h.clock.set(new Date(h.ctx.clock.now().getTime() + 86_400_000))
  expect((await signIn(held)).location).toBe('/titles')
})

test('what is held fits into an address to its last letter, and is no more than 256 KB when it is opened', () => {
  // Letters that cannot be packed, the same ones each time.
  const noise = Array.from({ length: 200 }, (_, n) =>
    new Bun.CryptoHasher('sha256').update(`${n}`).digest('base64'),
  ).join('')
  const held = (notes: string) => hold(h.ctx, '/titles/new', { notes })
  const longest = Array.from({ length: 900 }, (_, n) => held(noise.slice(n % 3, 5600 + n / 3)) ?? '')
    .toSorted((a, b) => a.length - b.length)
    .at(-1)
  expect([longest?.length, release(h.ctx, longest)?.path]).toEqual([6000, '/titles/new'])
  const rest = JSON.stringify({ path: '/titles/new', fields: [['notes', '']], at: h.ctx.clock.now().getTime() }).length
  const opened = (size: number) => release(h.ctx, held('x'.repeat(size - rest)))?.path
  expect([opened(256 * 1024), opened(256 * 1024 + 1)]).toEqual(['/titles/new', undefined])
})

test('the login page says why it is there', async () => {
  const { stranger } = h.cast
  const hints = async (path: string) => (await stranger.open(path)).find('.login-card .hint')
  expect(await hints('/login')).toEqual([])
  const sent = await stranger.open('/titles')
  expect(await hints(sent.location ?? '')).toEqual(['Sign in to go on where you were.'])
  await endSignIn()
  const held = await h.cast.ben.submit('/titles/new', TITLE)
  expect(await hints(held.location ?? '')).toEqual(['Your sign-in ended. What you sent is kept until you are back.'])
  const wrong = await stranger.submit('/login', { username: 'ben', password: 'x', next: '/titles' })
  expect(wrong.find('.login-card .hint')).toEqual([])
})
