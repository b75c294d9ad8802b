import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { titles } from '../../db/schema'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const title = async (unit: string) =>
  (
    (await h.cast.ben.post('/titles', { unit_number: unit, location_id: h.cast.mesa, submitted_date: '2026-02-01' }))
      .body.data as { id: number }
  ).id

test('a follow-up stores a note and dates, and lists sort by the next date', async () => {
  const [one, two] = [await title('100001'), await title('100002')]
  const response = await h.cast.ben.post(`/titles/${two}/chase`, {
    note_text: 'Bank says next week',
    next_on: '2026-03-21',
  })
  expect(response.body.data).toMatchObject({ last_chased_on: '2026-03-14', next_chase_on: '2026-03-21' })
  expect((await h.cast.ben.get(`/titles/${two}/notes`)).body.data).toMatchObject([
    { note_text: 'Bank says next week', created_by: 'ben' },
  ])
  const list = (await h.cast.ben.get('/titles/pending?sort=next_chase_on&order=asc')).body.data as unknown as {
    id: number
  }[]
  expect(list.map(({ id }) => id)).toEqual([two, one])
  await h.cast.ben.post(`/titles/${two}/chase`, { note_text: 'Called again' })
  expect((await h.cast.ben.get(`/titles/${two}`)).body.data).toMatchObject({
    last_chased_on: '2026-03-14',
    next_chase_on: null,
  })
})

test('a title is not due again before its next follow-up date', async () => {
  const id = await title('100001')
  const dueUnits = async () =>
    ((await h.cast.ben.get('/due?kind=title_overdue')).body.data as { unit_number: string }[]).map(
      ({ unit_number }) => unit_number,
    )
  expect(await dueUnits()).toEqual(['100001'])
  await h.cast.ben.post(`/titles/${id}/chase`, { note_text: 'Bank says next week', next_on: '2026-03-21' })
  expect(await dueUnits()).toEqual([])
  for (const [day, units] of [
    ['2026-03-15', []],
    ['2026-03-14', ['100001']],
  ] as const) {
    await h.ctx.db.update(titles).set({ next_chase_on: day }).where(eq(titles.id, id))
    expect(await dueUnits()).toEqual([...units])
  }
  await h.cast.ben.post(`/titles/${id}/chase`, { note_text: 'Called again' })
  expect(await dueUnits()).toEqual(['100001'])
})

test('a follow-up needs a note and no past date, and rejected ones write nothing', async () => {
  const id = await title('100001')
  const ask = async (body: object) => (await h.cast.ben.post(`/titles/${id}/chase`, body)).status
  expect([await ask({ note_text: '' }), await ask({ note_text: 'x', next_on: '2026-03-13' })]).toEqual([422, 422])
  expect(await ask({ note_text: 'x', next_on: '2026-03-14' })).toBe(200)
  expect((await h.cast.ben.get(`/titles/${id}/notes`)).body.meta?.total).toBe(1)
  expect((await h.cast.ben.post('/titles/999/chase', { note_text: 'x' })).status).toBe(404)
})

test('the page saves a follow-up', async () => {
  const id = await title('100001')
  expect((await h.cast.ben.open(`/titles/${id}/chase`)).text).toContain('No follow-up yet.')
  expect((await h.cast.ben.submit(`/titles/${id}/chase`, { note_text: '' })).status).toBe(422)
  const done = await h.cast.ben.submit(`/titles/${id}/chase`, { note_text: 'Called', next_on: '2026-03-20' })
  expect([done.status, done.toast]).toEqual([303, 'Follow-up saved for unit 100001'])
  expect((await h.cast.ben.open('/titles')).text).toContain('Mar 20')
})

test('several titles are followed up with one note and date', async () => {
  const ids: number[] = []
  for (const unit_number of ['100301', '100302']) {
    const made = await h.cast.ben.post('/titles', { unit_number, location_id: h.cast.phoenix })
    ids.push((made.body.data as { id: number }).id)
  }
  const bulk = (set: object) => h.cast.ben.post('/titles/bulk', { ids, set, note: 'Called the lender' })
  const past = await bulk({ next_chase_on: '2026-03-01' })
  expect((past.body.data as unknown as { skipped: { reason: string }[] }).skipped[0]?.reason).toBe(
    'The follow-up date must not be in the past',
  )
  const { body } = await bulk({ next_chase_on: '2026-03-21' })
  const read = async () => (await h.cast.ben.get(`/titles/${ids[0]}`)).body.data
  expect(body.data).toMatchObject({ changed: 2, skipped: [] })
  expect(await read()).toMatchObject({ last_chased_on: '2026-03-14', next_chase_on: '2026-03-21' })
  expect((await h.cast.ben.get(`/titles/${ids[1]}/notes`)).body.data).toMatchObject([
    { note_text: 'Called the lender' },
  ])
  await h.cast.ben.post(`/bulk/${(body.data as { id: number }).id}/undo`)
  expect(await read()).toMatchObject({ last_chased_on: null, next_chase_on: null })
})
