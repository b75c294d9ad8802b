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

/** The headings of a list, as they stand. */
const headings = (html: string) =>
  [...html.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/gs)]
    .map(([, text = '']) => text.replace(/<[^>]*>/g, '').trim())
    .filter(Boolean)
const listOf = async (who = h.cast.ben, path = '/transports/active') => (await who.open(path)).html

describe('a list', () => {
  test('shows the columns that its reader wants, and nobody else sees it so', async () => {
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

  test('keeps its unit, what it is about and what can be done with it, whatever is hidden', async () => {
    await h.cast.ben.put(AT, { hidden: ['Unit #', 'Route', 'Actions', 'Status'] })
    const shown = headings(await listOf())
    expect(shown).toEqual(expect.arrayContaining(['Unit #', 'Route', 'Actions']))
    expect(shown).not.toContain('Status')
  })

  test('is as it comes again when its layout is taken back', async () => {
    const usual = await listOf()
    await h.cast.ben.put(AT, LAYOUT)
    expect((await h.cast.ben.get('/lists/layouts')).body.data).toEqual({ 'transports-active': LAYOUT } as never)
    expect((await h.cast.ben.delete(AT)).body.data).toEqual({ hidden: [], added: [], density: 'compact' } as never)
    expect((await h.cast.ben.get('/lists/layouts')).body.data).toEqual({} as never)
    expect(headings(await listOf())).toEqual(headings(usual))
  })

  test('keeps its columns in a row that comes back after a change', async () => {
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

  test('of another name, or laid out with something else than headings, is refused', async () => {
    expect((await h.cast.ben.put('/lists/due/layout', LAYOUT)).status).toBe(404)
    expect((await h.cast.ben.put(AT, { hidden: 'RA #' })).status).toBe(422)
    expect((await h.cast.ben.put(AT, { density: 'huge' })).status).toBe(422)
    expect((await h.cast.ben.put(AT, { hidden: Array(31).fill('RA #') })).status).toBe(422)
  })
})

describe('without scripts', () => {
  test('the columns are chosen on a page', async () => {
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

  test('a list is narrowed on a page, which keeps what narrowed it already', async () => {
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
