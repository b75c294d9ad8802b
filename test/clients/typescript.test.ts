import { afterAll, beforeAll, beforeEach, expect, spyOn, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiError, createClient, readAll, type Schemas, unwrap } from '../../clients/typescript'
import { appWith, testContext } from '../support/context'

/** Uses the TypeScript client over HTTP, as an integration does. No call needs a cast. */

let h: Awaited<ReturnType<typeof testContext>>
let server: ReturnType<typeof appWith>['app']
let url: string
let token: string

beforeAll(async () => {
  h = await testContext()
  server = appWith(h.ctx, {}).app.listen({ port: 0, hostname: '127.0.0.1' })
  url = `http://127.0.0.1:${server.server?.port}`
})
afterAll(() => server.stop(true))

beforeEach(async () => {
  h = await testContext()
  const { data } = await unwrap(
    createClient({ url }).POST('/api/auth/login', { body: { username: 'ben', password: 'Saguaro42' } }),
  )
  token = data.token
})

const transport = () => ({
  unit_number: '100200',
  location_out_id: h.cast.phoenix,
  location_in_id: h.cast.tempe,
  move_date: '2026-03-10',
  transport_company_id: h.cast.desert,
})

/** A fetch function that loses the first responses, and the idempotency keys of its requests. */
function losingAnswers(count: number) {
  const keys: (string | null)[] = []
  const send = async (request: Request) => {
    const response = await fetch(request)
    keys.push(request.headers.get('idempotency-key'))
    if (keys.length <= count) throw new TypeError('The connection was closed')
    return response
  }
  return { keys, send }
}

test('the client creates one record although answers get lost', async () => {
  const { keys, send } = losingAnswers(2)
  const client = createClient({ url, token, fetch: send })
  const { data, response } = await client.POST('/api/transports', { body: transport() })
  expect(response.headers.get('idempotent-replayed')).toBe('true')
  expect([keys.length, new Set(keys).size]).toEqual([3, 1])
  const listed = await unwrap(client.GET('/api/transports/active', { params: { query: { per_page: 10 } } }))
  const rows: Schemas['Transport'][] = listed.data
  expect([listed.meta.total, rows.map(({ id }) => id)]).toEqual([1, [Number(data?.data.id)]])
})

test('each call has a key of its own, unless the caller sets one', async () => {
  const { keys, send } = losingAnswers(0)
  const client = createClient({ url, token, fetch: send })
  await unwrap(client.POST('/api/transports', { body: transport() }))
  await unwrap(client.POST('/api/transports', { body: { ...transport(), unit_number: '100201' } }))
  const header = { 'Idempotency-Key': 'order-7731' }
  await unwrap(client.POST('/api/titles', { params: { header }, body: { unit_number: '100200', location_id: 1 } }))
  await unwrap(client.GET('/api/titles'))
  expect([new Set(keys).size, keys.slice(2)]).toEqual([4, ['order-7731', null]])
})

test('the client gives up after four attempts, and does not repeat an aborted call', async () => {
  const { keys, send } = losingAnswers(9)
  const client = createClient({ url, token, fetch: send })
  await expect(client.GET('/api/titles')).rejects.toThrow('The connection was closed')
  expect(keys.length).toBe(4)
  await expect(client.GET('/api/titles', { signal: AbortSignal.abort() })).rejects.toThrow('abort')
  expect(keys.length).toBe(4)
})

test('the client repeats a call after the time in Retry-After, but does not wait for minutes', async () => {
  const waits = ['0', '3600']
  let calls = 0
  const send = (request: Request) => {
    const wait = waits[calls++]
    const busy = () => Response.json({ success: false, code: 'rate_limited', message: 'Wait' }, { status: 429 })
    if (wait === undefined) return fetch(request)
    const response = busy()
    response.headers.set('retry-after', wait)
    return Promise.resolve(response)
  }
  const { error, response } = await createClient({ url, token, fetch: send }).GET('/api/titles')
  expect([calls, response.status, error?.code]).toEqual([2, 429, 'rate_limited'])
})

test('an update with an outdated version fails with the code stale and the stored record', async () => {
  const client = createClient({ url, token })
  const { data } = await unwrap(client.POST('/api/transports', { body: transport() }))
  const params = { path: { id: data.id } }
  const body = { final_cost: 361.25, version: data.version }
  const changed = await unwrap(client.PUT('/api/transports/{id}', { params, body }))
  const cost: number | null | undefined = changed.data.final_cost
  expect([cost, changed.data.version]).toEqual([361.25, data.version + 1])
  const conflict = await client.PUT('/api/transports/{id}', { params, body: { ...body, final_cost: 400 } })
  expect([conflict.response.status, conflict.error?.code]).toEqual([409, 'stale'])
  expect(conflict.error?.data).toMatchObject({ final_cost: 361.25 })
})

test('readAll reads a list to its end, with deleted records', async () => {
  const client = createClient({ url, token })
  const ids: number[] = []
  for (const unit_number of ['100200', '100201', '100202', '100203', '100204'])
    ids.push((await unwrap(client.POST('/api/titles', { body: { unit_number, location_id: h.cast.mesa } }))).data.id)
  await unwrap(client.DELETE('/api/titles/{id}', { params: { path: { id: Number(ids[0]) } } }))
  const titles = readAll((cursor) =>
    client.GET('/api/titles', { params: { query: { cursor, per_page: 2, include_deleted: true } } }),
  )
  const found = await Array.fromAsync(titles)
  expect(found.map(({ id }) => id)).toEqual([...ids.slice(1), Number(ids[0])])
  const units: string[] = found.map(({ unit_number }) => unit_number)
  expect(units.length).toBe(5)
})

test('readAll throws the failure of a page', async () => {
  const client = createClient({ url, token: 'invalid' })
  const reading = Array.fromAsync(readAll((cursor) => client.GET('/api/titles', { params: { query: { cursor } } })))
  await expect(reading).rejects.toMatchObject({ status: 401, code: 'signed_out' })
})

test('the client uploads files as forms and downloads files', async () => {
  const client = createClient({ url, token })
  const file = new File(['unit_number,location\n100300,PHX\n'], 'titles.csv')
  const upload = await unwrap(client.POST('/api/files/upload', { body: { file, data_type: 'titles' } }))
  expect([upload.imported, upload.failed]).toEqual([1, 0])
  const pdf = new File(['%PDF-1.4\n'], 'title.pdf')
  const { data } = await unwrap(
    client.POST('/api/titles/{id}/documents', { params: { path: { id: 1 } }, body: { file: pdf, title: 'Signed' } }),
  )
  const download = client.GET('/api/documents/{id}', { params: { path: { id: data.id } }, parseAs: 'blob' })
  const stored: Blob = await unwrap(download)
  expect(await stored.text()).toBe('%PDF-1.4\n')
})

test('a failed call has a code, and names the fields', async () => {
  const client = createClient({ url, token })
  const failure = await unwrap(client.POST('/api/transports', { body: { ...transport(), unit_number: 'x' } })).catch(
    (error: unknown) => error,
  )
  if (!(failure instanceof ApiError)) throw failure
  expect([failure.status, failure.code, failure.errors]).toEqual([
    422,
    'invalid',
    [{ field: 'unit_number', message: '6 digits required' }],
  ])
})

test('a page from a proxy becomes an ApiError without a code', async () => {
  const client = createClient({ url, token, fetch: async () => new Response('<p>Bad gateway</p>', { status: 502 }) })
  await expect(unwrap(client.GET('/api/titles'))).rejects.toMatchObject({ status: 502, code: undefined, errors: [] })
})

test('the example in docs/api.md creates a title and lists all titles', async () => {
  const root = join(import.meta.dir, '../..')
  const page = await Bun.file(join(root, 'docs/api.md')).text()
  const example = /^```ts\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'yardmaster-client-'))
  const output = spyOn(console, 'log').mockImplementation(() => {})
  Object.assign(process.env, { YARDMASTER_URL: url, YARDMASTER_TOKEN: token })
  try {
    const file = join(folder, 'example.ts')
    await Bun.write(file, example.replace('./yardmaster', join(root, 'clients/typescript/index.ts')))
    await import(file)
    expect(output.mock.calls).toEqual([
      [1, 1],
      ['100200', expect.any(Number)],
    ])
  } finally {
    output.mockRestore()
    delete process.env.YARDMASTER_URL
    delete process.env.YARDMASTER_TOKEN
    rmSync(folder, { recursive: true, force: true })
  }
})
