import { beforeEach, describe, expect, test } from 'bun:test'
import type { DataType } from '../../db/vocabulary'
import { meansFinished } from '../../src/platform/imports/parse/guess-columns'
import { testContext } from '../support/context'
import { sheets } from '../support/sheets'

/** Sheets that also list finished records. Today is 2026-03-14. */
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})
const { rowsOf } = sheets(() => h)

const begin = (data_type: DataType, lines: string[], more: Record<string, string> = {}) =>
  h.cast.ben.begin(data_type, 'list.csv', lines.join('\n'), more)
const pageOf = async (id: number) => (await h.cast.ben.open(`/files/imports/${id}`)).html
const isChosen = (html: string, name: string, value: string) =>
  new RegExp(`<select[^>]*name="${name}"(?:(?!</select>).)*<option value="${value}" selected`, 's').test(html)

describe('a heading of finished records', () => {
  test.each<[DataType, ...headings: string[]]>([
    ['osl', 'Back on road', 'Date Back', 'Actual Return Date', 'RTS', 'Released On', 'Repaired', 'Cancelled', 'Closed'],
    ['titles', 'Title Back', 'Back from DMV', 'Returned Date', 'Title in hand', 'Date Completed'],
    ['registrations', 'Sticker', 'Tags', 'Renewed On'],
  ])('is recognised in %s', (dataType, ...headings) => {
    expect(headings.filter((heading) => !meansFinished(heading, dataType))).toEqual([])
  })

  test.each<[DataType, ...headings: string[]]>([
    ['osl', 'Expected return', 'Notes', 'Phone'],
    ['titles', 'Dealer', 'Sent to'],
    ['registrations', 'Plate', 'Cost'],
  ])('is not another heading in %s', (dataType, ...headings) => {
    expect(headings.filter((heading) => meansFinished(heading, dataType))).toEqual([])
  })
})

describe('rows of finished records', () => {
  const SHEET = [
    'Unit,Loc,OOS Date,Problem,Back on road',
    '100001,PHX,3/4/2026,Front brakes metal to metal,',
    '100002,PHX,3/4/2026,Radiator leaks badly,3/9/2026',
  ]

  test('are skipped if the user keeps the preselected answer', async () => {
    const { id } = await begin('osl', SHEET)
    const html = await pageOf(id)
    expect(html).toContain('1 row is probably finished')
    expect(isChosen(html, 'skip_conflicts', 'true')).toBe(true)
    expect((await h.cast.ben.submit(`/files/imports/${id}/settle`, { skip_conflicts: 'true' })).status).toBe(303)
    await h.cast.ben.settled(id)
    expect((await rowsOf(id)).map(({ outcome }) => outcome)).toEqual(['create', 'duplicate'])
  })

  test('are called rows in the result, because they are not duplicates', async () => {
    const { id } = await begin('osl', SHEET)
    await h.cast.ben.put(`/files/${id}`, { skip_conflicts: true })
    await h.cast.ben.settled(id)
    await h.cast.ben.post(`/files/${id}/commit`)
    expect((await h.cast.ben.settled(id)).message).toBe('1 record imported, 1 row skipped')
    const html = await pageOf(id)
    expect([html.includes('Rows Skipped'), html.includes('Duplicates Skipped')]).toEqual([true, false])
  })

  test('are imported if the user decides so, and the answer is kept', async () => {
    const { id } = await begin('osl', SHEET)
    await h.cast.ben.put(`/files/${id}`, { skip_conflicts: false })
    await h.cast.ben.settled(id)
    expect(isChosen(await pageOf(id), 'skip_conflicts', 'false')).toBe(true)
    expect((await rowsOf(id)).map(({ outcome }) => outcome)).toEqual(['create', 'create'])
  })

  test('are imported by the API without a decision', async () => {
    const { id } = await begin('osl', SHEET)
    expect((await h.cast.ben.post(`/files/${id}/commit`)).status).toBe(202)
    await h.cast.ben.settled(id)
    expect((await h.cast.ben.get('/osl')).body.data).toHaveLength(2)
  })
})

test('total amounts under Storage Fee are not suggested as daily rates', async () => {
  const sheet = (amount: string) => [
    'Unit,Loc,OOS Date,Problem,Storage Fee',
    `100001,PHX,3/4/2026,Front brakes metal to metal,${amount}`,
  ]
  const daily = await begin('osl', sheet('$35.00'))
  const total = await begin('osl', sheet('$875.00'))
  const rate = '<option value="storage_fee_daily_rate" selected'
  expect([(await pageOf(daily.id)).includes(rate), (await pageOf(total.id)).includes(rate)]).toEqual([true, false])
})

test('a unit number can begin with V', async () => {
  const { id } = await begin('titles', ['Unit,Location', 'V100001,PHX', 'v-100002,PHX', 'X100003,PHX'])
  expect((await rowsOf(id)).map(({ values }) => values.unit_number)).toEqual(['100001', '100002', 'X100003'])
})

test('a unit number can precede a description of the vehicle', async () => {
  const cells = ['100001 RAM 2500', '100002 - white van', '100003 void', '100004 and 100005', '100006-2']
  const { id } = await begin('titles', ['Unit,Location', ...cells.map((cell) => `${cell},PHX`)])
  expect((await rowsOf(id)).map(({ outcome, values }) => [outcome, values.unit_number])).toEqual([
    ['create', '100001'],
    ['create', '100002'],
    ['error', '100003 void'],
    ['error', '100004 and 100005'],
    ['error', '100006-2'],
  ])
})

test('headings in two rows are joined column by column', async () => {
  const { id } = await begin('osl', [
    'Unit,Current,Out of,Description of,Daily',
    'Number,Location,Service,Problem,Rate',
    '100001,PHX,3/4/2026,Front brakes metal to metal,35',
  ])
  const [row] = await rowsOf(id)
  expect(row?.values).toMatchObject({ unit_number: '100001', osl_date: '2026-03-04', storage_fee_daily_rate: '35' })
})

describe('a problem with fewer than 10 characters', () => {
  const SHEET = ['Unit,Loc,OOS Date,Problem', '100001,PHX,3/4/2026,Brakes', '100002,PHX,3/4/2026,Radiator leaks badly']

  test('is rejected unless the user chooses a prefix', async () => {
    const { id } = await begin('osl', SHEET)
    expect((await rowsOf(id)).map(({ outcome }) => outcome)).toEqual(['error', 'create'])
    const html = await pageOf(id)
    expect(html).toContain('1 problem is too short')
    expect(isChosen(html, 'extend_short', 'false')).toBe(true)
    await h.cast.ben.submit(`/files/imports/${id}/settle`, { extend_short: 'true' })
    await h.cast.ben.settled(id)
    expect((await rowsOf(id)).map(({ outcome, values }) => [outcome, values.problem])).toEqual([
      ['create', 'Problem: Brakes'],
      ['create', 'Radiator leaks badly'],
    ])
    expect(isChosen(await pageOf(id), 'extend_short', 'true')).toBe(true)
  })

  test('gets the prefix through the API', async () => {
    const { id } = await begin('osl', SHEET)
    expect((await h.cast.ben.put(`/files/${id}`, { extend_short: true })).status).toBe(200)
    const { found } = await h.cast.ben.settled(id)
    expect(found).toMatchObject({ short_rows: 1 })
    const [row] = await rowsOf(id)
    expect(row?.notes).toContain('Problem: extended to "Problem: Brakes"')
  })

  test('makes an import at once wait for the user', async () => {
    expect((await begin('osl', SHEET, { commit: 'true', ask: 'true' })).status).toBe('ready')
  })
})

describe('a title row such as CANCELLED', () => {
  const outcomes = async (lines: string[]) => {
    const { id } = await begin('titles', lines)
    return (await rowsOf(id)).map(({ outcome }) => outcome)
  }

  test('applies to the rows below it if its text is in the first column', async () => {
    const rows = ['Notes,Unit,Location', ',100001,PHX', 'CANCELLED,,', ',100002,PHX']
    expect(await outcomes(rows)).toEqual(['create', 'error', 'error'])
  })

  test('is only a remark if its text is in another text column', async () => {
    const rows = ['Unit,Notes,Location', '100001,,PHX', ',CANCELLED,', '100002,,PHX']
    expect(await outcomes(rows)).toEqual(['create', 'error', 'create'])
  })
})

test('a row with some values is a record with errors, even if the file has many optional columns', async () => {
  const { id } = await begin('titles', [
    'Unit,Location,Dealer,Dealer contact,Notes,Submitted date',
    ',Nowhere,Valley Truck Sales,,,',
  ])
  const { errors } = (await h.cast.ben.get(`/files/${id}`)).body.data as unknown as { errors: { message: string }[] }
  expect(errors[0]?.message).toContain('Unknown location "Nowhere"')
})

test('PO, grace days, expected return and next action of an out-of-service list are imported', async () => {
  const { id } = await begin('osl', [
    'Unit,Date,Loc,Problem,Daily Rate,Grace,PO #,ETA back,Action needed',
    '100001,3/4/2026,Phoenix,Engine does not start,35,3,PO-77,3/20/2026,Call the shop',
    '100002,3/4/2026,Phoenix,Engine does not start,35,,,TBD,',
  ])
  await h.cast.ben.post(`/files/${id}/commit`, {})
  expect((await h.cast.ben.settled(id)).imported).toBe(2)
  const { data } = (await h.cast.ben.get('/osl/active?sort=unit_number&order=asc')).body
  expect(data).toMatchObject([
    { storage_grace_days: 3, po_number: 'PO-77', expected_return: '2026-03-20', next_action: 'Call the shop' },
    { storage_grace_days: 0, po_number: null, expected_return: null, next_action: null },
  ])
})

describe('a column that shows which titles have arrived', () => {
  const HEAD = 'Unit,Location,Submitted,Title rec’d'
  const row = (unit: number, received: string) => `${unit},Phoenix,2/20/2026,${received}`

  test('has the dates of arrival, and the titles stay pending', async () => {
    const lines = [HEAD, row(100_001, '3/9/2026'), row(100_002, '3/10'), row(100_003, ''), row(100_004, '3/9/2026')]
    const { id } = await begin('titles', lines)
    expect((await rowsOf(id)).map(({ outcome, notes }) => [outcome, notes.join().includes('finished')])).toEqual(
      Array(4).fill(['create', false]),
    )
    await h.cast.ben.post(`/files/${id}/commit`)
    await h.cast.ben.settled(id)
    const { data } = (await h.cast.ben.get('/titles/pending?sort=unit_number&order=asc')).body
    expect(
      (data as unknown as Record<string, unknown>[]).map(({ received_on, stage }) => [received_on, stage]),
    ).toEqual([
      ['2026-03-09', 'Received'],
      ['2026-03-10', 'Received'],
      [null, null],
      ['2026-03-09', 'Received'],
    ])
  })

  test('can have marks instead of dates, and remarks on titles that have not arrived', async () => {
    const lines = [HEAD, row(100_001, 'x'), row(100_002, 'lost in mail'), row(100_003, 'never came'), row(100_004, 'x')]
    const { id } = await begin('titles', lines)
    expect((await rowsOf(id)).map(({ notes }) => notes.some((note) => note.includes('open record')))).toEqual([
      true,
      false,
      false,
      true,
    ])
  })
})
