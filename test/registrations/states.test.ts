import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'

// Today is 2026-03-14 in every test of this file.
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Registration = { id: number; version: number } & Record<string, unknown>
const registration = (more: object = {}) => ({
  unit_number: '100200',
  location_id: h.cast.phoenix,
  plate_number: 'CDA4821',
  state_province: 'AZ',
  date_issued: '2025-04-01',
  date_expires: '2026-04-01',
  ...more,
})
const create = async (more: object = {}) => {
  const { status, body } = await h.cast.ben.post('/registrations', registration(more))
  expect([status, body.errors]).toEqual([201, undefined])
  return body.data as Registration
}
const read = async (id: number) => (await h.cast.ben.get(`/registrations/${id}`)).body.data as Registration
const states = async () =>
  ((await h.cast.ben.get('/registrations?sort=created_at')).body.data as Registration[]).map(({ status }) => status)

describe('the registration status', () => {
  test('is Pending without papers, and Complete until the expiry date with them', async () => {
    for (const [received, date_expires, status] of [
      [false, '2026-03-13', 'Pending'],
      [true, '2026-03-13', 'Expired'],
      [true, '2026-03-14', 'Complete'],
    ] as const)
      expect([received, date_expires, (await create({ received, date_expires })).status]).toEqual([
        received,
        date_expires,
        status,
      ])
    const { id } = await create({ received: true, date_issued: '2026-04-01' })
    // An edit of other fields keeps a status that was set by hand. A new date or `received` sets it again.
    await h.cast.ben.patch(`/registrations/${id}/status`, { status: 'Expired' })
    expect((await h.cast.ben.put(`/registrations/${id}`, { cost: 5 })).body.data).toMatchObject({ status: 'Expired' })
    expect((await h.cast.ben.put(`/registrations/${id}`, { date_expires: '2026-05-01' })).body.data).toMatchObject({
      status: 'Complete',
    })
    expect((await h.cast.ben.put(`/registrations/${id}`, { received: false })).body.data).toMatchObject({
      status: 'Pending',
    })
    expect((await h.cast.ben.put(`/registrations/${id}`, { date_expires: '2026-03-31' })).body.errors).toEqual([
      { field: 'date_expires', message: 'The date of expiry is before the date of issue' },
    ])
    expect((await h.cast.ben.put(`/registrations/${id}`, { date_expires: '2026-04-01' })).status).toBe(200)
  })

  test('changes from Complete to Expired the day after expiry, with an audit entry', async () => {
    const ended = await create({ received: true, date_expires: '2026-03-14' })
    await create({ date_expires: '2026-03-14', plate_number: 'B' })
    await create({ received: true, date_expires: '2026-03-15', plate_number: 'C' })
    await create({ received: true, date_expires: '2026-03-13', plate_number: 'D' })
    const run = async () => (await h.cast.ben.post('/registrations/update-expired')).body.data as unknown
    expect([await run(), await states()]).toEqual([{ updated: 0 }, ['Complete', 'Pending', 'Complete', 'Expired']])
    const midnight = new Date('2026-03-15T07:00:00Z')
    h.clock.set(midnight)
    await h.ctx.db.execute(`update sessions set last_seen_at = '${midnight.toISOString()}'`)
    expect([await run(), await run(), await states()]).toEqual([
      { updated: 1 },
      { updated: 0 },
      ['Expired', 'Pending', 'Complete', 'Expired'],
    ])
    expect(await read(ended.id)).toMatchObject({
      version: 2,
      updated_by: 'ben',
      updated_at: '2026-03-15T07:00:00.000Z',
    })
    expect((await h.cast.ada.get(`/audit?entity=registrations&entity_id=${ended.id}`)).body.data).toMatchObject([
      { action: 'update', actor: 'ben', changes: { status: { old: 'Complete', new: 'Expired' } } },
      { action: 'create' },
    ])
  })

  test('is set once by a double click, and toggled by a call without a value', async () => {
    const { id } = await create()
    const at = `/vehicles/registrations/${id}/toggle-received`
    for (const [form, received, version] of [
      [{ received: 'true' }, true, 2],
      [{ received: 'true', version: 1 }, true, 2],
      [{ received: 'false', version: 2 }, false, 3],
      [{}, true, 4],
      [{}, false, 5],
    ] as const) {
      expect((await h.cast.ben.submit(at, form)).toast).toBe(`Unit 100200: papers ${received ? '' : 'not '}received`)
      expect([form, await read(id)]).toMatchObject([form, { received, version }])
    }
    expect((await h.cast.ben.submit(at, { received: 'true', version: 4 })).toast).toBe(
      '!Failed to update registration: This record has changed since you opened it',
    )
    const done = await h.cast.ben.submit(at, { received: 'true', version: 5 })
    expect((await h.cast.ben.submit(done.undo ?? '', {})).toast).toBe('Unit 100200: papers not received')
  })
})

describe('a renewal', () => {
  const renew = async (id: number, body?: object) =>
    (await h.cast.ben.post(`/registrations/${id}/renew`, body)).body.data as Registration

  test('adds one year, or the fewest years that an expired registration needs', async () => {
    for (const [date_expires, renewed] of [
      ['2026-03-14', '2027-03-14'],
      ['2025-03-14', '2027-03-14'],
      ['2025-03-15', '2026-03-15'],
      ['2025-03-13', '2027-03-13'],
      ['2023-03-13', '2027-03-13'],
    ]) {
      const { id } = await create({ date_issued: '2020-01-01', date_expires })
      expect([date_expires, (await renew(id)).date_expires]).toEqual([date_expires, renewed])
    }
  })

  test('uses the given values, and defaults for blank ones', async () => {
    const { id } = await create()
    const blank = { date_expires: null, cost: null, registration_type: '', notes: '', plate_number: 'NEW' }
    expect(await renew(id, blank)).toMatchObject({
      date_expires: '2027-04-01',
      cost: null,
      registration_type: 'Renewal',
      notes: null,
      plate_number: 'NEW',
      received: false,
    })
    const givenValues = {
      cost: 0,
      received: true,
      unit_number: '100201',
      location_id: h.cast.mesa,
      notes: 'x'.repeat(5000),
    }
    expect(await renew(id, givenValues)).toMatchObject({ ...givenValues, status: 'Complete' })
    for (const wrong of [{ plate_number: 'x'.repeat(21) }, { notes: 'x'.repeat(5001) }, { state_province: 'A' }])
      expect((await h.cast.ben.post(`/registrations/${id}/renew`, wrong)).status).toBe(422)
  })

  test('of selected rows skips units with a later registration and takes 500 at most', async () => {
    const [one, two, three] = [
      await create(),
      await create({ plate_number: 'SAME DAY' }),
      await create({ unit_number: '100201', date_expires: '2026-03-31' }),
    ]
    await create({ unit_number: '100201' })
    const send = (ids: number[]) => h.cast.ben.submit('/vehicles/registrations/renew', { ids })
    expect((await send([one.id])).toast).toBe('1 renewed; papers pending')
    expect((await send([two.id, three.id])).toast).toBe(
      '!0 renewed. 2 skipped: The unit already has a registration that expires later (100200, 100201)',
    )
    const ids = Array.from({ length: 501 }, (_, at) => 1000 + at)
    const many = async (count: number) =>
      (await h.cast.ben.post('/registrations/renew', { ids: ids.slice(0, count) })).status
    expect([await many(0), await many(1), await many(500), await many(501)]).toEqual([422, 201, 201, 422])
    // The API renews a registration although the unit has a later one, unlike the page.
    expect((await h.cast.ben.post('/registrations/renew', { ids: [one.id] })).body.data).toMatchObject({
      created: [{ date_expires: '2027-04-01' }],
      skipped: [],
    })
  })
})

test('the history lists registrations by latest expiry, then newest first', async () => {
  const days = ['2026-05-01', '2026-07-01', '2026-06-01', '2026-07-01']
  const ids: number[] = []
  for (const [at, date_expires] of days.entries()) ids.push((await create({ date_expires, plate_number: `P${at}` })).id)
  await create({ unit_number: '100201' })
  const { registrations } = (await h.cast.ben.get('/vehicles/100200/history')).body.data as never as {
    registrations: Registration[]
  }
  expect(registrations.map(({ id }) => id)).toEqual([ids[3], ids[1], ids[2], ids[0]] as number[])
})

test('totals add up costs and count registrations that expire within thirty days', async () => {
  await create({ cost: 1.1, vlt: 2.2, date_expires: '2026-04-13' })
  await create({ unit_number: '100201', cost: 0.2, date_expires: '2026-04-14', received: true })
  await create({ unit_number: '100202', date_expires: '2025-05-01', received: true })
  expect((await h.cast.ben.get('/registrations/totals')).body.data).toEqual({
    pending: 1,
    completed: 2,
    expiring: 1,
    expired: 1,
    total_cost: 1.3,
    total_vlt: 2.2,
  } as never)
  const days = async (days: string) => {
    const { status, body } = await h.cast.ben.get(`/registrations/expiring?days=${days}`)
    return [status, body.meta?.total]
  }
  expect([await days('0'), await days(''), await days('30'), await days('31')]).toEqual([
    [200, 0],
    [200, 1],
    [200, 1],
    [200, 2],
  ])
  for (const wrong of ['-1', '1.5', '36501']) expect((await days(wrong))[0]).toBe(422)
  expect((await days('36500'))[0]).toBe(200)
})

test('a batch takes up to 500 registrations and reports why each rejected one failed', async () => {
  const { body } = await h.cast.ben.post('/registrations/batch', {
    registrations: [null, 'x', registration({ state_province: '', plate_number: '' }), registration(), 5, {}],
  })
  const plate = { field: 'plate_number', message: 'Plate number is required' }
  const state = { field: 'state_province', message: 'State or province is required' }
  expect(body.data as unknown).toEqual({
    created: 1,
    failed: 5,
    rows: [{ index: 3, id: expect.any(Number) }],
    errors: [
      { index: 0, message: 'Must be a registration (a JSON object)', errors: [] },
      { index: 1, message: 'Must be a registration (a JSON object)', errors: [] },
      {
        index: 2,
        message: 'plate_number: Plate number is required; state_province: State or province is required',
        errors: [plate, state],
      },
      { index: 4, message: 'Must be a registration (a JSON object)', errors: [] },
      {
        index: 5,
        message: expect.stringContaining('unit_number: 6 digits required; '),
        errors: expect.arrayContaining([plate, state]),
      },
    ],
  })
  const many = async (count: number) =>
    (await h.cast.ben.post('/registrations/batch', { registrations: Array(count).fill(null) })).status
  expect([await many(1), await many(500), await many(501)]).toEqual([200, 200, 422])
})

test('a state must have two letters and is stored in upper case', async () => {
  const postState = async (state_province: unknown) => {
    const { body } = await h.cast.ben.post('/registrations', registration({ state_province }))
    return (body.data as Registration | undefined)?.state_province ?? body.errors?.[0]?.message
  }
  expect([await postState(' nv '), await postState('Nv')]).toEqual(['NV', 'NV'])
  const REQUIRED = 'State or province is required'
  const LETTERS = 'Must be 2 letters, for example AZ'
  expect([
    await postState(''),
    await postState(5),
    await postState('A'),
    await postState('AZ1'),
    await postState('ß'),
  ]).toEqual([REQUIRED, REQUIRED, LETTERS, LETTERS, LETTERS])
})

test('the page shows the requested log, or the pending log by default', async () => {
  await create()
  await create({ unit_number: '100201', received: true, date_expires: '2027-04-01' })
  await create({ unit_number: '100202', received: true, date_expires: '2026-04-01' })
  const units = async (query: string) =>
    (await h.cast.ben.open(`/vehicles/registrations${query}`)).text
      .match(/10020\d/g)
      ?.filter((unit, at, all) => all.indexOf(unit) === at)
  expect(await units('')).toEqual(['100200'])
  expect(await units('?tab=other')).toEqual(['100200'])
  expect((await units('?tab=complete'))?.sort()).toEqual(['100201', '100202'])
  expect((await units('?tab=expiring'))?.sort()).toEqual(['100200', '100202'])
})
