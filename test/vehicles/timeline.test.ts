import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Entry = { at: string; kind: string; entity: string; id: number; text: string; by: string }
const osl = { osl_date: '2026-03-10', problem: 'Windshield is cracked' }

test('a timeline shows all events of a unit and its records, newest first', async () => {
  const { ben, ada, mesa } = h.cast
  const { id } = (await ben.post('/osl', { unit_number: '100001', location_id: mesa, ...osl })).body.data as {
    id: number
  }
  await ben.post('/osl', { unit_number: '100002', location_id: mesa, ...osl })
  h.clock.set(new Date('2026-03-14T20:00:00Z'))
  await ada.post(`/osl/${id}/notes`, { note_text: 'Glass is ordered' })
  h.clock.set(new Date('2026-03-14T21:00:00Z'))
  await ada.patch(`/osl/${id}/status`, { status: 'In Repair' })
  const timeline = (await ben.get('/vehicles/100001/timeline')).body.data as unknown as Entry[]
  expect(timeline.map(({ kind, entity, by }) => `${kind} ${entity} ${by}`)).toEqual([
    'update osl_entries ada',
    'note osl_entries ada',
    expect.stringMatching(/vehicles ben$/),
    expect.any(String),
    expect.any(String),
  ] as never)
  expect(timeline[0]).toMatchObject({ at: '2026-03-14T21:00:00.000Z', id, text: 'status: Out of Service → In Repair' })
  expect(timeline[1]).toMatchObject({ at: '2026-03-14T20:00:00.000Z', id, text: 'Glass is ordered' })
  expect((await ben.get('/vehicles/999999/timeline')).status).toBe(404)
  expect((await ben.open('/vehicles/100001')).text).toContain('Glass is ordered')
})

test('daily rates of an OSL entry are in the timeline of its unit and found by an audit search for it', async () => {
  const { ben, ada, mesa } = h.cast
  const fees = { storage_fees_applicable: true, storage_fee_daily_rate: 12.5 }
  const made = await ada.post('/osl', { unit_number: '100001', location_id: mesa, ...osl, ...fees })
  const { id } = made.body.data as { id: number }
  const rate = await ada.post(`/osl/${id}/rates`, { from: '2026-03-12', daily_rate: 20 })
  await ada.delete(`/osl/${id}/rates/${(rate.body.data as { id: number }).id}`)
  await ada.post(`/osl/${id}/rates`, { from: '2026-03-13', daily_rate: 25 })
  const events = async (path: string) =>
    ((await ada.get(path)).body.data as unknown as (Entry & { action?: string })[])
      .filter(({ entity }) => entity === 'osl_rates')
      .map(({ kind, action }) => kind ?? action)
  expect(await events('/vehicles/100001/timeline')).toEqual(['create', 'delete', 'create'])
  expect((await events('/audit?q=100001')).length).toBeGreaterThan(0)
  expect((await events('/audit?q=100002')).length).toBe(0)
  expect((await ben.get('/vehicles/100001/timeline')).status).toBe(200)
})

test('a bulk lookup accepts pasted numbers and names those not found', async () => {
  const { ben } = h.cast
  await ben.post('/vehicles', { unit_number: '100001', vin: '1HGCM82633A004352' })
  await ben.post('/vehicles', { unit_number: '100002' })
  const { data } = (
    await ben.post('/vehicles/lookup', {
      numbers: ['100 001', '100002', '004352', '1hgcm82633a004352', '999999', '12'],
    })
  ).body as unknown as { data: { found: { unit_number: string }[]; not_found: string[] } }
  expect(data.found.map(({ unit_number }) => unit_number)).toEqual(['100001', '100002'])
  expect(data.not_found).toEqual(['999999', '12'])
  expect((await ben.post('/vehicles/lookup', { numbers: [] })).status).toBe(422)
  expect((await ben.post('/vehicles/lookup', { numbers: Array(201).fill('100001') })).status).toBe(422)
  const many = async (numbers: string) => {
    const { location } = await ben.submit('/vehicles/many', { numbers })
    return ben.open(location ?? '')
  }
  const page = await many('100001\n100002, 777777')
  expect([page.status, page.find('tbody tr').length, page.text.includes('Not found: 777777')]).toEqual([200, 2, true])
  expect((await ben.submit('/vehicles/many', { numbers: ' ' })).status).toBe(422)
  const spaced = await many('100001 100002\n100 002; 55 5555')
  expect([spaced.find('tbody tr').length, spaced.text.includes('Not found: 55 5555')]).toEqual([2, true])
  const mixed = await many('999999 100001 zzz')
  expect([mixed.find('tbody tr').length, mixed.text.includes('Not found: 999999, zzz')]).toEqual([1, true])
  const tooMany = await ben.submit('/vehicles/many', {
    numbers: 'A number that is much too long for a VIN,'.repeat(201),
  })
  expect([tooMany.status, tooMany.text.includes('At most 200 at once')]).toEqual([422, true])
})

test('the page shows the latest 50 events and the total, or all on request', async () => {
  const { cast } = await testContext()
  await cast.ben.post('/vehicles', { unit_number: '100300' })
  for (let mileage = 1; mileage <= 54; mileage++) await cast.ben.patch('/vehicles/1/status', { mileage })
  const rows = async (path: string) => {
    const page = await cast.ben.open(path)
    return [page.find('.track > li').length, page.text.includes('The latest 50 of 55.')]
  }
  expect(await rows('/vehicles/100300')).toEqual([50, true])
  expect(await rows('/vehicles/100300?timeline=all')).toEqual([55, false])
})

test('a long text in the timeline is collapsed and can be expanded', async () => {
  const { cast } = await testContext()
  const long = 'The yard called about the keys. '.repeat(20).trim()
  await cast.ben.post('/osl', {
    unit_number: '100300',
    osl_date: '2026-03-10',
    location_id: cast.phoenix,
    problem: 'Windshield is cracked',
    notes: long,
  })
  const page = await cast.ben.open('/vehicles/100300')
  expect(page.find('details.long-text').some((text) => text.includes(long))).toBe(true)
  expect(page.find('details.long-text summary').every((text) => text.length <= 180)).toBe(true)
})

test('a timeline contains the latest 500 changes and notes', async () => {
  const { ben, mesa } = h.cast
  const { id } = (await ben.post('/osl', { unit_number: '100001', location_id: mesa, ...osl })).body
    .data as never as Entry
  const read = async () => (await ben.get('/vehicles/100001/timeline')).body.data as unknown as Entry[]
  const before = (await read()).length
  await h.ctx.db.execute(sql`insert into osl_notes (osl_id, note_text, created_at, created_by)
    select ${id}::int, 'Note ' || n, '2026-03-15T00:00:00Z'::timestamptz + n * interval '1 minute', 'ada'
    from generate_series(1, ${500 - before}::int) n`)
  expect((await read()).length).toBe(500)
  await ben.post(`/osl/${id}/notes`, { note_text: 'Older than those' })
  const timeline = await read()
  expect([timeline.length, timeline[0]?.text, timeline.filter(({ kind }) => kind === 'create').length > 0]).toEqual([
    500,
    `Note ${500 - before}`,
    true,
  ])
  expect(timeline.map(({ at }) => at)).toEqual(
    timeline
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )
  // If there are more notes than that, the latest ones are shown.
  await h.ctx.db.execute(sql`insert into osl_notes (osl_id, note_text, created_at, created_by)
    select ${id}::int, 'Later ' || n, '2026-03-16T00:00:00Z'::timestamptz + n * interval '1 minute', 'ada'
    from generate_series(1, 20) n`)
  expect((await read()).slice(0, 21).map(({ text }) => text)).toEqual([
    ...Array.from({ length: 20 }, (_, at) => `Later ${20 - at}`),
    `Note ${500 - before}`,
  ])
})

test('the timeline keeps the creation of a record that was deleted', async () => {
  const { cast } = await testContext()
  const { body } = await cast.ben.post('/titles', { unit_number: '100300', location_id: cast.phoenix })
  await cast.ben.delete(`/titles/${(body.data as { id: number }).id}`)
  const events = (await cast.ben.open('/vehicles/100300')).find('.track li').join('\n')
  expect(events).toContain('Title deleted')
  expect(events).toContain('Title added')
})
