import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mailRuns } from '../../src/features/reports/mail'
import { runDueSchedules } from '../../src/features/reports/runs'
import { testContext } from '../support/context'
import { mailServer, type Received } from '../support/mail-server'

let h: Awaited<ReturnType<typeof testContext>>
let server: Awaited<ReturnType<typeof mailServer>> | undefined
let received: Received[]

async function listen(refuses: boolean | string = false): Promise<string> {
  server = await mailServer(refuses)
  received = server.received
  return server.url
}

beforeEach(async () => {
  h = await testContext()
})
afterEach(async () => {
  await server?.close()
  server = undefined
})

const MONDAY = new Date('2026-03-16T13:00:00Z')
const later = (minutes: number) => new Date(MONDAY.getTime() + minutes * 60_000)
const mail = (url: string) =>
  mailRuns({ ...h.ctx, clock: h.clock, config: { ...h.ctx.config, mail: { url, from: 'office@example.com' } } })

/** Creates a weekly report that has run and waits to be mailed. */
async function schedule(mail_to = 'dana@example.com; lee@example.com', report_type = 'vehicle_status') {
  const made = await h.cast.ben.post('/reports/schedules', {
    name: 'Week',
    report_type,
    frequency: 'weekly',
    weekday: 1,
    hour: 6,
    period: 'last week',
    format: 'csv',
    mail_to,
  })
  await h.cast.ben.post('/vehicles', { unit_number: '100200', current_status: 'Available' })
  const { id } = made.body.data as { id: number }
  h.clock.set(MONDAY)
  await runDueSchedules(h.ctx.db, h.clock)
  return id
}
const latest = async (id: number) => {
  h.clock.set(new Date('2026-03-14T19:00:00Z'))
  return ((await h.cast.ben.get(`/reports/schedules/${id}/runs`)).body.data as Record<string, unknown>[])[0]
}

test('a scheduled report is mailed once, with its file, to every recipient', async () => {
  const url = await listen()
  const id = await schedule()
  expect((await Promise.all([mail(url), mail(url)])).toSorted()).toEqual([0, 1])
  expect(received.map(({ to }) => to)).toEqual([['dana@example.com', 'lee@example.com']])
  expect(received[0]?.text).toContain('Subject: Week: 2026-03-09 to 2026-03-15')
  expect(received[0]?.text).toContain('filename=vehicle_status_2026-03-09_to_2026-03-15.csv')
  expect(received[0]?.text).toContain(Buffer.from('Status,Vehicles').toString('base64').slice(0, 12))
  expect(await mail(url)).toBe(0)
  expect(await latest(id)).toMatchObject({
    mail_to: 'dana@example.com, lee@example.com',
    mail_error: null,
    next_mail_at: null,
  })
})

test('a mail that the server rejects is retried later', async () => {
  const id = await schedule()
  const refusing = await listen(true)
  expect(await mail(refusing)).toBe(0)
  expect(await mail(refusing)).toBe(0)
  await server?.close()
  const url = await listen()
  h.clock.set(later(6))
  expect(await mail(url)).toBe(1)
  expect(received).toHaveLength(1)
  expect(await latest(id)).toMatchObject({ mail_tries: 2, mail_error: null })
})

test.each([
  ['the schedule was paused', (id: number) => h.cast.ben.put(`/reports/schedules/${id}`, { is_active: false })],
  ['the recipients were changed', (id: number) => h.cast.ben.put(`/reports/schedules/${id}`, { mail_to: null })],
  ['the account of the creator or last editor was deactivated', () => h.cast.ada.post('/users/2/deactivate', {})],
  [
    'the creator or last editor can no longer see costs',
    () => h.cast.ada.put('/settings', { cost_viewers: 'Administrators' }),
  ],
])('a waiting mail is cancelled because %s', async (reason, change) => {
  const id = await schedule('dana@example.com', 'monthly_costs')
  expect(await mail('smtp://127.0.0.1:1')).toBe(0)
  h.clock.set(new Date('2026-03-14T19:00:00Z'))
  expect((await change(id)).status).toBe(200)
  h.clock.set(later(6))
  const url = await listen()
  expect(await mail(url)).toBe(0)
  expect(received).toEqual([])
  h.clock.set(new Date('2026-03-14T19:00:00Z'))
  const [run] = (await h.cast.ada.get(`/reports/schedules/${id}/runs`)).body.data as Record<string, unknown>[]
  expect(run).toMatchObject({ next_mail_at: null, mailed_at: null, mail_error: reason, mail_tries: 2 })
})

test('a waiting mail without costs is sent although its owner cannot see costs', async () => {
  await schedule('dana@example.com')
  h.clock.set(new Date('2026-03-14T19:00:00Z'))
  expect((await h.cast.ada.put('/settings', { cost_viewers: 'Administrators' })).status).toBe(200)
  h.clock.set(later(6))
  expect(await mail(await listen())).toBe(1)
})

test('mail is retried after 5, 5, 15, 60 and 240 minutes with truncated errors', async () => {
  const id = await schedule('dana@example.com')
  const url = await listen(`mailbox ${'is full and '.repeat(40)}`)
  let minutes = 0
  for (const wait of [5, 5, 15, 60, 240, null]) {
    h.clock.set(later(minutes))
    await mail(url)
    minutes += wait ?? 0
    const next_mail_at = wait === null ? null : later(minutes).toISOString()
    expect(await latest(id)).toMatchObject({ next_mail_at })
  }
  const reason = String((await latest(id))?.mail_error)
  expect([reason.length, reason]).toEqual([300, expect.stringMatching(/^Can't send mail/)])
})

test('the oldest report is mailed first', async () => {
  const url = await listen()
  await schedule('dana@example.com')
  h.clock.set(new Date('2026-03-23T13:00:00Z'))
  await runDueSchedules(h.ctx.db, h.clock)
  expect(await mail(url)).toBe(2)
  expect(received.map(({ text }) => /Subject: (.*)/.exec(text)?.[1]?.trim())).toEqual([
    'Week: 2026-03-09 to 2026-03-15',
    'Week: 2026-03-16 to 2026-03-22',
  ])
})

test('mail is abandoned after six failed attempts, and the page says so', async () => {
  const id = await schedule('dana@example.com')
  for (const minutes of [0, 2, 8, 25, 90, 400, 2000]) {
    h.clock.set(later(minutes))
    expect(await mail('smtp://127.0.0.1:1')).toBe(0)
  }
  expect(await latest(id)).toMatchObject({ mail_tries: 6, next_mail_at: null, mailed_at: null })
  expect((await h.cast.ben.open('/reports')).text).toContain('Not sent:')
})

test('without a mail server no mail stays queued', async () => {
  const id = await schedule()
  expect(await mailRuns({ ...h.ctx, clock: h.clock })).toBe(0)
  expect(await latest(id)).toMatchObject({ next_mail_at: null, mail_error: 'mail was not set up' })
})

test('an invalid address is rejected', async () => {
  const { status, body } = await h.cast.ben.post('/reports/schedules', {
    name: 'x',
    report_type: 'vehicle_status',
    frequency: 'weekly',
    weekday: 1,
    mail_to: 'dana@example.com, nobody',
  })
  expect([status, body.errors?.[0]?.field]).toEqual([422, 'mail_to'])
})

test('recipients set by a deactivated user receive no reports', async () => {
  // The first call only stores when each schedule is due.
  await runDueSchedules(h.ctx.db, h.clock)
  const { data } = (await h.cast.ada.get('/reports/schedules')).body as unknown as { data: { id: number }[] }
  const id = data.at(-1)!.id
  expect((await h.cast.ben.put(`/reports/schedules/${id}`, { mail_to: 'mallory@example.com' })).status).toBe(200)
  await h.cast.ada.post('/users/2/deactivate', {})
  h.clock.set(new Date('2026-04-02T13:00:00Z'))
  await runDueSchedules(h.ctx.db, h.clock)
  h.clock.set(new Date('2026-03-14T19:00:00Z'))
  const runs = (await h.cast.ada.get(`/reports/schedules/${id}/runs`)).body.data as { mail_to: string | null }[]
  expect(runs.map(({ mail_to }) => mail_to)).toEqual([null])
})
