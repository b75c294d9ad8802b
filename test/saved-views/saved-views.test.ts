import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { users } from '../../db/schema'
import { openSession } from '../../src/platform/auth/sessions'
import { testContext } from '../support/context'
import { Visitor } from '../support/visitor'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const READY = { list: 'osl-active', name: 'Ready', query: 'status=Ready&sort=unit_number&order=asc' }
/** Another user, who is signed in. */
async function signedIn(username: string): Promise<Visitor> {
  const { app, ctx } = h
  const [row] = await ctx.db.insert(users).values({ username, password_hash: '-' }).returning()
  const from = { address: '127.0.0.1', userAgent: 'test' }
  return new Visitor(app, ctx, await openSession(ctx.db, Number(row?.id), from, ctx.clock.now()))
}

const names = async (who: Visitor, query = '') =>
  ((await who.get(`/views${query}`)).body.data as unknown as { name: string }[]).map(({ name }) => name)
const keep = async (who: Visitor, more: object = {}) => (await who.post('/views', { ...READY, ...more })).body.data

describe('a saved view', () => {
  test('is returned as sent, with the URL of its list', async () => {
    const { status, body } = await h.cast.ben.post('/views', READY)
    expect([status, body.data]).toMatchObject([
      201,
      { ...READY, shared: false, is_own: true, version: 1, created_by: 'ben', url: `/osl/active?${READY.query}` },
    ])
    expect((await h.cast.ben.get('/views/1')).body.data).toEqual(body.data as never)
    expect((await h.cast.ben.open(`/osl/active?${READY.query}`)).status).toBe(200)
  })

  test('is marked in the sidebar while it is open', async () => {
    await keep(h.cast.ben)
    const current = async (path: string) => (await h.cast.ben.open(path)).find('.side-view[aria-current]')
    expect(await current(`/osl/active?${READY.query}`)).toEqual(['Ready'])
    expect(await current('/osl/active?status=Ready')).toEqual([])
  })

  test('drops the page number and a leading question mark', async () => {
    expect(await keep(h.cast.ben, { query: '?status=Ready&page=7' })).toMatchObject({ query: 'status=Ready' })
    expect(await keep(h.cast.ben, { name: 'All', query: '' })).toMatchObject({ query: '', url: '/osl/active' })
  })

  test('is visible to others only when shared; its owner and administrators can change it', async () => {
    const { ada, ben } = h.cast
    const cleo = await signedIn('cleo')
    await keep(ben)
    expect([await names(ben), await names(cleo), await names(ada)]).toEqual([['Ready'], [], []])
    for (const who of [cleo, ada]) {
      expect((await who.get('/views/1')).status).toBe(404)
      expect((await who.put('/views/1', { name: 'Mine' })).status).toBe(404)
      expect((await who.delete('/views/1')).status).toBe(404)
    }
    expect((await ben.put('/views/1', { shared: true })).body.data).toMatchObject({ shared: true, version: 2 })
    expect((await cleo.get('/views/1')).body.data).toMatchObject({ name: 'Ready', is_own: false })
    expect((await cleo.put('/views/1', { name: 'Mine' })).status).toBe(403)
    expect((await cleo.delete('/views/1')).status).toBe(403)
    expect((await ada.put('/views/1', { name: 'For all' })).status).toBe(200)
    expect((await ben.put('/views/1', { name: 'Late', version: 2 })).status).toBe(409)
    expect((await ada.delete('/views/1')).status).toBe(200)
    expect([await names(ben), (await ben.get('/views/1')).status]).toEqual([[], 404])
  })

  test('can be added until the user has 200 of them', async () => {
    const { ben, ada } = h.cast
    await h.ctx.db.execute(sql`insert into saved_views (list, name, query, shared, created_by)
      select 'titles', 'View ' || n, '', false, 'ben' from generate_series(1, 199) n`)
    expect((await ben.post('/views', READY)).status).toBe(201)
    expect((await ben.post('/views', { ...READY, name: 'One more' })).body.message).toBe(
      'You already have 200 saved views. Delete one before you add another.',
    )
    expect((await ada.post('/views', READY)).status).toBe(201)
  })

  test('has a name that is unique for its owner and list, ignoring case', async () => {
    const { ben, ada } = h.cast
    await keep(ben)
    expect((await ben.post('/views', { ...READY, name: 'ready' })).body).toMatchObject({
      success: false,
      errors: [{ field: 'name', message: 'You already have a view with this name for this list' }],
    })
    expect((await ben.post('/views', { ...READY, name: 'ready' })).status).toBe(409)
    const { id } = (await keep(ben, { list: 'titles' })) as { id: number }
    expect((await ada.post('/views', READY)).status).toBe(201)
    expect((await ben.put(`/views/${id}`, { list: 'osl-active' })).status).toBe(409)
  })

  test('is rejected with an error at the invalid field', async () => {
    for (const [more, field] of [
      [{ list: 'cars' }, 'list'],
      [{ list: null }, 'list'],
      [{ name: ' ' }, 'name'],
      [{ name: 'x'.repeat(51) }, 'name'],
      [{ query: 'q='.padEnd(2001, 'x') }, 'query'],
      [{ query: { status: 'Ready' } }, 'query'],
      [{ shared: 'perhaps' }, 'shared'],
    ] as const) {
      const { status, body } = await h.cast.ben.post('/views', { ...READY, ...more })
      expect([field, status, body.errors?.map(({ field }) => field)]).toEqual([field, 422, [field]])
    }
    expect((await keep(h.cast.ben, { name: 'x'.repeat(50), query: 'q='.padEnd(2000, 'x') })) as object).toBeTruthy()
  })

  test('can be found by list and by part of its name', async () => {
    await keep(h.cast.ben)
    await keep(h.cast.ben, { list: 'titles', name: 'Old ones' })
    expect(await names(h.cast.ben)).toEqual(['Old ones', 'Ready'])
    expect(await names(h.cast.ben, '?list=titles')).toEqual(['Old ones'])
    expect(await names(h.cast.ben, '?q=EAD')).toEqual(['Ready'])
    expect(await names(h.cast.ben, '?order=desc&per_page=1')).toEqual(['Ready'])
    expect(await names(h.cast.ben, '?page=2&per_page=1')).toEqual(['Ready'])
  })
})

test('each view counts the rows that its list shows', async () => {
  const { ben, phoenix, tempe, desert } = h.cast
  const move = (status: string, unit: string) =>
    ben.post('/transports', {
      unit_number: unit,
      location_out_id: phoenix,
      location_in_id: tempe,
      transport_company_id: desert,
      move_date: '2026-03-10',
      status,
    })
  for (const [n, status] of ['In Transit', 'In Transit', 'Vehicle Not Ready', 'Delivered'].entries())
    await move(status, String(100_200 + n))
  await ben.post('/titles', { unit_number: '100200', location_id: phoenix, submitted_date: '2026-01-01' })
  await ben.post('/titles', { unit_number: '100201', location_id: phoenix, submitted_date: '2026-03-14' })
  const expected: [list: string, query: string, count: number | null][] = [
    ['transports-active', '', 3],
    ['transports', 'status=In+Transit', 2],
    ['transports-completed', 'start_date=2026-03-01&end_date=2026-03-31', 1],
    ['transports-active', 'status=Lost', null],
    ['osl', '', 0],
    ['osl-completed', '', null],
    ['registrations', 'tab=expiring', 0],
    ['titles', '', 2],
    ['titles', 'tab=overdue', 1],
    ['titles', 'tab=transferred', 0],
    ['due', 'kind=title_overdue', 1],
    ['due', '', 1],
  ]
  for (const [n, [list, query]] of expected.entries())
    await ben.post('/views', { list, query, name: `View ${String(n).padStart(2, '0')}` })
  const counted = (await ben.get('/views/counts')).body.data as unknown as { count: number | null }[]
  expect(counted.map(({ count }) => count)).toEqual(expected.map(([, , count]) => count))
})

describe('the pages', () => {
  test('save a view from a link below the list and show it in the sidebar', async () => {
    const { ben } = h.cast
    await ben.post('/titles', { unit_number: '100200', location_id: h.cast.phoenix })
    const titles = await ben.open('/titles?tab=pending&q=1002&page=1')
    expect(titles.find('#list a')).toContain('Save this view')
    const [, link = ''] = /href="(\/views\/new[^"]*)"/.exec(titles.html) ?? []
    const form = await ben.open(link.replaceAll('&amp;', '&'))
    const [list = '', query = ''] = ['list', 'query'].map((name) =>
      new RegExp(`type="hidden" name="${name}" value="([^"]*)"`).exec(form.html)?.[1]?.replaceAll('&amp;', '&'),
    )
    expect([list, new URLSearchParams(query).get('q')]).toEqual(['titles', '1002'])
    const response = await ben.submit('/views/new', { list, query, name: 'Twelve' })
    expect(response.location).toStartWith('/titles?')
    const page = await ben.open(String(response.location))
    expect(page.find('.side-view')).toEqual(['Twelve'])
    expect(response.toast).toBe('View “Twelve” saved')
    expect((await h.cast.ada.open('/titles')).find('.side-view')).toEqual([])
  })

  test('replace the filters of an existing view and keep its name', async () => {
    const { ada, ben } = h.cast
    await keep(ben)
    await keep(ada)
    const { list } = READY
    const form = await ben.open(`/views/new?list=${list}&query=status%3DReady`)
    expect(form.find('select option')).toEqual(['None: create a new view', READY.name])
    expect((await ben.open('/views/new?list=titles&query=')).find('select option')).toEqual([])
    const response = await ben.submit('/views/new', { list, query: 'status=Ready&page=3', instead: '1', name: '' })
    expect(String(response.location)).toEndWith('?status=Ready')
    expect((await ben.get('/views/1')).body.data).toMatchObject({ name: READY.name, query: 'status=Ready', version: 2 })
    expect((await ben.submit('/views/new', { list, query: '', instead: '2' })).status).toBe(404)
    expect((await ben.submit('/views/new', { list, query: '', instead: 'x' })).status).toBe(422)
    expect((await ben.get('/views')).body.data).toHaveLength(1)
  })

  test('keep the input when a name is taken, and rename and delete a view', async () => {
    const { ben } = h.cast
    await keep(ben)
    const again = await ben.submit('/views/new', { ...READY, query: 'status=Completed' })
    expect([again.status, again.text.includes('You already have a view with this name for this list')]).toEqual([
      409,
      true,
    ])
    const renamed = await ben.submit('/views/1/edit', { ...READY, name: 'To fetch', version: '1' })
    expect([renamed.location, await names(ben)]).toEqual(['/views#row-1', ['To fetch']])
    expect((await ben.open('/views/1/delete')).text).toContain('To fetch')
    expect((await ben.submit('/views/1/delete', {})).location).toBe('/views')
    expect(await names(ben)).toEqual([])
    expect((await ben.open('/views')).text).toContain('No views yet')
  })
})

describe('the list of views', () => {
  test('is sorted by name ignoring case, paged and filtered', async () => {
    const { ben, ada } = h.cast
    for (const name of ['beta', 'Alpha', 'gamma']) await keep(ben, { name })
    await keep(ben, { name: 'Alpha', list: 'titles' })
    await keep(ada, { name: 'alpha', shared: true })
    const ids = async (query: string) =>
      ((await ben.get(`/views?${query}`)).body.data as unknown as { id: number }[]).map(({ id }) => id)
    for (const [query, found] of Object.entries({
      '': [5, 2, 4, 1, 3],
      'order=desc': [3, 1, 2, 4, 5],
      'per_page=2&page=1': [5, 2],
      'per_page=2&page=2': [4, 1],
      'per_page=2&page=3': [3],
      'list=titles': [4],
      'q=LPH': [5, 2, 4],
      'q=m': [3],
    }))
      expect([query, await ids(query)]).toEqual([query, found])
    expect((await ben.get('/views?per_page=2&page=2')).body.meta).toMatchObject({ total: 5, pages: 3 })
  })

  test('offers editing of own views, and of shared views to administrators', async () => {
    const { ben, ada } = h.cast
    const cleo = await signedIn('cleo')
    await keep(ben, { shared: true })
    await keep(ada, { name: 'Hers', shared: true })
    const changed = async (who: Visitor) =>
      [...(await who.open('/views')).html.matchAll(/href="\/views\/(\d+)\/edit/g)].map(([, id]) => Number(id))
    expect([await changed(ben), await changed(ada), await changed(cleo)]).toEqual([[1], [2, 1], []])
  })

  test('appears in the sidebar with own views first, up to twenty', async () => {
    const { ben, ada } = h.cast
    await keep(ada, { name: 'A of Ada', shared: true })
    await keep(ada, { name: 'Hers alone' })
    for (let n = 1; n <= 19; n++) await keep(ben, { name: `V ${String(n).padStart(2, '0')}` })
    const own = Array.from({ length: 19 }, (_, at) => `V ${String(at + 1).padStart(2, '0')}`)
    expect((await ben.open('/views')).find('.side-view')).toEqual([...own, 'A of Ada'])
    await keep(ben, { name: 'V 20' })
    expect((await ben.open('/views')).find('.side-view')).toEqual([...own, 'V 20'])
    expect((await ben.get('/views/counts')).body.data).toHaveLength(20)
  })

  test('accepts names of 50 characters and queries of 2,000', async () => {
    const status = async (more: object) => (await h.cast.ben.post('/views', { ...READY, ...more })).status
    expect([
      await status({ name: 'x'.repeat(50), query: 'q='.padEnd(2000, 'x') }),
      await status({ name: 'x'.repeat(51) }),
      await status({ name: 'long', query: 'q='.padEnd(2001, 'x') }),
    ]).toEqual([201, 422, 422])
  })
})
