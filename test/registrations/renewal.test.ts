import { beforeEach, expect, test } from 'bun:test'
import { bulkChanges } from '../../db/schema'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Registration = { id: number; version: number } & Record<string, unknown>
const old = async (more: object = {}) =>
  (
    await h.cast.ben.post('/registrations', {
      unit_number: '100001',
      location_id: h.cast.mesa,
      plate_number: 'KLM 555',
      state_province: 'AZ',
      date_issued: '2025-03-20',
      date_expires: '2026-03-20',
      registration_type: 'New',
      cost: 108.5,
      vlt: 212.4,
      notes: 'Sticker is in the glove box',
      received: true,
      ...more,
    })
  ).body.data as Registration

test('a renewal copies plate, state and location, adds a year, and leaves costs blank', async () => {
  const before = await old()
  const renewed = await h.cast.ben.post(`/registrations/${before.id}/renew`)
  expect([renewed.status, renewed.body.data]).toEqual([
    201,
    expect.objectContaining({
      unit_number: '100001',
      plate_number: 'KLM 555',
      state_province: 'AZ',
      location_id: h.cast.mesa,
      date_issued: '2026-03-14',
      date_expires: '2027-03-20',
      registration_type: 'Renewal',
      cost: null,
      vlt: null,
      notes: null,
      received: false,
      status: 'Pending',
    }),
  ] as never)
  expect((await h.cast.ben.get(`/registrations/${before.id}`)).body.data).toEqual(before as never)
  expect((await h.cast.ben.get('/registrations/expiring')).body.meta?.total).toBe(0)
})

test('a renewal can override any field within the registration rules', async () => {
  const { id } = await old()
  const overrides = { date_expires: '2028-01-31', cost: 99.25, plate_number: 'NEW 1' }
  expect((await h.cast.ben.post(`/registrations/${id}/renew`, overrides)).body.data).toMatchObject(overrides)
  expect((await h.cast.ben.post(`/registrations/${id}/renew`, { date_expires: '2026-03-13' })).status).toBe(422)
  expect((await h.cast.ben.post(`/registrations/${id}/renew`, { cost: -1 })).status).toBe(422)
  expect((await h.cast.ben.post('/registrations/999/renew')).status).toBe(404)
})

test('renewing a long-expired registration ends after today; leap days become February 28', async () => {
  const long = await old({ date_issued: '2022-03-01', date_expires: '2023-03-14' })
  expect((await h.cast.ben.post(`/registrations/${long.id}/renew`)).body.data).toMatchObject({
    date_expires: '2027-03-14',
  })
  const issued = { date_issued: '2023-03-10' }
  expect((await h.cast.ben.post(`/registrations/${long.id}/renew`, issued)).body.data).toMatchObject({
    date_expires: '2024-03-14',
  })
  const leap = await old({ date_issued: '2027-03-01', date_expires: '2028-02-29' })
  expect((await h.cast.ben.post(`/registrations/${leap.id}/renew`)).body.data).toMatchObject({
    date_expires: '2029-02-28',
  })
})

test('several registrations are renewed at once, and failures are listed', async () => {
  const [one, two] = [await old(), await old({ unit_number: '100002' })]
  const { status, body } = await h.cast.ben.post('/registrations/renew', { ids: [two.id, one.id, 999] })
  const data = body.data as unknown as { created: Registration[]; skipped: object[] }
  expect([status, data.created.map(({ unit_number }) => unit_number), data.skipped]).toEqual([
    201,
    ['100001', '100002'],
    [{ id: 999, reason: 'Registration not found' }],
  ])
  expect((await h.cast.ben.post('/registrations/renew', { ids: [] })).status).toBe(422)
})

test('selected registrations in the expiring list are renewed only once', async () => {
  const ids = [(await old()).id, (await old({ unit_number: '100002' })).id]
  const bar = (await h.cast.ben.open('/vehicles/registrations?tab=expiring')).html
  expect(bar).toContain('formAction="/vehicles/registrations/renew"')
  expect((await h.cast.ben.open('/vehicles/registrations')).html).not.toContain('formAction')
  const send = (form: object) => h.cast.ben.submit('/vehicles/registrations/renew', form as never)
  expect((await send({ ids })).toast).toBe('2 renewed; papers pending')
  expect((await send({ ids })).toast).toBe(
    '!0 renewed. 2 skipped: The unit already has a registration that expires later (100001, 100002)',
  )
  expect((await send({})).toast).toBe('!Choose at least one record')
  expect((await h.cast.ben.get('/registrations')).body.meta?.total).toBe(4)
})

test('expired registrations are listed until they are renewed, and are renewed together', async () => {
  for (const unit_number of ['100001', '100002'])
    await old({ unit_number, date_issued: '2025-02-01', date_expires: '2026-02-01' })
  await old({ unit_number: '100003' })
  const expired = async () => (await h.cast.ben.get('/registrations/overdue')).body.meta?.total
  const due = async () => (await h.cast.ben.get('/due?kind=registration_expired')).body.meta?.total
  expect([await expired(), await due()]).toEqual([2, 2])
  const { html, text } = await h.cast.ben.open('/vehicles/registrations?tab=overdue')
  expect([text.includes('Expired (2)'), html.includes('formAction="/vehicles/registrations/renew"')]).toEqual([
    true,
    true,
  ])
  const renewed = await h.cast.ben.post('/registrations/renew', { filters: { list: 'overdue' }, expected: 2 })
  expect((renewed.body.data as unknown as { created: object[] }).created).toMatchObject([
    { unit_number: '100001', date_expires: '2027-02-01' },
    { unit_number: '100002', date_expires: '2027-02-01' },
  ])
  expect([await expired(), await due()]).toEqual([0, 0])
})

test('a registration that expired exactly a year ago is renewed for the coming year', async () => {
  const { id } = await old({ date_issued: '2024-03-14', date_expires: '2025-03-14' })
  const { body } = await h.cast.ben.post(`/registrations/${id}/renew`, {})
  expect(body.data).toMatchObject({ date_issued: '2026-03-14', date_expires: '2027-03-14' })
})

test('the whole expiring list can be renewed, and undo keeps later changes', async () => {
  for (const unit_number of ['100001', '100002', '100003']) await old({ unit_number })
  await old({ unit_number: '100004', date_issued: '2026-03-01', date_expires: '2027-03-01' })
  const { html } = await h.cast.ben.open('/vehicles/registrations?tab=expiring')
  const filters = /name="filters" value="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? ''
  const send = (expected: number) =>
    h.cast.ben.submit('/vehicles/registrations/renew', { all: '1', filters, expected: String(expected) })
  expect((await send(4)).toast).toStartWith('!The filters now match 3 registrations, not 4')
  const renewed = await send(3)
  expect(renewed.toast).toBe('3 renewed; papers pending')
  const listed = (await h.cast.ben.get('/registrations/pending?sort=unit_number&order=asc')).body
    .data as unknown as Registration[]
  expect(listed.map(({ unit_number }) => unit_number)).toEqual(['100001', '100002', '100003'])
  await h.cast.ben.put(`/registrations/${listed[1]?.id}`, { cost: 5 })
  const [change] = await h.ctx.db.select().from(bulkChanges)
  const undo = `/bulk/${change?.id}/undo`
  expect((await h.cast.ben.post(undo)).body.data).toEqual({
    id: change?.id as number,
    changed: 2,
    skipped: [{ id: listed[1]?.id, reason: 'Someone changed this record after the bulk edit' }],
  } as never)
  expect((await h.cast.ben.post(undo)).status).toBe(409)
  expect((await h.cast.ben.get('/registrations/pending')).body.data).toMatchObject([{ unit_number: '100002', cost: 5 }])
  expect((await h.cast.ben.get('/registrations/expiring')).body.meta?.total).toBe(2)
  const byApi = await h.cast.ben.post('/registrations/renew', { filters: { list: 'expiring' }, expected: 2 })
  expect([byApi.status, (byApi.body.data as unknown as { created: object[] }).created.length]).toEqual([201, 2])
  expect((await h.cast.ben.post('/registrations/renew', { filters: { colour: 'red' }, expected: 2 })).status).toBe(422)
  expect((await h.cast.ben.post('/registrations/renew', { filters: {} })).status).toBe(422)
})

test('the page prefills a renewal and saves it', async () => {
  const { id } = await old()
  const page = await h.cast.ben.open(`/vehicles/registrations/${id}/renew`)
  expect([page.status, page.html.includes('value="2027-03-20"'), page.html.includes('value="KLM 555"')]).toEqual([
    200,
    true,
    true,
  ])
  const form = {
    unit_number: '100001',
    location_id: h.cast.mesa,
    plate_number: 'KLM 555',
    state_province: 'AZ',
    date_issued: '2026-03-14',
    date_expires: '2027-03-20',
    registration_type: 'Renewal',
    cost: '111',
  }
  const done = await h.cast.ben.submit(`/vehicles/registrations/${id}/renew`, form)
  expect([done.status, done.toast]).toEqual([303, 'Registration of unit 100001 renewed'])
  const total = async () => (await h.cast.ben.get('/registrations')).body.meta?.total
  expect(await total()).toBe(2)
  const undone = await h.cast.ben.submit(String(done.undo), {})
  expect([undone.status, await total()]).toEqual([303, 1])
})

test(
  'selected registrations are renewed with costs in one table, and a wrong amount keeps ' + 'everything typed',
  async () => {
    const [one, two] = [await old(), await old({ unit_number: '100002' })]
    const send = (form: object) => h.cast.ben.submit('/vehicles/registrations/renew-table', form as never)
    const chosen = await send({ ids: [two.id, one.id] })
    expect([chosen.status, chosen.location]).toEqual([
      303,
      `/vehicles/registrations/renew-table?ids=${two.id}+${one.id}`,
    ])
    expect((await h.cast.ben.open(`${chosen.location}`)).find('tbody .id')).toEqual(['100002', '100001'])
    for (const query of ['', '?ids=', '?ids=x', '?ids=999+-1+99999999999'])
      expect((await h.cast.ben.open(`/vehicles/registrations/renew-table${query}`)).location).toBe(
        '/vehicles/registrations',
      )
    const values = {
      ids: [one.id, two.id],
      save: '1',
      [`date_expires.${one.id}`]: '2027-06-30',
      [`date_expires.${two.id}`]: '2027-07-31',
      [`vlt.${two.id}`]: '12',
    }
    const wrong = await send({ ...values, [`cost.${one.id}`]: '12x' })
    expect([wrong.status, wrong.find('.field-error').length]).toEqual([422, 1])
    expect(wrong.html).toContain('value="12x"')
    // All mistakes in all rows are shown at once.
    const rows = { [`date_expires.${one.id}`]: '2020-01-01', [`cost.${one.id}`]: 'x', [`vlt.${two.id}`]: '-1' }
    const several = await send({ ...values, ...rows })
    expect([several.status, several.find('.field-error').length]).toEqual([422, 3])
    for (const [date, message] of [
      ['', 'Enter the new expiry date'],
      ['2126-01-01', 'More than 10 years'],
    ]) {
      const refused = await send({ ...values, [`date_expires.${one.id}`]: date })
      expect([refused.status, refused.html.includes(`${message}`)]).toEqual([422, true])
    }
    expect((await h.cast.ben.get('/registrations')).body.meta?.total).toBe(2)
    const done = await send({ ...values, [`cost.${one.id}`]: '108.50' })
    expect(done.toast).toBe('2 renewed; papers pending')
    const made = (await h.cast.ben.get('/registrations?sort=unit_number&order=asc&cursor=')).body
      .data as unknown as object[]
    expect(made.slice(-2)).toMatchObject([
      { unit_number: '100001', cost: 108.5, vlt: null, date_expires: '2027-06-30' },
      { unit_number: '100002', cost: null, vlt: 12 },
    ])
    const [first] = [await old({ unit_number: '100009' })]
    const byApi = await h.cast.ben.post('/registrations/renew', {
      ids: [first.id],
      values: [{ id: first.id, cost: 7 }],
    })
    expect((byApi.body.data as unknown as { created: object[] }).created).toMatchObject([{ cost: 7 }])
  },
)

test('undo keeps a renewal to which a document was added', async () => {
  const { id } = await old({ unit_number: '100001' })
  const { body } = await h.cast.ben.post('/registrations/renew', { ids: [id] })
  const { id: change, created } = body.data as unknown as { id: number; created: { id: number }[] }
  const form = new FormData()
  form.set('file', new File(['%PDF-1.4\n'], 'certificate.pdf'))
  const headers = { authorization: `Bearer ${await h.cast.ben.token()}` }
  await h.cast.ben.request(`/api/registrations/${created[0]?.id}/documents`, { method: 'POST', body: form, headers })
  expect((await h.cast.ben.post(`/bulk/${change}/undo`)).body.data).toMatchObject({
    changed: 0,
    skipped: [{ id: created[0]?.id as number, reason: 'A document was added to the renewal' }],
  })
})
