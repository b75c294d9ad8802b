import { beforeEach, expect, test } from 'bun:test'
import { testContext } from '../support/context'
import { makeOsl } from '../support/entries'
import { FEBRUARY, type Invoice, type InvoiceLine, storeInvoice } from '../support/invoices'

// Today is 2026-03-14 in every test of this file.
let h: Awaited<ReturnType<typeof testContext>>
let yard: number
beforeEach(async () => {
  h = await testContext()
  yard = await vendor('Bolt & Co')
})

const vendor = async (vendor_name: string) =>
  ((await h.cast.ada.post('/vendors', { vendor_name, storage_daily_rate: 35 })).body.data as { id: number }).id
const stay = (unit_number: string, osl_date: string, more: object = {}) =>
  makeOsl(h.cast, { unit_number, osl_date, vendor_id: yard, ...more })

type Line = InvoiceLine & { expected: number }
const bill = (number: string, lines: object[], more: object = {}) =>
  storeInvoice<Line>(h.cast, `/vendors/${yard}`, { number, lines, ...more })

test('checking a sample invoice finds exactly its ten mistakes', async () => {
  const other = await vendor('Copper Yard')
  for (const unit of ['100001', '100002', '100004', '100005', '100006', '100007', '100008', '100009'])
    await stay(unit, '2026-01-20')
  await stay('100003', '2026-02-18')
  await stay('100010', '2026-02-18')
  await stay('100011', '2026-01-20', { vendor_id: other })
  await stay('100012', '2026-01-20', { storage_fees_applicable: false })
  await stay('100014', '2026-03-02')
  await h.cast.ben.post('/vehicles', { unit_number: '100013' })
  await bill('A-1', [{ unit_number: '100009', amount: 350 }], { end_date: '2026-02-10' })

  const { lines, totals } = await bill('A-2', [
    { unit_number: '100001', amount: 980 },
    { unit_number: '100002', amount: 980, days: 28, daily_rate: 35 },
    { unit_number: '100003', amount: 455 }, // 1: three days more
    { unit_number: '100004', amount: 1120 }, // 2: $40 a day
    { unit_number: '100005', amount: 1000.01 }, // 3: neither days nor rate explain it
    { unit_number: '100006', amount: 1015, days: 29, daily_rate: 35 }, // 4: 29 days, as the line says
    { unit_number: '100007', amount: 980 },
    { unit_number: '100007', amount: 980 }, // 5: twice
    { unit_number: '100009', amount: 980 }, // 6: billed before
    { unit_number: '100011', amount: 980 }, // 7: another vendor's
    { unit_number: '100012', amount: 980 }, // 8: without fees
    { unit_number: '100099', amount: 35 }, // 9: nobody knows it
    { unit_number: '100010', amount: 350 },
  ]) // 10: 100008 is missing
  expect(lines.map(({ unit_number, status, reason }) => [unit_number, status, reason])).toEqual([
    ['100001', 'matched', null],
    ['100002', 'matched', null],
    ['100003', 'differs', '13 days at $35.00, our records show 10 days'],
    ['100004', 'differs', '$40.00 a day for 28 days, our rate is $35.00'],
    ['100005', 'differs', '$20.01 more than our amount'],
    ['100006', 'differs', 'billed 29 days, our records show 28 days'],
    ['100007', 'matched', null],
    ['100007', 'differs', 'Unit 100007 appears on this invoice more than once'],
    [
      '100009',
      'differs',
      'Partly billed already on invoice A-1, 02/01/2026 to 02/10/2026; 28 days at $35.00, our records show 18 days',
    ],
    ['100011', 'not_ours', 'Unit 100011 was with Copper Yard from 01/20/2026'],
    ['100012', 'not_ours', 'Unit 100012 was with Bolt & Co from 01/20/2026, without storage fees'],
    ['100099', 'not_ours', 'Unit 100099 is not in the vehicle list'],
    ['100010', 'matched', null],
    ['100008', 'not_billed', null],
  ])
  expect(totals).toEqual({ billed: 10_835.01, expected: 8190, accepted: 0, disputed: 0, open: 10_835.01 })
})

test('an undo of accepting all lines reopens the lines that were accepted then', async () => {
  for (const unit of ['100001', '100002', '100003']) await stay(unit, '2026-01-20')
  const numbers = ['100001', '100002', '100003']
  const { id, lines } = await bill(
    'A-1',
    numbers.map((unit_number) => ({ unit_number, amount: 980 })),
  )
  const decisions = async () => {
    const { body } = await h.cast.ben.get(`/vendors/${yard}/invoices/${id}`)
    return (body.data as unknown as Invoice).lines.map(({ decision }) => decision)
  }
  const [first, second] = lines as [Line, Line]
  await h.cast.ada.patch(`/vendors/${yard}/invoices/${id}/lines/${first.id}`, { decision: 'accepted' })
  h.clock.set(new Date('2026-03-14T19:01:00Z'))
  const { undo, toast } = await h.cast.ada.submit(`/invoices/${id}/accept`, {})
  expect(toast).toBe('Matched lines accepted: 2')
  expect(await decisions()).toEqual(['accepted', 'accepted', 'accepted'])
  h.clock.set(new Date('2026-03-14T19:02:00Z'))
  await h.cast.ada.patch(`/vendors/${yard}/invoices/${id}/lines/${second.id}`, {
    decision: 'accepted',
    note: 'Checked by phone',
  })
  expect((await h.cast.ben.submit(undo ?? '', {})).status).toBe(403)
  await h.cast.ada.submit(undo ?? '', {})
  expect(await decisions()).toEqual(['accepted', 'accepted', null])
  expect((await h.cast.ada.submit(`/invoices/${id}/reopen?at=yesterday`, {})).status).toBe(422)
})

test('administrators accept or dispute lines individually, or accept all matched lines', async () => {
  await stay('100001', '2026-01-20')
  await stay('100002', '2026-01-20')
  const { id, lines } = await bill('A-1', [
    { unit_number: '100001', amount: 980 },
    { unit_number: '100002', amount: 1000 },
  ])
  const path = `/vendors/${yard}/invoices/${id}`
  const [good, bad] = lines as [Line, Line]
  expect((await h.cast.ben.patch(`${path}/lines/${bad.id}`, { decision: 'disputed' })).status).toBe(403)
  expect((await h.cast.ada.patch(`${path}/lines/${bad.id}`, { decision: 'perhaps' })).status).toBe(422)
  const note = 'We agreed on 35 a day'
  expect((await h.cast.ada.patch(`${path}/lines/${bad.id}`, { decision: 'disputed', note })).body.data).toMatchObject({
    decision: 'disputed',
    note,
  })
  const accepted = (await h.cast.ada.post(`${path}/accept-matched`)).body.data as unknown as Invoice
  expect(accepted.totals).toEqual({ billed: 1980, expected: 1960, accepted: 980, disputed: 1000, open: 0 })
  await h.cast.ada.patch(`${path}/lines/${good.id}`, { decision: null })
  expect(((await h.cast.ben.get(path)).body.data as unknown as Invoice).totals).toMatchObject({
    accepted: 0,
    open: 980,
  })
  expect((await h.cast.ada.patch(`${path}/lines/${bad.id}`, { decision: null, version: 1 })).status).toBe(409)
  expect((await h.cast.ada.patch(`/vendors/${yard}/invoices/99/lines/1`, { decision: null })).status).toBe(404)
  expect((await h.cast.ada.patch(`${path}/lines/99`, { decision: null })).status).toBe(404)
  expect((await h.cast.ben.get(`/vendors/99/invoices/${id}`)).status).toBe(404)
})

test('invoice numbers are unique per vendor, ignoring case', async () => {
  const other = await vendor('Copper Yard')
  const lines = [{ unit_number: '100001', amount: 5 }]
  const { id } = await bill('A-1', lines)
  const again = await h.cast.ben.post(`/vendors/${yard}/invoices`, { number: 'a-1', ...FEBRUARY, lines })
  expect([again.status, again.body.errors?.[0]?.field]).toEqual([409, 'number'])
  expect((await h.cast.ben.post(`/vendors/${other}/invoices`, { number: 'A-1', ...FEBRUARY, lines })).status).toBe(201)
  expect((await h.cast.ben.get(`/vendors/${yard}/invoices`)).body.data).toMatchObject([
    { number: 'A-1', billed: 5, differing: 1, open: 1 },
  ])
  expect((await h.cast.ben.delete(`/vendors/${yard}/invoices/${id}`)).status).toBe(403)
  expect((await h.cast.ada.delete(`/vendors/${yard}/invoices/${id}`)).status).toBe(200)
  await bill('A-1', lines)
  expect((await h.cast.ben.post('/vendors/99/invoices', { number: 'A-1', ...FEBRUARY, lines })).status).toBe(404)
})

test('disputed lines can be billed again', async () => {
  await stay('100001', '2026-01-20')
  const { id, lines } = await bill('A-1', [{ unit_number: '100001', amount: 1000 }])
  await h.cast.ada.patch(`/vendors/${yard}/invoices/${id}/lines/${lines[0]?.id}`, { decision: 'disputed' })
  expect((await bill('A-2', [{ unit_number: '100001', amount: 980 }])).lines).toMatchObject([{ status: 'matched' }])
})

test('an invalid invoice is rejected with the field and stores nothing', async () => {
  const lines = [{ unit_number: '100001', amount: 5 }]
  for (const [change, field] of [
    [{ number: '' }, 'number'],
    [{ lines: [] }, 'lines'],
    [{ end_date: '2026-01-31' }, 'end_date'],
    [{ start_date: '' }, 'start_date'],
    [{ lines: [...lines, { unit_number: '7', amount: 1 }] }, 'lines.1.unit_number'],
    [{ lines: [{ unit_number: '100001', amount: -1 }] }, 'lines.0.amount'],
    [{ lines: [{ unit_number: '100001' }] }, 'lines.0.amount'],
    [{ lines: [{ unit_number: '100001', amount: 1, days: 36_501 }] }, 'lines.0.days'],
  ] as const) {
    const { status, body } = await h.cast.ben.post(`/vendors/${yard}/invoices`, {
      number: 'A-1',
      ...FEBRUARY,
      lines,
      ...change,
    })
    expect([status, body.errors?.[0]?.field]).toEqual([422, field])
  }
  expect((await h.cast.ben.get(`/vendors/${yard}/invoices`)).body.data).toEqual([] as never)
  await bill('A-1', [{ unit_number: '100001', amount: 5, days: 36_500 }])
  expect((await h.cast.ada.submit('/invoices/lines/99/decision', { decision: 'accepted' })).status).toBe(404)
})

test('the pages cover terms, statement, pasted invoice, decisions and dispute letter', async () => {
  await stay('100001', '2026-01-20')
  await stay('100002', '2026-02-18')
  const vendorPage = await h.cast.ben.open(`/vendors/${yard}`)
  expect(vendorPage.text).toContain('Cost per day$70.00')
  expect(vendorPage.text).toContain('$35.00 a day, grace period 0 days')
  const head = async (who: typeof h.cast.ben) => (await who.open(`/vendors/${yard}`)).find('.page-head a')
  expect([await head(h.cast.ben), await head(h.cast.ada)]).toEqual([['Check an invoice'], ['Edit', 'Check an invoice']])
  const undated = await h.cast.ben.open(`/vendors/${yard}/statement`)
  expect([undated.location, undated.toast]).toEqual([`/vendors/${yard}`, '!Please select both start and end dates'])
  const statement = await h.cast.ben.open(`/vendors/${yard}/statement?start_date=2026-02-01&end_date=2026-02-28`)
  expect(statement.find('.panel h2')).toEqual(['Total chargeable: $1,330.00'])
  const paste = { number: 'A-7', ...FEBRUARY, lines: 'Unit\tAmount\n100001\t$1,000.00\n100002 10 35 350\n' }
  const bad = await h.cast.ben.submit(`/vendors/${yard}/invoices/new`, { ...paste, lines: '100001 12x' })
  expect([bad.status, bad.find('.field-error')]).toEqual([422, ['Line 1: Must be an amount, for example 1250.50']])
  expect((await h.cast.ben.submit(`/vendors/${yard}/invoices/new`, paste)).toast).toBe(
    '1 line matches, 1 does not match',
  )
  expect((await h.cast.ben.open('/invoices/1')).find('tbody td:nth-child(2)')).toEqual(['Differs', 'Matched'])
  expect((await h.cast.ben.open('/invoices/1')).find('tbody button')).toEqual([])
  expect((await h.cast.ada.open('/invoices/1')).find('tbody button')).toEqual([
    'Dispute',
    'Accept',
    'Dispute',
    'Accept',
  ])
  expect((await h.cast.ada.submit('/invoices/lines/1/decision', { decision: 'disputed', version: 1 })).toast).toBe(
    'Unit 100001: disputed',
  )
  // Another user has decided in the meantime. The page says so, and keeps the entered reason.
  const late = { decision: 'disputed', note: 'Two days too many', version: 1 }
  const stale = await h.cast.ada.submit('/invoices/lines/1/decision', late)
  expect([stale.status, stale.find('[role=alert]')]).toEqual([409, ['This record has changed since you opened it']])
  expect(stale.html).toContain('value="Two days too many"')
  const undecided = await h.cast.ada.open('/invoices/1?lines=undecided')
  expect([undecided.find('tbody td:first-child'), undecided.text.includes('Show all 2 lines')]).toEqual([
    ['100002'],
    true,
  ])
  expect((await h.cast.ada.open('/invoices/1')).html).toContain('href="/invoices/1?lines=undecided"')
  const filtered = { decision: 'accepted', version: 1, lines: 'undecided' }
  expect((await h.cast.ada.submit('/invoices/lines/2/decision', filtered)).location).toBe('/invoices/1?lines=undecided')
  expect((await h.cast.ada.open('/invoices/1?lines=undecided')).text).toContain(
    'All lines have been accepted or disputed',
  )
  await h.cast.ada.submit('/invoices/lines/2/decision', { decision: '', version: 2 })
  await h.cast.ada.submit('/invoices/1/accept', {})
  const letter = await h.cast.ben.open('/invoices/1/dispute')
  // We dispute only the amount above our own records.
  expect(letter.text).toContain(
    'Of $1,350.00 billed, we dispute $20.00 in the lines below. We accept the remaining $980.00 of these ' +
      'lines and $350.00 in the other lines.',
  )
  await h.cast.ada.submit('/invoices/1/delete', {})
  expect((await h.cast.ben.open('/invoices/1')).status).toBe(404)
  await h.cast.ada.submit('/invoices/1/restore', {})
  expect((await h.cast.ben.open('/invoices/1/dispute')).text).toContain('dispute $20.00')
})

test('invoice lines are pasted or uploaded, and an empty file is ignored', async () => {
  await stay('100001', '2026-01-20')
  const send = async (number: string, lines: string, file: File) => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ number, ...FEBRUARY, lines, file })) body.set(name, value)
    const headers = { origin: 'http://localhost', ...(await h.cast.ben.cookieHeaders()) }
    await h.cast.ben.request(`/vendors/${yard}/invoices/new`, { method: 'POST', body, headers })
    const [newest] = (await h.cast.ben.get(`/vendors/${yard}/invoices`)).body.data as unknown as { billed: number }[]
    return newest?.billed
  }
  expect(await send('A-1', '100001 980', new File([], ''))).toBe(980)
  expect(await send('A-2', '', new File(['Unit,Amount\n100001,35\n'], 'bill.csv'))).toBe(35)
  // A file with any content is not ignored. This invoice is refused, so A-2 stays the newest.
  expect(await send('A-3', '100001 980', new File(['x'], 'bill.csv'))).toBe(35)
})

test('a charge for more days than the invoice has is not described as days', async () => {
  await stay('100001', '2026-01-20')
  const differenceOf = async (number: string, amount: number) => {
    const lines = [{ unit_number: '100001', amount }]
    const { body } = await h.cast.ben.post(`/vendors/${yard}/invoices`, { number, ...FEBRUARY, lines })
    return JSON.stringify(body)
  }
  expect(await differenceOf('C-1', 29 * 35)).toContain('$36.25 a day for 28 days, our rate is $35.00')
})

test('only headings and totals are skipped in pasted lines, and letters name open amounts', async () => {
  await stay('100001', '2026-01-20')
  const paste = async (number: string, lines: string) =>
    h.cast.ben.submit(`/vendors/${yard}/invoices/new`, { number, ...FEBRUARY, lines })
  for (const [lines, error] of [
    ['100001 980\nX101992 1595.57', 'Line 2: Unit number: 6 digits required'],
    [
      '100001 980\nUnit 100002 35',
      'Line 2: enter unit and amount, or unit, days, rate and amount, separated by spaces',
    ],
    ['100001, 28, 35', 'Line 1: enter unit and amount, or unit, days, rate and amount, separated by spaces'],
  ])
    expect([lines, (await paste('B-1', String(lines))).find('.field-error')]).toEqual([lines, [String(error)]])
  const response = await paste('B-1', 'Unit, Amount\n\n#100001, 28, 35, 980\n2\t5.50\nTotal\t985.50\n')
  expect(response.toast).toBe('1 line matches, 1 does not match')
  const blank = (await h.cast.ada.open('/invoices/1/dispute')).text
  expect([blank.includes('No line is disputed'), blank.includes('we dispute')]).toEqual([true, false])
  const decision = { decision: 'disputed', note: 'It never stood there', version: 1 }
  await h.cast.ada.submit('/invoices/lines/2/decision', decision)
  const letter = (await h.cast.ada.open('/invoices/1/dispute')).text
  expect(letter).toContain('we dispute $5.50')
  expect(letter).toContain('We are still checking $980.00')
  expect(letter).toContain('It never stood there')
})

test('a vendor with only invoices cannot be deleted, although no record refers to it', async () => {
  await bill('A-1', [{ unit_number: '100001', amount: 35 }])
  expect((await h.cast.ben.get(`/vendors/${yard}/usage`)).body.data).toEqual({
    transports: 0,
    osl: 0,
    registrations: 0,
    titles: 0,
    total: 0,
  } as never)
  expect((await h.cast.ada.open(`/admin/vendors/${yard}/delete`)).text).toContain(
    'is used by 1 other record, so it cannot be deleted',
  )
  expect((await h.cast.ada.delete(`/vendors/${yard}`)).status).toBe(409)
})

test('an invoice cannot be restored if its number is in use again', async () => {
  const { id } = await bill('A-1', [{ unit_number: '100001', amount: 35 }])
  await h.cast.ada.delete(`/vendors/${yard}/invoices/${id}`)
  await bill('a-1', [{ unit_number: '100001', amount: 35 }])
  const { status, body } = await h.cast.ada.post(`/vendors/${yard}/invoices/${id}/restore`)
  expect([status, body.message]).toEqual([409, 'This vendor already has an invoice with this number'])
})

test('an invoice is typed or uploaded, not both, and users can read its history', async () => {
  const body = new FormData()
  const file = new File(['Unit,Amount\n100001,35\n'], 'bill.csv')
  for (const [name, value] of Object.entries({ number: 'A-1', ...FEBRUARY, lines: '100002 35', file }))
    body.set(name, value)
  const headers = { origin: 'http://localhost', ...(await h.cast.ben.cookieHeaders()) }
  const answer = await h.cast.ben.request(`/vendors/${yard}/invoices/new`, { method: 'POST', body, headers })
  const html = await answer.text()
  expect([answer.status, html.includes('not both'), html.includes('100002 35')]).toEqual([422, true, true])
  const { id } = await bill('A-1', [{ unit_number: '100001', amount: 35 }])
  expect((await h.cast.ben.get(`/history/vendor_invoices/${id}`)).status).toBe(200)
})

test('a setting lets everyone decide on lines, but only administrators delete invoices', async () => {
  await stay('100001', '2026-01-20')
  const { id, lines } = await bill('A-1', [{ unit_number: '100001', amount: 980 }])
  const decide = async (decision: string | null) =>
    (await h.cast.ben.patch(`/vendors/${yard}/invoices/${id}/lines/${lines[0]?.id}`, { decision })).status
  const onPage = async () =>
    (await h.cast.ben.open(`/invoices/${id}`)).find('.page-actions a, .page-actions button, .row-actions button')
  expect([await decide('accepted'), await onPage()]).toEqual([403, ['Vendor', 'Show 1 undecided']])
  await h.cast.ada.put('/settings', { invoice_deciders: 'Everybody' })
  expect(await onPage()).toEqual(['Vendor', 'Show 1 undecided', 'Accept the matched line', 'Dispute', 'Accept'])
  expect([await decide('accepted'), await decide(null)]).toEqual([200, 200])
  expect((await h.cast.ben.post(`/vendors/${yard}/invoices/${id}/accept-matched`)).status).toBe(200)
  expect((await h.cast.ben.submit(`/invoices/lines/${lines[0]?.id}/decision`, { decision: 'disputed' })).status).toBe(
    303,
  )
  expect((await h.cast.ben.delete(`/vendors/${yard}/invoices/${id}`)).status).toBe(403)
  await h.cast.ada.put('/settings', { invoice_deciders: 'Administrators' })
  expect(await decide(null)).toBe(403)
  expect((await h.cast.ada.put('/settings', { invoice_deciders: 'Nobody' })).body.errors).toMatchObject([
    { field: 'invoice_deciders', message: 'Must be one of: Administrators, Everybody' },
  ])
})

test('the reason for a unit of another vendor names the stay within the invoice period', async () => {
  const other = (await h.cast.ada.post('/vendors', { vendor_name: 'Copper Yard' })).body.data as { id: number }
  await stay('100001', '2026-01-20', { vendor_id: other.id })
  await stay('100001', '2026-03-05', { vendor_id: null })
  const lines = [{ unit_number: '100001', amount: 35 }]
  const { body } = await h.cast.ben.post(`/vendors/${yard}/invoices`, { number: 'A-9', ...FEBRUARY, lines })
  const invoice = body.data as unknown as Invoice
  expect(invoice.lines[0]?.reason).toStartWith('Unit 100001 was with Copper Yard from 01/20/2026')
})
