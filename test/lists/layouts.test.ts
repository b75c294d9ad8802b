import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
  await h.cast.ben.post('/transports', {
    unit_number: '100200',
    move_date: '2026-03-10',
    location_out_id: 1,
    location_in_id: 2,
    transport_company_id: 1,
    po_number: 'PO-77',
  })
})

const LAYOUT = { hidden: ['RA #', 'No such column'], added: ['PO #'], density: 'roomy' }
const AT = '/lists/transports-active/layout'

/** Returns the headings of a list in their order. */
const headings = (html: string) =>
  [...html.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/gs)]
    .map(([, text = '']) => text.replace(/<[^>]*>/g, '').trim())
    .filter(Boolean)
const listOf = async (who = h.cast.ben, path = '/transports/active') => (await who.open(path)).html

describe('a list', () => {
  test('shows the columns chosen by its user, and only to that user', async () => {
    const usual = headings(await listOf())
    expect(usual).toContain('RA #')
    expect(usual).not.toContain('PO #')
    expect((await h.cast.ben.put(AT, LAYOUT)).body.data).toEqual(LAYOUT as never)
    const html = await listOf()
    expect(headings(html)).toContain('PO #')
    expect(headings(html)).not.toContain('RA #')
    expect(html).toContain('PO-77')
    expect(html).toContain('class="list is-roomy"')
    expect(headings(await listOf(h.cast.ada))).toEqual(usual)
    expect((await h.cast.ada.get('/lists/layouts')).body.data).toEqual({} as never)
  })

  test('always shows its unit, main and action columns', async () => {
    await h.cast.ben.put(AT, { hidden: ['Unit #', 'Route', 'Actions', 'Status'] })
    const shown = headings(await listOf())
    expect(shown).toEqual(expect.arrayContaining(['Unit #', 'Route', 'Actions']))
    expect(shown).not.toContain('Status')
  })

  test('returns to the default columns when its layout is deleted', async () => {
    const usual = await listOf()
    await h.cast.ben.put(AT, LAYOUT)
    expect((await h.cast.ben.get('/lists/layouts')).body.data).toEqual({ 'transports-active': LAYOUT } as never)
    expect((await h.cast.ben.delete(AT)).body.data).toEqual({ hidden: [], added: [], density: 'compact' } as never)
    expect((await h.cast.ben.get('/lists/layouts')).body.data).toEqual({} as never)
    expect(headings(await listOf())).toEqual(headings(usual))
  })

  test('of due items has a layout but no additional filters', async () => {
    await h.cast.ben.post('/titles', { unit_number: '100200', location_id: 1, submitted_date: '2026-01-02' })
    const usual = headings(await listOf(h.cast.ben, '/due'))
    expect(usual).toEqual(['Unit #', 'Age', 'Action', 'Item', 'Owner', 'Details', 'Actions'])
    await h.cast.ben.put('/lists/due/layout', { hidden: ['Owner', 'Item', 'Details'], density: 'roomy' })
    const html = await listOf(h.cast.ben, '/due')
    expect(headings(html)).toEqual(['Unit #', 'Age', 'Action', 'Details', 'Actions'])
    expect(html).toContain('/lists/due/columns')
    expect(html).not.toContain('More filters')
    const form = await h.cast.ben.open('/lists/due/columns')
    expect(form.text).toContain('Snoozed')
  })

  test('keeps its columns in a row returned after a change', async () => {
    const { body } = await h.cast.ben.post('/titles', { unit_number: '100200', location_id: 1, dealer_contact: 'Kim' })
    await h.cast.ben.put('/lists/titles/layout', { hidden: ['Contact'] })
    const row = await h.cast.ben.submit(
      `/titles/${(body.data as unknown as { id: number }).id}/transfer`,
      {},
      { 'x-row': '1' },
    )
    const { html } = row
    expect([row.status, html.includes('<td'), html.includes('Kim')]).toEqual([200, true, false])
  })

  test('with an unknown name or invalid layout is rejected', async () => {
    expect((await h.cast.ben.put('/lists/osl/layout', LAYOUT)).status).toBe(404)
    expect((await h.cast.ben.put(AT, { hidden: 'RA #' })).status).toBe(422)
    expect((await h.cast.ben.put(AT, { density: 'huge' })).status).toBe(422)
    expect((await h.cast.ben.put(AT, { hidden: Array(31).fill('RA #') })).status).toBe(422)
  })
})

describe('list pages without scripts', () => {
  test('let users choose columns', async () => {
    const form = (await h.cast.ben.open('/lists/transports-active/columns')).html
    expect(form).toContain('Columns of this list')
    const answer = await h.cast.ben.submit('/lists/transports-active/columns', {
      shown: ['Status', 'PO #'],
      density: 'compact',
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/transports/active'])
    const shown = headings(await listOf())
    expect(shown).toEqual(['Unit #', 'Status', 'Route', 'PO #', 'Actions'])
    await h.cast.ben.submit('/lists/transports-active/columns', { usual: '1' })
    expect(headings(await listOf())).toContain('ETA')
  })

  test('filter a list and keep existing filters', async () => {
    const form = (await h.cast.ben.open('/lists/transports-active/filter?status=In+Transit&location_id=1&page=3')).html
    expect(form).toContain('<input type="hidden" name="status" value="In Transit"/>')
    expect(form).not.toContain('name="page"')
    expect(form).toMatch(/<option value="1" selected="">/)
    const narrowed = await listOf(h.cast.ben, '/transports/active?location_id=1&start_date=2026-03-01')
    expect(narrowed).toContain('At Phoenix')
    expect(narrowed).toContain('From 03/01/2026')
    const none = await listOf(h.cast.ben, '/transports/active?location_id=3')
    expect(none).toContain('Nothing matches')
    expect((await h.cast.ben.open('/lists/osl-completed/filter')).location).toBe('/dashboard')
  })
})

test('a layout allows 30 names of 40 characters, and each change is audited once', async () => {
  const status = async (layout: object) => (await h.cast.ben.put(AT, layout)).status
  expect([
    await status({ hidden: Array(30).fill('x'.repeat(40)) }),
    await status({ added: ['x'] }),
    await status({ hidden: Array(31).fill('x') }),
    await status({ hidden: ['x'.repeat(41)] }),
    await status({ hidden: [' '] }),
  ]).toEqual([200, 200, 422, 422, 422])
  await h.cast.ben.put(AT, LAYOUT)
  await h.cast.ben.put(AT, LAYOUT)
  await h.cast.ben.put(AT, { ...LAYOUT, density: 'compact' })
  await h.cast.ben.delete(AT)
  await h.cast.ben.delete(AT)
  const trail = (await h.cast.ada.get('/audit?entity=list_layouts')).body.data as unknown as {
    action: string
    changes: Record<string, unknown>
  }[]
  expect(trail.slice(0, 2)).toMatchObject([
    { action: 'delete', changes: { list: { old: 'transports-active', new: null } } },
    { action: 'update', changes: { density: { old: 'roomy', new: 'compact' } } },
  ])
  expect(trail.length).toBe(5)
})

test('a single chosen column is accepted, and the filter page keeps unrelated parameters', async () => {
  await h.cast.ben.submit('/lists/transports-active/columns', { shown: 'PO #', density: 'compact' })
  expect(headings(await listOf())).toEqual(['Unit #', 'Route', 'PO #', 'Actions'])
  const hidden = async (path: string) =>
    [...(await h.cast.ben.open(path)).html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
      ([, name, value]) => `${name}=${value}`,
    )
  const query = 'status=Ready&q=1&start_date=2026-03-01&end_date=2026-03-02&location_id=1&vendor_id=2&unit_number=1'
  expect(await hidden(`/lists/transports-active/filter?${query}`)).toEqual(['status=Ready', 'q=1'])
  const osl = await hidden(`/lists/osl-active/filter?${query}`)
  expect(osl).toContain('status=Ready')
  expect(osl.join()).not.toContain('vendor_id')
})

test('a list names each of its active filters', async () => {
  await h.cast.ada.post('/vendors', { vendor_name: 'Bolt & Co' })
  const named = async (path: string) => (await h.cast.ben.open(path)).find('.narrowed-by').join()
  expect(await named('/transports/active?location_id=1')).toContain('Phoenix')
  expect(await named('/transports/active?transport_company_id=1')).toContain('Desert Auto Haul')
  expect(await named('/osl/active?vendor_id=1')).toContain('Bolt & Co')
  expect(await named('/osl/active')).toBe('')
})
