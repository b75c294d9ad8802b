import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'

// Today is 2026-03-14 in every test of this file. ada is an administrator, and ben is a user.
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Entry = { id: number; unit_number: string } & Record<string, unknown>
const entry = (more: object = {}) => ({
  unit_number: '100200',
  osl_date: '2026-03-04',
  location_id: h.cast.phoenix,
  problem: 'Transmission slips in third gear',
  ...more,
})
const create = async (more: object = {}) => {
  const { status, body } = await h.cast.ben.post('/osl', entry(more))
  expect([body.errors, status]).toEqual([undefined, 201])
  return body.data as Entry
}
const units = async (path: string) =>
  ((await h.cast.ben.get(path)).body.data as Entry[]).map(({ unit_number }) => unit_number)

test('a search finds words in the first 500 characters of a problem', async () => {
  await create({ unit_number: '100001', problem: `${'The yard called. '.repeat(28)}Gearbox` })
  await create({ unit_number: '100002', problem: `${'The yard called. '.repeat(30)}Gearbox` })
  expect(await units('/osl?q=gearbox')).toEqual(['100001'])
})

test('storage fees list active entries with fees, highest first, then oldest first', async () => {
  const sum = async () =>
    (await h.cast.ben.get('/osl/storage-fees')).body.data as unknown as { total: number; entries: Entry[] }
  expect(await sum()).toEqual({ total: 0, entries: [] })
  await create({ unit_number: '100001', storage_fee_daily_rate: 1.1 })
  await create({ unit_number: '100002', storage_fee_daily_rate: 2.2 })
  await create({ unit_number: '100003', storage_fee_daily_rate: 1.1 })
  await create({ unit_number: '100004' })
  await create({ unit_number: '100005', storage_fee_daily_rate: 9, status: 'Completed' })
  const { total, entries } = await sum()
  expect([total, entries.map(({ unit_number, storage_fees_total }) => [unit_number, storage_fees_total])]).toEqual([
    44,
    [
      ['100002', 22],
      ['100001', 11],
      ['100003', 11],
    ],
  ])
})

test('completed entries are filtered by a complete date range and sorted by completion', async () => {
  const complete = (unit_number: string, completed_on: string) =>
    create({ unit_number, osl_date: '2026-03-01', status: 'Completed', completed_on })
  await complete('100001', '2026-03-10')
  await complete('100002', '2026-03-12')
  await complete('100003', '2026-03-11')
  await create({ unit_number: '100004' })
  const openCompleted = async (query: string) => {
    const page = await h.cast.ben.open(`/osl/completed${query}`)
    return [page.status, page.find('tbody .unit'), page.find('[role=alert]')]
  }
  const both = 'Please select both start and end dates'
  expect([
    await openCompleted('?start_date=2026-03-10&end_date=2026-03-11'),
    await openCompleted('?start_date=2026-03-12&end_date=2026-03-12'),
    await openCompleted(''),
    await openCompleted('?search=1'),
    await openCompleted('?start_date=2026-03-10'),
    await openCompleted('?end_date=2026-03-10'),
    await openCompleted('?start_date=2026-03-11&end_date=2026-03-10'),
  ]).toEqual([
    [200, expect.arrayContaining(['100001', '100003']), []],
    [200, ['100002'], []],
    // Without dates, the list shows the last month.
    [200, expect.arrayContaining(['100001', '100002', '100003']), []],
    [422, [], [both]],
    [422, [], [both]],
    [422, [], [both]],
    [422, [], ['The end date is before the start date']],
  ])
  const call = async (query: string) => (await h.cast.ben.get(`/osl/completed?${query}`)).body.errors
  expect([await call('start_date=2026-03-10'), await call('end_date=2026-03-10'), await call('')]).toEqual([
    [{ field: 'end_date', message: both }],
    [{ field: 'start_date', message: both }],
    [
      { field: 'start_date', message: both },
      { field: 'end_date', message: both },
    ],
  ])
  const order = 'start_date=2026-03-01&end_date=2026-03-31&sort=completed_at'
  expect([await units(`/osl/completed?${order}&order=asc`), await units(`/osl/completed?${order}&order=desc`)]).toEqual(
    [
      ['100001', '100003', '100002'],
      ['100002', '100003', '100001'],
    ],
  )
})

test('the active page lists the longest stay first and shows total fees to administrators only', async () => {
  await create({ unit_number: '100001', osl_date: '2026-03-04', storage_fee_daily_rate: 1 })
  await create({ unit_number: '100002', osl_date: '2026-03-02', ra_number: 'RA1' })
  await create({ unit_number: '100003', osl_date: '2026-03-03' })
  expect((await h.cast.ben.open('/osl/active')).find('tbody .unit')).toEqual(['100002', '100003', '100001'])
  const lead = async (who = h.cast.ada, query = '') => (await who.open(`/osl/active${query}`)).find('#lead')[0]
  expect([await lead(), await lead(h.cast.ben), await lead(h.cast.ada, '?status=')]).toEqual([
    '3 out of service, storage fees so far $10.00',
    '3 out of service',
    '3 out of service, storage fees so far $10.00',
  ])
  for (const query of ['?q=RA1', '?unit_number=100002', '?storage_fees_applicable=false', '?waiting_on=Parts'])
    expect([query, (await lead(h.cast.ada, query))?.includes('fees')]).toEqual([query, false])
  expect((await h.cast.ben.get('/osl/active?unit_number=')).body.meta?.total).toBe(3)
})

describe('storage terms', () => {
  const vendor = async (more: object = {}) =>
    ((await h.cast.ada.post('/vendors', { vendor_name: 'Bolt', ...more })).body.data as Entry).id
  const stored = async (id: number) => (await h.cast.ben.get(`/osl/${id}`)).body.data as Entry

  test('come from the vendor unless the form showed the terms', async () => {
    const vendor_id = await vendor({ storage_daily_rate: 60, storage_grace_days: 2 })
    const save = async (more: object) => {
      await h.cast.ben.submitAnyway('/osl/new', { ...entry({ vendor_id }), ...more })
      const [newest] = (await h.cast.ben.get('/osl?sort=created_at&order=desc')).body.data as Entry[]
      return [newest?.storage_fees_applicable, newest?.storage_fee_daily_rate, newest?.storage_grace_days]
    }
    const no = { storage_fees_applicable: 'false', storage_fee_daily_rate: '' }
    expect(await save(no)).toEqual([true, 60, 2])
    expect(await save({ ...no, terms_shown: '1' })).toEqual([false, null, 2])
    expect(await save({ storage_fees_applicable: 'true', storage_fee_daily_rate: '5' })).toEqual([true, 5, 2])
    expect(await save({ ...no, vendor_id: '' })).toEqual([false, null, 0])
    expect(await save({ ...no, storage_grace_days: '0' })).toEqual([true, 60, 0])
  })

  test('can be changed separately, and zero is a valid daily rate', async () => {
    const { id } = await create({ storage_fee_daily_rate: 10, storage_grace_days: 3 })
    const put = async (change: object) => {
      const { status, body } = await h.cast.ben.put(`/osl/${id}`, change)
      const {
        storage_fees_applicable: applies,
        storage_fee_daily_rate: rate,
        storage_grace_days: grace,
      } = (body.data ?? {}) as Entry
      return status === 200 ? [applies, rate, grace] : body.errors?.[0]?.message
    }
    expect(await put({ notes: 'Nothing of it' })).toEqual([true, 10, 3])
    expect(await put({ storage_fee_daily_rate: 0 })).toEqual([true, 0, 3])
    expect(await put({ storage_grace_days: null })).toEqual([true, 0, 0])
    expect(await put({ storage_fee_daily_rate: null })).toBe('Daily rate is required when storage fees apply')
    expect(await put({ storage_fees_applicable: false, storage_fee_daily_rate: 0 })).toBe(
      'A daily rate is set. Select this checkbox or clear the rate.',
    )
    expect(await put({ storage_fees_applicable: false, storage_fee_daily_rate: null })).toEqual([false, null, 0])
    expect(await put({ storage_fee_daily_rate: null })).toEqual([false, null, 0])
    expect(await put({ storage_fees_applicable: true })).toBe('Daily rate is required when storage fees apply')
    expect(await put({ storage_fees_applicable: true, storage_fee_daily_rate: 4 })).toEqual([true, 4, 0])
  })

  test('require a reason for a waiver and clear the reason with the waiver', async () => {
    const { id } = await create({ storage_fee_daily_rate: 10 })
    const put = async (change: object) => {
      const { status, body } = await h.cast.ben.put(`/osl/${id}`, change)
      const { storage_fee_waived: waived, storage_fee_waived_reason: reason } = (body.data ?? {}) as Entry
      return status === 200 ? [waived, reason] : body.errors?.[0]?.message
    }
    const why = 'Enter a reason for waiving the storage fees'
    expect([await put({ storage_fee_waived: 5 }), await put({ storage_fee_waived: 0 })]).toEqual([why, [0, null]])
    expect(await put({ storage_fee_waived: 5, storage_fee_waived_reason: 'Closed' })).toEqual([5, 'Closed'])
    expect(await put({ storage_fee_waived: 6 })).toEqual([6, 'Closed'])
    expect(await put({ storage_fee_waived_reason: '' })).toBe(why)
    expect(await put({ storage_fee_waived: null })).toEqual([null, null])
  })

  test('list daily rates by start date, from the OSL date at the earliest', async () => {
    const { id } = await create()
    const add = async (from: string, daily_rate: number) =>
      (await h.cast.ben.submit(`/osl/${id}/rates`, { from, daily_rate })).toast
    expect(await add('2026-03-10', 12.5)).toBe('Storage costs $12.50 a day from 03/10/2026')
    expect(await add('2026-03-04', 3)).toBe('Storage costs $3.00 a day from 03/04/2026')
    expect(await add('2026-03-03', 3)).toBe(null)
    expect(await add('2026-03-10', 3)).toBe(null)
    const rates = (await h.cast.ben.get(`/osl/${id}/rates`)).body.data as Entry[]
    expect(rates.map(({ from, daily_rate }) => [from, daily_rate])).toEqual([
      ['2026-03-04', 3],
      ['2026-03-10', 12.5],
    ])
    // The version changes with the rates, because the fees of the entry do.
    expect(await stored(id)).toMatchObject({ storage_fees_applicable: true, storage_fee_daily_rate: 0, version: 3 })
    // The page shows the rate that applies today, and its timeline the changes of rates.
    const page = (await h.cast.ada.open(`/osl/${id}`)).text
    expect(page).toContain('Daily rate$12.50')
    expect(page).toContain('03/10/2026')
    expect(page).not.toContain(`OSL ${id}`)
    const { id: other } = await create({ unit_number: '100201' })
    expect((await h.cast.ben.delete(`/osl/${other}/rates/${rates[0]?.id}`)).status).toBe(404)
    expect((await h.cast.ben.delete(`/osl/${id}/rates/${rates[0]?.id}`)).status).toBe(200)
    expect((await h.cast.ben.delete(`/osl/${id}/rates/${rates[0]?.id}`)).status).toBe(404)
    expect(await stored(id)).toMatchObject({ version: 4 })
    expect((await h.cast.ben.submit(`/osl/rates/${rates[1]?.id}/delete`, {})).toast).toBe(
      'The rate from 03/10/2026 is deleted',
    )
  })
})

test('only completed entries have a completion date, and reopening an entry clears it', async () => {
  const { id } = await create()
  const put = async (change: object) => {
    const { status, body } = await h.cast.ben.put(`/osl/${id}`, change)
    return status === 200 ? (body.data as Entry).completed_on : body.errors?.[0]
  }
  expect(await put({ completed_on: '2026-03-10' })).toEqual({
    field: 'completed_on',
    message: 'Only a completed entry can have a completion date. Set the status to Completed or clear the date.',
  })
  expect(await put({ status: 'Completed', completed_on: '2026-03-04' })).toBe('2026-03-04')
  expect(await put({ osl_date: '2026-03-05' })).toEqual({
    field: 'completed_on',
    message: 'The completion date must not be before the OSL date',
  })
  expect(await put({ osl_date: '2026-03-03' })).toBe('2026-03-04')
  expect(await put({ status: 'Ready', completed_on: '2026-03-04' })).toBe(null)
  expect(await put({ next_action: 'Call' })).toBe(null)
})

test('texts and numbers are accepted up to their limits', async () => {
  const findErrorField = async (more: object) =>
    (await h.cast.ben.post('/osl', entry(more))).body.errors?.[0]?.field ?? 'taken'
  for (const [field, most, more] of [
    ['problem', 'x'.repeat(5000), 'x'.repeat(5001)],
    ['problem', 'x'.repeat(10), 'x'.repeat(9)],
    ['notes', 'x'.repeat(5000), 'x'.repeat(5001)],
    ['storage_grace_days', 3650, 3651],
    ['model_year', 2200, 2201],
  ] as const)
    expect([field, await findErrorField({ [field]: most }), await findErrorField({ [field]: more })]).toEqual([
      field,
      'taken',
      field,
    ])
  expect((await h.cast.ben.post('/osl', entry({ problem: 'Broken' }))).body.message).toBe(
    'Problem must be at least 10 characters',
  )
  expect(await create()).toMatchObject({
    fleet_registration_mailed: false,
    status: 'Out of Service',
    storage_grace_days: 0,
  })
  const note = async (note_text: string) => (await h.cast.ben.post('/osl/1/notes', { note_text })).status
  expect([await note('x'.repeat(5000)), await note('x'.repeat(5001))]).toEqual([201, 422])
})
