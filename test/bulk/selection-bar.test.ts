import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { FILTERED_LIMIT } from '../../src/platform/lists/bulk/rules'
import { testContext } from '../support/context'
import { makeOsl, makeRegistration, makeTitle, makeTransport } from '../support/entries'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const move = (unit_number: string, more: object = {}) => makeTransport(h.cast, { unit_number, ...more })
const record = async (path: string) => (await h.cast.ben.get(path)).body.data as Record<string, unknown>

describe('the selection bar', () => {
  test.each([
    ['transports', { status: 'Delivered' }, '1 transport delivered'],
    ['transports', { status: 'Searching For Driver' }, '1 transport set to Searching For Driver'],
    ['transports', { final_cost: '12' }, '1 transport changed'],
    ['osl', { status: 'Completed' }, '1 OSL entry completed'],
    ['registrations', { received: 'true' }, '1 registration received'],
    ['titles', { transferred_date: '2026-03-14' }, '1 title transferred'],
    ['titles', { next_chase_on: '2026-03-20' }, '1 title followed up'],
    ['titles', { note: 'Asked the bank' }, '1 title changed'],
  ] as const)('says what was done to %s by %p', async (kind, set, message) => {
    const make = { transports: makeTransport, osl: makeOsl, registrations: makeRegistration, titles: makeTitle }
    const ids = await make[kind](h.cast, { unit_number: '100001' })
    expect((await h.cast.ben.submit(`/bulk/change/${kind}`, { ids, ...set })).toast).toBe(message)
  })

  test('offers an undo only if the undo changes something', async () => {
    const osl = await makeOsl(h.cast, { unit_number: '100001' })
    const title = await makeTitle(h.cast, { unit_number: '100001' })
    const transport = await move('100001')
    const undoOf = async (kind: string, ids: number, set: object) =>
      (await h.cast.ben.submit(`/bulk/change/${kind}`, { ids, ...set })).undo
    // Notes of OSL entries and titles are separate records, and an undo keeps them.
    expect(await undoOf('osl', osl, { note: 'Called' })).toBeNull()
    expect(await undoOf('titles', title, { note: 'Called' })).toBeNull()
    expect(await undoOf('osl', osl, { note: 'Called', status: 'Completed' })).not.toBeNull()
    expect(await undoOf('transports', transport, { note: 'Called' })).not.toBeNull()
  })

  test('says after an undo that notes in a table of their own stay', async () => {
    const undone = async (kind: string, ids: number, set: object) => {
      const { undo } = await h.cast.ben.submit(`/bulk/change/${kind}`, { ids, ...set })
      return (await h.cast.ben.submit(undo as string, {})).toast
    }
    const title = await makeTitle(h.cast, { unit_number: '100001' })
    const date = { next_chase_on: '2026-03-20' }
    expect(await undone('titles', title, { ...date, note: 'Called' })).toBe('1 change was undone; the notes stay')
    expect(await undone('titles', title, date)).toBe('1 change was undone')
    expect(await undone('transports', await move('100001'), { note: 'Called' })).toBe('1 change was undone')
  })

  test('names up to three skipped units per reason and keeps them selected', async () => {
    const units = ['100001', '100002', '100003', '100004', '100005']
    const ids: number[] = []
    for (const unit of units) ids.push(await move(unit))
    const deletedId = ids[4] as number
    await h.cast.ada.delete(`/transports/${deletedId}`)
    const done = await h.cast.ben.submit('/bulk/change/transports', { ids, status: 'Awaiting Pickup' })
    expect(done.toast).toBe(
      '!0 transports changed. 5 skipped: Transport not found (1); Nothing to change (100001, 100002, ' +
        '100003 and 1 more)',
    )
    const three = await h.cast.ben.submit('/bulk/change/transports', {
      ids: ids.slice(0, 3),
      status: 'Awaiting Pickup',
    })
    expect(three.toast).toBe('!0 transports changed. 3 skipped: Nothing to change (100001, 100002, 100003)')
    const cookie = done.headers.getSetCookie().find((line) => line.startsWith('yardmaster_toast=')) ?? ''
    const [, , , , skippedIds] = decodeURIComponent(cookie.slice('yardmaster_toast='.length).split(';')[0] ?? '').split(
      '\n',
    )
    expect(skippedIds?.split('.').map(Number).sort()).toEqual(ids.toSorted())
  })

  test('changes selected rows, reports skipped ones and undoes without scripts', async () => {
    const ids = [await move('100001'), await move('100002', { move_date: '2026-03-13' })]
    const page = await h.cast.ben.open('/transports/active')
    expect(page.find('tbody input[name=ids]').length).toBe(2)
    const send = {
      ids,
      status: 'Delivered',
      actual_arrival_date: '2026-03-12',
      estimated_arrival_date: '',
      note: '',
    }
    const done = await h.cast.ben.submit('/bulk/change/transports', { ...send, back: '/transports/active?status=' })
    expect([done.status, done.toast]).toEqual([
      303,
      '1 transport delivered. 1 skipped: The arrival date is before the move date (100002)',
    ])
    expect(await record(`/transports/${ids[0]}`)).toMatchObject({ status: 'Delivered' })
    expect((await h.cast.ben.submit(done.undo ?? '', {})).toast).toBe('1 change was undone')
    expect(await record(`/transports/${ids[0]}`)).toMatchObject({ status: 'Awaiting Pickup' })
    const none = await h.cast.ben.submit('/bulk/change/transports', { status: 'Delivered' })
    expect([none.toast, none.undo]).toEqual(['!Choose at least one record', null])
    expect((await h.cast.ben.submit('/bulk/change/keys', {})).status).toBe(404)
  })

  test('applies to the whole filtered list', async () => {
    for (const unit of ['100001', '100002', '200001']) {
      await move(unit)
      await h.cast.ben.post('/titles', { unit_number: unit, location_id: h.cast.mesa, submitted_date: '2026-03-01' })
    }
    const hidden = (html: string, name: string) =>
      (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '').replaceAll('&quot;', '"')
    for (const [path, kind, field, done] of [
      ['/transports/active?q=1000', 'transports', { estimated_arrival_date: '2026-03-20' }, 'changed'],
      ['/titles?q=1000', 'titles', { transferred_date: '2026-03-10' }, 'transferred'],
    ] as const) {
      const { html } = await h.cast.ben.open(path)
      const sent = { all: '1', filters: hidden(html, 'filters'), expected: hidden(html, 'expected'), ...field }
      expect((await h.cast.ben.submit(`/bulk/change/${kind}`, sent)).toast).toBe(`2 ${kind} ${done}`)
    }
    const outdated = { all: '1', filters: '{"list":"active"}', expected: '1', status: 'In Transit' }
    expect((await h.cast.ben.submit('/bulk/change/transports', outdated)).toast).toContain(
      'The filters now match 3 transports, not 1',
    )
    expect((await h.cast.ben.submit('/bulk/change/transports', { ...outdated, filters: 'nonsense' })).status).toBe(303)
  })

  test('limits filtered changes to the maximum of the database engine', async () => {
    const most = FILTERED_LIMIT[h.ctx.database.engine]
    const add = (count: number) =>
      h.ctx.db.execute(sql`insert into transports (unit_number, location_out_id, location_in_id, move_date,
        transport_company_id)
        select '100001', ${h.cast.phoenix}, ${h.cast.tempe}, '2026-03-01', ${h.cast.desert}
        from generate_series(1, ${count}::int)`)
    const change = () => h.cast.ben.post('/transports/bulk', { filters: {}, expected: 1, note: 'x' })
    await move('100001')
    await add(most - 1)
    expect((await change()).body.message).toBe(
      `The filters now match ${most} transports, not 1. Reload the list and try again.`,
    )
    await add(1)
    expect((await change()).body.errors).toEqual([{ field: 'filters', message: `At most ${most} at once` }])
  })

  test('rejects an unknown filter', async () => {
    const id = await move('100001')
    const refused = await h.cast.ben.post('/transports/bulk', {
      filters: { statuss: 'Delivered' },
      expected: 1,
      set: { status: 'In Transit' },
    })
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [{ field: 'filters.statuss', message: 'There is no such filter' }],
    ])
    expect(await record(`/transports/${id}`)).toMatchObject({ status: 'Awaiting Pickup' })
  })
})
