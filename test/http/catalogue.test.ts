import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { openServer } from '../../db/server'
import { PASSWORD } from '../support/cast'
import { appWith, testContext } from '../support/context'
import { Visitor } from '../support/visitor'

/** Texts of the error catalogue of the specification, and the requests that show them. */
const FAULTS: [method: 'GET' | 'POST', path: string, text: string][] = [
  ['POST', '/login', 'An error occurred. Please try again.'],
  ['GET', '/dashboard', 'Failed to load dashboard data'],
  ['GET', '/admin/locations', 'Failed to fetch locations'],
  ['GET', '/admin/transport-companies', 'Failed to fetch transport companies'],
  ['GET', '/admin/vendors', 'Failed to fetch vendors'],
  ['GET', '/admin/users', 'Failed to fetch users'],
  ['POST', '/admin/locations/new', 'An error occurred'],
  ['POST', '/admin/locations/1/deactivate', 'Failed to update location'],
  ['POST', '/admin/transport-companies/1/activate', 'Failed to update transport company'],
  ['POST', '/admin/vendors/1/activate', 'Failed to update vendor'],
  ['POST', '/admin/users/1/activate', 'Failed to update user'],
  ['POST', '/admin/locations/1/delete', 'Cannot delete location'],
  ['POST', '/admin/transport-companies/1/delete', 'Cannot delete transport company'],
  ['POST', '/admin/vendors/1/delete', 'Cannot delete vendor'],
  ['POST', '/admin/users/1/reset-password', 'Failed to reset password'],
  ['GET', '/transports/new', 'Failed to load dropdown data'],
  ['POST', '/transports/new', 'Failed to create transport'],
  ['POST', '/transports/1/status', 'Failed to update status'],
  ['POST', '/osl/new', 'Failed to create OSL entry'],
  ['GET', '/vehicles/lookup', 'Vehicle not found'],
  ['POST', '/vehicles/registrations/1/toggle-received', 'Failed to update registration'],
  ['POST', '/vehicles/registrations/new', 'Failed to add registration'],
  ['POST', '/titles/1/transfer', 'Failed to update title status'],
  ['POST', '/titles/new', 'Failed to create title tracking entry'],
  ['POST', '/files/upload', 'File upload failed'],
  ['POST', '/profile', 'Failed to update profile'],
  ['POST', '/profile/password', 'Failed to change password'],
]

const AWAY = 'The database is not answering. Please try again in a moment.'

describe('an unreachable database', () => {
  const dead = openServer('postgres://nobody@127.0.0.1:1/none')
  let visitor: Visitor
  beforeAll(async () => {
    const { ctx } = await testContext()
    const away = appWith(ctx, { database: dead, db: dead.db })
    visitor = new Visitor(away.app, away.ctx, 'any')
  })
  afterAll(() => dead.close())

  for (const [method, path, text] of FAULTS) {
    test(`makes ${method} ${path} show “${text}”`, async () => {
      const fields = { username: 'ben', password: PASSWORD }
      const page = method === 'GET' ? await visitor.open(path) : await visitor.submit(path, fields)
      expect([page.status, page.find('h1')]).toEqual([503, [text]])
      if (method === 'POST') {
        const inPlace = await visitor.submit(path, fields, { 'hx-request': 'true' })
        expect([inPlace.status, inPlace.headers.get('hx-trigger')]).toEqual([
          503,
          JSON.stringify({ 'yardmaster:failed': { text, reason: AWAY } }),
        ])
      }
    })
  }

  test('makes API calls return 503 with Retry-After and fails readiness, not liveness', async () => {
    const { status, body, headers } = await visitor.get('/transports')
    expect([status, body.success, headers.get('retry-after')]).toEqual([503, false, '2'])
    expect([(await visitor.request('/readyz')).status, (await visitor.request('/healthz')).status]).toEqual([503, 200])
  })
})

describe('specification requirements', () => {
  let h: Awaited<ReturnType<typeof testContext>>
  beforeEach(async () => {
    h = await testContext()
  })

  test('pages state the request timeout and accept one spreadsheet file', async () => {
    expect((await h.cast.stranger.open('/login')).html).toContain('&quot;defaultTimeout&quot;:30000')
    const upload = await h.cast.ben.open('/files/upload')
    expect(upload.html).toContain('accept=".xls,.xlsx,.csv"')
    expect(upload.html).not.toContain('multiple')
  })

  test('form and API defaults match the specification', async () => {
    const { ben, ada, phoenix, tempe, desert } = h.cast
    const transport = await ben.post('/transports', {
      unit_number: '100200',
      location_out_id: phoenix,
      location_in_id: tempe,
      move_date: '2026-03-10',
      transport_company_id: desert,
    })
    expect(transport.body.data).toMatchObject({ move_type: 'Fleet', status: 'Awaiting Pickup' })
    expect((await ben.open('/transports/new')).find('option[selected]')).toEqual(
      expect.arrayContaining(['Fleet', 'Awaiting Pickup']),
    )
    expect((await ben.open('/vehicles/registrations/new')).find('option[selected]')).toEqual(
      expect.arrayContaining(['Renewal']),
    )
    expect((await ada.open('/admin/users/new')).find('option[selected]')).toEqual(['User'])
    expect((await ada.open('/admin/locations/new')).find('option[selected]')).toEqual(['Hub'])
    const report = await ben.open('/transports/completed')
    expect(
      [...report.html.matchAll(/type="date" name="(start|end)_date" value="([^"]+)"/g)].map((match) => match[2]),
    ).toEqual(['2026-02-14', '2026-03-14'])
  })

  test('undoing a deletion from its message restores the transport unchanged', async () => {
    const { ben, phoenix, tempe, desert } = h.cast
    const made = await ben.post('/transports', {
      unit_number: '100200',
      location_out_id: phoenix,
      location_in_id: tempe,
      move_date: '2026-03-10',
      transport_company_id: desert,
      final_cost: 12.34,
      notes: 'Keys',
    })
    const deleteResponse = await ben.submit('/transports/1/delete', {})
    expect(deleteResponse.toast).toBe('Transport of unit 100200 deleted')
    const waiting = deleteResponse.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('yardmaster_toast'))
      ?.split(';')[0]
    const next = await ben.open('/transports/active', { cookie: `${(await ben.cookieHeaders()).cookie}; ${waiting}` })
    expect(next.find('.toast button')).toEqual(['Undo'])
    expect((await ben.submit('/transports/1/restore', {})).toast).toBe('Transport of unit 100200 restored')
    expect((await ben.get('/transports/1')).body.data).toMatchObject({
      ...(made.body.data as object),
      version: 3,
      updated_at: expect.any(String),
    })
    expect([
      (await ben.post('/transports/1/restore')).status,
      (await ben.post('/transports/9/restore')).status,
    ]).toEqual([409, 404])
  })

  test('the upload page lists earlier uploads and shows their errors', async () => {
    await h.cast.ben.upload('titles', 'june.csv', 'unit_number,location\n100200,PHX\nbad,PHX\n')
    const page = await h.cast.ben.open('/files/upload')
    expect(page.find('.panel-table tbody td')).toEqual(expect.arrayContaining(['ben', 'june.csv', 'Title Tracking']))
    expect((await h.cast.ben.open('/files/upload?upload=1')).text).toContain('Row 3: Unit number: 6 digits required')
  })
})
