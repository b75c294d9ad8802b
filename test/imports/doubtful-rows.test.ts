import { beforeEach, describe, expect, test } from 'bun:test'
import * as XLSX from 'xlsx'
import { testContext } from '../support/context'

/** Rows that were once imported at once, although they were probably mistakes. Today is 2026-03-14. */
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const AT_ONCE = { commit: 'true', ask: 'true' }
const OSL = 'Unit,Location,Date,Problem'
const MOVES = 'Unit,From,To,Date,Carrier,Status'
const move = (unit: string, date: string, status: string) => `${unit},Phoenix,Tempe,${date},Desert Auto Haul,${status}`
const begin = async (dataType: string, lines: string[], more: Record<string, string> = AT_ONCE) =>
  h.cast.ben.settled((await h.cast.ben.begin(dataType, 'sheet.csv', `${lines.join('\n')}\n`, more)).id)
type Row = { outcome: string; values: Record<string, string>; notes: string[] }
const rowsOf = async (id: number) => (await h.cast.ben.get(`/files/${id}/rows`)).body.data as unknown as Row[]

describe('an import from a page waits for the user', () => {
  test('if a record has begun only in the future', async () => {
    const osl = await begin('osl', [OSL, '100001,PHX,3/20/2026,Engine does not start'])
    const moves = await begin('transports', [MOVES, move('100002', '4/10/2026', 'In Transit')])
    expect([osl, moves].map(({ status, found }) => [status, found.doubtful_rows])).toEqual([
      ['ready', 1],
      ['ready', 1],
    ])
    const { text } = await h.cast.ben.open(`/files/imports/${osl.id}`)
    expect(text).toContain('1 row is probably a mistake. Check the warnings, then choose below whether to skip it.')
  })

  test('and names the same number of rows in both places', async () => {
    const osl = await begin('osl', [OSL, '100001,PHX,3/20/2026,Engine does not start'])
    const moves = await begin('transports', [
      MOVES,
      move('100002', '4/10/2026', 'In Transit'),
      move('100003', '3/9/2026', 'In Transit').replace('Tempe', 'Phoenix'),
    ])
    const counts = async ({ id }: { id: number }) => {
      const { text } = await h.cast.ben.open(`/files/imports/${id}`)
      return [/(\d+) rows? (?:is|are) probably/, /Rows that are probably mistakes \((\d+)/].map(
        (pattern) => pattern.exec(text)?.[1],
      )
    }
    expect([await counts(osl), await counts(moves)]).toEqual([
      ['1', '1'],
      ['2', '2'],
    ])
  })

  test('if a unit already has an open record, also in the same file', async () => {
    const first = await begin('transports', [MOVES, move('100001', '3/9/2026', 'In Transit')])
    const again = await begin('transports', [MOVES, move('100001', '3/10/2026', 'In Transit')])
    const twice = await begin('osl', [
      OSL,
      '100001,PHX,3/9/2026,Engine does not start',
      '100001,PHX,3/10/2026,Engine does not start',
    ])
    expect([first, again, twice].map(({ status }) => status)).toEqual(['done', 'ready', 'ready'])
  })

  test('if a number with fewer than six digits would add a vehicle', async () => {
    const sheet = (unit: number) => {
      const book = XLSX.utils.book_new()
      XLSX.utils.book_append_sheet(
        book,
        XLSX.utils.aoa_to_sheet([
          ['Unit', 'Location'],
          [unit, 'PHX'],
        ]),
        'Titles',
      )
      return new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' }))
    }
    await h.cast.ben.post('/vehicles', { unit_number: '010300' })
    const settled = async (unit: number) =>
      h.cast.ben.settled((await h.cast.ben.begin('titles', 'titles.xlsx', sheet(unit), AT_ONCE)).id)
    expect((await settled(10_300)).status).toBe('done')
    const { status, found } = await settled(10_301)
    expect([status, found.doubtful_rows, found.conflicts]).toEqual([
      'ready',
      1,
      expect.arrayContaining([
        'Unit number: fewer than six digits, and a vehicle with leading zeros is not known (row 2)',
      ]),
    ])
  })

  test('until the user has decided, and then the page no longer asks', async () => {
    const { id } = await begin('osl', [OSL, '100001,PHX,3/20/2026,Engine does not start'])
    await h.cast.ben.call('PUT', `/files/${id}`, { skip_conflicts: false })
    await h.cast.ben.settled(id)
    expect((await h.cast.ben.open(`/files/imports/${id}`)).text).not.toContain('1 row is probably a mistake')
    await h.cast.ben.post(`/files/${id}/commit`, {})
    expect((await h.cast.ben.settled(id)).imported).toBe(1)
  })
})

test('programs that do not ask import such rows with a warning', async () => {
  const done = await begin('osl', [OSL, '100001,PHX,3/20/2026,Engine does not start'], { commit: 'true' })
  expect([done.status, done.imported]).toEqual(['done', 1])
})

test('warnings about skipped rows disappear', async () => {
  const lines = ['Unit,Location,Submitted,Transferred', '100001,PHX,3/1/2026,3/9/2026', '100002,PHX,3/2/2026,']
  const { id } = await begin('titles', lines, { commit: 'false' })
  expect((await h.cast.ben.settled(id)).validation_errors.join()).toContain('Row 2: Transferred is 3/9/2026')
  await h.cast.ben.call('PUT', `/files/${id}`, { skip_conflicts: true })
  expect((await h.cast.ben.settled(id)).validation_errors.join()).not.toContain('Row 2: ')
})

test('a column with finished records is noticed, also if it is imported as notes', async () => {
  const lines = ['Unit,Location,Submitted,Transferred', '100001,PHX,3/1/2026,3/9/2026', '100002,PHX,3/2/2026,']
  const { id } = await begin('titles', lines, { commit: 'false' })
  await h.cast.ben.put(`/files/${id}`, { fields: ['unit_number', 'location', 'submitted_date', 'notes'] })
  const waiting = await h.cast.ben.settled(id)
  expect([waiting.status, waiting.found.fields[3], waiting.found.finished_rows]).toEqual(['ready', 'notes', 1])
})

test('dates without a year of records that have begun are in the past', async () => {
  const { id } = await begin('osl', [OSL, '100001,PHX,8/1,Engine does not start', '100002,PHX,3/20,Does not start'])
  expect((await rowsOf(id)).map(({ values }) => values.osl_date)).toEqual(['2025-08-01', '2026-03-20'])
  const moves = ['In Transit', 'Delivered', 'Awaiting Pickup'].map((status, at) => move(`10000${at}`, '8/1', status))
  const { id: moveId } = await begin('transports', [MOVES, ...moves], { commit: 'false' })
  const dates = (await rowsOf(moveId)).map(({ values }) => values.move_date)
  expect(dates).toEqual(['2025-08-01', '2025-08-01', '2026-08-01'])
})

test('types of registrations are read as offices write them', async () => {
  const types = [
    'Orig',
    'RNWL',
    'Xfer',
    'Dup',
    'Renewal (1 yr)',
    'Plate transfer',
    'Replacement plate',
    'New registration',
  ]
  const lines = types.map((type, at) => `10000${at},PHX,ABC10${at},AZ,3/1/2026,3/31/2027,${type}`)
  const { id } = await begin('registrations', ['Unit,Location,Plate,State,Issued,Expires,Kind', ...lines], {})
  expect((await rowsOf(id)).map(({ values }) => values.registration_type)).toEqual([
    'New',
    'Renewal',
    'Transfer Plate',
    'Replacement',
    'Renewal',
    'Transfer Plate',
    'Replacement',
    'New',
  ])
})

test('Yes and No may have a remark, and the preview shows them as words', async () => {
  const line = (unit: string, received: string) => `${unit},PHX,P${unit},AZ,3/1/2026,3/31/2027,${received}`
  const head = 'Unit,Location,Plate,State,Issued,Expires,Received'
  const { id } = await begin(
    'registrations',
    [head, line('100001', 'Yes - in binder'), line('100002', 'no (mailed)')],
    {},
  )
  expect((await rowsOf(id)).map(({ values, notes }) => [values.received, notes[0]])).toEqual([
    ['true', 'Received: Yes - in binder was read as Yes'],
    ['false', 'Received: no (mailed) was read as No'],
  ])
  expect((await h.cast.ben.open(`/files/imports/${id}`)).find('td .preview-cell').slice(-1)).toEqual(['No'])
})

test('the meaning of a mark is remembered only for columns with the same heading', async () => {
  const sheet = (heading: string) => [`Unit,From,To,Date,Carrier,${heading}`, move('100001', '3/9/2026', 'x')]
  const asked = async (heading: string) => {
    const { id } = await begin('transports', sheet(heading), {})
    await h.cast.ben.call('PUT', `/files/${id}`, {
      fields: ['unit_number', 'location_out', 'location_in', 'move_date', 'transport_company', 'status'],
    })
    return h.cast.ben.settled(id)
  }
  const first = await asked('Delivered')
  expect(first.found.words).toEqual([{ field: 'status', text: 'x', rows: 1 }])
  await h.cast.ben.call('PUT', `/files/${first.id}`, { words: [{ field: 'status', text: 'x', value: 'Delivered' }] })
  expect([(await h.cast.ben.settled(first.id)).found.words, (await rowsOf(first.id))[0]?.values.status]).toEqual([
    [],
    'Delivered',
  ])
  expect((await asked('Delivered')).found.words).toEqual([])
  expect((await asked('Picked up')).found.words).toEqual([{ field: 'status', text: 'x', rows: 1 }])
})

test('a status column with marks only says which field lacks a value', async () => {
  const lines = ['Unit,From,To,Date,Carrier,Delivered', move('100001', '3/9/2026', '')]
  const { id } = await begin('transports', lines, {})
  await h.cast.ben.call('PUT', `/files/${id}`, {
    fields: ['unit_number', 'location_out', 'location_in', 'move_date', 'transport_company', 'status'],
  })
  await h.cast.ben.settled(id)
  const { data } = (await h.cast.ben.get(`/files/${id}/rows`)).body
  expect((data as unknown as { message: string }[])[0]?.message).toBe('Status is required, but Delivered is blank')
})
