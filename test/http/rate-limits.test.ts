import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

describe('API requests', () => {
  test('are counted together for all tokens of a sign-in', async () => {
    h = await testContext({ requestsPerMinute: 2 })
    let token = (await h.cast.ben.token()) as string
    const statuses: number[] = []
    for (let call = 0; call < 3; call++) {
      const { status, body } = await h.cast.stranger.call(
        'POST',
        '/auth/refresh',
        {},
        { authorization: `Bearer ${token}` },
      )
      statuses.push(status)
      token = (body.data as { token: string } | undefined)?.token ?? token
    }
    expect(statuses).toEqual([200, 200, 429])
  })

  test('are rate-limited per token, with headers for the remaining requests', async () => {
    h = await testContext({ requestsPerMinute: 3 })
    const policy = '"default";q=3;w=60'
    for (const remaining of [2, 1, 0]) {
      const { status, headers } = await h.cast.ben.get('/titles')
      expect([status, headers.get('ratelimit-policy'), headers.get('ratelimit')?.split(';t=')[0]]).toEqual([
        200,
        policy,
        `"default";r=${remaining}`,
      ])
    }
    const refused = await h.cast.ben.post('/titles', {})
    expect([refused.status, refused.body.message]).toEqual([429, 'Rate limit exceeded. Please try again later.'])
    const wait = Number(refused.headers.get('retry-after'))
    expect([wait > 0 && wait <= 60, refused.headers.get('ratelimit')?.startsWith('"default";r=0;t=')]).toEqual([
      true,
      true,
    ])
    expect((await h.cast.ada.get('/titles')).status).toBe(200)
    // Pages use the session cookie, so they are not limited.
    const pages = await Promise.all(Array.from({ length: 5 }, () => h.cast.ben.open('/titles')))
    expect([...new Set(pages.map(({ status }) => status))]).toEqual([200])
    // A stolen session can always be ended.
    expect((await h.cast.ben.post('/auth/logout', {})).status).toBe(200)
  })

  test('count once if their body arrives slowly', async () => {
    h = await testContext({ requestsPerMinute: 10 })
    const body = new ReadableStream({
      async pull(controller) {
        await Bun.sleep(150)
        controller.enqueue(new TextEncoder().encode('{}'))
        controller.close()
      },
    })
    const headers = { authorization: `Bearer ${await h.cast.ben.token()}`, 'content-type': 'application/json' }
    const answer = await h.app.handle(new Request('http://localhost/api/titles', { method: 'POST', headers, body }))
    expect([answer.status, answer.headers.get('ratelimit')?.split(';t=')[0]]).toEqual([422, '"default";r=9'])
  })
})
