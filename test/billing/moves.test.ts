import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { testContext } from '../support/context'
import { makeTransport } from '../support/entries'
import { FEBRUARY, type Invoice, type InvoiceLine, storeInvoice } from '../support/invoices'

// Today is 2026-03-14 in every test of this file.
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})
const DESERT = 1
type Line = InvoiceLine & { transport_id: number | null }

const move = (unit_number: string, move_date: string, more: object = {}) =>
  makeTransport(h.cast, { unit_number, status: 'Delivered', move_date, actual_arrival_date: move_date, ...more })
const costOf = async (id: number) =>
  ((await h.cast.ben.get(`/transports/${id}`)).body.data as unknown as { final_cost: number | null }).final_cost
const bill = (number: string, lines: object[], more: object = {}) =>
  storeInvoice<Line>(h.cast, `/transport-companies/${DESERT}`, { number, lines, ...more })
const summarize = ({ lines }: Invoice) => lines.map(({ unit_number, status, reason }) => [unit_number, status, reason])

test('a transport company invoice is matched with its deliveries', async () => {
  const first = await move('100001', '2026-02-01', { final_cost: 350 })
  const last = await move('100002', '2026-02-28', { estimated_cost: 200 })
  await move('100003', '2026-02-10', { final_cost: 80 })
  await move('100004', '2026-02-10', { transport_company_id: 2, final_cost: 80 })
  await move('100005', '2026-02-10', { status: 'In Transit', actual_arrival_date: null })
  await move('100006', '2026-01-31', { final_cost: 60 })
  await move('100007', '2026-03-01', { final_cost: 60 })
  await h.cast.ben.post('/vehicles', { unit_number: '100008' })
  const invoice = await bill('T-1', [
    { unit_number: '100001', amount: 350, move_date: '2026-02-01' },
    { unit_number: '100002', amount: 210.5 },
    ...['100004', '100005', '100006', '100007', '100008', '999999'].map((unit_number) => ({ unit_number, amount: 80 })),
  ])
  expect(invoice).toMatchObject({ company_name: 'Desert Auto Haul' })
  expect(summarize(invoice)).toEqual([
    ['100001', 'matched', null],
    ['100002', 'differs', '$10.50 more than our amount, which is an estimate'],
    ['100004', 'not_ours', 'Unit 100004 was moved by Copper State Transport on 02/10/2026'],
    ['100005', 'not_ours', 'Unit 100005 has not been delivered by Desert Auto Haul, move date 02/10/2026'],
    ['100006', 'not_ours', 'Unit 100006 was moved by Desert Auto Haul on 01/31/2026, outside the invoice period'],
    ['100007', 'not_ours', 'Unit 100007 was moved by Desert Auto Haul on 03/01/2026, outside the invoice period'],
    ['100008', 'not_ours', 'Unit 100008 was never moved'],
    ['999999', 'not_ours', 'Unit 999999 is not in the vehicle list'],
    ['100003', 'not_billed', 'Moved 02/10/2026'],
  ])
  expect(invoice.lines.map(({ transport_id }) => transport_id).slice(0, 2)).toEqual([first, last])
  expect(invoice.totals).toEqual({ billed: 1040.5, expected: 630, accepted: 0, disputed: 0, open: 1040.5 })

  expect(summarize(await bill('T-2', [{ unit_number: '100001', amount: 350 }])).slice(0, 2)).toEqual([
    ['100001', 'differs', 'Already billed on invoice T-1, 02/01/2026 to 02/28/2026'],
    ['100003', 'not_billed', 'Moved 02/10/2026'],
  ])
})

test('a line that is not ours names the most relevant other move of the unit', async () => {
  const copper = { transport_company_id: h.cast.copper }
  await move('100001', '2026-01-20')
  await move('100001', '2026-01-10')
  await move('100001', '2026-01-25', copper)
  await move('100002', '2026-01-20', copper)
  await move('100002', '2026-01-10', copper)
  await move('100003', '2026-01-10', copper)
  await move('100003', '2026-01-10', { ...copper, status: 'In Transit', actual_arrival_date: null })
  await move('100004', '2026-01-20')
  await move('100004', '2026-02-28', copper)
  const lines = ['100001', '100002', '100003', '100004'].map((unit_number) => ({ unit_number, amount: 80 }))
  expect((await bill('T-1', lines)).lines.map(({ reason }) => reason)).toEqual([
    'Unit 100001 was moved by Desert Auto Haul on 01/20/2026, outside the invoice period',
    'Unit 100002 was moved by Copper State Transport on 01/20/2026, outside the invoice period',
    'Unit 100003 has not been delivered by Copper State Transport, move date 01/10/2026, outside the invoice period',
    'Unit 100004 was moved by Copper State Transport on 02/28/2026',
  ])
})

test('an accepted move outside the period counts as billed', async () => {
  const early = await move('100001', '2026-01-31', { final_cost: 60 })
  await move('100002', '2026-01-31', { final_cost: 60, transport_company_id: h.cast.copper })
  const { id, lines } = await bill('T-1', [
    { unit_number: '100001', amount: 60 },
    { unit_number: '100002', amount: 60 },
  ])
  expect(lines.map(({ status, transport_id }) => [status, transport_id])).toEqual([
    ['not_ours', early],
    ['not_ours', null],
  ])
  const january = { start_date: '2026-01-01', end_date: '2026-01-31' }
  const open = await bill('T-2', [{ unit_number: '100001', amount: 60 }], january)
  expect(summarize(open)).toEqual([['100001', 'matched', null]])
  await h.cast.ada.delete(`/transport-companies/${DESERT}/invoices/${open.id}`)
  await h.cast.ada.patch(`/transport-companies/${DESERT}/invoices/${id}/lines/${lines[0]?.id}`, {
    decision: 'accepted',
  })
  expect(summarize(await bill('T-3', [{ unit_number: '100001', amount: 60 }], january))).toEqual([
    ['100001', 'differs', 'Already billed on invoice T-1, 02/01/2026 to 02/28/2026'],
  ])
  expect((await bill('T-4', [{ unit_number: '100001', amount: 60 }])).lines[0]).toMatchObject({
    transport_id: early,
    status: 'not_ours',
    reason:
      'Unit 100001 was moved by Desert Auto Haul on 01/31/2026, outside the invoice period. ' +
      'Already billed on invoice T-1, 02/01/2026 to 02/28/2026; invoice T-3, 01/01/2026 to 01/31/2026',
  })
})

test('an accepted amount sets the final cost only of transports without one', async () => {
  const [open, withCost] = [
    await move('100001', '2026-02-03', { estimated_cost: 90 }),
    await move('100002', '2026-02-03', { final_cost: 50 }),
  ]
  const { id, lines } = await bill('T-1', [
    { unit_number: '100001', amount: 120 },
    { unit_number: '100002', amount: 60 },
  ])
  const decide = (line: number, decision: string | null) =>
    h.cast.ada.patch(`/transport-companies/${DESERT}/invoices/${id}/lines/${line}`, { decision })
  const [one, two] = lines.map((line) => line.id) as [number, number]
  await decide(one, 'disputed')
  expect(await costOf(open)).toBeNull()
  expect((await decide(one, 'accepted')).status).toBe(200)
  await decide(two, 'accepted')
  expect([await costOf(open), await costOf(withCost)]).toEqual([120, 50])
  // A dispute clears the final cost that the acceptance set, but no cost that was known before or changed since.
  await decide(two, 'disputed')
  await decide(one, 'disputed')
  expect([await costOf(open), await costOf(withCost)]).toEqual([null, 50])
  await decide(one, 'accepted')
  await h.cast.ben.put(`/transports/${open}`, { final_cost: 119 })
  await decide(one, null)
  expect(await costOf(open)).toBe(119)
})

test('deleting an invoice removes the costs it set, and restoring it sets them again', async () => {
  const open = await move('100001', '2026-02-03')
  const withCost = await move('100002', '2026-02-03', { final_cost: 60 })
  const { id, lines } = await bill('T-1', [
    { unit_number: '100001', amount: 120 },
    { unit_number: '100002', amount: 60 },
  ])
  const path = `/transport-companies/${DESERT}/invoices/${id}`
  for (const line of lines) await h.cast.ada.patch(`${path}/lines/${line.id}`, { decision: 'accepted' })
  await h.cast.ada.delete(path)
  expect([await costOf(open), await costOf(withCost)]).toEqual([null, 60])
  await h.cast.ada.post(`${path}/restore`)
  expect(await costOf(open)).toBe(120)
  await h.cast.ada.patch(`${path}/lines/${lines[0]?.id}`, { decision: null })
  expect([await costOf(open), await costOf(withCost)]).toEqual([null, 60])
})

describe('a final cost that an invoice set', () => {
  const accepted = async () => {
    const id = await move('100001', '2026-02-03')
    const invoice = await bill('T-1', [{ unit_number: '100001', amount: 120 }])
    const path = `/transport-companies/${DESERT}/invoices/${invoice.id}`
    await h.cast.ada.patch(`${path}/lines/${invoice.lines[0]?.id}`, { decision: 'accepted' })
    expect(await costOf(id)).toBe(120)
    return { id, path }
  }

  test('is cleared if the invoice was deleted while the transport was deleted', async () => {
    const { id, path } = await accepted()
    await h.cast.ada.delete(`/transports/${id}`)
    await h.cast.ada.delete(path)
    await h.cast.ada.post(`/transports/${id}/restore`)
    expect(await costOf(id)).toBeNull()
    await h.cast.ada.post(`${path}/restore`)
    expect(await costOf(id)).toBe(120)
    await h.cast.ada.delete(path)
    expect(await costOf(id)).toBeNull()
  })

  test('is cleared with an invoice that was restored before the transport', async () => {
    const { id, path } = await accepted()
    await h.cast.ada.delete(`/transports/${id}`)
    await h.cast.ada.delete(path)
    await h.cast.ada.post(`${path}/restore`)
    await h.cast.ada.post(`/transports/${id}/restore`)
    expect(await costOf(id)).toBe(120)
    await h.cast.ada.delete(path)
    expect(await costOf(id)).toBeNull()
  })
})

test('an invoice covers at most 3,000 transports of its company', async () => {
  await h.cast.ben.post('/vehicles', { unit_number: '100001' })
  await h.ctx.db.execute(sql`insert into transports (unit_number, location_out_id, location_in_id,
      transport_company_id, move_date, actual_arrival_date, move_type, status)
    select '100001', (select min(id) from locations), (select max(id) from locations), ${DESERT}::int,
      date '2026-02-02', date '2026-02-02', 'Fleet', 'Delivered' from generate_series(1, 3001)`)
  const lines = [{ unit_number: '100001', amount: 1 }]
  const refused = await h.cast.ben.post(`/transport-companies/${DESERT}/invoices`, {
    number: 'T-1',
    lines,
    ...FEBRUARY,
  })
  expect([refused.status, refused.body.errors?.[0]]).toEqual([
    422,
    {
      field: 'end_date',
      message: 'More than 3000 transports of this company in this period. Choose a shorter period.',
    },
  ])
})

test('an invoice covers at most one year', async () => {
  const of = (start_date: string) =>
    h.cast.ben.post(`/transport-companies/${DESERT}/invoices`, {
      number: start_date,
      start_date,
      end_date: '2026-02-28',
      lines: [{ unit_number: '100001', amount: 1 }],
    })
  expect((await of('2025-02-28')).status).toBe(201)
  expect((await of('2025-02-27')).body.errors).toEqual([
    { field: 'end_date', message: 'An invoice can cover at most one year. Choose a shorter period.' },
  ])
})

test('accepting all matched lines sets the missing final costs', async () => {
  const open = await move('100001', '2026-02-03', { estimated_cost: 90 })
  const { id } = await bill('T-1', [{ unit_number: '100001', amount: 90 }])
  const { body } = await h.cast.ada.post(`/transport-companies/${DESERT}/invoices/${id}/accept-matched`)
  expect((body.data as unknown as Invoice).totals.accepted).toBe(90)
  expect(await costOf(open)).toBe(90)
})

test('invoice numbers are unique per company, and an invoice is found only under its company', async () => {
  await move('100001', '2026-02-03', { final_cost: 90 })
  const { id } = await bill('t-1', [{ unit_number: '100001', amount: 90 }])
  const again = await h.cast.ben.post(`/transport-companies/${DESERT}/invoices`, {
    number: 'T-1',
    ...FEBRUARY,
    lines: [{ unit_number: '100001', amount: 1 }],
  })
  expect([again.status, again.body.errors]).toEqual([
    409,
    [{ field: 'number', message: 'This transport company already has an invoice T-1' }],
  ])
  for (const path of ['/transport-companies/2', '/vendors/1'])
    expect((await h.cast.ada.get(`${path}/invoices/${id}`)).status).toBe(404)
  const listed = await h.cast.ben.get(`/transport-companies/${DESERT}/invoices`)
  expect(listed.body.data).toMatchObject([{ number: 't-1', billed: 90, differing: 0, open: 1 }] as never)
  expect((await h.cast.ben.get('/transport-companies/99/invoices')).status).toBe(404)
})

test('the completed report and the company page agree on uninvoiced transports', async () => {
  await move('100001', '2026-02-03', { final_cost: 90 })
  await move('100002', '2026-02-04', { estimated_cost: 15 })
  const { id, lines } = await bill('T-1', [{ unit_number: '100001', amount: 90 }])
  const numbers = async (invoiced: string) => {
    const { body } = await h.cast.ben.get(`/transports/completed?start_date=2026-02-01&invoiced=${invoiced}`)
    return JSON.stringify(body).match(/1000\d\d/g)
  }
  expect([await numbers('false'), await numbers('true')]).toEqual([['100002'], ['100001']])
  expect((await h.cast.ben.open(`/transport-companies/${DESERT}`)).text).toContain(
    'Delivered, not invoiced1 transportCost not invoiced$15.00',
  )
  await h.cast.ada.patch(`/transport-companies/${DESERT}/invoices/${id}/lines/${lines[0]?.id}`, {
    decision: 'disputed',
  })
  expect(await numbers('false')).toEqual(['100002', '100001'])
  // A delivered transport with the move date of tomorrow is in neither total.
  await move('100003', '2026-03-15', { final_cost: 1 })
  expect((await h.cast.ben.open(`/transport-companies/${DESERT}`)).text).toContain(
    'Delivered, not invoiced2 transportsCost not invoiced$105.00',
  )
  expect((await h.cast.ben.open(`/transports/completed?invoiced=false&start_date=2026-02-01`)).text).toContain(
    'Not invoiced',
  )
})

test('months count deliveries by move date and on-time arrivals by estimate', async () => {
  await move('100001', '2026-02-01', { final_cost: 90, estimated_cost: 80, estimated_arrival_date: '2026-02-01' })
  await move('100002', '2026-02-28', {
    final_cost: 10,
    estimated_arrival_date: '2026-02-28',
    actual_arrival_date: '2026-03-01',
  })
  await move('100003', '2026-01-31', { final_cost: 7 })
  await move('100004', '2026-02-10', { transport_company_id: 2, final_cost: 5 })
  await move('100005', '2026-02-10', { status: 'In Transit', final_cost: 5, actual_arrival_date: null })
  const { body } = await h.cast.ben.get(`/transport-companies/${DESERT}/months`)
  const months = body.data as unknown as { start_date: string }[]
  expect([months.length, months[0]?.start_date, months[11]?.start_date]).toEqual([12, '2026-03-01', '2025-04-01'])
  expect(months[1] as unknown).toEqual({
    start_date: '2026-02-01',
    end_date: '2026-02-28',
    delivered: 2,
    on_time: 1,
    with_estimate: 2,
    estimated_cost: 80,
    final_cost: 100,
  })
  expect(months[2]).toMatchObject({ delivered: 1, final_cost: 7 } as never)
  const nothing = { delivered: 0, on_time: 0, with_estimate: 0, estimated_cost: 0, final_cost: 0 }
  expect(months[0] as unknown).toEqual({ start_date: '2026-03-01', end_date: '2026-03-31', ...nothing })
  expect((await h.cast.ben.get('/transport-companies/99/months')).status).toBe(404)
  const open = async () => (await h.cast.ben.open(`/transport-companies/${DESERT}`)).text
  expect(await open()).toContain('Delivered, not invoiced3 transportsCost not invoiced$107.00')
  // Transports count from the first day of the last twelve months.
  await move('100006', '2025-04-01', { estimated_cost: 3 })
  await move('100007', '2025-03-31', { estimated_cost: 4 })
  expect(await open()).toContain('Delivered, not invoiced4 transportsCost not invoiced$110.00')
  await h.cast.ada.post('/transport-companies', { company_name: 'Gila Haul' })
  expect((await h.cast.ben.open('/transport-companies/3')).text).toContain(
    'Delivered, not invoiced0 transportsCost not invoiced$0.00',
  )
})

test('an invoice can be pasted, viewed, deleted and restored without scripts', async () => {
  await move('100001', '2026-02-03', { final_cost: 90 })
  const made = await h.cast.ben.submit(`/transport-companies/${DESERT}/invoices/new`, {
    number: 'T-7',
    ...FEBRUARY,
    lines: '100001 2/3/2026 95.00',
  })
  expect(made.location).toBe('/invoices/1')
  const head = async (who: typeof h.cast.ben) => (await who.open(`/transport-companies/${DESERT}`)).find('.page-head a')
  expect([await head(h.cast.ben), await head(h.cast.ada)]).toEqual([['Check an invoice'], ['Edit', 'Check an invoice']])
  const page = await h.cast.ada.open('/invoices/1')
  expect(page.text).toContain('$5.00 more than our amount')
  expect(page.text).toContain('Desert Auto Haul, 02/01/2026 to 02/28/2026')
  await h.cast.ada.submit('/invoices/lines/1/decision', { decision: 'disputed', note: 'As agreed' })
  expect((await h.cast.ben.open('/invoices/1/dispute')).text).toContain(
    'We checked invoice T-7 for transports from 02/01/2026 to 02/28/2026',
  )
  expect((await h.cast.ada.submit('/invoices/1/delete', {})).location).toBe(`/transport-companies/${DESERT}`)
  expect((await h.cast.ada.submit('/invoices/1/restore', {})).location).toBe('/invoices/1')
  expect((await h.cast.ada.open('/invoices/1')).text).toContain('Disputed: As agreed')
})

test('a transport that was deleted and restored stays billed', async () => {
  const id = await move('100001', '2026-02-03', { final_cost: 60 })
  const first = await bill('T-1', [{ unit_number: '100001', amount: 60 }])
  expect((await h.cast.ben.delete(`/transports/${id}`)).status).toBe(200)
  expect((await h.cast.ben.post(`/transports/${id}/restore`)).status).toBe(200)
  const { body } = await h.cast.ada.get(`/transport-companies/${DESERT}/invoices/${first.id}`)
  expect((body.data as unknown as { lines: { transport_id: number }[] }).lines[0]?.transport_id).toBe(id)
  expect(summarize(await bill('T-2', [{ unit_number: '100001', amount: 60 }]))).toEqual([
    ['100001', 'differs', 'Already billed on invoice T-1, 02/01/2026 to 02/28/2026'],
  ])
})

describe('an invoice and a transport that were both deleted', () => {
  const remove = (path: string) => h.cast.ada.delete(path)
  const restore = async (path: string) => (await h.cast.ada.post(`${path}/restore`)).status
  const at = (id: number) => `/transport-companies/${DESERT}/invoices/${id}`
  const line = [{ unit_number: '100001', amount: 60 }]

  test('are linked again when both are restored, in either order', async () => {
    for (const isInvoiceFirst of [false, true]) {
      const id = await move('100001', isInvoiceFirst ? '2026-02-04' : '2026-02-03', { final_cost: 60 })
      const first = await bill(`A-${isInvoiceFirst}`, line)
      await remove(`/transports/${id}`)
      await remove(at(first.id))
      const paths = [`/transports/${id}`, at(first.id)]
      for (const path of isInvoiceFirst ? paths.toReversed() : paths) expect(await restore(path)).toBe(200)
      const { body } = await h.cast.ada.get(at(first.id))
      expect(
        (body.data as unknown as { lines: { transport_id: number }[] }).lines.map((one) => one.transport_id),
      ).toContain(id)
    }
  })

  test('cannot be restored if another invoice bills the transport by now', async () => {
    await move('100001', '2026-02-03', { final_cost: 60 })
    const first = await bill('B-1', line)
    await remove(at(first.id))
    const second = await bill('B-2', line)
    expect(second.lines[0]?.status).toBe('matched')
    const { status, body } = await h.cast.ada.post(`${at(first.id)}/restore`)
    expect([status, body.message]).toEqual([
      409,
      'Unit 100001 is also billed on invoice B-2, 02/01/2026 to 02/28/2026. ' +
        'Delete the other invoice before you restore this one.',
    ])
    await remove(at(second.id))
    expect(await restore(at(first.id))).toBe(200)
  })

  test('get no decision while the transport is deleted', async () => {
    const id = await move('100001', '2026-02-03', { final_cost: 60 })
    const { id: invoice, lines } = await bill('C-1', line)
    await remove(`/transports/${id}`)
    const decide = () => h.cast.ada.patch(`${at(invoice)}/lines/${lines[0]?.id}`, { decision: 'accepted' })
    expect((await decide()).status).toBe(409)
    await restore(`/transports/${id}`)
    expect((await decide()).status).toBe(200)
  })
})
