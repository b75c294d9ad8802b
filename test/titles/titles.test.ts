import { beforeEach, expect, test } from 'bun:test'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const title = (more: object = {}) => ({
  unit_number: '100200',
  location_id: h.cast.phoenix,
  dealer_name: 'Valley Truck Sales',
  ...more,
})
const created = async (more: object = {}) =>
  (await h.cast.ben.post('/titles', title(more))).body.data as unknown as { id: number }
const units = async (path: string) =>
  ((await h.cast.ben.get(path)).body.data as { unit_number: string }[]).map((row) => row.unit_number)

test('a title is submitted today by default and counts its pending days', async () => {
  expect((await h.cast.ben.post('/titles', title())).body.data).toMatchObject({
    submitted_date: '2026-03-14',
    days_pending: 0,
    transferred_date: null,
    location_name: 'Phoenix',
  })
  const { id } = await created({ submitted_date: '2026-02-14' })
  expect((await h.cast.ben.get(`/titles/${id}/calculate-days`)).body.data).toEqual({ days_pending: 28 } as never)
})

test('a title can be transferred and reopened', async () => {
  const { id } = await created({ submitted_date: '2026-03-01' })
  expect((await h.cast.ben.patch(`/titles/${id}/transfer`)).body.data).toMatchObject({
    transferred_date: '2026-03-14',
    days_pending: 13,
  })
  expect([await units('/titles/pending'), await units('/titles/transferred')]).toEqual([[], ['100200']])
  expect((await h.cast.ben.patch(`/titles/${id}/reopen`)).body.data).toMatchObject({ transferred_date: null })
  expect(
    (await h.cast.ben.patch(`/titles/${id}/transfer`, { transferred_date: '2026-03-05' })).body.data,
  ).toMatchObject({
    transferred_date: '2026-03-05',
    days_pending: 4,
  })
  expect((await h.cast.ben.patch(`/titles/${id}/transfer`, { transferred_date: '2026-02-28' })).status).toBe(422)
  expect((await h.cast.ben.patch(`/titles/${id}/reopen`, { version: 1 })).status).toBe(409)
})

test('a title is overdue after more than the given number of pending days', async () => {
  await created({ unit_number: '100001', submitted_date: '2026-02-12' }) // 30 days
  await created({ unit_number: '100002', submitted_date: '2026-02-11' })
  expect([await units('/titles/overdue'), await units('/titles/overdue?days=29')]).toEqual([
    ['100002'],
    ['100002', '100001'],
  ])
  expect((await h.cast.ben.get('/titles/totals')).body.data).toEqual({
    pending: 2,
    transferred: 0,
    overdue: 1,
  } as never)
  expect((await h.cast.ben.post('/titles/update-all-days')).body.data).toEqual({ updated: 2 } as never)
})

test('titles can be found by vehicle, VIN and hub', async () => {
  await created()
  await h.cast.ben.post('/vehicles', { unit_number: '100200', vin: '1HGCM82633A004352' })
  expect(await units('/titles/vehicle/100200')).toEqual(['100200'])
  expect(await units('/titles/vin/1hgcm82633a004352')).toEqual(['100200'])
  expect(await units(`/titles/hub/${h.cast.phoenix}`)).toEqual(['100200'])
  expect(await units(`/titles/hub/${h.cast.mesa}`)).toEqual([])
})

test('the page of a title shows its latest 50 notes, and more of them on request', async () => {
  const { id } = await created()
  for (let at = 1; at <= 51; at++) await h.cast.ben.post(`/titles/${id}/notes`, { note_text: `Note number ${at}.` })
  const latest = await h.cast.ben.open(`/titles/${id}`)
  expect([latest.text.includes('Note number 1.'), latest.text.includes('Note number 2.')]).toEqual([false, true])
  expect(latest.text).toContain('Only the latest 50 notes are shown.')
  const whole = await h.cast.ben.open(`/titles/${id}?notes=more`)
  expect([whole.text.includes('Note number 1.'), whole.text.includes('Only the latest')]).toEqual([true, false])
})

test('a title has notes', async () => {
  const { id } = await created()
  expect((await h.cast.ben.post(`/titles/${id}/notes`, { note_text: 'Lien release requested' })).status).toBe(201)
  expect((await h.cast.ben.get(`/titles/${id}/notes`)).body.data).toMatchObject([
    { note_text: 'Lien release requested', created_by: 'ben' },
  ])
})

test('the page highlights old titles, marks them transferred and reopens them', async () => {
  await created({ unit_number: '100001', submitted_date: '2026-02-28' }) // 14 days
  await created({ unit_number: '100002', submitted_date: '2026-02-27' })
  await created({ unit_number: '100003', submitted_date: '2026-02-11' }) // 31 days
  const page = await h.cast.ben.open('/titles')
  expect(page.find('.tint-warning td:nth-child(2)')).toEqual(['100002'])
  expect(page.find('.tint-danger td:nth-child(2)')).toEqual(['100003'])
  expect(page.find('.tabs a')).toEqual(['Pending Titles (3)', 'Transferred Titles (0)', 'Overdue (1)'])
  expect(page.find('tbody button')).toEqual(Array(3).fill('Mark Transferred'))
  expect((await h.cast.ben.submit('/titles/1/transfer', { version: 1 })).toast).toBe(
    'Title of unit 100001 is transferred',
  )
  expect((await h.cast.ben.open('/titles?tab=transferred')).find('tbody td:nth-child(2)')).toEqual(['100001'])
  expect((await h.cast.ben.submit('/titles/1/reopen', { version: 2 })).toast).toBe(
    'Title of unit 100001 is pending again',
  )
  expect((await h.cast.ben.submitAnyway('/titles/new', title())).toast).toBe(
    'Title tracking entry created successfully!',
  )
})

test('the forms for titles and registrations continue with another record at the same location', async () => {
  const next = 'Add and enter another'
  const title = { unit_number: '100200', location_id: String(h.cast.phoenix), next }
  await h.cast.ben.post('/vehicles', { unit_number: '100200' })
  const added = await h.cast.ben.submit('/titles/new', title)
  expect(added.location).toBe(`/titles/new?location_id=${h.cast.phoenix}`)
  expect((await h.cast.ben.open(`/titles/new?location_id=${h.cast.phoenix}`)).find('option[selected]')).toContain(
    'Phoenix (PHX)',
  )
  const registration = {
    ...title,
    plate_number: 'CDA4821',
    state_province: 'AZ',
    date_issued: '2026-01-01',
    date_expires: '2026-12-31',
    registration_type: 'Renewal',
  }
  const saved = await h.cast.ben.submit('/vehicles/registrations/new', registration)
  expect(saved.location).toBe(`/vehicles/registrations/new?location_id=${h.cast.phoenix}`)
})
