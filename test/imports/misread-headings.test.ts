import { beforeEach, expect, test } from 'bun:test'
import * as XLSX from 'xlsx'
import { testContext } from '../support/context'

/** Headings of office sheets that once led to wrong values or lost rows without a message. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const MOVES = 'Unit,From,To,Date,Hauler,Status'
const MOVE = '100300,PHX,TMP,3/9/2026,Desert Auto Haul,In Transit'
const upload = async (dataType: string, text: string) => (await h.cast.ben.upload(dataType, 'a.csv', text)).body
type Found = { found: { header_row: number; dates: { field: string }[]; fields: (string | null)[] }; row_count: number }
type Shown = { row: number; outcome: string; values: Record<string, string>; message: string }
const begin = async (dataType: string, text: string) =>
  (await h.cast.ben.begin(dataType, 'a.csv', text)) as unknown as Found & { id: number; defaults: object }

test('a file without headings keeps its first record', async () => {
  const text = '100301,Phoenix,3/9/2026,Leaking water pump\n100302,Tempe,3/9/2026,Broken left mirror\n'
  expect(await begin('osl', text)).toMatchObject({ found: { header_row: 0 }, row_count: 2 })
  expect((await h.cast.ben.upload('osl', 'a.csv', text)).body.message).toStartWith('The file has no header row')
})

test('another sheet of a workbook does not take the location of the first', async () => {
  const book = XLSX.utils.book_new()
  for (const [at, name] of ['Phoenix', 'Mesa', 'East lot'].entries()) {
    const rows = [
      ['Unit', 'Date', 'Problem'],
      [`10030${at}`, '3/9/2026', 'Leaking water pump'],
    ]
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), name)
  }
  const bytes = XLSX.write(book, { type: 'buffer' }) as Uint8Array
  const { id } = await h.cast.ben.begin('osl', 'yards.xlsx', bytes)
  await h.cast.ben.put(`/files/${id}`, { defaults: { location: 'Phoenix' } })
  expect((await h.cast.ben.settled(id)).defaults).toEqual({ location: 'Phoenix' })
  // The preview shows a default value as a column, like those of the file.
  expect((await h.cast.ben.open(`/files/imports/${id}`)).find('table th')).toContain('Location')
  await h.cast.ben.post(`/files/${id}/commit`)
  await h.cast.ben.settled(id)
  const next = async (sheet: string) => {
    const answer = await h.cast.ben.submit(`/files/imports/${id}/sheets`, { sheet })
    return h.cast.ben.settled(Number(/imports\/(\d+)/.exec(answer.location ?? '')?.[1]))
  }
  expect((await next('Mesa')).defaults).toEqual({ location: 'Mesa' })
  const other = await next('East lot')
  expect([other.defaults, other.message]).toEqual([{}, 'Missing required columns: location'])
})

test('a status for all rows of one sheet does not apply to the next sheet', async () => {
  const book = XLSX.utils.book_new()
  const head = ['Unit', 'From', 'To', 'Date', 'Carrier']
  for (const [at, name] of ['Waiting', 'In Transit', 'On the road'].entries()) {
    const row = [`10030${at}`, 'Phoenix', 'Tempe', '3/9/2026', 'Desert Auto Haul']
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([head, row]), name)
  }
  const bytes = XLSX.write(book, { type: 'buffer' }) as Uint8Array
  const { id } = await h.cast.ben.begin('transports', 'board.xlsx', bytes)
  await h.cast.ben.put(`/files/${id}`, { defaults: { status: 'Awaiting Pickup' } })
  await h.cast.ben.settled(id)
  await h.cast.ben.post(`/files/${id}/commit`)
  await h.cast.ben.settled(id)
  const next = async (sheet: string) => {
    const answer = await h.cast.ben.submit(`/files/imports/${id}/sheets`, { sheet })
    const { defaults, message } = await h.cast.ben.settled(Number(/imports\/(\d+)/.exec(answer.location ?? '')?.[1]))
    return [defaults, message]
  }
  expect(await next('On the road')).toEqual([{}, 'Missing required columns: status'])
  expect(await next('In Transit')).toEqual([{ status: 'In Transit' }, ''])
})

test('a unit number written as a formula is read, and a row without known values is no heading', async () => {
  const body = await upload('titles', 'Unit,Location,Price\n"=""100301""",PHX,5\n,,300\n')
  expect(body).toMatchObject({
    imported: 1,
    errors: [{ row: 3, message: 'This row is not a record: all its values are in columns that are not imported' }],
  })
})

const rowsOf = async (dataType: string, text: string) => {
  const { id } = (await h.cast.ben.begin(dataType, 'a.csv', text)) as unknown as { id: number }
  const { body } = await h.cast.ben.get(`/files/${id}/rows`)
  return body.data as unknown as Shown[]
}

test('a second table with other columns is not read', async () => {
  const text = [MOVES, MOVE, 'INBOUND,,,,,', 'Unit,To,From,Date,Hauler,Status', MOVE.replace('100300', '100301')]
  const again = [MOVES, MOVE.replace('100300', '100302')]
  const rows = await rowsOf('transports', [...text, ...again].join('\n'))
  const other =
    'Row 4 begins a second table with different columns. The rows of this table are not read. Import them ' +
    'from a separate file'
  expect(rows.map(({ row, outcome, message }) => [row, outcome, message])).toEqual([
    [2, 'create', null],
    [3, 'error', 'This row is not a record: only "INBOUND" is filled in'],
    [4, 'error', other],
    [5, 'error', other],
    [6, 'error', 'This row repeats the headings'],
    [7, 'create', null],
  ] as never)
})

test('a specific heading is read before a general one', async () => {
  const { found } = await begin(
    'osl',
    'Date,Unit,Yard,Date In,Problem,Contact,Phone\n3/12/2026,100300,PHX,3/2/2026,Tire,Lee,1',
  )
  expect(found.fields).toEqual([null, 'unit_number', 'location', 'osl_date', 'problem', null, 'contact_phone'])
})

test('a column Delivered is the arrival only if it contains dates', async () => {
  const fieldsOf = async (...cells: string[]) => {
    const rows = cells.map((cell, at) => `10030${at},PHX,TMP,3/2/2026,Desert Auto Haul,Delivered,${cell}`)
    return (await begin('transports', [`${MOVES},Delivered`, ...rows].join('\n'))).found.fields[6]
  }
  expect([await fieldsOf('3/4/2026', '3/5/2026'), await fieldsOf('Yes', 'No')]).toEqual(['actual_arrival_date', null])
})

test('the miles of an OSL entry are its mileage even if the file has a rate', async () => {
  const { found } = await begin('osl', 'Unit,Date,Yard,Problem,Miles,Rate\n100300,3/2/2026,PHX,Leaking pump,52000,35')
  expect(found.fields.slice(4)).toEqual(['osl_mileage', 'storage_fee_daily_rate'])
})

test('a second table with headings that are not known is not read either', async () => {
  const text = [
    'Unit,Date In,Location,Problem,Daily Rate',
    '100300,3/2/2026,PHX,Leaking pump,35',
    'Unit,Date In,Location,Repair Done,Cost',
    '100301,3/3/2026,PHX,Replaced the pump,1250',
    'UNIT,Date  In,LOCATION,Problem (cont.),Daily rate',
    '100302,3/4/2026,PHX,Broken mirror,35',
  ]
  const rows = await rowsOf('osl', text.join('\n'))
  expect(rows.map(({ row, outcome }) => [row, outcome])).toEqual([
    [2, 'create'],
    [3, 'error'],
    [4, 'error'],
    [5, 'error'],
    [6, 'create'],
  ])
  expect(rows[3]?.message).toBe('This row repeats the headings')
})

test('a second table is found by a few headings', async () => {
  const outcomesOf = async (dataType: string, ...lines: string[]) =>
    (await rowsOf(dataType, lines.join('\n'))).map(({ outcome }) => outcome)
  const stays = ['Unit,Date,Yard,Problem', '100300,3/2/2026,PHX,Leaking water pump']
  const sales = ['Unit,Sale Date,Auction Yard,Buyer', '100301,3/3/2026,PHX,Manheim Phoenix LLC']
  expect(await outcomesOf('osl', ...stays, ...sales)).toEqual(['create', 'error', 'error'])
  const back = [',To,From,Date,Carrier,Status', MOVE.replace('100300', '100301')]
  expect(await outcomesOf('transports', MOVES, MOVE, ...back)).toEqual(['create', 'error', 'error'])
  const counts = ['Count,Location', '120,PHX', '195,TMP']
  expect(await outcomesOf('titles', 'Unit,Location', '100300,PHX', ...counts)).toEqual([
    ...['create', 'error', 'error', 'error'],
  ])
})

test('a row with only a location is the title of the rows below it', async () => {
  const rows = ['Phoenix', '100300,3/2/2026,Leaking pump', '', 'TEMPE:', '100301,3/3/2026,"Broken "left" mirror"']
  const { id, ...read } = await begin('osl', ['Unit,Date Out,Problem', ...rows].join('\n'))
  expect(read).toMatchObject({ found: { header: ['Unit', 'Date Out', 'Problem', 'Location'], missing: [] } } as never)
  const { body } = await h.cast.ben.get(`/files/${id}/rows`)
  expect((body.data as unknown as Shown[]).map(({ values, message }) => message ?? values)).toMatchObject([
    { unit_number: '100300', location: 'Phoenix' },
    { unit_number: '100301', location: 'Tempe', problem: 'Broken "left" mirror' },
  ])
  const text = ['Location,Unit,Date Out,Problem', 'Phoenix,,,', ...rows.slice(1, 2).map((row) => `,${row}`)].join('\n')
  expect((await rowsOf('osl', text))[0]?.values).toMatchObject({ unit_number: '100300', location: 'Phoenix' })
  const chosen = await h.cast.ben.put(`/files/${id}`, { fields: ['unit_number', 'osl_date', 'problem', null] })
  expect(chosen.status).toBe(200)
  expect((await h.cast.ben.settled(id)).found).toMatchObject({ missing: ['location'] })
})

test('a file with headings only says that it has no rows', async () => {
  const { validation_errors } = await upload('transports', `${MOVES}\n`)
  expect(validation_errors).toContain('The file has no rows below its headings' as never)
})

test('a second table beside the first one is named', async () => {
  const text = [`${MOVES},,${MOVES}`, `${MOVE},,${MOVE.replace('100300', '100301')}`].join('\n')
  const { validation_errors } = await upload('transports', text)
  expect(validation_errors).toContain(
    ('A second table begins at the second column "Unit". It is not read. ' +
      'Import the second table from a separate file') as never,
  )
})

test('explanations and abbreviations in headings do not hide a field', async () => {
  const headings = ['P.O. #', 'R.A. #', 'E.T.A.', 'P/U Date', 'Odometer (miles not km)', 'Company (e.g. Old Dominion)']
  const { found } = await begin('transports', `Unit,From,To,Status,${headings.join(',')}\n${','.repeat(9)}`)
  expect(found.fields.slice(4)).toEqual([
    'po_number',
    'ra_number',
    'estimated_arrival_date',
    'move_date',
    'mileage',
    'transport_company',
  ])
  const plates = await begin('registrations', 'Unit,Exp. Date (mo/yr),Fee (annual)\n,,')
  expect(plates.found.fields).toEqual(['unit_number', 'date_expires', 'cost'])
})

test('headings tell which location a transport leaves', async () => {
  const fieldsOf = async (from: string, to: string) => {
    const text = `Unit,${to},${from},Date,Hauler,Status\n100300,TMP,PHX,3/9/2026,Desert Auto Haul,In Transit`
    const { id, found } = (await h.cast.ben.begin('transports', 'a.csv', text)) as unknown as Found & { id: number }
    if (found.fields[1]) return found.fields.slice(1, 3)
    const page = await h.cast.ben.open(`/files/imports/${id}`)
    return [1, 2].map(
      (at) => page.find(`select[name="field.${at}"] option[selected]`)[0]?.replace(' (required)', '') ?? '',
    )
  }
  expect(await fieldsOf('Moved From', 'Moved To')).toEqual(['location_in', 'location_out'])
  expect(await fieldsOf('Coming from', 'Going to')).toEqual(['location_in', 'location_out'])
  expect(await fieldsOf('Prev. Location', 'New Location')).toEqual(['location_in', 'location_out'])
  expect(await fieldsOf('Left from place', 'Went to place')).toEqual(['Location in', 'Location out'])
  expect(await fieldsOf('Place A', 'Place B')).toEqual(['None: ignore this column', 'None: ignore this column'])
})

test('miles beside a rate are not the odometer reading', async () => {
  const { fields } = (await begin('transports', `${MOVES},Miles,Rate\n${MOVE},114,$2.50`)).found
  expect(fields[6]).toBeNull()
  expect((await begin('transports', `${MOVES},Miles\n${MOVE},45000`)).found.fields[6]).toBe('mileage')
})

const hiding = (hidden: string[], lines: (string | number)[][], bookType: 'xlsx' | 'biff8' = 'xlsx') => {
  const sheet = XLSX.utils.aoa_to_sheet(lines)
  sheet['!cols'] = lines[0]!.map((_, at) => ({ hidden: hidden.includes(XLSX.utils.encode_col(at)) }))
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, sheet, 'Moves')
  return new Uint8Array(XLSX.write(book, { type: 'array', bookType }))
}

test.each(['xlsx', 'biff8'] as const)('a visible column takes precedence over a hidden one in %s', async (bookType) => {
  const name = bookType === 'xlsx' ? 'a.xlsx' : 'a.xls'
  const lines = [
    ['Unit', 'From', 'To', 'Date', 'Date', 'Carrier', 'Status'],
    ['100300', 'PHX', 'TMP', '3/1/2026', '3/9/2026', 'Desert Auto Haul', 'In Transit'],
  ]
  const { found } = (await h.cast.ben.begin('transports', name, hiding(['D'], lines, bookType))) as unknown as Found
  expect(found.fields.slice(3, 5)).toEqual([null, 'move_date'])
  const only = lines.map((line) => line.toSpliced(4, 1))
  const read = await h.cast.ben.begin('transports', name, hiding(['D'], only, bookType))
  expect(read.validation_errors).toContain('Column "Date" is hidden in the file, but was read')
})
