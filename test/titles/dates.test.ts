import { beforeEach, expect, test } from 'bun:test'
import { testContext } from '../support/context'

// Today is 2026-03-14 in every test of this file.
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Title = { id: number; unit_number: string } & Record<string, unknown>
const post = (more: object = {}) =>
  h.cast.ben.post('/titles', {
    unit_number: '100200',
    location_id: h.cast.phoenix,
    submitted_date: '2026-03-01',
    ...more,
  })
const create = async (more: object = {}) => (await post(more)).body.data as Title

test('a title can be transferred from its submission date, and stages can share a day', async () => {
  const findErrors = async (more: object) => (await post(more)).body.errors
  expect(await findErrors({ transferred_date: '2026-03-01' })).toBeUndefined()
  expect(await findErrors({ transferred_date: '2026-02-28' })).toEqual([
    { field: 'transferred_date', message: 'The transfer date must not be before the submission date' },
  ])
  const day = '2026-03-02'
  expect(await findErrors({ requested_on: day, sent_on: day, in_transit_on: day, received_on: day })).toBeUndefined()
  expect(await findErrors({ requested_on: day, received_on: '2026-03-01' })).toEqual([
    { field: 'received_on', message: 'Must not be before the Requested date' },
  ])
})

test('a title submitted ahead of time is transferred on its submission date', async () => {
  const { id } = await create({ submitted_date: '2026-03-20' })
  expect((await h.cast.ben.patch(`/titles/${id}/transfer`)).body.data).toMatchObject({
    transferred_date: '2026-03-20',
    days_pending: 0,
  })
  expect((await h.cast.ben.put(`/titles/${id}`, { submitted_date: null })).body.data).toMatchObject({
    submitted_date: '2026-03-20',
  })
})

test('the date of a stage alone sets the stage of a title', async () => {
  for (const [field, stage] of [
    ['requested_on', 'Requested'],
    ['sent_on', 'Sent'],
    ['in_transit_on', 'In Transit'],
    ['received_on', 'Received'],
  ] as const)
    expect(await create({ [field]: '2026-03-02' })).toMatchObject({ stage })
  const counted = async (stage: string) =>
    (await h.cast.ben.get(`/titles?stage=${encodeURIComponent(stage)}`)).body.meta?.total
  expect([await counted('Requested'), await counted('Sent'), await counted('In Transit'), await counted('')]).toEqual([
    1, 1, 1, 4,
  ])
})

test('the overdue list takes a number of days from 0, with 30 as default', async () => {
  await create({ unit_number: '100001', submitted_date: '2026-03-14' })
  await create({ unit_number: '100002', submitted_date: '2026-03-13' })
  await create({ unit_number: '100003', submitted_date: '2026-02-12' })
  await create({ unit_number: '100004', submitted_date: '2026-02-11' })
  await create({ unit_number: '100005', submitted_date: '2026-01-01', transferred_date: '2026-03-14' })
  const overdue = async (days: string) => {
    const { status, body } = await h.cast.ben.get(`/titles/overdue?days=${days}&sort=unit_number`)
    return status === 200 ? (body.data as Title[]).map(({ unit_number }) => unit_number) : status
  }
  expect([await overdue('0'), await overdue(''), await overdue('30'), await overdue('29')]).toEqual([
    ['100002', '100003', '100004'],
    ['100004'],
    ['100004'],
    ['100003', '100004'],
  ])
  expect([await overdue('-1'), await overdue('0.5'), await overdue('36501'), await overdue('36500')]).toEqual([
    422,
    422,
    422,
    [],
  ])
  expect((await h.cast.ben.get('/titles/totals')).body.data).toEqual({
    pending: 4,
    transferred: 1,
    overdue: 1,
  } as never)
})

test('pending titles are sorted by age, and transferred ones by latest transfer', async () => {
  await create({ unit_number: '100001', submitted_date: '2026-02-01' })
  await create({ unit_number: '100002', submitted_date: '2026-01-01' })
  await create({ unit_number: '100003', submitted_date: '2026-01-01', transferred_date: '2026-02-02' })
  await create({ unit_number: '100004', submitted_date: '2026-01-02', transferred_date: '2026-03-02' })
  const units = async (tab: string) => (await h.cast.ben.open(`/titles${tab}`)).find('tbody .unit')
  expect([
    await units(''),
    await units('?tab=other'),
    await units('?tab=overdue'),
    await units('?tab=transferred'),
  ]).toEqual([
    ['100002', '100001'],
    ['100002', '100001'],
    ['100002', '100001'],
    ['100004', '100003'],
  ])
  expect((await h.cast.ben.get('/titles?unit_number=')).body.meta?.total).toBe(4)
})

test('notes are accepted up to 5,000 characters', async () => {
  const findErrorField = async (more: object) => (await post(more)).body.errors?.[0]?.field
  expect([
    await findErrorField({ notes: 'x'.repeat(5000) }),
    await findErrorField({ notes: 'x'.repeat(5001) }),
  ]).toEqual([undefined, 'notes'])
  const note = async (note_text: string) => (await h.cast.ben.post('/titles/1/notes', { note_text })).status
  expect([await note('x'), await note('x'.repeat(5000)), await note('x'.repeat(5001)), await note(' ')]).toEqual([
    201, 201, 422, 422,
  ])
  const notes = (await h.cast.ben.get('/titles/1/notes')).body.data as { note_text: string }[]
  expect(notes.map(({ note_text }) => note_text.length)).toEqual([5000, 1])
})
