import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { sessionOf } from '../../src/platform/auth/admission'
import { admitBody } from '../../src/platform/auth/held-forms'
import { openSession } from '../../src/platform/auth/sessions'
import type { AppContext } from '../../src/platform/context'
import { bodies } from '../../src/platform/http/bodies'
import { errors } from '../../src/platform/http/errors'
import { testContext } from '../support/context'
import { Visitor } from '../support/visitor'

/**
 * Upload timeout in seconds.
 * The runtime checks it every four seconds, so an idle upload can end up to four seconds early.
 */
const TIMEOUT_SECONDS = 12

const ADDRESS = { address: '127.0.0.1', userAgent: 'x' }

const program = (ctx: AppContext, limits: { uploadTimeout?: number; checkEveryMs?: number } = {}) =>
  new Elysia()
    .use(
      errors(ctx, {
        methodsOf: () => [],
        sessionOf: (request) => sessionOf(ctx, request),
        isSignInOpen: async () => false,
      }),
    )
    .use(bodies(ctx, { admit: (arrival) => admitBody(ctx, arrival), ...limits }))

let h: Awaited<ReturnType<typeof testContext>>
let server: { stop(force: boolean): Promise<void>; port: number }
beforeAll(async () => {
  h = await testContext()
  const app = program(h.ctx, { uploadTimeout: TIMEOUT_SECONDS })
    .post('/api/files/imports', ({ body }) => ({ size: (body as { file: File }).file.size }))
    .listen({ port: 0, hostname: '127.0.0.1' })
  server = { stop: async () => void (await app.stop(true)), port: app.server?.port ?? 0 }
})
afterAll(() => server.stop(true))

/** Uploads a file at 10 bytes a second, but stops after `seconds` of its `of` seconds. @returns the response */
async function drip(seconds: number, of = seconds): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const begin = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
  const end = '\r\n--x--\r\n'
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: server.port,
    socket: {
      data: (_, data) => resolve(data.toString()),
      close: () => resolve('closed'),
      error: () => resolve('closed'),
    },
  })
  const size = begin.length + of * 10 + end.length
  const token = await h.cast.ben.token()
  socket.write(
    `POST /api/files/imports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${size}\r\n\r\n${begin}`,
  )
  for (let tenth = 0; tenth < seconds * 10; tenth++) {
    await Bun.sleep(100)
    socket.write('x')
  }
  if (seconds === of) socket.write(end)
  return promise
}

test('an upload lasts as long as bytes arrive and closes when idle', async () => {
  const [slow, silent] = await Promise.all([drip(18), drip(1, 18)])
  expect(slow).toContain('{"size":180}')
  expect(silent).toBe('closed')
}, 600_000)

test('an oversized upload returns 413 and a malformed one returns 400', async () => {
  const url = `http://127.0.0.1:${server.port}/api/files/imports`
  const headers = { authorization: `Bearer ${await h.cast.ben.token()}` }
  const form = new FormData()
  form.set('file', new File([new Uint8Array(h.ctx.config.maxUploadBytes + 2 * 1024 * 1024)], 'a.csv'))
  const request = new Request(url, { method: 'POST', body: form })
  const type = request.headers.get('content-type') as string
  const large = await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': type }, body: request.body })
  expect([large.status, await large.json()]).toEqual([
    413,
    { success: false, code: 'too_large', message: 'The file is larger than 25 MB' },
  ])
  const broken = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=x' },
    body: 'no parts',
  })
  expect([broken.status, await broken.json()]).toEqual([
    400,
    { success: false, code: 'malformed_request', message: 'The request could not be read' },
  ])
})

test('an upload ends when its session ends', async () => {
  const app = program(h.ctx, { checkEveryMs: 20 }).post('/api/files/imports', () => ({}))
  const visitor = new Visitor(h.app, h.ctx, await openSession(h.ctx.db, 2, ADDRESS, h.ctx.clock.now()))
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('--x\r\n')) })
  const headers = {
    authorization: `Bearer ${await visitor.token()}`,
    'content-type': 'multipart/form-data; boundary=x',
  }
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  const parked = app.handle(new Request('http://localhost/api/files/imports', init))
  await Bun.sleep(50)
  await visitor.post('/auth/logout')
  expect((await parked).status).toBe(401)
})

test('an upload body may exceed the file limit by one megabyte', async () => {
  const ctx = { ...h.ctx, config: { ...h.ctx.config, maxUploadBytes: 1024 * 1024 } }
  const app = program(ctx).post('/api/files/imports', ({ body }) => ({ name: (body as { file: File }).file.name }))
  const send = async (length: number) => {
    const begin = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
    const end = '\r\n--x--\r\n'
    const answer = await app.handle(
      new Request('http://localhost/api/files/imports', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await h.cast.ben.token()}`,
          'content-type': 'multipart/form-data; boundary=x',
        },
        body: begin + 'x'.repeat(length - begin.length - end.length) + end,
      }),
    )
    return [answer.status, await answer.json()]
  }
  expect(await send(2 * 1024 * 1024)).toEqual([200, { name: 'a.csv' }])
  expect(await send(2 * 1024 * 1024 + 1)).toEqual([
    413,
    { success: false, code: 'too_large', message: 'The file is larger than 1 MB' },
  ])
})
