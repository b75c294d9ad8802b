import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'
import { makeOsl } from '../support/entries'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const entry = async (id: number) => (await h.cast.ben.get(`/osl/${id}`)).body.data as Record<string, unknown>
const notes = async (id: number) => (await h.cast.ben.get(`/osl/${id}/notes`)).body.data as unknown as object[]
const dueUnits = async () =>
  ((await h.cast.ben.get('/due?kind=osl_stale')).body.data as { unit_number: string }[]).map(
    ({ unit_number }) => unit_number,
  )

describe('a follow-up on an OSL entry', () => {
  test('stores a note and the next step, and hides the entry from Due until then', async () => {
    const id = await makeOsl(h.cast, { next_action: 'Call the yard', next_action_on: '2026-03-10' })
    expect(await dueUnits()).toEqual(['100200'])
    const { ben } = h.cast
    const page = await ben.open(`/osl/${id}/follow-up`)
    expect(page.text).toContain('Phoenix, Out of Service. Transmission slips in third gear')
    const answer = await ben.submit(`/osl/${id}/follow-up`, {
      note_text: 'Parts come on Friday',
      next_action: 'Ask for the parts',
      next_action_on: '2026-03-20',
    })
    expect(answer.location).toContain('/osl/active')
    expect(await entry(id)).toMatchObject({ next_action: 'Ask for the parts', next_action_on: '2026-03-20' })
    expect(await notes(id)).toMatchObject([{ note_text: 'Parts come on Friday', created_by: 'ben' }])
    expect(await dueUnits()).toEqual([])
  })

  test('clears the next step if it names none', async () => {
    const id = await makeOsl(h.cast, { next_action: 'Call the yard', next_action_on: '2026-03-10' })
    const { status, body } = await h.cast.ben.post(`/osl/${id}/follow-up`, { note_text: 'Nobody answers' })
    expect([status, body.data]).toMatchObject([200, { next_action: null, next_action_on: null }])
  })

  test('is refused if another user has changed the entry since `version`', async () => {
    const id = await makeOsl(h.cast, {})
    await h.cast.ada.post(`/osl/${id}/follow-up`, { note_text: 'Called', next_action: 'Call again', version: 1 })
    const late = await h.cast.ben.post(`/osl/${id}/follow-up`, { note_text: 'Parts are here', version: 1 })
    expect([late.status, late.body.code]).toEqual([409, 'stale'])
    expect([(await entry(id)).next_action, (await notes(id)).length]).toEqual(['Call again', 1])
  })

  test('needs a note, no past date and a text for the date, and writes nothing otherwise', async () => {
    const id = await makeOsl(h.cast, {})
    const refused = async (body: object) => (await h.cast.ben.post(`/osl/${id}/follow-up`, body)).body.errors
    expect(await refused({})).toMatchObject([{ field: 'note_text' }])
    const past = { note_text: 'Called', next_action: 'Call again', next_action_on: '2026-03-13' }
    expect(await refused(past)).toMatchObject([{ field: 'next_action_on' }])
    expect(await refused({ note_text: 'Called', next_action_on: '2026-03-20' })).toMatchObject([
      { field: 'next_action' },
    ])
    expect([await notes(id), (await entry(id)).version]).toEqual([[], 1])
    const shown = await h.cast.ben.submit(`/osl/${id}/follow-up`, past)
    expect([shown.status, shown.html.includes('The next step must not be in the past')]).toEqual([422, true])
    expect(shown.html).toContain('Call again')
  })
})
