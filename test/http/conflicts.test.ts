import { beforeEach, expect, test } from 'bun:test'
import { testContext } from '../support/context'

/** Two users change one record. Neither overwrites changes of the other one without seeing them. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const transport = async (more: object = {}) =>
  (
    await h.cast.ben.post('/transports', {
      unit_number: '100001',
      location_out_id: h.cast.phoenix,
      location_in_id: h.cast.tempe,
      transport_company_id: h.cast.desert,
      move_date: '2026-03-10',
      ...more,
    })
  ).body.data as { id: number; version: number }

/** Returns the fields that a browser would send with the form of a page. */
function fieldsIn(html: string): Record<string, string> {
  const form = /<form class="form"[\s\S]*?<\/form>/.exec(html)?.[0] ?? ''
  const text = (value = '') =>
    value
      .replaceAll('&quot;', '"')
      .replaceAll('&#x27;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
  const fields: Record<string, string> = {}
  for (const [tag] of form.matchAll(/<input [^>]*>/g)) {
    const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]
    if (/checkbox|radio/.test(attribute('type') ?? '') && !tag.includes(' checked')) continue
    fields[attribute('name') ?? ''] = text(attribute('value'))
  }
  for (const [, name = '', value] of form.matchAll(/<textarea [^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/textarea>/g))
    fields[name] = text(value)
  for (const [, name = '', options = ''] of form.matchAll(/<select [^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g))
    fields[name] = text(/<option value="([^"]*)" selected/.exec(options)?.[1])
  return fields
}

test('a stale form keeps the changes of other users to untouched fields', async () => {
  const { id } = await transport()
  const opened = fieldsIn((await h.cast.ben.open(`/transports/${id}/edit`)).html)
  await h.cast.ada.put(`/transports/${id}`, { final_cost: 432.1, location_in_id: h.cast.mesa })
  const first = await h.cast.ben.submit(`/transports/${id}/edit`, { ...opened, notes: 'Gate code 12' })
  expect(first.status).toBe(409)
  expect(first.html).toContain('Changed by ada and kept when you save: Location in Mesa, Final cost $432.10.')
  expect(first.html).not.toContain('Your value')
  const again = fieldsIn(first.html)
  expect(again).toMatchObject({ final_cost: '432.10', location_in_id: String(h.cast.mesa), notes: 'Gate code 12' })
  expect((await h.cast.ben.submit(`/transports/${id}/edit`, again)).status).toBe(303)
  expect((await h.cast.ben.get(`/transports/${id}`)).body.data).toMatchObject({
    final_cost: 432.1,
    location_in_id: h.cast.mesa,
    notes: 'Gate code 12',
  })
})

test('a conflicting field shows both values and is saved only after confirmation', async () => {
  const { id } = await transport({ notes: 'One' })
  const opened = fieldsIn((await h.cast.ben.open(`/transports/${id}/edit`)).html)
  await h.cast.ada.put(`/transports/${id}`, { notes: 'Two', location_in_id: h.cast.mesa })
  const refused = await h.cast.ben.submitAnyway(`/transports/${id}/edit`, {
    ...opened,
    notes: 'Three',
    location_in_id: String(h.cast.phoenix),
  })
  expect(refused.find('.changed-since td').map((cell) => cell.trim())).toEqual(['Phoenix', 'Mesa', 'Three', 'Two'])
  expect((await h.cast.ben.get(`/transports/${id}`)).body.data).toMatchObject({
    notes: 'Two',
    location_in_id: h.cast.mesa,
  })
  // Another change is saved in the meantime.
  await h.cast.ada.put(`/transports/${id}`, { po_number: 'PO 7' })
  const twice = await h.cast.ben.submitAnyway(`/transports/${id}/edit`, fieldsIn(refused.html))
  expect([twice.status, fieldsIn(twice.html).po_number]).toEqual([409, 'PO 7'])
  expect((await h.cast.ben.submitAnyway(`/transports/${id}/edit`, fieldsIn(twice.html))).status).toBe(303)
  expect((await h.cast.ben.get(`/transports/${id}`)).body.data).toMatchObject({
    notes: 'Three',
    location_in_id: h.cast.phoenix,
    po_number: 'PO 7',
  })
})

test('each conflicting field can keep either the stored or the entered value', async () => {
  const { id } = await transport({ notes: 'One' })
  const opened = fieldsIn((await h.cast.ben.open(`/transports/${id}/edit`)).html)
  await h.cast.ada.put(`/transports/${id}`, { notes: 'Two', location_in_id: h.cast.mesa })
  const typed = { ...opened, notes: 'Three', location_in_id: String(h.cast.phoenix) }
  const shown = fieldsIn((await h.cast.ben.submitAnyway(`/transports/${id}/edit`, typed)).html)
  const chosen = { ...shown, choice_location_in_id: 'stored' }
  expect((await h.cast.ben.submitAnyway(`/transports/${id}/edit`, chosen)).status).toBe(303)
  expect((await h.cast.ben.get(`/transports/${id}`)).body.data).toMatchObject({
    notes: 'Three',
    location_in_id: h.cast.mesa,
  })
})

test('malformed original values in a stale form never cause a server error', async () => {
  const { id } = await transport({ notes: 'One' })
  const opened = fieldsIn((await h.cast.ben.open(`/transports/${id}/edit`)).html)
  await h.cast.ada.put(`/transports/${id}`, { notes: 'Two' })
  for (const was of ['null', '5', '"x"', '[]', '{', '{"notes":{"a":1}}']) {
    const edit = { ...opened, was, notes: 'Three' }
    expect([was, (await h.cast.ben.submit(`/transports/${id}/edit`, edit)).status]).toEqual([was, 409])
    const { status } = await h.cast.ben.submit(`/transports/${id}/edit`, { ...edit, choice_notes: 'stored' })
    expect([409, 422]).toContain(status)
  }
})

test('undoing a status change from Delivered restores the arrival date', async () => {
  const { id } = await transport({ status: 'Delivered', actual_arrival_date: '2026-03-12' })
  const changed = await h.cast.ben.submit(`/transports/${id}/status`, { status: 'In Transit' })
  await h.cast.ben.submit(changed.undo ?? '', {})
  expect((await h.cast.ben.get(`/transports/${id}`)).body.data).toMatchObject({
    status: 'Delivered',
    actual_arrival_date: '2026-03-12',
  })
})

test('transferring a title again keeps its date unless a new date is given', async () => {
  const { data } = (
    await h.cast.ben.post('/titles', { unit_number: '100001', location_id: h.cast.mesa, submitted_date: '2026-01-05' })
  ).body as {
    data: { id: number }
  }
  await h.cast.ben.patch(`/titles/${data.id}/transfer`, { transferred_date: '2026-02-01' })
  expect((await h.cast.ben.patch(`/titles/${data.id}/transfer`)).body.data).toMatchObject({
    transferred_date: '2026-02-01',
  })
  expect(
    (await h.cast.ben.patch(`/titles/${data.id}/transfer`, { transferred_date: '2026-02-02' })).body.data,
  ).toMatchObject({
    transferred_date: '2026-02-02',
  })
})

test('restoring a record recreates a vehicle that an import undo removed', async () => {
  const { body } = await h.cast.ben.upload(
    'registrations',
    'a.csv',
    'unit_number,location,plate_number,state_province,date_issued,date_expires\n' +
      '100009,Mesa,AZ 1,AZ,2026-01-01,2027-01-01\n',
  )
  const [{ id }] = (await h.cast.ben.get('/registrations')).body.data as unknown as [{ id: number }]
  await h.cast.ben.delete(`/registrations/${id}`)
  await h.cast.ben.post(`/files/${(body as unknown as { data: { id: number } }).data.id}/undo`)
  await h.cast.ben.settled((body as unknown as { data: { id: number } }).data.id)
  expect((await h.cast.ben.get('/vehicles/unit/100009')).status).toBe(404)
  expect((await h.cast.ben.post(`/registrations/${id}/restore`)).status).toBe(200)
  expect((await h.cast.ben.get('/vehicles/unit/100009')).status).toBe(200)
})
