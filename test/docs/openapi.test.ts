import { beforeEach, expect, test } from 'bun:test'
import { runDueSchedules } from '../../src/reports/schedules'
import { PASSWORD } from '../support/cast'
import { house, NOON } from '../support/house'

let h: Awaited<ReturnType<typeof house>>
beforeEach(async () => {
  h = await house()
})

type Document = {
  paths: Record<
    string,
    Record<
      string,
      {
        summary: string
        requestBody?: { content: Record<string, { example?: object }> }
        parameters: { name: string; in: string; required: boolean; example?: string | number }[]
        responses: Record<string, unknown>
      }
    >
  >
}

const read = async () => (await h.cast.stranger.get('/openapi.json')).body as unknown as Document

const login = ({ cast }: typeof h) => cast.stranger.post('/auth/login', { username: 'ada', password: PASSWORD })

/** Everything that the examples speak of. */
async function furnish() {
  const { ben, ada, phoenix, tempe, desert } = h.cast
  await ben.post('/transports', {
    unit_number: '100200',
    location_out_id: phoenix,
    location_in_id: tempe,
    move_date: '2026-03-10',
    transport_company_id: desert,
  })
  await ben.post('/osl', { unit_number: '100200', osl_date: '2026-03-01', location_id: phoenix, problem: 'Windshield cracked on the left' })
  await ben.post('/registrations', {
    unit_number: '100200',
    location_id: phoenix,
    plate_number: 'OLD1',
    state_province: 'AZ',
    date_issued: '2025-01-01',
    date_expires: '2025-12-31',
  })
  await ben.post('/titles', { unit_number: '100200', location_id: phoenix, submitted_date: '2026-03-01' })
  await ben.post('/vehicles', { unit_number: '100200', vin: '1HGCM82633A004352' })
  await ada.post('/vendors', { vendor_name: 'Bolt & Co' })
}

/** An upload that is done, one that waits, and a name that was explained. */
async function furnishFiles() {
  const { ben, phoenix } = h.cast
  await ben.upload('titles', 'titles.csv', 'unit_number,location\n100300,PHX\n')
  const { id } = await ben.begin('titles', 'more.csv', 'unit_number,location\n100301,Valley\n')
  await ben.put(`/files/${id}`, { names: [{ kind: 'location', name: 'Valley', id: phoenix }] })
  await ben.settled(id)
}

test('the document names every call, with words, answers and an example for every body', async () => {
  const { paths } = await read()
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
  expect(operations.length).toBeGreaterThan(95)
  for (const { name, operation } of operations) {
    expect([name, operation.summary.length > 5]).toEqual([name, true])
    expect([name, '401' in operation.responses]).toEqual([name, true])
    const json = operation.requestBody?.content['application/json']
    if (json) expect([name, json.example !== undefined]).toEqual([name, true])
  }
})

test('every operation answers its own example as the document says', async () => {
  const { paths } = await read()
  let isFurnished = false
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`
      if (operation.requestBody?.content['multipart/form-data']) continue
      // Reading changes nothing, so all reads share one house.
      if (method !== 'get' || !isFurnished) {
        h = await house()
        await furnish()
        if (method === 'get' || path.startsWith('/api/files')) await furnishFiles()
      }
      isFurnished = method === 'get'
      if (path === '/api/reports/runs/{id}/file') {
        h.clock.set(new Date('2026-03-17T00:00:00Z'))
        await runDueSchedules(h.office.db, h.clock)
        h.clock.set(new Date('2026-03-24T00:00:00Z'))
        await runDueSchedules(h.office.db, h.clock)
        h.clock.set(NOON)
      }
      let session = ''
      if (path === '/api/auth/sessions/{key}') {
        await login(h)
        const found = (await h.cast.ada.get('/auth/sessions')).body.data as { key: string; is_current: boolean }[]
        session = found.find(({ is_current }) => !is_current)?.key ?? ''
      }
      if (path === '/api/auth/tokens/{id}') await h.cast.ada.post('/auth/tokens', { name: 'Nightly export', scope: 'read' })
      const who = name.startsWith('POST /api/auth') || name.startsWith('PUT /api/auth') ? h.cast.ben : h.cast.ada
      const at = path
        .replace('/api', '')
        .replace('{key}', session)
        .replace(/\{(\w+)\}/g, (_, part: string) =>
          String(
            name.includes('/users/{id}') || /(commit|cancel|rows|PUT \/api\/files\/\{id\})$/.test(name)
              ? 2
              : name === 'DELETE /api/locations/{id}' || name === 'DELETE /api/transport-companies/{id}'
                ? 2
                : (operation.parameters.find((parameter) => parameter.name === part)?.example ?? ''),
          ),
        )
      const query = operation.parameters.some(({ name, required }) => name === 'q' && required)
        ? '?q=1002'
        : path === '/api/osl/completed' || path.startsWith('/api/reports/{type}')
          ? '?start_date=2026-01-01&end_date=2026-12-31'
          : ''
      if (name.endsWith('/restore') || name === 'DELETE /api/locations/{id}') await h.cast.ada.delete('/transports/1')
      const answer = await who.call(method.toUpperCase(), at + query, operation.requestBody?.content['application/json']?.example)
      expect([name, String(answer.status) in operation.responses, answer.status < 300, answer.body.message]).toEqual([name, true, true, answer.body.message])
    }
  }
}, 120_000)

test('the readable page shows every call and loads nothing from elsewhere', async () => {
  const page = await h.cast.stranger.open('/api/docs')
  const { paths } = await read()
  expect(page.find('.call').length).toBe(Object.values(paths).flatMap(Object.keys).length)
  expect([...page.html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, to]) => to).filter((to) => !/^[/#]/.test(to as string))).toEqual([])
})
