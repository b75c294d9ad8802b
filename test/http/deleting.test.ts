import { beforeEach, expect, test } from 'bun:test'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const RECORD_FIELDS = {
  transports: () => ({
    location_out_id: h.cast.phoenix,
    location_in_id: h.cast.tempe,
    transport_company_id: h.cast.desert,
    move_date: '2026-03-10',
    final_cost: 120.5,
  }),
  osl: () => ({
    osl_date: '2026-03-10',
    location_id: h.cast.mesa,
    problem: 'Transmission slips in third gear',
    storage_fee_daily_rate: 35.15,
  }),
  registrations: () => ({
    plate_number: 'AZ 100',
    state_province: 'AZ',
    date_issued: '2025-03-10',
    date_expires: '2026-03-10',
    location_id: h.cast.mesa,
    cost: 77,
  }),
  titles: () => ({ submitted_date: '2026-03-01', location_id: h.cast.mesa, dealer_name: 'Valley Trucks' }),
}
const SCREENS = { transports: 'transports', osl: 'osl', registrations: 'vehicles/registrations', titles: 'titles' }
const kinds = Object.keys(RECORD_FIELDS) as (keyof typeof RECORD_FIELDS)[]
type Stored = { id: number; version: number; updated_at: string } & Record<string, unknown>

for (const kind of kinds) {
  test(`${kind}: deleting and restoring keep the record and its notes, by API and form`, async () => {
    const { ben } = h.cast
    const made = (await ben.post(`/${kind}`, { unit_number: '100200', ...RECORD_FIELDS[kind]() })).body.data as Stored
    const at = `/${kind}/${made.id}`
    const hasNotes = kind === 'osl' || kind === 'titles'
    if (hasNotes)
      for (const note_text of ['Called the yard', 'Called again']) await ben.post(`${at}/notes`, { note_text })
    const before = (await ben.get(at)).body.data as Stored
    const notes = hasNotes ? (await ben.get(`${at}/notes`)).body.data : null
    const isAsBefore = async () => {
      const { version: _, updated_at: __, ...now } = (await ben.get(at)).body.data as Stored
      expect(before).toMatchObject(now)
      if (hasNotes) expect((await ben.get(`${at}/notes`)).body.data).toEqual(notes as never)
    }

    expect((await ben.delete(at)).status).toBe(200)
    expect((await ben.get(at)).status).toBe(404)
    expect((await ben.delete(at)).status).toBe(404)
    expect((await ben.put(at, { notes: 'x' })).status).toBe(404)
    expect((await ben.get(`/${kind}`)).body.meta?.total ?? 0).toBe(0)
    expect((await ben.post(`${at}/restore`)).status).toBe(200)
    await isAsBefore()
    // The record exists, so it is not restored twice.
    expect((await ben.post(`${at}/restore`)).status).toBeGreaterThanOrEqual(404)
    expect((await ben.post(`/${kind}/999/restore`)).status).toBe(404)

    const page = `/${SCREENS[kind]}/${made.id}`
    const confirmPage = await ben.open(`${page}/delete`)
    expect([confirmPage.status, confirmPage.html.includes('100200')]).toEqual([200, true])
    const deleteResponse = await ben.submit(`${page}/delete`, {})
    expect([deleteResponse.status, deleteResponse.toast]).toEqual([303, expect.stringContaining('deleted')])
    expect((await ben.get(at)).status).toBe(404)
    expect((await ben.submit(`${page}/restore`, {})).status).toBe(303)
    await isAsBefore()

    const actions = (
      (await h.cast.ada.get(`/audit?entity=${kind === 'osl' ? 'osl_entries' : kind}&entity_id=${made.id}&order=asc`))
        .body.data as { action: string }[]
    ).map(({ action }) => action)
    expect(actions.filter((action) => action !== 'update')).toEqual([
      'create',
      'delete',
      'restore',
      'delete',
      'restore',
    ])
  })
}

test('a restored record keeps its creator and creation time', async () => {
  const title = { unit_number: '100200', ...RECORD_FIELDS.titles() }
  const { id, created_at } = (await h.cast.ben.post('/titles', title)).body.data as Stored
  h.clock.set(new Date('2026-03-14T20:00:00Z'))
  await h.cast.ada.delete(`/titles/${id}`)
  h.clock.set(new Date('2026-03-14T21:00:00Z'))
  await h.cast.ada.post(`/titles/${id}/restore`)
  const back = (await h.cast.ben.get(`/titles/${id}`)).body.data
  expect(back).toMatchObject({
    created_by: 'ben',
    created_at,
    updated_by: 'ada',
    updated_at: '2026-03-14T21:00:00.000Z',
    // The creation was version 1, and the deletion was version 2.
    version: 3,
  })
})

test('deleting returns to the previous page, or to the list from the record page', async () => {
  const { ben } = h.cast
  for (const kind of ['osl', 'titles'] as const)
    for (const [from, to] of [
      ['', ''],
      ['?q=100200', '?q=100200'],
      ['/1', ''],
      ['/1#notes', ''],
      ['/1/edit?tab=1', ''],
    ]) {
      const list = kind === 'osl' ? '/osl/active' : '/titles'
      await ben.post(`/${kind}`, { unit_number: '100200', ...RECORD_FIELDS[kind]() })
      const [{ id } = { id: 0 }] = (await ben.get(`/${kind}?sort=created_at&order=desc`)).body.data as Stored[]
      const back = from?.startsWith('/') ? `/${kind}${from.replace('/1', `/${id}`)}` : list + from
      const deleteResponse = await ben.submit(`/${kind}/${id}/delete`, { back })
      expect([back, deleteResponse.location, deleteResponse.undo]).toEqual([back, list + to, `/${kind}/${id}/restore`])
    }
})

test('a failed restore states the reason in the API and on screen', async () => {
  const { ada, ben } = h.cast
  const place = { location_code: 'GLB', location_name: 'Gilbert', location_type: 'Hub' }
  const { id: location_id } = (await ada.post('/locations', place)).body.data as Stored
  const title = { unit_number: '100200', ...RECORD_FIELDS.titles(), location_id }
  const { id } = (await ben.post('/titles', title)).body.data as Stored
  await ben.delete(`/titles/${id}`)
  expect((await ben.submit(`/titles/${id}/restore`, {})).toast).toBe('Title of unit 100200 restored')
  expect((await ben.submit(`/titles/${id}/restore`, {})).toast).toBe('!Title is not deleted')
  await ben.delete(`/titles/${id}`)
  expect((await ada.delete(`/locations/${location_id}`)).status).toBe(200)
  const why = 'Title refers to a record that has since been deleted; restore that record first'
  const refused = await ben.post(`/titles/${id}/restore`)
  expect([refused.status, refused.body.message]).toEqual([409, why])
  expect((await ben.submit(`/titles/${id}/restore`, {})).toast).toBe(`!${why}`)
})
