import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openSession } from '../../src/platform/auth/sessions'
import { changeFeed } from '../../src/platform/live/feed'
import { type Gap, removeFromGaps } from '../../src/platform/live/gaps'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'
import { until } from '../support/until'
import { Visitor } from '../support/visitor'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})
afterEach(() => changeFeed(h.ctx).close())

type Change = { entity: string; id: number; version: number | null; unit_number: string | null }

/** Opens an event stream, and collects the changes that it sends. */
async function listening(who: Visitor, ago?: number, token?: string, lastEvent?: string) {
  const response = await who.request(`/api/events${ago === undefined ? '' : `?ago=${ago}`}`, {
    headers: {
      authorization: `Bearer ${token ?? (await who.token())}`,
      ...(lastEvent === undefined ? {} : { 'last-event-id': lastEvent }),
    },
  })
  const heard: Change[] = []
  const ids: string[] = []
  let isOver = false
  const reader = response.body?.getReader()
  void (async () => {
    let text = ''
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) break
      text += new TextDecoder().decode(value)
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const [, id, data] = /^event: change\nid: (\S+)\ndata: (.*)$/.exec(event) ?? []
        if (data) heard.push(JSON.parse(data))
        if (id) ids.push(id)
      }
    }
    isOver = true
  })()
  return {
    response,
    heard,
    /** The ids of the events. */
    ids,
    close: () => reader?.cancel(),
    isOver: () => isOver,
    /** Waits for a number of changes, up to 30 seconds. */
    async until(count: number) {
      for (let tries = 0; heard.length < count && tries < 1500; tries++) await Bun.sleep(20)
      return heard
    },
  }
}

const MOVE = () => ({
  unit_number: '100200',
  location_out_id: h.cast.phoenix,
  location_in_id: h.cast.tempe,
  transport_company_id: h.cast.desert,
  move_date: '2026-03-10',
})

test('a change is sent to other users with its current version', async () => {
  const { ben, ada } = h.cast
  await ben.post('/vehicles', { unit_number: '100200' })
  const ears = await listening(ada)
  expect([ears.response.status, ears.response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  await ben.post('/transports', MOVE())
  expect(await ears.until(1)).toEqual([{ entity: 'transports', id: 1, version: 1, unit_number: '100200' }])
  await ben.patch('/transports/1/status', { status: 'In Transit' })
  expect((await ears.until(3)).slice(1)).toEqual([
    { entity: 'transports', id: 1, version: 2, unit_number: '100200' },
    { entity: 'vehicles', id: 1, version: 2, unit_number: '100200' },
  ])
  await ben.delete('/transports/1')
  expect((await ears.until(5)).slice(3)).toEqual([
    { entity: 'transports', id: 1, version: null, unit_number: '100200' },
    { entity: 'vehicles', id: 1, version: 3, unit_number: '100200' },
  ])
})

test('changes before the deletion of a record keep its unit number', async () => {
  const { ben, ada } = h.cast
  await ben.post('/titles', { unit_number: '100200', location_id: 1 })
  await ben.put('/titles/1', { notes: 'Asked the bank' })
  await ben.delete('/titles/1')
  const ears = await listening(ada, 60)
  expect((await ears.until(4)).filter(({ entity }) => entity === 'titles')).toEqual(
    Array.from({ length: 3 }, () => ({ entity: 'titles', id: 1, version: null, unit_number: '100200' })),
  )
})

test('a new stream replays only changes within the requested seconds', async () => {
  const { ben, ada } = h.cast
  await ben.post('/vehicles', { unit_number: '100200' })
  h.clock.set(new Date(h.clock.now().getTime() + 30_000))
  await ben.post('/vehicles', { unit_number: '100201' })
  const [recent, none] = [await listening(ada, 5), await listening(ada)]
  expect((await recent.until(1)).map(({ unit_number }) => unit_number)).toEqual(['100201'])
  expect(none.heard).toEqual([])
  const both = await listening(ada, 60)
  expect((await both.until(2)).slice(-2).map(({ unit_number }) => unit_number)).toEqual(['100200', '100201'])
  expect((await ada.get('/events?ago=61')).status).toBe(422)
})

test('a note is sent as a record change, and master data without a unit', async () => {
  const { ben, ada, phoenix } = h.cast
  await ben.post('/titles', { unit_number: '100200', location_id: phoenix })
  const ears = await listening(ben)
  await ben.post('/titles/1/notes', { note_text: 'Asked the bank' })
  await ada.put(`/locations/${phoenix}`, { phone: '602-555-0100' })
  expect(await ears.until(2)).toEqual([
    { entity: 'titles', id: 1, version: 1, unit_number: '100200' },
    { entity: 'locations', id: phoenix, version: 2, unit_number: null },
  ])
})

test('account changes go only to administrators, and saved views to nobody', async () => {
  const { ben, ada } = h.cast
  const [user, admin] = [await listening(ben), await listening(ada)]
  await ada.post('/users', { username: 'cleo', password: 'Ocotillo77' })
  await ben.post('/views', { list: 'due', name: 'Mine', query: '' })
  await ben.post('/vehicles', { unit_number: '100201' })
  expect((await admin.until(2)).map(({ entity }) => entity)).toEqual(['users', 'vehicles'])
  expect((await user.until(1)).map(({ entity }) => entity)).toEqual(['vehicles'])
})

test('every imported row is sent', async () => {
  const ears = await listening(h.cast.ada)
  const rows = Array.from({ length: 30 }, (_, n) => `${100_300 + n},PHX`)
  await h.cast.ben.upload('titles', 'titles.csv', `unit_number,location\n${rows.join('\n')}\n`)
  await ears.until(60)
  const titles = ears.heard.filter(({ entity }) => entity === 'titles')
  expect([titles.length, new Set(titles.map(({ id }) => id)).size]).toEqual([30, 30])
})

test('an entry committed after one with a higher ID is sent', async () => {
  const { db } = h.ctx
  const ears = await listening(h.cast.ben)
  const entry = (id: number) =>
    db.execute(sql`insert into audit_entries (id, at, source, action, entity, entity_id, changes)
      values (${id}, now(), 'api', 'update', 'locations', ${h.cast.phoenix}, '{}')`)
  await entry(1_000_005)
  await ears.until(1)
  await entry(1_000_003)
  await ears.until(2)
  await entry(1_000_004)
  await entry(1_000_006)
  expect((await ears.until(4)).length).toBe(4)
})

test('an entry committed after the stream opened is sent despite a lower ID', async () => {
  const { db } = h.ctx
  const entry = (id: number) =>
    db.execute(sql`insert into audit_entries (id, at, source, action, entity, entity_id, changes)
      values (${id}, now(), 'api', 'update', 'locations', ${h.cast.phoenix}, '{}')`)
  await entry(1_000_005)
  const ears = await listening(h.cast.ben)
  await entry(1_000_004)
  expect((await ears.until(1)).length).toBe(1)
  await Bun.sleep(1000)
  expect(ears.heard.length).toBe(1)
})

test('a reconnecting client receives the changes after its last event', async () => {
  const title = (unit_number: string) => h.cast.ben.post('/titles', { unit_number, location_id: h.cast.phoenix })
  for (const unit of ['100201', '100202', '100203']) await h.cast.ben.post('/vehicles', { unit_number: unit })
  const first = await listening(h.cast.ben)
  await title('100201')
  await title('100202')
  await first.until(2)
  expect(new Set(first.ids).size).toBe(2)
  await first.close()
  await title('100203')
  const units = (changes: Change[]) => changes.map(({ unit_number }) => unit_number)
  const [second, last] = first.ids as [string, string]
  const again = await listening(h.cast.ben, undefined, undefined, last)
  await again.until(1)
  await title('100201')
  expect(units(await again.until(2))).toEqual(['100203', '100201'])
  const earlier = await listening(h.cast.ben, undefined, undefined, second)
  expect(units(await earlier.until(3))).toEqual(['100202', '100203', '100201'])
  await Bun.sleep(1000)
  expect([again.heard.length, earlier.heard.length]).toEqual([2, 3])
  expect((await listening(h.cast.ben, undefined, undefined, 'x')).response.status).toBe(422)
})

test(
  'a reconnecting client receives entries with lower IDs that were committed late, and none ' + 'older than a day',
  async () => {
    const { db } = h.ctx
    const entry = (id: number, at = new Date()) =>
      db.execute(sql`insert into audit_entries (id, at, source, action, entity, entity_id, changes)
      values (${id}, ${at.toISOString()}::timestamptz, 'api', 'update', 'locations', ${h.cast.phoenix}, '{}')`)
    h.clock.set(new Date())
    const ben = new Visitor(h.app as never, h.ctx, await openSession(db, 2, { address: '', userAgent: '' }, new Date()))
    await entry(1_000_000, new Date(Date.now() - 25 * 3_600_000))
    await entry(1_000_001)
    const first = await listening(ben)
    await entry(1_000_005)
    await first.until(1)
    await first.close()
    await entry(1_000_003)
    await entry(1_000_006)
    const again = await listening(ben, undefined, undefined, first.ids[0])
    await again.until(2)
    await Bun.sleep(1000)
    expect(again.ids.map((id) => id.split(';')[0])).toEqual(['1000005', '1000006'])
    const old = await listening(ben, undefined, undefined, '1')
    await old.until(4)
    await Bun.sleep(1000)
    expect(old.heard.length).toBe(4)
  },
)

test('a stream requires a session and ends when the change feed closes', async () => {
  expect((await h.cast.stranger.get('/events')).status).toBe(401)
  const ears = await listening(h.cast.ben)
  changeFeed(h.ctx).close()
  for (let tries = 0; !ears.isOver() && tries < 50; tries++) await Bun.sleep(10)
  expect(ears.isOver()).toBe(true)
  const again = await listening(h.cast.ben)
  await h.cast.ada.post('/vehicles', { unit_number: '100201' })
  expect((await again.until(1)).length).toBe(1)
})

describe('a stream', () => {
  const ends: [how: string, end: () => Promise<unknown>][] = [
    ['signing out', () => h.cast.ben.post('/auth/logout')],
    ['a new password', () => h.cast.ada.post('/users/2/reset-password', { newPassword: 'Ironwood88' })],
    ['another role', () => h.cast.ada.put('/users/2', { role: 'admin' })],
    ['a deactivation', () => h.cast.ada.post('/users/2/deactivate')],
    ['an administrator who ends it', () => h.cast.ada.delete('/users/2/sessions')],
  ]
  for (const [how, end] of ends)
    test(`closes when its session ends by ${how}, before another change is sent`, async () => {
      const ben = await listening(h.cast.ben)
      const ada = await listening(h.cast.ada)
      await end()
      await h.cast.ada.post('/transports', MOVE())
      const isTransport = ({ entity }: Change) => entity === 'transports'
      await until(() => ada.heard.some(isTransport) && ben.isOver())
      expect(ben.heard.filter(isTransport)).toEqual([])
    })

  test('closes when its session expires or its API token is revoked', async () => {
    const made = await h.cast.ada.post('/auth/tokens', { current_password: PASSWORD, name: 'Feed', scope: 'read' })
    const { id, token } = made.body.data as { id: number; token: string }
    const feed = await listening(h.cast.stranger, undefined, token)
    const ben = await listening(h.cast.ben)
    await h.cast.ada.delete(`/auth/tokens/${id}`)
    await until(feed.isOver)
    expect(ben.isOver()).toBe(false)
    h.clock.set(new Date(h.ctx.clock.now().getTime() + 8 * 3_600_000))
    await until(ben.isOver)
  })
})

test('a session can open 20 streams and an account 50, independent of other users', async () => {
  const statusOf = async (who: Visitor) => (await listening(who)).response.status
  const again = async () =>
    new Visitor(h.app, h.ctx, await openSession(h.ctx.db, 2, { address: '', userAgent: null }, h.ctx.clock.now()))
  const many = async (who: Visitor, count: number) => Promise.all(Array.from({ length: count }, () => statusOf(who)))
  expect(new Set(await many(h.cast.ben, 20))).toEqual(new Set([200]))
  const refused = (await listening(h.cast.ben)).response
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15'])
  expect(new Set(await many(await again(), 20))).toEqual(new Set([200]))
  const third = await again()
  expect(new Set(await many(third, 10))).toEqual(new Set([200]))
  expect(await statusOf(third)).toBe(429)
  expect(await statusOf(h.cast.ada)).toBe(200)
})

test('seen entries are removed from the gaps', () => {
  const gap = (from: number, to: number): Gap => ({ from, to, since: 0 })
  expect(removeFromGaps([gap(1, 5)], [])).toEqual([gap(1, 5)])
  expect(removeFromGaps([gap(1, 5)], [1, 2, 3, 4, 5])).toEqual([])
  expect(removeFromGaps([gap(1, 5)], [3])).toEqual([gap(1, 2), gap(4, 5)])
  expect(removeFromGaps([gap(1, 5), gap(8, 8)], [1, 5, 8, 9])).toEqual([gap(2, 4)])
  expect(removeFromGaps([gap(6, 5)], [6])).toEqual([])
})

describe('a position that a client sends', () => {
  test('is refused when its ranges overlap, are reversed or lie above its last id', async () => {
    for (const lastEvent of ['9;1-5,1-5', '9;5-1', '9;3-12', '9;4-5,1-2', '9;x'])
      expect([lastEvent, (await listening(h.cast.ben, undefined, undefined, lastEvent)).response.status]).toEqual([
        lastEvent,
        422,
      ])
  })

  test('above the newest id starts at the newest one', async () => {
    await h.cast.ben.post('/vehicles', { unit_number: '100801' })
    const { heard, response } = await listening(h.cast.ben, undefined, undefined, '999999999999999;1-999999999999998')
    expect(response.status).toBe(200)
    await h.cast.ben.post('/vehicles', { unit_number: '100802' })
    await until(() => heard.some(({ unit_number }) => unit_number === '100802'))
    expect(heard.filter(({ unit_number }) => unit_number === '100802').length).toBe(1)
  })
})
