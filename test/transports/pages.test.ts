import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { testContext } from '../support/context'

// Today is 2026-03-14 in every test of this file.
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Transport = { id: number; unit_number: string } & Record<string, unknown>
const move = (more: object = {}) => ({
  unit_number: '100200',
  location_out_id: h.cast.phoenix,
  location_in_id: h.cast.tempe,
  transport_company_id: h.cast.desert,
  move_date: '2026-03-10',
  ...more,
})
const create = async (more: object = {}) => (await h.cast.ben.post('/transports', move(more))).body.data as Transport
const delivered = (unit_number: string, move_date: string, more: object = {}) =>
  create({ unit_number, move_date, status: 'Delivered', ...more })

describe('the completed report', () => {
  test('counts transports and adds up costs by move type, and counts later moves', async () => {
    await delivered('100001', '2026-03-10', { final_cost: 0.1 })
    await delivered('100002', '2026-03-10', { final_cost: 0.2 })
    await delivered('100003', '2026-03-11', { move_type: 'Sales' })
    await create({ unit_number: '100004', move_date: '2026-03-20', status: 'In Transit' })
    const totals = async (query: string) => (await h.cast.ben.get(`/transports/totals?${query}`)).body.data as unknown
    expect(await totals('')).toEqual([
      { move_type: 'Fleet', count: 2, total_cost: 0.3 },
      { move_type: 'Sales', count: 1, total_cost: 0 },
    ])
    expect(await totals('start_date=2026-03-12')).toEqual([])
    // Totals have no pages and no sort order.
    expect((await h.cast.ben.get('/transports/totals?page=1&sort=x')).body.errors).toEqual([
      { field: 'page', message: 'There is no such parameter' },
      { field: 'sort', message: 'There is no such parameter' },
    ])
    expect(await totals('q=100002')).toEqual([{ move_type: 'Fleet', count: 1, total_cost: 0.2 }])
    const report = async (query = '') => {
      const { text } = await h.cast.ben.open(`/transports/completed${query}`)
      return /\d+ delivered transports? ha\w+ a move date after [\d/]+/.exec(text)?.[0] ?? null
    }
    const figures = (await h.cast.ben.open('/transports/completed')).find('.card-figure')
    expect(figures).toEqual(['$0.00', '$0.30', '$0.00', '$0.00'])
    const until = '?start_date=2026-03-01&end_date='
    expect([await report(), await report(`${until}2026-03-11`), await report(`${until}2026-03-10`)]).toEqual([
      null,
      null,
      '1 delivered transport has a move date after 03/10/2026',
    ])
    expect(await report(`${until}2026-03-09`)).toBe('3 delivered transports have a move date after 03/09/2026')
  })

  test('keeps its filters when the dates change, and in the file', async () => {
    await delivered('100001', '2026-03-10', { final_cost: 1 })
    await delivered('100002', '2026-03-10', { final_cost: 2, estimated_cost: 9 })
    const { html } = await h.cast.ben.open('/transports/completed?q=10000&over_estimate=false&location_id=1&page=2')
    expect(html).toMatch(/<input type="search"[^>]*name="q" value="10000"\/>/)
    for (const [name, value] of [
      ['over_estimate', 'false'],
      ['location_id', '1'],
    ])
      expect(html).toContain(`<input type="hidden" name="${name}" value="${value}"/>`)
    expect(html).toContain('Within the estimate')
    const [, file = ''] = /href="([^"]*format=csv)"/.exec(html) ?? []
    expect(file).toContain('over_estimate=false')
    const { body } = await h.cast.ben.get(
      '/transports/completed?start_date=2026-03-01&end_date=2026-03-31&over_estimate=false&unit_number=100002',
    )
    expect(JSON.stringify(body)).not.toContain('100001')
  })

  test('counts later moves exactly up to 1,000', async () => {
    await h.ctx.db.execute(
      sql`insert into vehicles (unit_number) select lpad(n::text, 6, '0') from generate_series(1, 1001) n`,
    )
    const insert = (from: number, to: number) =>
      h.ctx.db.execute(sql`insert into transports (unit_number, location_out_id, location_in_id, move_date,
        transport_company_id, status)
        select lpad(n::text, 6, '0'), 1, 2, date '2026-03-10', 1, 'Delivered'
        from generate_series(${from}::int, ${to}::int) n`)
    const text = async () =>
      (await h.cast.ben.open('/transports/completed?start_date=2026-02-01&end_date=2026-02-28')).text
    await insert(1, 1000)
    expect(await text()).toMatch(/(?<!More than )1,000 delivered transports have/)
    await insert(1001, 1001)
    expect(await text()).toContain('More than 1,000 delivered transports have')
  })

  test('accepts a period of one day and rejects an end before the start', async () => {
    await delivered('100001', '2026-03-10')
    const open = (start_date: string, end_date: string) =>
      h.cast.ben.open(`/transports/completed?start_date=${start_date}&end_date=${end_date}`)
    const one = await open('2026-03-10', '2026-03-10')
    expect([one.status, one.find('tbody .unit')]).toEqual([200, ['100001']])
    const none = await open('2026-03-10', '2026-03-09')
    expect([none.status, none.text.includes('The end date is before the start date')]).toEqual([422, true])
    const status = async (query: string) => (await h.cast.ben.get(`/transports/completed?${query}`)).status
    expect(await status('start_date=2026-03-10&end_date=2026-03-09')).toBe(422)
  })

  test('exports the oldest move first, then in order of entry, across batches', async () => {
    await h.ctx.db.execute(
      sql`insert into vehicles (unit_number) select lpad(n::text, 6, '0') from generate_series(1, 4001) n`,
    )
    await h.ctx.db.execute(sql`insert into transports (unit_number, location_out_id, location_in_id, move_date,
      transport_company_id, status)
      select lpad(n::text, 6, '0'), 1, 2, date '2026-03-10' - n % 3, 1, 'Delivered' from generate_series(1, 4001) n`)
    const { body } = await h.cast.ben.get('/transports/completed?start_date=2026-03-01&end_date=2026-03-31&format=csv')
    const units = String(body.text)
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => Number(line.slice(0, 6)))
    const all = Array.from({ length: 4001 }, (_, at) => at + 1)
    expect(units).toEqual([2, 1, 0].flatMap((rest) => all.filter((n) => n % 3 === rest)))
  })
})

describe('the transport form', () => {
  test('shows the last five entries of the user, newest first, without imports', async () => {
    const entered = async (who = h.cast.ben) =>
      (await who.open('/transports/new')).text
        .match(/1000\d\d/g)
        ?.filter((unit, at, all) => all.indexOf(unit) === at) ?? []
    expect(await entered()).toEqual([])
    for (let n = 1; n <= 7; n++) await create({ unit_number: `10000${n}`, move_date: `2026-03-0${8 - n}` })
    await h.cast.ada.post('/transports', move({ unit_number: '100010' }))
    await h.cast.ben.post('/titles', { unit_number: '100020', location_id: h.cast.mesa })
    await h.cast.ben.put('/transports/1', { notes: 'Edited' })
    await h.cast.ben.upload(
      'transports',
      'moves.csv',
      'unit_number,location_out,location_in,move_date,transport_company\n' +
        '100030,Phoenix,Tempe,2026-03-10,Desert Auto Haul\n',
    )
    expect(await entered()).toEqual(['100007', '100006', '100005', '100004', '100003'])
    expect(await entered(h.cast.ada)).toEqual(['100010'])
    await h.cast.ben.delete('/transports/6')
    expect(await entered()).toEqual(['100007', '100005', '100004', '100003', '100002'])
  })

  test('shows only transports among the last 200 audit entries of the user', async () => {
    await create({ unit_number: '100001' })
    const shown = async () => (await h.cast.ben.open('/transports/new')).text.includes('100001')
    const more = (count: number) =>
      h.ctx.db.execute(sql`insert into audit_entries (at, actor, source, action, entity, entity_id, changes)
        select now(), 'ben', 'api', 'update', 'titles', n, '{}' from generate_series(1, ${count}::int) n`)
    await more(199)
    expect(await shown()).toBe(true)
    await more(1)
    expect(await shown()).toBe(false)
  })

  test('leads to a prefilled form for another transport, or to the active list', async () => {
    const save = async (more: object) => (await h.cast.ben.submitAnyway('/transports/new', move(more))).location ?? ''
    expect(await save({})).toBe('/transports/active')
    const again = await save({ unit_number: '100201', next: 'another' })
    expect(again).toStartWith('/transports/new?')
    expect(Object.fromEntries(new URLSearchParams(again.split('?')[1]))).toMatchObject({ move_date: '2026-03-10' })
    expect((await h.cast.ben.open(again)).html).toContain('value="2026-03-10"')
  })

  test('returns to the list that contains the transport', async () => {
    const { id } = await create()
    const edit = async (status: string) =>
      (await h.cast.ben.submitAnyway(`/transports/${id}/edit`, { ...move(), status })).location
    expect([await edit('In Transit'), await edit('Delivered')]).toEqual([
      `/transports/active#row-${id}`,
      `/transports/completed#row-${id}`,
    ])
    expect((await h.cast.ben.submit('/transports/99/status', { status: 'Delivered' })).status).toBe(404)
    expect((await h.cast.ben.submit(`/transports/${id}/status`, { status: 'Lost' })).toast).toStartWith(
      '!Failed to update status: Must be one of',
    )
    const page = await h.cast.ben.open(`/transports/${id}/edit`)
    expect([page.find('h1'), page.find('button[type=submit]').join().includes('another')]).toEqual([
      ['Edit transport, unit 100200'],
      false,
    ])
  })
})

test('dates are validated when they change, and other edits ignore them', async () => {
  // Delivered without an arrival date, which becomes today, before the planned move date.
  const { id } = await delivered('100001', '2026-03-20')
  const put = async (body: object) => {
    const { status, body: responseBody } = await h.cast.ben.put(`/transports/${id}`, body)
    return responseBody.errors?.[0]?.field ?? status
  }
  expect([
    await put({ notes: 'Early' }),
    await put({ actual_arrival_date: '2026-03-14', move_date: '2026-03-20' }),
    await put({ actual_arrival_date: '2026-03-13' }),
    await put({ move_date: '2026-03-19' }),
    await put({ move_date: '2026-03-14' }),
    await put({ actual_arrival_date: '2026-03-14' }),
    await put({ actual_arrival_date: '2026-03-15', move_date: '2026-03-20' }),
    await put({ actual_arrival_date: '2026-03-14', move_date: '2026-03-14' }),
    await put({ estimated_arrival_date: '2026-03-13' }),
    await put({ estimated_arrival_date: '2026-03-14' }),
    await put({ estimated_arrival_date: null }),
  ]).toEqual([
    200,
    200,
    'actual_arrival_date',
    // The stored arrival is today, and a vehicle can arrive before its planned move date.
    200,
    200,
    200,
    'actual_arrival_date',
    200,
    'estimated_arrival_date',
    200,
    200,
  ])
})

test('a transport with a later move date can be delivered today, with and without the date', async () => {
  for (const body of [{ status: 'Delivered' }, { status: 'Delivered', actual_arrival_date: '2026-03-14' }]) {
    const { id } = await create({ unit_number: '100002', move_date: '2026-03-20', estimated_arrival_date: null })
    const { status, body: answer } = await h.cast.ben.patch(`/transports/${id}/status`, body)
    expect([status, (answer.data as Record<string, unknown>).actual_arrival_date]).toEqual([200, '2026-03-14'])
  }
})

test('errors come before warnings, which offer a button that saves', async () => {
  const forms: [path: string, values: object, error: string][] = [
    [
      '/transports/new',
      move({ unit_number: '100900', actual_arrival_date: '2026-01-01', status: 'Delivered' }),
      'The arrival date is before the move date',
    ],
    [
      '/osl/new',
      {
        unit_number: '100900',
        osl_date: '2026-03-10',
        location_id: h.cast.phoenix,
        problem: 'Does not start at all',
        storage_fees_applicable: 'true',
      },
      'Daily rate is required when storage fees apply',
    ],
    [
      '/vehicles/registrations/new',
      {
        unit_number: '100900',
        location_id: h.cast.phoenix,
        plate_number: 'ABC1',
        state_province: 'AZ',
        date_issued: '2026-03-10',
        date_expires: '2026-03-01',
      },
      'The date of expiry is before the date of issue',
    ],
    [
      '/titles/new',
      { unit_number: '100900', location_id: h.cast.phoenix, requested_on: '2026-03-10', sent_on: '2026-03-01' },
      'Must not be before the Requested date',
    ],
  ]
  for (const [path, values, error] of forms) {
    const page = await h.cast.ben.submit(path, values as Record<string, string>)
    expect([path, page.status, page.find('.field-error')]).toEqual([path, 422, [error]])
    expect(page.text).not.toContain('anyway')
  }
})

test('a transport accepts notes of 5,000 characters and has no PO by default', async () => {
  const findErrorField = async (more: object) =>
    (await h.cast.ben.post('/transports', move(more))).body.errors?.[0]?.field
  expect([
    await findErrorField({ notes: 'x'.repeat(5000) }),
    await findErrorField({ notes: 'x'.repeat(5001) }),
  ]).toEqual([undefined, 'notes'])
  expect(await create()).toMatchObject({ issue_po: false })
  expect((await h.cast.ben.get('/transports?unit_number=')).body.meta?.total).toBe(2)
  expect((await h.cast.ben.get('/transports?unit_number=12')).status).toBe(422)
})

test('an arrival date requires the status Delivered, and a stored one is cleared with it', async () => {
  const typed = { ...move(), status: 'In Transit', actual_arrival_date: '2026-03-12' }
  const refused = await h.cast.ben.submit('/transports/new', typed)
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Only a Delivered transport can have an arrival date')
  const { id, version } = await delivered('100300', '2026-03-10', { actual_arrival_date: '2026-03-11' })
  const edit = { ...move({ unit_number: '100300' }), version: version as number, status: 'In Transit' }
  expect(
    (await h.cast.ben.submit(`/transports/${id}/edit`, { ...edit, actual_arrival_date: '2026-03-12' })).status,
  ).toBe(422)
  expect(
    (await h.cast.ben.submitAnyway(`/transports/${id}/edit`, { ...edit, actual_arrival_date: '2026-03-11' })).status,
  ).toBe(303)
  expect((await h.cast.ben.get(`/transports/${id}`)).body.data).toMatchObject({
    status: 'In Transit',
    actual_arrival_date: null,
  })
})

test('an arrival date in the future is accepted in a list, with a warning', async () => {
  const { id } = await create()
  const arrive = async (actual_arrival_date?: string) => {
    const { status, body } = await h.cast.ben.patch(`/transports/${id}/status`, {
      status: 'Delivered',
      actual_arrival_date,
    })
    return [status, body.warnings]
  }
  expect(await arrive()).toEqual([200, undefined])
  expect(await arrive('2026-03-14')).toEqual([200, undefined])
  expect(await arrive('2026-03-15')).toEqual([
    200,
    [{ code: 'far_date', field: 'actual_arrival_date', message: 'The arrival date 03/15/2026 is after today' }],
  ])
  await create({ unit_number: '100201' })
  const { html } = await h.cast.ben.open('/transports/active')
  expect(html).toMatch(/<input type="date" max="2026-03-14"[^>]* name="actual_arrival_date"/)
})

test('a form shows errors before it asks about warnings', async () => {
  const h = await testContext()
  const form = {
    unit_number: '104444',
    location_out_id: '1',
    location_in_id: '2',
    transport_company_id: '1',
    move_type: 'Fleet',
    status: 'Awaiting Pickup',
    move_date: '2026-03-14',
    estimated_arrival_date: '2026-03-01',
  }
  const wrong = await h.cast.ben.submit('/transports/new', form)
  expect(wrong.html).toContain('The estimated arrival is before the move date')
  expect(wrong.html).not.toContain('anyway')
  const odd = await h.cast.ben.submit('/transports/new', { ...form, estimated_arrival_date: '2026-03-20' })
  expect(odd.html).toContain('Create transport anyway')
})
