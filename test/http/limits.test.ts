import { beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { uploads, users } from '../../db/schema'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'
import { until } from '../support/until'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const FORM = 'application/x-www-form-urlencoded'
const KB = 1024

/** A body that fails the test if more than `limit` bytes are read. The default is 0. */
function watched(text: string, limit = 0) {
  const state = { read: 0 }
  const bytes = new TextEncoder().encode(text)
  const step = 16 * KB
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (state.read >= bytes.length) return controller.close()
        controller.enqueue(bytes.subarray(state.read, state.read + step))
        state.read += step
      },
    },
    { highWaterMark: 0 },
  )
  return { body, isWithin: () => state.read <= limit + step }
}

const post = async (path: string, body: BodyInit, type: string, headers: Record<string, string> = {}) =>
  h.cast.stranger.request(path, {
    method: 'POST',
    body,
    headers: { 'content-type': type, origin: 'http://localhost', ...headers },
    duplex: 'half',
  } as RequestInit)

const fieldsOf = (count: number) => Array.from({ length: count }, (_, n) => `k${n}=1`).join('&')
const parts = (count: number) =>
  `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(count)}--x--\r\n`

describe('a request body without a session', () => {
  test('is never read on a protected or unknown route', async () => {
    for (const [path, type, status] of [
      ['/titles/new', FORM, 303],
      ['/admin/users/2/edit', FORM, 303],
      ['/files/upload', 'multipart/form-data; boundary=x', 303],
      ['/api/titles', 'application/json', 401],
      ['/api/files/upload', 'multipart/form-data; boundary=x', 401],
      ['/nowhere', FORM, 404],
      ['/api/nowhere', 'application/json', 404],
    ] as const) {
      const { body, isWithin } = watched(fieldsOf(20_000))
      const answer = await post(path, body, type)
      expect([path, answer.status, isWithin()]).toEqual([path, status, true])
    }
  })

  test('is limited on the sign-in routes to the size of the login form', async () => {
    for (const [path, type, text] of [
      ['/login', FORM, fieldsOf(1_000_000)],
      ['/login', 'multipart/form-data; boundary=x', parts(200_000)],
      ['/api/auth/login', 'application/json', `{"username":"${'x'.repeat(2_000_000)}"}`],
    ] as const) {
      const { body, isWithin } = watched(text, 16 * KB)
      expect([path, (await post(path, body, type)).status, isWithin()]).toEqual([path, 413, true])
    }
    const longFields = `&held=${'A'.repeat(6000)}&next=${encodeURIComponent(`/titles?q=${'x'.repeat(1500)}`)}`
    const signIn = await post('/login', `username=ben&password=${PASSWORD}${longFields}`, FORM)
    expect([signIn.status, signIn.headers.get('location')?.startsWith('/titles?q=x')]).toEqual([303, true])
  })
})

describe('a form', () => {
  const send = async (body: BodyInit, type = FORM) => post('/titles/new', body, type, await h.cast.ben.cookieHeaders())

  test('is limited to 2,000 fields and one megabyte before it is parsed', async () => {
    expect((await send(fieldsOf(2000))).status).toBe(422)
    expect((await send(fieldsOf(2001))).status).toBe(413)
    expect((await send(parts(2000), 'multipart/form-data; boundary=x')).status).toBe(422)
    expect((await send(parts(2001), 'multipart/form-data; boundary="x"')).status).toBe(413)
    expect((await send(`notes=${'x'.repeat(KB * KB - 6)}`)).status).toBe(422)
    const { body, isWithin } = watched(`notes=${'x'.repeat(9_000_000)}`, KB * KB)
    expect([(await send(body)).status, isWithin()]).toEqual([413, true])
    expect((await send('notes=x', 'text/plain')).status).toBe(415)
  })

  test('is limited to half a megabyte of part headers', async () => {
    const padded = parts(200).replaceAll('name="a"', `name="a"; x="${'y'.repeat(3500)}"`)
    const multipart = 'multipart/form-data; boundary=x'
    const headers = await h.cast.ben.cookieHeaders()
    expect((await post('/files/upload', padded, multipart, headers)).status).toBe(413)
  })

  test('is rejected when its multipart boundary is ambiguous or missing', async () => {
    const body = parts(2001)
    for (const type of [
      'multipart/form-data; xboundary=ZZ; boundary=x',
      'multipart/form-data; boundary=ZZ; boundary=x',
      'multipart/form-data; boundary=x; boundary=ZZ',
      'multipart/form-data; boundary="x',
      'multipart/form-data',
    ])
      expect([type, [400, 413].includes((await send(body, type)).status)]).toEqual([type, true])
    // The values of one name are collected in linear time.
    expect((await send(Array(2000).fill('a=1').join('&'))).status).toBe(422)
  })

  test('is rejected when it contains a file where none is expected', async () => {
    const form = new FormData()
    form.set('notes', new File(['x'], 'x.csv'))
    const request = new Request('http://localhost', { method: 'POST', body: form })
    const answer = await send(await request.blob(), String(request.headers.get('content-type')))
    expect(answer.status).toBe(415)
  })

  test('accepts repeated field names and names such as __proto__', async () => {
    const answer = await send('__proto__=1&constructor=2&unit_number=1&unit_number=100200&notes=a%20b')
    const html = await answer.text()
    expect([answer.status, html.includes('value="100200"'), html.includes('a b')]).toEqual([422, true, true])
  })
})

test('the form fields of an upload are limited to one megabyte in total', async () => {
  const text = `--x\r\nContent-Disposition: form-data; name="lines"\r\n\r\n${'1 2\n'.repeat(500_000)}\r\n--x--\r\n`
  const headers = await h.cast.ben.cookieHeaders()
  await h.cast.ada.post('/vendors', { vendor_name: 'Yard', vendor_type: 'Towing' })
  expect((await post('/vendors/1/invoices/new', text, 'multipart/form-data; boundary=x', headers)).status).toBe(413)
})

test('a body sent in one-byte chunks is read completely', async () => {
  const bytes = new TextEncoder().encode(`{"unit_number":"100200","location_id":1,"notes":"${'x'.repeat(100_000)}"}`)
  let at = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, ++at))
      else controller.close()
    },
  })
  const answer = await post('/api/titles', body, 'application/json', {
    authorization: `Bearer ${await h.cast.ben.token()}`,
  })
  const { errors } = (await answer.json()) as { errors: { field: string }[] }
  expect([answer.status, errors.map(({ field }) => field)]).toEqual([422, ['notes']])
})

test('a JSON body is limited to two megabytes', async () => {
  const { body, isWithin } = watched(`{"notes":"${'x'.repeat(9_000_000)}"}`, 2 * KB * KB)
  const headers = { authorization: `Bearer ${await h.cast.ben.token()}` }
  expect([(await post('/api/titles', body, 'application/json', headers)).status, isWithin()]).toEqual([413, true])
})

test('a JSON body is limited to 30,000 values, and 500 fields in one object, before validation', async () => {
  const members = (count: number) => `{"date_orders":{${Array.from({ length: count }, (_, n) => `"${n}":1`).join()}}}`
  expect((await h.cast.ben.call('PUT', '/files/1', members(501))).status).toBe(413)
  const refused = await h.cast.ben.call('PUT', '/files/1', members(500))
  expect([refused.status, Number(refused.body.errors?.length) <= 100]).toEqual([422, true])
  const ids = (count: number) => ({ ids: Array(count).fill('x'), note: 'x' })
  expect((await h.cast.ben.post('/titles/bulk', ids(30_002))).status).toBe(413)
  expect((await h.cast.ben.post('/titles/bulk', ids(29_000))).status).toBe(422)
  const set = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, 1]))
  const bulk = await h.cast.ben.post('/titles/bulk', { ids: [1], set })
  expect([bulk.status, JSON.stringify(bulk.body).length < 2000]).toEqual([422, true])
})

test('a JSON body is limited to 5,500 objects before validation', async () => {
  const rows = (count: number) => ({ registrations: Array.from({ length: count }, () => ({})) })
  expect((await h.cast.ben.post('/registrations/batch', rows(5600))).status).toBe(413)
  const refused = await h.cast.ben.post('/registrations/batch', rows(5400))
  expect([refused.status, Number(refused.body.errors?.length) <= 100]).toEqual([422, true])
})

describe('default values of an import', () => {
  const file = 'unit_number,location\n100200,Phoenix\n'
  const many = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [n, {}])))

  test.each([
    ['a megabyte of text', many(80_000)],
    ['51 fields', many(51)],
    ['no JSON', '{'],
    ['deep JSON', '['.repeat(5000)],
  ])('with %s are refused with one error', async (_, defaults) => {
    const { status, body } = await h.cast.ben.upload('titles', 'titles.csv', file, { defaults })
    expect([status, body.errors]).toEqual([
      422,
      [{ field: 'defaults', message: 'Must be a JSON object with field names and their values' }],
    ])
  })
})

/**
 * Sends slow requests until no more are accepted. A probe uses a slot for a moment, so the server can refuse a slow
 * request meanwhile. Another one then takes its place.
 */
async function fillSlots(count: number, { slow, probe }: Record<'slow' | 'probe', () => Promise<Response>>) {
  const open = Array.from({ length: count }, slow)
  await until(async () => {
    if ((await probe()).status === 429) return true
    open.push(slow())
    return false
  })
  return open
}

test('slow bodies of a session do not keep its owner from ending the session', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const slow = () =>
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        await promise
        controller.enqueue(new TextEncoder().encode('unit_number=1'))
        controller.close()
      },
    })
  const cookie = { cookie: `yardmaster_session=${await h.cast.ben.token()}` }
  const open = await fillSlots(32, {
    slow: () => post('/titles/new', slow(), FORM, cookie),
    probe: () => post('/titles/new', 'unit_number=1', FORM, cookie),
  })
  expect((await post('/profile/access/end-others', 'revoke_tokens=true', FORM, cookie)).status).toBe(303)
  expect((await post('/logout', 'a=1', FORM, cookie)).status).toBe(303)
  resolve()
  await Promise.all(open)
})

describe('uploads', () => {
  test('are limited to eight at a time for each account or its tokens', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const slow = () => {
      const bytes = new TextEncoder().encode(
        '--x\r\nContent-Disposition: form-data; name="data_type"\r\n\r\ntitles\r\n--x--',
      )
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          await promise
          controller.enqueue(bytes)
          controller.close()
        },
      })
      return body
    }
    const type = 'multipart/form-data; boundary=x'
    const created = await h.cast.ben.post('/auth/tokens', { current_password: PASSWORD, name: 'Sync', scope: 'write' })
    const headers = { authorization: `Bearer ${(created.body.data as { token: string }).token}` }
    const open = await fillSlots(8, {
      slow: () => post('/api/files/upload', slow(), type, headers),
      probe: () => post('/api/files/upload', parts(1), type, headers),
    })
    // Uploads by token do not block the account's sessions, so that a stolen token cannot block its owner.
    for (const user of [h.cast.ada, h.cast.ben]) {
      const own = { authorization: `Bearer ${await user.token()}` }
      expect((await post('/api/files/upload', parts(1), type, own)).status).toBe(422)
    }
    resolve()
    const statuses = (await Promise.all(open)).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 429)).toEqual(Array(8).fill(422))
    expect((await post('/api/files/upload', parts(1), type, headers)).status).toBe(422)
  })

  test('are rejected while the account has too many unfinished imports', async () => {
    await h.ctx.db.insert(uploads).values({
      ...{ data_type: 'titles', file_name: 'x.csv', file_size: 41 * h.ctx.config.maxUploadBytes, status: 'refused' },
      ...{ imported: 0, failed: 0, duplicates: 0, message: '', validation_errors: [], created_by: 'ben' },
    })
    const refused = await h.cast.ben.upload('titles', 'titles.csv', 'unit_number,location\n100200,Phoenix\n')
    expect([refused.status, refused.body.message?.startsWith('You have too many unfinished imports')]).toEqual([
      409,
      true,
    ])
    expect((await h.cast.ada.upload('titles', 'titles.csv', 'unit_number,location\n100200,Phoenix\n')).status).toBe(200)
  })

  test('cannot pass the limit of twenty together', async () => {
    const { db } = h.ctx
    const { id } = await h.cast.ben.begin('titles', 'ready.csv', 'unit_number,location\n100203,Phoenix\n')
    const work = {
      ...({ data_type: 'titles', file_name: 'x.csv', file_size: 1, status: 'writing', created_by: 'ben' } as const),
      ...{ imported: 0, failed: 0, duplicates: 0, message: '', validation_errors: [], runner_seen_at: new Date() },
    }
    const locked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    const otherRequest = db.transaction(async (tx) => {
      await tx.select({ id: users.id }).from(users).where(eq(users.username, 'ben')).for('no key update')
      locked.resolve()
      await answered.promise
      await tx.insert(uploads).values(Array.from({ length: 20 }, () => work))
    })
    await locked.promise
    const commit = h.cast.ben.post(`/files/${id}/commit`)
    await Promise.race([commit, Bun.sleep(500)])
    answered.resolve()
    await otherRequest
    expect((await commit).status).toBe(409)
  })

  test.each(['reading', 'writing', 'undoing'] as const)('are rejected while twenty imports are %s', async (status) => {
    const reading = {
      ...({ data_type: 'titles', file_name: 'x.csv', file_size: 1, status, created_by: 'ben' } as const),
      ...{ imported: 0, failed: 0, duplicates: 0, message: '', validation_errors: [], runner_seen_at: new Date() },
    }
    const { id: done } = (await h.cast.ben.upload('titles', 'done.csv', 'unit_number,location\n100201,Phoenix\n')).body
      .data as { id: number }
    const { id: ready } = await h.cast.ben.begin('titles', 'ready.csv', 'unit_number,location\n100202,Phoenix\n')
    await h.ctx.db.insert(uploads).values(Array.from({ length: 20 }, () => reading))
    expect((await h.cast.ben.post(`/files/${ready}/commit`)).status).toBe(409)
    expect((await h.cast.ben.post(`/files/${done}/undo`)).status).toBe(409)
    expect((await h.cast.ben.put(`/files/${ready}`, { existing: 'update' })).status).toBe(409)
    const refused = await h.cast.ben.upload('titles', 'titles.csv', 'unit_number,location\n100200,Phoenix\n')
    expect([refused.status, refused.body.message]).toEqual([
      409,
      '20 of your imports are in progress. Wait until one of them is finished.',
    ])
    // The work counts for the user who started it.
    await h.ctx.db.update(uploads).set({ started_by: 'ada' }).where(eq(uploads.status, status))
    expect((await h.cast.ben.post(`/files/${ready}/commit`)).status).toBe(202)
    await h.ctx.db.update(uploads).set({ started_by: null }).where(eq(uploads.status, status))
    expect((await h.cast.ada.upload('titles', 'titles.csv', 'unit_number,location\n100200,Phoenix\n')).status).toBe(200)
  })
})

describe('the virus scanner', () => {
  const scanner = ['sh', '-c', 'if grep -q EICAR; then echo found; exit 1; fi']
  const upload = (text: string) => h.cast.ben.upload('titles', 'titles.csv', text)

  test('rejects an infected file and accepts others', async () => {
    h = await testContext({ uploadScanner: scanner })
    const infected = await upload('unit_number,location\n100200,EICAR\n')
    expect([infected.status, infected.body.message]).toEqual([422, 'The virus scanner refused this file'])
    expect((await h.cast.ben.get('/files/history')).body.meta).toMatchObject({ total: 0 })
    expect((await upload('unit_number,location\n100200,Phoenix\n')).body).toMatchObject({ imported: 1 })
  })

  test('is not started for a form with too many files or after the client has left', async () => {
    const log = join(mkdtempSync(join(tmpdir(), 'yardmaster-scan-')), 'scans')
    h = await testContext({ uploadScanner: ['sh', '-c', `cat > /dev/null; echo scan >> ${log}; sleep 0.2`] })
    const form = (count: number) => {
      const body = new FormData()
      body.set('data_type', 'titles')
      for (let n = 0; n < count; n++) body.append(`file${n}`, new File(['x'], 'x.csv'))
      return body
    }
    const send = async (count: number, signal?: AbortSignal) =>
      h.cast.ben.request('/api/files/imports', {
        method: 'POST',
        headers: { authorization: `Bearer ${await h.cast.ben.token()}` },
        body: form(count),
        ...(signal ? { signal } : {}),
      })
    expect((await send(51)).status).toBe(413)
    expect(existsSync(log)).toBe(false)
    const stop = new AbortController()
    const sent = send(20, stop.signal)
    while (!existsSync(log)) await Bun.sleep(10)
    stop.abort()
    expect((await sent).status).toBe(400)
    expect(readFileSync(log, 'utf8').split('\n').length).toBeLessThan(20)
  })

  test('blocks every upload when it fails', async () => {
    for (const uploadScanner of [['/nowhere/scanner'], ['sh', '-c', 'exit 2']]) {
      h = await testContext({ uploadScanner })
      expect((await upload('unit_number,location\n100200,Phoenix\n')).status).toBe(503)
    }
  })
})
