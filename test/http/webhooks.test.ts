import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { Webhook as Verifier } from 'standardwebhooks'
import { users, webhookDeliveries, webhooks } from '../../db/schema'
import { WEBHOOK_ACTIONS, WEBHOOK_KINDS } from '../../db/vocabulary'
import { openSession } from '../../src/platform/auth/sessions'
import { isPrivateAddress } from '../../src/platform/webhooks/addresses'
import { sweepDeliveries } from '../../src/platform/webhooks/queries'
import { RETRY_GAPS_MS, sendDeliveries } from '../../src/platform/webhooks/send'
import { testContext } from '../support/context'
import { Visitor } from '../support/visitor'

type Received = { headers: Headers; text: string; body: Body }
type Body = {
  type: string
  timestamp: string
  data: { kind: string; id: number; version: number | null; record: Record<string, unknown> | null }
}
type Hook = { id: number; secret: string; is_active: boolean; disabled_note: string | null; version: number }

let h: Awaited<ReturnType<typeof testContext>>
let received: Received[]
let answer: () => Response | Promise<Response>
let receiver: ReturnType<typeof Bun.serve>

beforeEach(async () => {
  h = await testContext({ webhookAllowPrivate: true })
  received = []
  answer = () => new Response('ok')
  receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const text = await request.text()
      received.push({ headers: request.headers, text, body: JSON.parse(text) })
      return answer()
    },
  })
})
afterEach(() => receiver.stop(true))

const url = () => `http://127.0.0.1:${receiver.port}/hook`
const create = async (events: string[], target = url()) => {
  const { status, body } = await h.cast.ada.post('/webhooks', { url: target, events })
  expect([status, body.message]).toEqual([201, undefined])
  return body.data as Hook
}
const send = async () => void (await Promise.all(await sendDeliveries(h.ctx)))
const title = async (unit_number = '100200') =>
  (await h.cast.ben.post('/titles', { unit_number, location_id: h.cast.mesa })).body.data as { id: number }
const deliveries = (id: number) =>
  h.ctx.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhook_id, id)).orderBy(webhookDeliveries.id)
/** Signs a user in again, because the first session has ended after a day. */
async function signInAgain(username: 'ada' | 'ben') {
  const [user] = await h.ctx.db.select({ id: users.id }).from(users).where(eq(users.username, username))
  const device = { address: '127.0.0.1', userAgent: 'test' }
  h.cast[username] = new Visitor(
    h.app as never,
    h.ctx,
    await openSession(h.ctx.db, user?.id ?? 0, device, h.clock.now()),
  )
}
const after = (ms: number) => h.clock.set(new Date(h.clock.now().getTime() + ms))

describe('A webhook', () => {
  test('receives changes with a signature that the library verifies', async () => {
    const { secret } = await create(['title.created', 'title.updated', 'title.deleted', 'title.restored'])
    const { id } = await title()
    await h.cast.ben.put(`/titles/${id}`, { dealer_name: 'Valley' })
    await send()
    await h.cast.ben.delete(`/titles/${id}`)
    await h.cast.ben.post(`/titles/${id}/restore`)
    await send()
    expect(received.map(({ body }) => [body.type, body.data.kind, body.data.id])).toEqual([
      ['title.created', 'title', id],
      ['title.updated', 'title', id],
      ['title.deleted', 'title', id],
      ['title.restored', 'title', id],
    ])
    for (const { headers, text, body } of received) {
      expect(new Verifier(secret).verify(text, Object.fromEntries(headers)) as unknown).toEqual(body)
      expect(headers.get('content-type')).toBe('application/json')
    }
    const [, updated] = received
    const stored = (await h.cast.ben.get(`/titles/${id}`)).body.data as { location_name: string }
    expect(updated?.body.data.record).toMatchObject({ dealer_name: 'Valley', location_name: stored.location_name })
    expect(updated?.body.data.version).toBe(2)
    expect(new Set(received.map(({ headers }) => headers.get('webhook-id'))).size).toBe(4)
  })

  test('receives only its events, and those of every kind with *', async () => {
    const some = await create(['vendor.created'])
    const all = await create(['*'])
    await h.cast.ada.post('/vendors', { vendor_name: 'Second Yard' })
    await title('100777')
    await h.cast.ada.put('/settings', { osl_days: 9 })
    const types = async (id: number) =>
      (
        await h.ctx.db
          .select({ type: webhookDeliveries.type })
          .from(webhookDeliveries)
          .where(eq(webhookDeliveries.webhook_id, id))
          .orderBy(webhookDeliveries.id)
      ).map(({ type }) => type)
    expect(await types(some.id)).toEqual(['vendor.created'])
    expect(await types(all.id)).toEqual(['vendor.created', 'vehicle.created', 'title.created'])
  })

  test('has an event for each kind and action', async () => {
    const { id } = await create(['*'])
    const actions = { created: 'create', updated: 'update', deleted: 'delete', restored: 'restore' }
    for (const entity of Object.keys(WEBHOOK_KINDS))
      for (const action of WEBHOOK_ACTIONS)
        await h.ctx.db.execute(
          sql`insert into audit_entries (source, action, entity, entity_id, changes)
            values ('api', ${actions[action]}, ${entity}, 1, '{}')`,
        )
    await h.ctx.db.execute(
      sql`insert into audit_entries (source, action, entity, entity_id, changes)
        values ('api', 'update', 'users', 1, '{}')`,
    )
    const stored = await h.ctx.db
      .select({ type: webhookDeliveries.type })
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.webhook_id, id))
    expect(stored.map(({ type }) => type).sort()).toEqual(
      Object.values(WEBHOOK_KINDS)
        .flatMap((kind) => WEBHOOK_ACTIONS.map((action) => `${kind}.${action}`))
        .sort(),
    )
  })

  test('receives the end of an import', async () => {
    await create(['import.finished'])
    const { body } = await h.cast.ben.upload('titles', 'titles.csv', 'unit_number,location\n100200,PHX\n')
    await send()
    const { id } = body.data as { id: number }
    expect(received.map(({ body }) => [body.type, body.data.id, body.data.record?.imported])).toEqual([
      ['import.finished', id, 1],
    ])
  })

  test('receives nothing of a change that was rolled back', async () => {
    const { id } = await create(['*'])
    await h.ctx.db
      .transaction(async (tx) => {
        await tx.execute(
          sql`insert into audit_entries (source, action, entity, entity_id, changes)
            values ('api', 'create', 'titles', 1, '{}')`,
        )
        throw new Error('rolled back')
      })
      .catch(() => {})
    expect(await deliveries(id)).toEqual([])
  })

  test('is retried with growing gaps for three days, then disabled with a note', async () => {
    const { id } = await create(['title.created'])
    await title()
    answer = () => new Response('no', { status: 500 })
    await send()
    await send()
    expect(received).toHaveLength(1)
    expect((await deliveries(id))[0]).toMatchObject({ status: 'pending', attempts: 1, last_status: 500 })
    for (const gap of RETRY_GAPS_MS) {
      after(gap - 1)
      await send()
      after(1)
      await send()
    }
    expect(received).toHaveLength(RETRY_GAPS_MS.length + 1)
    expect(new Set(received.map(({ headers, text }) => `${headers.get('webhook-id')} ${text}`)).size).toBe(1)
    const total = RETRY_GAPS_MS.reduce((sum, gap) => sum + gap, 0) / 3_600_000
    expect(total).toBeGreaterThan(70)
    expect(total).toBeLessThanOrEqual(72)
    const [failed] = await deliveries(id)
    expect(failed).toMatchObject({ status: 'failed', last_error: 'The receiver answered 500', next_at: null })
    await signInAgain('ada')
    const stored = (await h.cast.ada.get(`/webhooks/${id}`)).body.data as Hook
    expect([stored.is_active, stored.disabled_note]).toEqual([
      false,
      'Disabled because deliveries failed for three days. The last error: The receiver answered 500',
    ])
    expect((await h.cast.ada.post(`/webhooks/${id}/deliveries/${failed?.id}/replay`, {})).status).toBe(409)
    answer = () => new Response('ok')
    await h.cast.ada.put(`/webhooks/${id}`, { is_active: true })
    expect((await h.cast.ada.post(`/webhooks/${id}/deliveries/${failed?.id}/replay`, {})).status).toBe(200)
    await send()
    expect((await deliveries(id))[0]).toMatchObject({ status: 'delivered', last_status: 200, last_error: null })
    expect(((await h.cast.ada.get(`/webhooks/${id}`)).body.data as Hook).disabled_note).toBeNull()
    await h.cast.ada.post('/titles', { unit_number: '100201', location_id: h.cast.mesa })
    const listed = async (order: string) =>
      ((await h.cast.ada.get(`/webhooks/${id}/deliveries?order=${order}`)).body.data as { id: number }[]).map(
        (delivery) => delivery.id,
      )
    const ids = (await deliveries(id)).map((delivery) => delivery.id)
    expect([ids.length, await listed('asc'), await listed('desc')]).toEqual([2, ids, ids.toReversed()])
  })

  test('does not follow redirects', async () => {
    const { id } = await create(['title.created'])
    await title()
    answer = () => Response.redirect(`${url()}/elsewhere`, 302)
    await send()
    expect([received.length, (await deliveries(id))[0]?.last_status]).toEqual([1, 302])
  })

  test('is sent to by one instance at a time', async () => {
    const { id } = await create(['title.created'])
    await title()
    await h.ctx.db.update(webhooks).set({ sending_until: new Date(h.clock.now().getTime() + 1000) })
    await send()
    expect(received).toHaveLength(0)
    // The other instance died.
    after(1000)
    await send()
    expect([received.length, (await deliveries(id))[0]?.status]).toEqual([1, 'delivered'])
  })

  test('signs with the old secret too for a day after a rotation', async () => {
    const { id, secret } = await create(['title.created'])
    const rotated = (await h.cast.ada.post(`/webhooks/${id}/rotate-secret`, {})).body.data as Hook
    expect(rotated.secret).not.toBe(secret)
    await title()
    await send()
    after(86_400_000 + 1)
    await signInAgain('ben')
    await title('100201')
    await send()
    const isSignedBy = (key: string, { text, headers }: Received) => {
      try {
        return Boolean(new Verifier(key).verify(text, Object.fromEntries(headers)))
      } catch {
        return false
      }
    }
    expect(received.map((one) => [isSignedBy(secret, one), isSignedBy(rotated.secret, one)])).toEqual([
      [true, true],
      [false, true],
    ])
  })

  test('shows its secret only once, and never in the audit trail', async () => {
    const { id, secret } = await create(['*'])
    const shown = JSON.stringify([
      (await h.cast.ada.get('/webhooks')).body,
      (await h.cast.ada.get(`/webhooks/${id}`)).body,
      (await h.cast.ada.put(`/webhooks/${id}`, { events: ['title.created'] })).body,
      (await h.cast.ada.get('/audit')).body,
      await h.ctx.db.select().from(webhooks),
    ])
    expect(shown).not.toContain(secret)
  })

  test('is for administrators, and its input is checked', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['PUT', '/1'],
      ['DELETE', '/1'],
      ['POST', '/1/rotate-secret'],
      ['GET', '/1/deliveries'],
      ['POST', '/1/deliveries/1/replay'],
    ] as const)
      expect([method, path, (await h.cast.ben.call(method, `/webhooks${path}`, {})).status]).toEqual([
        method,
        path,
        403,
      ])
    const refused = async (body: object) => (await h.cast.ada.post('/webhooks', body)).body.errors?.[0]?.field
    for (const url of ['ftp://example.com', 'http:example.com', 'http://example.com:0/'])
      expect([url, await refused({ url, events: ['*'] })]).toEqual([url, 'url'])
    expect(await refused({ url: 'https://user:pass@example.com', events: ['*'] })).toBe('url')
    expect(await refused({ url: 'https://example.com', events: [] })).toBe('events')
    expect(await refused({ url: 'https://example.com', events: ['title.eaten'] })).toBe('events.0')
    expect((await h.cast.ada.get('/webhooks/7')).status).toBe(404)
    expect((await h.cast.ada.get('/webhooks/7/deliveries')).status).toBe(404)
  })

  test('can be managed on its pages', async () => {
    const { ada } = h.cast
    const bad = await ada.submit('/admin/webhooks/new', { url: 'x', events: '*', is_active: 'true' })
    expect([bad.status, bad.find('.field-error').length]).toEqual([422, 1])
    const made = await ada.submit('/admin/webhooks/new', {
      url: url(),
      events: 'title.created\ntitle.updated',
      is_active: 'true',
    })
    expect(made.text).toMatch(/whsec_[\w+/=]{40,}/)
    await title()
    answer = () => new Response('no', { status: 503 })
    await send()
    const page = await ada.open('/admin/webhooks/1')
    expect(page.text).toContain('The receiver answered 503')
    expect((await ada.submit('/admin/webhooks/1/replay', { delivery: '1' })).toast).toBe('Delivery queued')
    expect((await ada.submit('/admin/webhooks/1/secret', {})).text).toMatch(/whsec_/)
    expect((await ada.submit('/admin/webhooks/1/edit', { url: url(), events: '*', version: '2' })).toast).toBe(
      'Webhook saved',
    )
    expect((await ada.open('/admin/webhooks')).text).toContain('Inactive')
    expect((await ada.submit('/admin/webhooks/1/delete', {})).toast).toBe('Webhook deleted')
  })
})

describe('Private addresses', () => {
  test('are refused when a webhook is created and when it is sent', async () => {
    const { id } = await create(['title.created'])
    const strict = { ...h.ctx, config: { ...h.ctx.config, webhookAllowPrivate: false } }
    await title()
    await Promise.all(await sendDeliveries(strict))
    expect(received).toEqual([])
    expect((await deliveries(id))[0]?.last_error).toStartWith('Private and loopback addresses are not allowed')
    h = await testContext({ webhookAllowPrivate: false })
    for (const host of [
      '127.0.0.1',
      'localhost',
      'localhost.',
      'yard.localhost',
      'ip6-localhost',
      '[::1]',
      '10.1.2.3',
      '192.168.0.1',
      '169.254.169.254',
      '0x7f.1',
      '[::ffff:127.0.0.1]',
    ])
      expect([
        host,
        (await h.cast.ada.post('/webhooks', { url: `http://${host}/x`, events: ['*'] })).body.errors?.[0]?.field,
      ]).toEqual([host, 'url'])
  })

  test('are recognized in all notations', () => {
    for (const address of [
      '127.8.9.1',
      '10.0.0.1',
      '172.31.0.1',
      '::1',
      '::7f00:1',
      '2002:7f00:1::',
      '::ffff:0:7f00:1',
      '64:ff9b:1::7f00:1',
      'fec0::1',
      '::',
      'fe80::1',
      'fd00::1',
      '::ffff:10.0.0.1',
      '100.64.0.1',
      '0.0.0.0',
      '255.255.255.255',
    ])
      expect([address, isPrivateAddress(address)]).toEqual([address, true])
    for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1', '::ffff:8.8.8.8'])
      expect([address, isPrivateAddress(address)]).toEqual([address, false])
  })
})

test('the delivery log is removed after 30 days', async () => {
  const { id } = await create(['title.created'])
  await title()
  await send()
  after(30 * 86_400_000 + 1)
  await signInAgain('ben')
  await title('100201')
  await sweepDeliveries(h.ctx)
  expect((await deliveries(id)).map(({ status }) => status)).toEqual(['pending'])
})
