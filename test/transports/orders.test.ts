import { beforeEach, expect, test } from 'bun:test'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Stored = { id: number; version: number; po_number: string | null; issue_po: boolean }
const move = async (more: object = {}) =>
  (
    await h.cast.ben.post('/transports', {
      unit_number: '100200',
      location_out_id: h.cast.phoenix,
      location_in_id: h.cast.tempe,
      transport_company_id: h.cast.desert,
      move_date: '2026-03-10',
      ...more,
    })
  ).body.data as unknown as Stored
const issue = async (id: number, body: object = {}) => {
  const { status, body: responseBody } = await h.cast.ben.post(`/transports/${id}/po`, body)
  return [status, (responseBody.data as Stored | undefined)?.po_number ?? responseBody.message]
}
test('a transport gets the next PO number once', async () => {
  const { id } = await move()
  expect(await issue(id)).toEqual([200, 'PO-1001'])
  expect((await h.cast.ben.get(`/transports/${id}`)).body.data).toMatchObject({ issue_po: true, po_number: 'PO-1001' })
  expect(await issue(id)).toEqual([409, 'This transport already has PO number PO-1001'])
  expect(await issue((await move()).id)).toEqual([200, 'PO-1002'])
  expect(await issue(999)).toEqual([404, 'Transport not found'])
  const stale = await move()
  await h.cast.ben.put(`/transports/${stale.id}`, { mileage: 5 })
  expect((await issue(stale.id, { version: stale.version }))[0]).toBe(409)
  // A refused request uses no PO number.
  expect(await issue((await move()).id)).toEqual([200, 'PO-1003'])
})

test('concurrent POs get numbers without gaps or duplicates', async () => {
  const ids = []
  for (let n = 0; n < 12; n++) ids.push((await move()).id)
  const numbers = (await Promise.all(ids.map((id) => issue(id)))).map(([, number]) => number)
  expect(numbers.sort()).toEqual(Array.from({ length: 12 }, (_, n) => `PO-${1001 + n}`))
})

test('administrators set the first PO number, and numbers already in use are skipped', async () => {
  await h.cast.ada.put('/settings', { po_prefix: 'Y', po_first: 7 })
  await move({ po_number: 'y7' })
  await h.cast.ben.post('/osl', {
    unit_number: '100300',
    osl_date: '2026-03-04',
    location_id: h.cast.phoenix,
    problem: 'Transmission slips in third gear',
    po_number: 'Y8',
  })
  expect(await issue((await move()).id)).toEqual([200, 'Y9'])
  await h.cast.ada.put('/settings', { po_prefix: '' })
  expect(await issue((await move()).id)).toEqual([200, '7'])
  expect((await h.cast.ada.put('/settings', { po_first: -1 })).body.errors).toMatchObject([{ field: 'po_first' }])
})

test('stale settings and deleted transports do not cause a PO number to be reused', async () => {
  const read = (await h.cast.ada.get('/settings')).body.data as Record<string, unknown>
  const { id } = await move()
  expect(await issue(id)).toEqual([200, 'PO-1001'])
  await h.cast.ben.delete(`/transports/${id}`)
  const { version, po_prefix, po_first } = read
  const saved = await h.cast.ada.put('/settings', { version, po_prefix, po_first, phone: '602-555-0100' })
  expect([saved.status, (saved.body.data as { po_last: number }).po_last]).toEqual([200, 1001])
  expect(await issue((await move()).id)).toEqual([200, 'PO-1002'])
})

test('the transport order shows company, contact, address and dates, and issues the PO', async () => {
  await h.cast.ada.put('/settings', { company_name: 'Copper State Fleet' })
  await h.cast.ada.put('/transport-companies/1', { contact_person: 'Rosa', phone: '602-555-0130' })
  await h.cast.ada.put(`/locations/${h.cast.tempe}`, { address: '1 Mill Ave' })
  const { id } = await move({ issue_po: true, estimated_cost: 340.5, estimated_arrival_date: '2026-03-12' })
  expect((await h.cast.ben.open('/due?kind=transport_no_po')).find('td.sum button')).toEqual(['Issue PO'])
  const order = await h.cast.ben.open(`/transports/${id}/order`)
  expect(order.find('h1')).toEqual(['Transport order'])
  for (const part of [
    'Copper State Fleet',
    'Rosa',
    '602-555-0130',
    '1 Mill Ave',
    '03/10/2026',
    '03/12/2026',
    '$340.50',
  ])
    expect(order.text).toContain(part)
  expect(order.find('button')).toContain('Issue PO')
  const done = await h.cast.ben.submit(`/transports/${id}/po`, { version: '1' })
  expect([done.location, done.toast]).toEqual([`/transports/${id}/order`, 'Purchase order PO-1001 is issued'])
  const issued = await h.cast.ben.open(`/transports/${id}/order`)
  expect(issued.find('h1')).toEqual(['Transport order PO-1001'])
  expect(issued.find('button')).not.toContain('Issue PO')
  expect((await h.cast.ben.open('/due?kind=transport_no_po')).find('td.sum button')).toEqual([])
  expect((await h.cast.ben.submit(`/transports/${id}/po`, {})).toast).toBe(
    '!This transport already has PO number PO-1001',
  )
  expect((await h.cast.ben.open('/transports/999/order')).status).toBe(404)
})
