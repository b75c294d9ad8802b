import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { mailDue } from '../../src/features/due/mail'
import { testContext } from '../support/context'
import { mailServer } from '../support/mail-server'

// In every test, it is Saturday, 2026-03-14, 07:00 in Phoenix, which is UTC-7.
let h: Awaited<ReturnType<typeof testContext>>
let server: Awaited<ReturnType<typeof mailServer>>
beforeEach(async () => {
  h = await testContext()
  server = await mailServer()
  h.clock.set(new Date('2026-03-14T14:00:00Z'))
})
afterEach(() => server.close())

const mail = (url = server.url) =>
  mailDue({
    ...h.ctx,
    clock: h.clock,
    log() {},
    config: { ...h.ctx.config, mail: { url, from: 'office@example.com' } },
  })
const profile = (change: object, who = h.cast.ben) => who.put('/auth/profile', change)
const late = async (unit_number: string) =>
  (
    (
      await h.cast.ben.post('/transports', {
        unit_number,
        location_out_id: h.cast.phoenix,
        location_in_id: h.cast.tempe,
        transport_company_id: h.cast.desert,
        move_date: '2026-03-01',
        estimated_arrival_date: '2026-03-12',
      })
    ).body.data as { id: number }
  ).id

test('subscribers get one daily mail with due items and their assigned items', async () => {
  await profile({ email: 'ben@example.com', wants_due_mail: true })
  await profile({ email: 'ada@example.com' }, h.cast.ada)
  const id = await late('100001')
  await late('100002')
  await h.cast.ben.post(`/due/transport_late/${id}/assign`, { assigned_to: 'ben' })
  expect([await mail(), await mail()]).toEqual([1, 0])
  const [{ to, text: raw } = { to: [], text: '' }] = server.received
  const text = raw.replaceAll('=\r\n', '')
  expect(to).toEqual(['ben@example.com'])
  expect(text).toContain('Subject: Due items: 2')
  expect(text).toContain('Late transports: 2')
  expect(text).toMatch(/Assigned to you:\s+Unit 100001, 2 days late: Phoenix to Tempe/)
  expect(text).not.toContain('100002')
  h.clock.set(new Date('2026-03-15T14:00:00Z'))
  expect([await mail(), server.received.length]).toEqual([1, 2])
})

test('the mail is sent within three hours of the set hour, if items are due', async () => {
  await profile({ email: 'ben@example.com', wants_due_mail: true })
  expect(await mail()).toBe(0)
  await late('100001')
  const at = async (instant: string) => {
    h.clock.set(new Date(instant))
    return mail()
  }
  // An item that becomes due after the daily check is not mailed on the same day.
  expect(await at('2026-03-14T14:30:00Z')).toBe(0)
  expect(await at('2026-03-15T13:59:59Z')).toBe(0)
  expect(await at('2026-03-15T17:00:00Z')).toBe(0)
  expect(await at('2026-03-15T16:59:59Z')).toBe(1)
  await h.ctx.db.execute(sql`update company_settings set due_mail_hour = 5`)
  expect(await at('2026-03-16T11:59:59Z')).toBe(0)
  expect(await at('2026-03-16T12:00:00Z')).toBe(1)
})

test('a failed mail is retried, and inactive accounts get none', async () => {
  await profile({ email: 'ben@example.com', wants_due_mail: true })
  await late('100001')
  const refusing = await mailServer(true)
  expect(await mail(refusing.url)).toBe(0)
  await refusing.close()
  expect(await mail()).toBe(1)
  h.clock.set(new Date('2026-03-15T14:00:00Z'))
  await h.ctx.db.execute(sql`update users set is_active = false where username = 'ben'`)
  expect(await mail()).toBe(0)
  expect(await mailDue({ ...h.ctx, clock: h.clock, log() {} })).toBe(0)
})

test('the daily mail requires an e-mail address on the profile page and in the API', async () => {
  expect((await profile({ wants_due_mail: true })).body.errors).toEqual([
    { field: 'email', message: 'Enter an e-mail address to receive the daily mail' },
  ])
  expect((await profile({ email: 'ben@example.com', wants_due_mail: true })).body.data).toMatchObject({
    wants_due_mail: true,
  })
  expect((await profile({ email: '' })).status).toBe(422)
  expect((await h.cast.ben.open('/profile')).html).toMatch(/name="wants_due_mail"[^>]*checked/)
  const saved = await h.cast.ben.submit('/profile', { email: '', wants_due_mail: 'false' })
  expect(saved.toast).toBe('Profile updated successfully!')
  expect(JSON.stringify((await h.cast.ben.get('/auth/verify')).body)).not.toContain('due_mailed_on')
})

test('a mail counts each kind and lists at most twenty assigned items', async () => {
  await profile({ email: 'ben@example.com', wants_due_mail: true })
  await profile({ email: 'ada@example.com', wants_due_mail: true }, h.cast.ada)
  for (let n = 10; n <= 31; n++) {
    const id = await late(`1000${n}`)
    await h.cast.ben.post(`/due/transport_late/${id}/assign`, { assigned_to: n === 10 ? 'ada' : 'ben' })
  }
  expect(await mail()).toBe(2)
  const texts = Object.fromEntries(
    server.received.map(({ to, text }) => [
      to.join(),
      text.replaceAll('=\r\n', '').split('\r\n\r\n').slice(1).join('\n'),
    ]),
  )
  const own = (text = '') => [...(text.match(/Unit \d+/g) ?? [])]
  expect(own(texts['ada@example.com'])).toEqual(['Unit 100010'])
  expect(own(texts['ben@example.com'])).toEqual(Array.from({ length: 20 }, (_, at) => `Unit 1000${at + 11}`))
  expect(texts['ada@example.com']).toContain('Late transports: 22')
  expect(texts['ada@example.com']).not.toContain('titles')
})

test('a single item is mailed, and nobody is marked as mailed without a server', async () => {
  await profile({ email: 'ben@example.com', wants_due_mail: true })
  await late('100001')
  const logEntries: unknown[] = []
  expect(await mailDue({ ...h.ctx, clock: h.clock, log: (...words) => logEntries.push(words) })).toBe(0)
  expect([logEntries, await mail()]).toEqual([[], 1])
  const lines = server.received[0]?.text.split('\r\n') ?? []
  expect(lines.slice(lines.indexOf('') + 1)).toEqual(['Late transports: 1', ''])
})

test('a failed mail keeps the date of the last sent mail', async () => {
  await profile({ email: 'ben@example.com', wants_due_mail: true })
  await late('100001')
  expect(await mail()).toBe(1)
  h.clock.set(new Date('2026-03-15T14:00:00Z'))
  const refusing = await mailServer(true)
  expect(await mail(refusing.url)).toBe(0)
  await refusing.close()
  const marked = async () =>
    (await h.ctx.db.execute(sql`select due_mailed_on::text as on from users where username = 'ben'`)) as unknown
  expect(JSON.stringify(await marked())).toContain('2026-03-14')
  expect([await mail(), await mail()]).toEqual([1, 0])
})
