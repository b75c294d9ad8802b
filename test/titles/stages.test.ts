import { beforeEach, expect, test } from 'bun:test'
import { testContext } from '../support/context'

// Today is 2026-03-14 in every test of this file.
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const create = async (more: object = {}, unit_number = '100200') =>
  (
    await h.cast.ben.post('/titles', {
      unit_number,
      location_id: h.cast.phoenix,
      submitted_date: '2026-02-01',
      ...more,
    })
  ).body.data as { id: number; stage: string | null }
const put = async (id: number, change: object) => {
  const { status, body } = await h.cast.ben.put(`/titles/${id}`, change)
  return status === 200 ? (body.data as { stage: string | null }).stage : body.errors
}

test('a title is at the latest stage with a date', async () => {
  const { id, stage } = await create()
  expect(stage).toBe(null)
  expect(await put(id, { requested_on: '2026-02-02' })).toBe('Requested')
  expect(await put(id, { sent_on: '2026-02-10' })).toBe('Sent')
  expect(await put(id, { in_transit_on: '2026-02-10' })).toBe('In Transit')
  expect(await put(id, { received_on: '2026-02-20' })).toBe('Received')
  expect(await put(id, { received_on: '' })).toBe('In Transit')
  // A stage without a date is skipped.
  expect((await create({ received_on: '2026-03-01' }, '100201')).stage).toBe('Received')
  const page = await h.cast.ben.open(`/titles/${id}`)
  for (const text of ['Requested on02/02/2026', 'Sent on02/10/2026', 'In transit on02/10/2026'])
    expect(page.text).toContain(text)
  expect(page.find('.facts')[0]).not.toContain('Received on')
  // The history shows that the stage once had a date.
  expect(page.find('.track li').some((stop) => stop.includes('Received on 02/20/2026 → —'))).toBe(true)
})

test('stage dates must be in order, whichever is changed', async () => {
  const { id } = await create({ requested_on: '2026-02-10', in_transit_on: '2026-02-20' })
  expect(await put(id, { sent_on: '2026-02-09' })).toEqual([
    { field: 'sent_on', message: 'Must not be before the Requested date' },
  ])
  expect(await put(id, { sent_on: '2026-02-21' })).toEqual([
    { field: 'in_transit_on', message: 'Must not be before the Sent date' },
  ])
  expect(await put(id, { received_on: '2026-02-19' })).toMatchObject([{ field: 'received_on' }])
  expect(await put(id, { sent_on: '2026-02-10', received_on: '2026-02-20' })).toBe('Received')
  const refused = await h.cast.ben.post('/titles', {
    unit_number: '100201',
    location_id: h.cast.phoenix,
    sent_on: '2026-03-02',
    received_on: '2026-03-01',
  })
  expect(refused.status).toBe(422)
})

test('lists can be filtered by stage, and due items show it', async () => {
  await create({ sent_on: '2026-02-02' })
  await create({ received_on: '2026-02-02', dealer_name: 'Valley' }, '100201')
  await create({}, '100202')
  const units = async (query: string) =>
    ((await h.cast.ben.get(`/titles?${query}`)).body.data as { unit_number: string }[]).map((row) => row.unit_number)
  expect(await units('stage=Sent')).toEqual(['100200'])
  expect(await units('stage=Requested')).toEqual([])
  expect((await units('stage=')).length).toBe(3)
  expect((await h.cast.ben.open('/titles?stage=Received')).find('tbody .unit')).toEqual(['100201'])
  expect((await h.cast.ben.get('/due?kind=title_overdue&q=100201')).body.data).toMatchObject([
    { text: 'Pending since 02/01/2026, received, dealer Valley' },
  ])
})

test('the form saves the stage dates', async () => {
  const saved = await h.cast.ben.submitAnyway('/titles/new', {
    unit_number: '100200',
    location_id: h.cast.phoenix,
    requested_on: '2026-03-01',
    sent_on: '2026-03-05',
  })
  expect(saved.toast).toBe('Title tracking entry created successfully!')
  expect((await h.cast.ben.get('/titles/1')).body.data).toMatchObject({ sent_on: '2026-03-05', stage: 'Sent' })
})
