import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'
import { makeOsl, makeRegistration, makeTitle, makeTransport } from '../support/entries'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Result = { id: number; changed: number; skipped: { id: number; reason: string }[] }
const result = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
  expect([status, body.message]).toEqual([200, undefined])
  return body.data as Result
}
const move = (unit_number: string, more: object = {}) => makeTransport(h.cast, { unit_number, ...more })
const record = async (path: string) => (await h.cast.ben.get(path)).body.data as Record<string, unknown>

describe('a bulk edit of transports', () => {
  test('skips a record whose notes would become longer than its form can save', async () => {
    const [full, short] = [await move('100001', { notes: 'x'.repeat(4990) }), await move('100002')]
    const done = result(await h.cast.ben.post('/transports/bulk', { ids: [full, short], note: 'Called the yard' }))
    expect(done).toMatchObject({
      changed: 1,
      skipped: [{ id: full, reason: 'The notes would be longer than 5000 characters' }],
    })
  })

  test('updates valid records, reports skipped ones and audits each change', async () => {
    const ids = [await move('100001'), await move('100002'), await move('100003', { move_date: '2026-03-13' })]
    const set = { status: 'Delivered', actual_arrival_date: '2026-03-12' }
    const done = result(await h.cast.ben.post('/transports/bulk', { ids: [...ids, 999, ids[0]], set }))
    expect(done).toMatchObject({
      changed: 2,
      skipped: [
        { id: ids[2], reason: 'The arrival date is before the move date' },
        { id: 999, reason: 'Transport not found' },
      ],
    })
    expect(await record(`/transports/${ids[0]}`)).toMatchObject(set)
    expect(await record(`/transports/${ids[2]}`)).toMatchObject({
      status: 'Awaiting Pickup',
      actual_arrival_date: null,
    })
    expect(await record('/vehicles/unit/100001')).toMatchObject({ current_location: 'Tempe' })
    const trail = (await h.cast.ada.get('/audit?entity=transports&action=update')).body.data as unknown as {
      entity_id: number
      actor: string
    }[]
    expect(trail.map(({ entity_id, actor }) => `${entity_id} ${actor}`).sort()).toEqual([
      `${ids[0]} ben`,
      `${ids[1]} ben`,
    ])
    expect(result(await h.cast.ben.post('/transports/bulk', { ids: [ids[0]], set }))).toMatchObject({
      changed: 0,
      skipped: [{ id: ids[0], reason: 'Nothing to change' }],
    })
  })

  test('warns about transports that it delivers before their move date', async () => {
    const ids = [await move('100001'), await move('100002', { move_date: '2026-03-20' })]
    const { ben } = h.cast
    const { warnings } = (await ben.post('/transports/bulk', { ids, set: { status: 'Delivered' } })).body
    const message = 'The move date is after today, but the transport is delivered'
    expect(warnings).toEqual([{ code: 'far_date', field: 'move_date', message: `Transport ${ids[1]}: ${message}` }])
    const more = await move('100003', { move_date: '2026-03-20' })
    const answer = await ben.submit('/bulk/change/transports', { ids: String(more), status: 'Delivered' })
    expect(answer.toast).toBe(`1 transport delivered. Check 1: ${message} (100003)`)
  })

  test('can be undone once, except for records changed since', async () => {
    const ids = [await move('100001', { status: 'In Transit' }), await move('100002'), await move('100003')]
    const { id } = result(
      await h.cast.ben.post('/transports/bulk', { ids, set: { status: 'Delivered', final_cost: 12.5 }, note: 'Paid' }),
    )
    await h.cast.ada.put(`/transports/${ids[1]}`, { po_number: 'PO 7' })
    expect(result(await h.cast.ben.post(`/bulk/${id}/undo`))).toEqual({
      id,
      changed: 2,
      skipped: [{ id: ids[1] as number, reason: 'Someone changed this record after the bulk edit' }],
    })
    expect(await record(`/transports/${ids[0]}`)).toMatchObject({
      status: 'In Transit',
      final_cost: null,
      actual_arrival_date: null,
      notes: null,
    })
    expect(await record(`/transports/${ids[1]}`)).toMatchObject({
      status: 'Delivered',
      final_cost: 12.5,
      notes: 'Paid',
    })
    expect((await h.cast.ben.post(`/bulk/${id}/undo`)).status).toBe(409)
    expect((await h.cast.ben.post('/bulk/999/undo')).status).toBe(404)
  })

  test('by filter requires the expected number of records', async () => {
    for (const unit of ['100001', '100002', '200001']) await move(unit)
    await move('100003', { status: 'Delivered' })
    const ask = (more: object) =>
      h.cast.ben.post('/transports/bulk', {
        filters: { list: 'active', q: '1000' },
        set: { estimated_arrival_date: '2026-03-20' },
        ...more,
      })
    expect([(await ask({})).status, (await ask({ expected: 3 })).status]).toEqual([422, 409])
    expect(result(await ask({ expected: 2 })).changed).toBe(2)
    expect((await h.cast.ben.get('/transports?q=2000')).body.data).toMatchObject([{ estimated_arrival_date: null }])
  })

  test('appends its note to existing notes', async () => {
    const ids = [await move('100001', { notes: 'Gate code 12' }), await move('100002')]
    expect(result(await h.cast.ben.post('/transports/bulk', { ids, note: 'Called' })).changed).toBe(2)
    expect([(await record(`/transports/${ids[0]}`)).notes, (await record(`/transports/${ids[1]}`)).notes]).toEqual([
      'Gate code 12\nCalled',
      'Called',
    ])
  })

  test('is rejected if it is empty, too large or invalid', async () => {
    const id = await move('100001')
    const ask = async (body: object) => (await h.cast.ben.post('/transports/bulk', body)).status
    expect(await ask({ ids: [id] })).toBe(422)
    expect(await ask({ ids: [], set: { status: 'In Transit' } })).toBe(422)
    expect(await ask({ set: { status: 'In Transit' } })).toBe(422)
    expect(await ask({ ids: [id], filters: {}, expected: 1, set: { status: 'In Transit' } })).toBe(422)
    expect(await ask({ ids: [id], set: { status: 'Lost' } })).toBe(422)
    expect(await ask({ ids: Array.from({ length: 501 }, (_, n) => n + 1), set: { status: 'In Transit' } })).toBe(422)
    expect(await ask({ ids: Array.from({ length: 500 }, (_, n) => n + 1), set: { status: 'In Transit' } })).toBe(200)
  })
})

const place = () => ({ unit_number: '100001', location_id: h.cast.mesa })

test('bulk edits complete OSL entries, receive registrations and transfer titles', async () => {
  const osl = await makeOsl(h.cast, { ...place(), osl_date: '2026-03-01' })
  const registration = await makeRegistration(h.cast, { ...place(), date_issued: '2026-01-01' })
  const title = await makeTitle(h.cast, { ...place(), submitted_date: '2026-03-01' })
  const changes: [string, number, object, object][] = [
    [
      '/osl',
      osl,
      { status: 'Completed', completed_on: '2026-03-05' },
      { completed_on: '2026-03-05', days_out_of_service: 4 },
    ],
    ['/registrations', registration, { received: true }, { received: true, status: 'Complete' }],
    ['/titles', title, { transferred_date: '2026-03-06' }, { transferred_date: '2026-03-06' }],
  ]
  for (const [path, id, set, expected] of changes) {
    const before = await record(`${path}/${id}`)
    const done = result(await h.cast.ben.post(`${path}/bulk`, { ids: [id], set, note: 'Looked at' }))
    expect([path, done.changed, done.skipped]).toEqual([path, 1, []])
    expect(await record(`${path}/${id}`)).toMatchObject(expected)
    if (path !== '/registrations')
      expect((await h.cast.ben.get(`${path}/${id}/notes`)).body.data).toMatchObject([{ note_text: 'Looked at' }])
    expect(result(await h.cast.ben.post(`/bulk/${done.id}/undo`)).changed).toBe(1)
    const { version: _, updated_at: __, updated_by: ___, ...after } = await record(`${path}/${id}`)
    expect(before).toMatchObject(after)
  }
})

describe('a bulk request', () => {
  const ask = async (body: object, path = '/transports') => {
    const { status, body: responseBody } = await h.cast.ben.post(`${path}/bulk`, body)
    return status === 200 ? (responseBody.data as unknown as Result) : responseBody.errors
  }
  const set = { status: 'In Transit' }

  test('reports the missing or invalid field', async () => {
    const id = await move('100001')
    const one = { field: 'ids', message: 'Send either ids or filters, but not both' }
    expect([await ask({ set }), await ask({ ids: [id], filters: {}, expected: 1, set })]).toEqual([
      [one],
      [one],
    ] as never)
    expect(await ask({ filters: {}, set })).toEqual([
      { field: 'expected', message: 'Send the number of records that you expect the filters to match' },
    ] as never)
    const nothing = [{ field: 'set', message: 'Choose a field to change, or write a note' }]
    expect([await ask({ ids: [id] }), await ask({ ids: [id], set: {}, note: ' ' })]).toEqual([
      nothing,
      nothing,
    ] as never)
    expect(await ask({ ids: [id], note: 'x'.repeat(5001) })).toEqual([
      { field: 'note', message: 'At most 5000 characters' },
    ] as never)
    expect(await ask({ ids: [], set })).toEqual([{ field: 'ids', message: 'Choose at least one record' }] as never)
    expect(await ask({ ids: [id], set: { color: 'red' } })).toEqual([
      { field: 'set.color', message: 'There is no such field' },
    ] as never)
  })

  test('changes only the filtered list and accepts one field or only a note', async () => {
    const id = await move('100001')
    expect(await ask({ filters: { list: 'active' }, expected: 1, set })).toMatchObject({ changed: 1, skipped: [] })
    expect(await ask({ filters: {}, expected: '1', set: { final_cost: 5 } })).toMatchObject({ changed: 1 })
    expect(await ask({ ids: [id], note: 'x' })).toMatchObject({ changed: 1 })
    expect(await ask({ ids: [id], set: { ...set, final_cost: 5 } })).toMatchObject({
      changed: 0,
      skipped: [{ id, reason: 'Nothing to change' }],
    })
    const place = { unit_number: '100001', location_id: h.cast.mesa }
    await h.cast.ben.post('/titles', { ...place, submitted_date: '2026-01-01' })
    const overdue = { filters: { list: 'overdue' }, set: { transferred_date: '2026-03-14' } }
    expect(await ask({ ...overdue, expected: 1 }, '/titles')).toMatchObject({ changed: 1 })
    expect(await ask({ ...overdue, expected: 0 }, '/titles')).toMatchObject({ changed: 0, skipped: [] })
    // Titles have separate notes, so a note alone changes no title, and there is nothing to undo.
    const noted = (await ask({ ids: [1], note: 'Called' }, '/titles')) as Result
    expect(noted).toMatchObject({ changed: 1, skipped: [] })
    expect(result(await h.cast.ben.post(`/bulk/${noted.id}/undo`))).toEqual({ id: noted.id, changed: 0, skipped: [] })
    expect((await h.cast.ben.get('/titles/1/notes')).body.meta?.total).toBe(1)
    expect((await record('/titles/1')).notes).toBe(null)
  })

  test('from a form explains skipped records and can be undone once', async () => {
    const id = await move('100001')
    const wrong = { actual_arrival_date: '2026-03-01', estimated_arrival_date: '2026-03-01', status: 'Delivered' }
    expect(await ask({ ids: [id], set: wrong })).toMatchObject({
      changed: 0,
      skipped: [
        { id, reason: 'The estimated arrival is before the move date; The arrival date is before the move date' },
      ],
    })
    const form = { filters: '[]', expected: '1', all: '1', status: 'In Transit' }
    expect((await h.cast.ben.submit('/bulk/change/transports', form)).status).toBe(303)
    const done = await h.cast.ben.submit('/bulk/change/transports', { ids: id, status: 'In Transit', note: '' })
    expect(done.toast).toBe('1 transport set to In Transit')
    expect((await h.cast.ben.submit('/bulk/change/transports', { ids: id, status: 'In Transit' })).toast).toStartWith(
      '!0 transports changed. 1 skipped: Nothing to change',
    )
    expect((await h.cast.ben.submit(done.undo ?? '', {})).toast).toBe('1 change was undone')
    expect((await h.cast.ben.submit(done.undo ?? '', {})).toast).toBe('!Already undone')
  })
})

test('bulk edits by filter respect the days filter', async () => {
  for (const [unit_number, submitted_date] of [
    ['100001', '2026-01-31'],
    ['100002', '2026-01-03'],
  ])
    await h.cast.ben.post('/titles', { unit_number, location_id: h.cast.phoenix, submitted_date })
  for (const [unit_number, date_expires] of [
    ['100001', '2026-03-20'],
    ['100002', '2026-04-10'],
  ])
    await h.cast.ben.post('/registrations', {
      unit_number,
      location_id: h.cast.phoenix,
      plate_number: unit_number,
      state_province: 'AZ',
      date_issued: '2025-04-01',
      date_expires,
    })
  const overdue = { filters: { list: 'overdue', days: 60 }, expected: 1, set: { transferred_date: '2026-03-14' } }
  expect(result(await h.cast.ben.post('/titles/bulk', overdue)).changed).toBe(1)
  expect(await record('/titles/2')).toMatchObject({ unit_number: '100002', transferred_date: '2026-03-14' })
  const expiring = { filters: { list: 'expiring', days: 10 }, expected: 1, set: { received: true } }
  expect(result(await h.cast.ben.post('/registrations/bulk', expiring)).changed).toBe(1)
  expect(await record('/registrations/1')).toMatchObject({ unit_number: '100001', received: true })
})

test('unknown filter names and invalid expected counts are rejected', async () => {
  for (const name of ['toString', 'constructor', 'hasOwnProperty', 'colour'])
    expect([
      name,
      (await h.cast.ben.post('/transports/bulk', { filters: { [name]: '1' }, expected: 0, note: 'x' })).status,
    ]).toEqual([name, 422])
  for (const expected of [null, '', [], true, -1, 1.5])
    expect([
      expected,
      (await h.cast.ben.post('/transports/bulk', { filters: {}, expected, note: 'x' })).status,
    ]).toEqual([expected, 422])
})

test('an arrival date without Delivered status is skipped with a reason', async () => {
  const { data } = (
    await h.cast.ben.post('/transports', {
      unit_number: '100500',
      location_out_id: h.cast.phoenix,
      location_in_id: h.cast.tempe,
      transport_company_id: h.cast.desert,
      move_date: '2026-03-01',
    })
  ).body as { data: { id: number } }
  const arrive = async (set: object) =>
    (await h.cast.ben.post('/transports/bulk', { ids: [data.id], set: { actual_arrival_date: '2026-03-10', ...set } }))
      .body.data
  expect(await arrive({})).toMatchObject({
    changed: 0,
    skipped: [{ reason: expect.stringContaining('Only a Delivered transport can have an arrival date') }],
  } as never)
  expect(await arrive({ status: 'Delivered' })).toMatchObject({ changed: 1, skipped: [] })
  expect(await arrive({ actual_arrival_date: '2026-03-09' })).toMatchObject({ changed: 1, skipped: [] })
})

test('rejected records in any position do not block the others', async () => {
  const ids: number[] = []
  for (let n = 0; n < 13; n++)
    ids.push(
      (
        (
          await h.cast.ben.post('/transports', {
            unit_number: `1004${String(n).padStart(2, '0')}`,
            location_out_id: h.cast.phoenix,
            location_in_id: h.cast.tempe,
            transport_company_id: h.cast.desert,
            // The first, the last and two in the middle have a move date after the arrival date, 2026-03-11.
            move_date: [0, 5, 6, 12].includes(n) ? '2026-03-12' : '2026-03-01',
          })
        ).body.data as { id: number }
      ).id,
    )
  const set = { status: 'Delivered', actual_arrival_date: '2026-03-11' }
  const { data } = (await h.cast.ben.post('/transports/bulk', { ids, set })).body as unknown as {
    data: { id: number; changed: number; skipped: { id: number; reason: string }[] }
  }
  expect([data.changed, data.skipped]).toEqual([
    9,
    [0, 5, 6, 12].map((at) => ({ id: ids[at] as number, reason: 'The arrival date is before the move date' })),
  ])
  expect((await h.cast.ben.get('/transports/active')).body.meta?.total).toBe(4)
  const audited = (await h.cast.ada.get('/audit?entity=transports&action=update&per_page=100')).body.meta?.total
  expect(audited).toBe(9)
  expect((await h.cast.ben.post(`/bulk/${data.id}/undo`)).body.data).toMatchObject({ changed: 9, skipped: [] })
  expect((await h.cast.ben.get('/transports/active')).body.meta?.total).toBe(13)
})

test('an undo restores an arrival that the program set before the move date', async () => {
  const id = await move('100001', { move_date: '2026-12-31' })
  await h.cast.ben.patch(`/transports/${id}/status`, { status: 'Delivered' })
  const before = await record(`/transports/${id}`)
  const done = result(await h.cast.ben.post('/transports/bulk', { ids: [id], set: { status: 'In Transit' } }))
  expect(result(await h.cast.ben.post(`/bulk/${done.id}/undo`))).toMatchObject({ changed: 1, skipped: [] })
  const { status, actual_arrival_date } = await record(`/transports/${id}`)
  expect([status, actual_arrival_date]).toEqual(['Delivered', before.actual_arrival_date])
})
