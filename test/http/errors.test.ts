import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { locations } from '../../db/schema'
import { isSignInOpen, sessionOf } from '../../src/platform/auth/admission'
import { errors } from '../../src/platform/http/errors'
import { Conflict, RateLimited } from '../../src/platform/refusals'
import { NOON, testContext } from '../support/context'
import { type PageResponse, Visitor } from '../support/visitor'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Line = [level: string, message: string, fields?: Record<string, unknown>]

/** Creates a program in which every route fails with the same error. Returns its log too. */
function failing(fault: () => unknown): { visitor: Visitor; log: Line[] } {
  const log: Line[] = []
  const ctx = { ...h.ctx, log: (...line: Line) => void log.push(line) }
  const fail = async () => {
    await fault()
    return {}
  }
  const app = new Elysia()
    .use(
      errors(ctx, {
        methodsOf: () => [],
        sessionOf: (request) => sessionOf(ctx, request),
        isSignInOpen: (request) => isSignInOpen(ctx, request),
      }),
    )
    .get('/api/door', fail)
    .get('/door', fail)
    .post('/door', fail)
    .post('/logout', fail)
  return { visitor: new Visitor(app as unknown as Elysia, ctx, h.cast.ben.session), log }
}
const thrown = (error: unknown) => () => {
  throw error
}
const place = (more: object) => ({ location_code: 'X', location_name: 'X', location_type: 'Hub' as const, ...more })
const endless = (): number => endless() + 1

describe('a failing API call', () => {
  const CODES: Record<number, string> = { 400: 'malformed_request', 409: 'conflict', 422: 'invalid' }
  const REFUSED: [what: string, fault: () => unknown, status: number, message: string][] = [
    ['a refusal', thrown(new Conflict('It is in use')), 409, 'It is in use'],
    ['a wrapped refusal', thrown(new Error('parse', { cause: new Conflict('In use') })), 409, 'In use'],
    ['a duplicate name', () => twice(), 409, 'A record with these values already exists'],
    [
      'a missing reference',
      () =>
        h.ctx.db.execute(sql`insert into titles (unit_number, location_id, submitted_date) values ('1', 99, now())`),
      409,
      'Another record uses this record, or this record refers to a record that does not exist',
    ],
    ['a stack overflow', endless, 400, 'The request could not be read'],
  ]
  async function twice() {
    await h.ctx.db.insert(locations).values([place({}), place({})])
  }

  for (const [what, fault, status, message] of REFUSED)
    test(`because of ${what} returns a client error and logs nothing`, async () => {
      const { visitor, log } = failing(fault)
      const answer = await visitor.get('/door')
      expect([answer.status, answer.body]).toEqual([status, { success: false, code: CODES[status], message }] as never)
      expect([answer.headers.get('retry-after'), answer.headers.getSetCookie(), log]).toEqual([null, [], []])
    })

  test('because of an unexpected error returns a reference number and logs the cause', async () => {
    const { visitor, log } = failing(thrown(new Error('kaputt', { cause: new Error('the wire') })))
    const { status, body, headers } = await visitor.get('/door')
    const message = 'Something went wrong on our side. Please tell your administrator this number: unknown'
    expect([status, body, headers.get('retry-after')]).toEqual([
      500,
      { success: false, code: 'internal_error', message },
      null,
    ] as never)
    expect(log).toEqual([
      [
        'error',
        'unexpected error',
        {
          id: 'unknown',
          method: 'GET',
          path: '/api/door',
          error: expect.stringContaining('kaputt'),
          because: 'the wire',
        },
      ],
    ])
    const words = failing(thrown('just words'))
    expect((await words.visitor.get('/door')).status).toBe(500)
    expect(words.log[0]?.[2]).toMatchObject({ error: expect.stringContaining('just words'), because: undefined })
  })

  test('because of a value that the database rejects logs the statement without the value', async () => {
    const { visitor, log } = failing(() => h.ctx.db.execute(sql`select ${'a secret'}::date`))
    const { status, body } = await visitor.get('/door')
    expect([status, body.message]).toEqual([422, 'Some of the values you entered cannot be stored'])
    expect(log).toEqual([
      [
        'warn',
        'the database rejected a value',
        {
          id: 'unknown',
          method: 'GET',
          path: '/api/door',
          code: '22007',
          statement: 'select $1::date',
        },
      ],
    ])
    expect(JSON.stringify(log)).not.toContain('a secret')
  })

  test('because of rate limiting returns Retry-After', async () => {
    const { visitor } = failing(thrown(new RateLimited(77)))
    const { status, headers } = await visitor.get('/door')
    expect([status, headers.get('retry-after')]).toEqual([429, '77'])
  })

  test('because of an unreachable database or a full disk logs that cause', async () => {
    const away = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
    for (const [error, status, logMessage] of [
      [away, 503, 'the database did not answer'],
      [new Error('wrapped', { cause: away }), 503, 'the database did not answer'],
      [Object.assign(new Error('full'), { code: '53100' }), 507, 'the disk is full'],
    ] as const) {
      const { visitor, log } = failing(thrown(error))
      const answer = await visitor.get('/door')
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, status === 503 ? '2' : null])
      expect(log).toMatchObject([['warn', logMessage, { id: 'unknown', path: '/api/door' }]])
    }
  })
})

describe('a failing page', () => {
  const summarize = ({ status, find }: PageResponse) => [
    status,
    find('h1'),
    find('.notice-page p'),
    find('.sidebar').length,
  ]
  const NUMBER = 'Something went wrong on our side. Please tell your administrator this number: unknown'

  test('shows the error within the layout under a matching title', async () => {
    const broken = failing(thrown(new Error('kaputt'))).visitor
    expect(summarize(await broken.open('/door'))).toEqual([500, ['Something went wrong'], [NUMBER], 1])
    expect(summarize(await broken.submit('/door', {}))).toEqual([500, ['An error occurred'], [NUMBER], 1])
    const refused = failing(thrown(new Conflict('In use'))).visitor
    expect(summarize(await refused.open('/door'))).toEqual([409, ['This action is not possible now'], ['In use'], 1])
    expect(summarize(await refused.submit('/door', {}))).toEqual([
      409,
      ['This action is not possible now'],
      ['In use'],
      1,
    ])
    expect(summarize(await refused.open('/door', { 'hx-request': 'true' }))[0]).toBe(409)
  })

  test('sends the error to the script in an ASCII-only header', async () => {
    const { visitor } = failing(thrown(new Conflict('Straße “1”')))
    const { status, text, headers } = await visitor.submit('/door', {}, { 'hx-request': 'true' })
    const triggerHeader = headers.get('hx-trigger') ?? ''
    expect([status, text, JSON.parse(triggerHeader)]).toEqual([
      409,
      '',
      { 'yardmaster:failed': { text: 'Straße “1”' } },
    ])
    expect(triggerHeader).toBe('{"yardmaster:failed":{"text":"Stra\\u00dfe \\u201c1\\u201d"}}')
    const broken = failing(thrown(new Error('kaputt'))).visitor
    const inPlace = await broken.submit('/door', {}, { 'hx-request': 'true' })
    expect(JSON.parse(inPlace.headers.get('hx-trigger') ?? '')).toEqual({
      'yardmaster:failed': { text: 'An error occurred', reason: NUMBER },
    })
  })

  test('clears the session cookie only when the user is signing out', async () => {
    const { visitor } = failing(thrown(new Error('kaputt')))
    expect((await visitor.submit('/door', {})).headers.getSetCookie()).toEqual([])
    const signOutResponse = await visitor.submit('/logout', {})
    expect([signOutResponse.status, signOutResponse.find('h1')]).toEqual([500, ['You are signed out on this computer']])
    expect(signOutResponse.headers.getSetCookie()).toEqual([
      'yardmaster_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
      'yardmaster_leaving=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    ])
    expect((await failing(thrown(new Conflict('In use'))).visitor.submit('/logout', {})).find('h1')).toEqual([
      'This action is not possible now',
    ])
  })
})

describe('an unknown address', () => {
  test('returns JSON to calls, a dashboard redirect to scripts and a page to forms', async () => {
    const { ben } = h.cast
    for (const path of ['/api', '/api/', '/api/nowhere', '/api/transports/999'])
      expect([path, await (await ben.request(path, { headers: await ben.cookieHeaders() })).json()]).toEqual([
        path,
        { success: false, code: 'not_found', message: path.endsWith('999') ? 'Transport not found' : 'Page not found' },
      ])
    const posted = await ben.submit('/nowhere', {})
    expect([posted.status, posted.find('h1'), posted.text.includes('Page not found')]).toEqual([
      404,
      ['Not found'],
      true,
    ])
    const script = await ben.open('/nowhere', { 'hx-request': 'true' })
    expect([script.status, script.headers.get('hx-redirect'), script.location]).toEqual([404, '/dashboard', null])
    const notFoundPage = await ben.open('/transports/999/edit')
    expect([notFoundPage.status, notFoundPage.find('h1'), notFoundPage.text.includes('Transport not found')]).toEqual([
      404,
      ['Not found'],
      true,
    ])
  })

  test('is distinguished from a known address with an unsupported method', async () => {
    for (const [method, path, allow] of [
      ['POST', '/transports/7', 'GET, PUT, DELETE'],
      ['PUT', '/transports/7/status', 'PATCH'],
    ] as const) {
      const { status, body, headers } = await h.cast.ben.call(method, path)
      expect([status, body.message, headers.get('allow')]).toEqual([
        405,
        'This address does not accept this type of request (HTTP method)',
        allow,
      ])
    }
    const page = await h.cast.ben.open('/osl/1/status')
    expect([page.status, page.text.includes('This page cannot be opened directly.')]).toEqual([405, true])
  })
})

test('unreadable request bodies are rejected with a specific message', async () => {
  const call = async (body: string, type = 'application/json') => {
    const answer = await h.cast.ben.call('POST', '/titles', body, { 'content-type': type })
    return [answer.status, answer.body.message]
  }
  const UNREADABLE = [400, 'The request could not be read']
  const NO_OBJECT = [400, 'The request must be a JSON object']
  expect(await call('{"unit_number"')).toEqual(UNREADABLE)
  for (const body of ['[]', 'null', '5', '"x"', '[[[[[[]]]]]]'])
    expect([body, await call(body)]).toEqual([body, NO_OBJECT])
  expect(await call('a=b', 'text/plain')).toEqual([415, 'Send JSON with the content type application/json'])
  expect((await h.cast.ben.call('POST', '/files/imports', '{}')).body.message).toBe(
    'Send the file as multipart/form-data',
  )
  const refused = await h.cast.ben.post('/titles', { unit_number: 'x', location_id: null })
  expect([refused.status, refused.body]).toEqual([
    422,
    {
      success: false,
      code: 'invalid',
      message: '6 digits required',
      errors: [
        { field: 'unit_number', message: '6 digits required' },
        { field: 'location_id', message: expect.any(String) },
      ],
    },
  ] as never)
})

test('an unreadable form returns 400 and a malformed ID returns 404', async () => {
  const headers = { origin: 'http://localhost', ...(await h.cast.ben.cookieHeaders()) }
  const send = (type: string, body: string) =>
    h.cast.ben.request('/titles/new', { method: 'POST', headers: { ...headers, 'content-type': type }, body })
  const broken = await send('multipart/form-data; boundary=x', 'no parts')
  expect([broken.status, (await broken.text()).includes('The request could not be read')]).toEqual([400, true])
  expect((await h.cast.ben.get('/transports/abc')).body).toEqual({
    success: false,
    code: 'not_found',
    message: 'Record not found',
  } as never)
})

describe('a JSON body', () => {
  const padded = (length: number) => `{"unit_number":"x"${' '.repeat(length - 19)}}`
  const LIMIT = 2 * 1024 * 1024

  test('is limited to two megabytes, whatever its Content-Length says', async () => {
    for (const [length, status] of [
      [LIMIT, 422],
      [LIMIT + 1, 413],
    ] as const)
      for (const headers of [{}, { 'content-length': String(length) }] as Record<string, string>[])
        expect([length, headers, (await h.cast.ben.call('POST', '/titles', padded(length), headers)).status]).toEqual([
          length,
          headers,
          status,
        ])
    const claimed = await h.cast.ben.call('POST', '/titles', '{}', { 'content-length': String(LIMIT + 1) })
    expect([claimed.status, claimed.body.message]).toEqual([413, 'The request is too large'])
  })

  test('is limited to 20 levels of nesting, not counting brackets in text', async () => {
    const call = async (notes: string) =>
      (await h.cast.ben.call('POST', '/titles', `{"unit_number":"x","notes":${notes}}`)).status
    const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    const objects = (depth: number) => '{"a":'.repeat(depth) + 1 + '}'.repeat(depth)
    // The body itself is the first level.
    expect([await call(lists(19)), await call(lists(20))]).toEqual([422, 400])
    expect([await call(objects(19)), await call(objects(20))]).toEqual([422, 400])
    expect(await call(`[${Array(30).fill('[{}]').join()}]`)).toBe(422)
    for (const text of ['['.repeat(30), '{'.repeat(30), `\\"${'['.repeat(30)}`, `\\\\\\"${'{'.repeat(30)}`])
      expect([text, await call(`"${text}"`)]).toEqual([text, 422])
    expect([await call(`["\\\\",${lists(18)}]`), await call(`["\\\\",${lists(19)}]`)]).toEqual([422, 400])
  })
})

test('an expired session redirects to sign-in and clears its cookies', async () => {
  h.clock.set(new Date(NOON.getTime() + 25 * 3_600_000))
  const clearedCookies = [
    'yardmaster_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    'yardmaster_leaving=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
  ]
  const page = await h.cast.ben.open('/titles?q=1')
  expect([page.status, page.location, page.headers.getSetCookie()]).toEqual([
    303,
    '/login?next=%2Ftitles%3Fq%3D1',
    clearedCookies,
  ])
  expect((await h.cast.ben.open('/')).location).toBe('/login')
  const htmx = { 'hx-request': 'true', 'hx-current-url': 'http://localhost/titles' }
  const script = await h.cast.ben.submit('/titles/new', { notes: 'Typed' }, htmx)
  expect([script.status, script.headers.get('hx-redirect')]).toEqual([401, '/login?next=%2Ftitles&unsaved=true'])
  const call = await h.cast.ben.get('/titles')
  expect([call.status, call.body, call.headers.getSetCookie()]).toEqual([
    401,
    { success: false, code: 'signed_out', message: 'Please sign in' },
    [],
  ] as never)
})
