import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { sessions, titles } from '../../db/schema'
import type { Session } from '../../src/platform/auth/sessions'
import type { AppContext } from '../../src/platform/context'
import { batchesInTurn, beginTurn, endTurn, inTurn } from '../../src/platform/http/turns'
import type { Write } from '../../src/platform/records/transactions'
import { RateLimited } from '../../src/platform/refusals'
import { SERVER_URL, testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const batch = (first: number, length = 3) => ({
  registrations: Array.from({ length }, (_, at) => ({
    unit_number: String(first + at),
    location_id: h.cast.phoenix,
    plate_number: `P${first + at}`,
    state_province: 'AZ',
    date_issued: '2026-01-01',
    date_expires: '2027-01-01',
  })),
})

test('large changes of one account do not delay another one', async () => {
  const order: string[] = []
  const sent = [100_000, 200_000, 300_000, 400_000, 500_000].map((first) =>
    h.cast.ben.post('/registrations/batch', batch(first, 40)).then(({ status }) => order.push(`batch ${status}`)),
  )
  await Bun.sleep(20)
  const other = h.cast.ada.post('/titles', { unit_number: '999999', location_id: h.cast.phoenix })
  await Promise.all([...sent, other.then(({ status }) => order.push(`title ${status}`))])
  expect(order.toSorted()).toEqual([...Array(5).fill('batch 200'), 'title 201'])
  // On the embedded engine, the title waits for the batch that runs, but not for the others of that account. Without
  // turns, the title would come last. A busy machine can delay the title by some of the batches.
  expect(order.indexOf('title 201')).toBeLessThan(4)
})

/** Number of large changes of an account that can run or wait. */
const OPEN = SERVER_URL === undefined ? 5 : 20

/** Occupies `count` turns of Ben until the returned function is called. */
function holdTurns(count: number) {
  const { promise: releaseSignal, resolve: release } = Promise.withResolvers<void>()
  const write = { actor: { username: 'ben' } } as Write
  const holding = Array.from({ length: count }, () => inTurn(h.ctx, write, () => releaseSignal))
  return async () => {
    release()
    await Promise.all(holding)
  }
}
const sendTwo = () => [100_000, 200_000].map((first) => h.cast.ben.post('/registrations/batch', batch(first)))

test('only a few large changes of one account wait', async () => {
  const release = holdTurns(OPEN)
  for (const { status, body } of await Promise.all(sendTwo()))
    expect([status, body.code]).toEqual([429, 'rate_limited'])
  await release()
  expect((await h.cast.ben.post('/registrations/batch', batch(300_000))).status).toBe(200)
})

describe('a change that waits', () => {
  /**
   * Runs `work` while one large change of Ben waits. Returns the response to the change.
   * Other changes hold all turns but one. One of two requests is refused, so the other one waits.
   */
  async function whileWaiting(work: () => unknown) {
    const release = holdTurns(OPEN - 1)
    const sent = sendTwo()
    expect((await Promise.race(sent)).status).toBe(429)
    await work()
    await release()
    return (await Promise.all(sent)).find(({ status }) => status !== 429)
  }

  test('is refused when its account loses access', async () => {
    const answer = await whileWaiting(() =>
      h.ctx.db.execute(sql`update users set is_active = false where username = 'ben'`),
    )
    expect(answer?.status).toBe(401)
  })

  test('is refused when its account may no longer see costs', async () => {
    const answer = await whileWaiting(() =>
      h.ctx.db.execute(sql`update company_settings set cost_viewers = 'Administrators'`),
    )
    expect([answer?.status, answer?.body.message]).toEqual([403, 'Only administrators can see costs'])
  })

  test('has the time at which it is made, not the time at which it was sent', async () => {
    const later = new Date(h.clock.now().getTime() + 60_000)
    const answer = await whileWaiting(() => h.clock.set(later))
    expect(answer?.status).toBe(200)
    const { body } = await h.cast.ben.get('/registrations')
    expect((body.data as unknown as { updated_at: string }[])[0]?.updated_at).toBe(later.toISOString())
  })
})

const writeOf = (username: string, token_name?: string) => ({ actor: { username, token_name } }) as unknown as Write

describe.each([
  ['embedded', 1, 5],
  ['server', 2, 20],
] as const)('large changes on the %s database', (engine, running, open) => {
  test(`of one account run ${running} at a time, and ${open} can run or wait`, async () => {
    const ctx = { database: { engine } } as unknown as AppContext
    const ben = writeOf('ben')
    let now = 0
    let most = 0
    const work = async () => {
      now++
      most = Math.max(most, now)
      await Bun.sleep(1)
      now--
    }
    const waiting = Array.from({ length: open }, () => inTurn(ctx, ben, work))
    expect(inTurn(ctx, ben, work)).rejects.toBeInstanceOf(RateLimited)
    // Other accounts, and tokens of the same account, do not wait.
    for (const other of [writeOf('ada'), writeOf('ben', 'nightly')])
      expect(await inTurn(ctx, other, async () => 'done')).toBe('done')
    await Promise.all(waiting)
    expect([now, most]).toEqual([0, running])
  })

  test('let others run when they fail, and check the access again after waiting', async () => {
    const ctx = { database: { engine } } as unknown as AppContext
    let renewals = 0
    const write = { ...writeOf('ben'), renewActor: async () => ({ renewals: ++renewals }) } as unknown as Write
    const results = await Promise.allSettled(
      Array.from({ length: running + 1 }, (_, at) =>
        inTurn(ctx, write, async () => {
          await Bun.sleep(1)
          if (at === 0) throw new Error('failed')
          return at
        }),
      ),
    )
    expect(results.map(({ status }) => status)).toEqual(['rejected', ...Array(running).fill('fulfilled')])
    expect(renewals).toBe(1)
  })
})

/** Occupies turns of Ben's sessions with `count` requests until the returned function is called. */
async function holdRequests(count: number, running: number, method: 'GET' | 'POST') {
  const session = { user: { id: 2 } } as Session
  const requests = Array.from({ length: count }, () => new Request('http://localhost/', { method }))
  for (const request of requests.slice(0, running)) await beginTurn(h.ctx, session, request)
  for (const request of requests.slice(running)) void beginTurn(h.ctx, session, request).catch(() => {})
  return async () => {
    for (const request of requests) {
      endTurn(request)
      await Bun.sleep(0)
    }
  }
}

describe('reads of one account', () => {
  const READS = SERVER_URL === undefined ? { running: 2, open: 100 } : { running: 6, open: 200 }
  const holdReads = (count: number) => holdRequests(count, READS.running, 'GET')

  test('wait for each other, but not for those of another account', async () => {
    const release = await holdReads(READS.running)
    let isAnswered = false
    const own = h.cast.ben.get('/titles').then(({ status }) => {
      isAnswered = true
      return status
    })
    expect((await h.cast.ada.get('/titles')).status).toBe(200)
    expect((await h.cast.ben.post('/titles', { unit_number: '999999', location_id: h.cast.phoenix })).status).toBe(201)
    expect(isAnswered).toBe(false)
    await release()
    expect(await own).toBe(200)
  })

  test('are refused if too many wait', async () => {
    const release = await holdReads(READS.open)
    const { status, headers } = await h.cast.ben.get('/titles')
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true])
    // Somebody with a copy of the session may send the requests. The page has a button that ends the session.
    const page = await h.cast.ben.open('/titles')
    expect([page.status, page.html.includes('action="/logout"')]).toEqual([429, true])
    await release()
    expect((await h.cast.ben.get('/titles')).status).toBe(200)
  })

  test('end their turn after every response', async () => {
    const paths = ['/titles', '/titles/999999', '/titles?per_page=x', '/exports/titles-pending?format=csv', '/admin']
    for (let round = 0; round < READS.running + 1; round++)
      for (const path of paths) expect((await h.cast.ben.get(path)).status).toBeGreaterThan(0)
    expect((await h.cast.ben.get('/titles')).status).toBe(200)
  })

  test('end if the session ended while they waited', async () => {
    const release = await holdReads(READS.running)
    const waiting = h.cast.ben.get('/titles')
    await Bun.sleep(150)
    await h.ctx.db.delete(sessions)
    await release()
    expect((await waiting).status).toBe(401)
  })

  test('include look-ups of several vehicles', async () => {
    const release = await holdReads(READS.running)
    let isAnswered = false
    const lookup = h.cast.ben.post('/vehicles/lookup', { numbers: ['100001'] }).then(({ status }) => {
      isAnswered = true
      return status
    })
    await h.cast.ada.get('/titles')
    expect(isAnswered).toBe(false)
    await release()
    expect(await lookup).toBe(200)
  })

  test('about sessions and tokens wait only for those of the same sign-in', async () => {
    const release = await holdReads(READS.open)
    expect((await h.cast.ben.open('/profile')).status).toBe(200)
    await release()
    // 20 requests of one sign-in can run or wait.
    const answers = await Promise.all(Array.from({ length: 40 }, () => h.cast.ben.get('/auth/sessions')))
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].sort()).toEqual([200, 429])
    expect((await h.cast.ben.get('/auth/sessions')).status).toBe(200)
  })

  test('read the batches of their downloads one after another', async () => {
    let running = 0
    let most = 0
    async function* batches() {
      for (let at = 0; at < 3; at++) {
        most = Math.max(most, ++running)
        await Bun.sleep(2)
        running--
        yield at
      }
    }
    const write = { actor: { username: 'ben' } } as Write
    const downloads = Array.from({ length: 5 }, () => Array.fromAsync(batchesInTurn(h.ctx, write, batches())))
    expect(await Promise.all(downloads)).toEqual(Array(5).fill([0, 1, 2]))
    expect(most).toBe(SERVER_URL === undefined ? 1 : 3)
    // Downloads with a token do not delay those of a session.
    const byToken = { actor: { username: 'ben', token_name: 'ERP' } } as Write
    running = most = 0
    await Promise.all([write, byToken].map((write) => Array.fromAsync(batchesInTurn(h.ctx, write, batches()))))
    expect(most).toBe(2)
    // Event streams that start in the past read one batch at a time.
    running = most = 0
    const streams = Array.from({ length: 3 }, () =>
      Array.fromAsync(batchesInTurn(h.ctx, write, batches(), 'missedChanges')),
    )
    expect(await Promise.all(streams)).toEqual(Array(3).fill([0, 1, 2]))
    expect(most).toBe(1)
    // A download that is not read to its end gives up its turn.
    for await (const _ of batchesInTurn(h.ctx, write, batches())) break
    expect(await Array.fromAsync(batchesInTurn(h.ctx, write, batches()))).toEqual([0, 1, 2])
  })
})

describe('changes of one account', () => {
  const CHANGES = SERVER_URL === undefined ? { running: 4, open: 100 } : { running: 2, open: 200 }
  const holdChanges = (count: number) => holdRequests(count, CHANGES.running, 'POST')
  const title = (unit_number: string) => ({ unit_number, location_id: h.cast.phoenix })

  test('wait for each other, but not for those of another account', async () => {
    const release = await holdChanges(CHANGES.running)
    let isAnswered = false
    const own = h.cast.ben.post('/titles', title('999998')).then(({ status }) => {
      isAnswered = true
      return status
    })
    expect((await h.cast.ada.post('/titles', title('999999'))).status).toBe(201)
    expect((await h.cast.ben.get('/titles')).status).toBe(200)
    expect(isAnswered).toBe(false)
    await release()
    expect(await own).toBe(201)
  })

  test('are refused if too many wait, and are not made if the session ended while they waited', async () => {
    let release = await holdChanges(CHANGES.open)
    expect((await h.cast.ben.post('/titles', title('999998'))).status).toBe(429)
    await release()
    release = await holdChanges(CHANGES.running)
    const waiting = h.cast.ben.post('/titles', title('999998'))
    await Bun.sleep(150)
    await h.ctx.db.delete(sessions)
    await release()
    expect((await waiting).status).toBe(401)
    expect((await h.ctx.db.select().from(titles)).length).toBe(0)
  })

  test('end their turn after a refused form', async () => {
    for (let round = 0; round < CHANGES.running + 1; round++)
      expect((await h.cast.ben.submit('/titles/new', { unit_number: 'x' })).status).toBe(422)
    expect((await h.cast.ben.post('/titles', title('999999'))).status).toBe(201)
  })

  test('to the own access do not wait, so that a stolen session can always be ended', async () => {
    const release = await holdChanges(CHANGES.open)
    expect((await h.cast.ben.post('/auth/logout', {})).status).toBe(200)
    await release()
  })
})
