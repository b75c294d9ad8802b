import { describe, expect, test } from 'bun:test'
import { fieldsOf } from '../../src/platform/imports/kinds'
import type { NameLookup } from '../../src/platform/imports/names'
import { missingColumns, placeColumns } from '../../src/platform/imports/parse/place-columns'
import type { FileReading } from '../../src/platform/imports/parse/row-reader'
import { RowValidator } from '../../src/platform/imports/parse/validate-rows'
import type { Cell } from '../../src/platform/imports/spreadsheet/cells'

/** Messages about rows that need only the file and no database. */

const FIELDS = fieldsOf('transports')
const NAMES: NameLookup = {
  words: new Map(),
  locations: new Map([
    ['phoenix', { id: 1, label: 'Phoenix' }],
    ['tempe', { id: 2, label: 'Tempe' }],
    ['phx yard', { id: 1, label: 'Phoenix', alias: 'Phoenix' }],
  ]),
  companies: new Map([
    ['desert auto haul', { id: 5, label: 'Desert Auto Haul' }],
    ['copper', { id: null, label: 'Copper' }],
  ]),
}
const GOOD = {
  unit_number: '100001',
  location_out: 'Phoenix',
  location_in: 'Tempe',
  move_date: '2026-03-01',
  transport_company: 'Desert Auto Haul',
  status: 'In Transit',
}
const validator = (more: Partial<FileReading> = {}) =>
  new RowValidator({
    dataType: 'transports',
    existing: 'skip',
    today: '2026-03-14',
    names: NAMES,
    fields: FIELDS,
    dateOrders: {},
    date1904: false,
    isText: true,
    header: more.fields ? [] : FIELDS,
    defaults: {},
    ...more,
  })
const cellsOf = (values: Record<string, Cell>) => FIELDS.map((field) => ({ ...GOOD, ...values })[field] ?? null)
const read = (values: Record<string, Cell>, more?: Partial<FileReading>) =>
  validator(more).validate({ row: 2, cells: cellsOf(values) })

test('cells are read by column type, and corrections are noted', () => {
  const long = 'word '.repeat(20)
  const wide = `3/4/2026${' '.repeat(60)}10:30`
  const cells: [field: string, cell: Cell, value: string | null, ...notes: string[]][] = [
    ['unit_number', 1234, '001234', 'Unit number: 1234 was read as 001234'],
    ['unit_number', ' 100001 ', '100001', 'Unit number: extra spaces were removed'],
    ['location_out', 'PHOENIX', '1'],
    ['location_out', ' Phx  Yard', '1', '"Phx  Yard" stands for Phoenix'],
    ['transport_company', 'desert auto haul', '5'],
    ['move_date', '3/4/2026', '2026-03-04'],
    ['move_date', '4-Mar-2026', '2026-03-04', 'Move date: 4-Mar-2026 was read as 03/04/2026'],
    ['move_date', '03/04/2026', '2026-03-04'],
    ['move_date', wide, '2026-03-04', `Move date: ${wide.slice(0, 60)} was read as 03/04/2026`],
    ['move_date', 46_000, '2025-12-09', 'Move date: 46000 was read as 12/09/2025'],
    ['move_date', { date: '2026-03-04' }, '2026-03-04'],
    ['status', 'in transit', 'In Transit', 'Status: in transit was read as In Transit'],
    ['ra_number', 10_021, '10021'],
    ['ra_number', ' ', null],
    ['mileage', 52_000, '52000'],
    ['mileage', '052000', '52000'],
    ['mileage', '52,000', '52000'],
    ['mileage', '52,000.7 mi', '52001', 'Mileage: 52,000.7 mi was read as 52001'],
    ['mileage', 'N/A', null, 'Mileage: N/A was read as blank'],
    ['final_cost', ' $ -   ', null],
    ['final_cost', 1358.043, '1358.04', 'Final cost: 1358.043 was read as 1358.04'],
    ['unit_number', 'Unit #100001', '100001', 'Unit number: Unit #100001 was read as 100001'],
    ['move_date', '3/4', '2026-03-04', 'Move date: 3/4 was read as 03/04/2026'],
    ['status', 'in_transit', 'In Transit', 'Status: in_transit was read as In Transit'],
    ['actual_arrival_date', { error: '#N/A' }, null, 'Actual arrival date: #N/A was read as blank'],
    ['final_cost', '1250.50', '1250.5'],
    ['final_cost', '$1,250.50', '1250.5'],
    ['final_cost', 0.1 + 0.2, '0.3'],
    ['issue_po', true, 'true', 'Issue PO: TRUE was read as Yes'],
    ['notes', long, long.trim(), 'Notes: extra spaces were removed'],
  ]
  for (const [field, cell, value, ...notes] of cells) {
    const row = read({ [field]: cell })
    expect([field, cell, row.cells[FIELDS.indexOf(field)] ?? null, ...row.notes]).toEqual([
      field,
      cell,
      value,
      ...notes,
    ])
    expect(row).toMatchObject({ row: 2, outcome: 'create', message: null })
  }
})

test('an unreadable cell is an error that names the column and reason', () => {
  const broken: [field: string, cell: Cell, message: string][] = [
    ['unit_number', null, 'Unit number is required'],
    ['location_out', ' ', 'Location out is required'],
    ['location_out', 12, 'Location out: Unknown location "12"'],
    [
      'transport_company',
      'copper',
      'Transport company: "copper" stands for more than one transport company; use the exact name or code',
    ],
    ['transport_company', 'Phoenix', 'Transport company: Unknown transport company "Phoenix"'],
    ['location_out', 'Pheonix', 'Location out: Unknown location "Pheonix"; did you mean Phoenix?'],
    ['move_date', '13/45', 'Move date: Must be a date, for example 03/14/2026, not "13/45"'],
    ['unit_number', '10202', 'Unit number: 6 digits required; did you mean 010202?'],
    ['mileage', 'many', 'Mileage: Must be a whole number, not "many"'],
    ['mileage', '45,21', 'Mileage: Must be a whole number, not "45,21"; a digit may be missing'],
    ['notes', { error: '#REF!' }, 'Notes: the cell shows #REF!; correct it in the spreadsheet'],
    [
      'mileage',
      { formula: true },
      'Mileage: the formula has no stored result; open the file in a spreadsheet program and save it there',
    ],
    ['actual_arrival_date', '2026-02-28', 'Actual arrival date: The arrival date is before the move date'],
  ]
  for (const [field, cell, message] of broken) {
    const row = read({ [field]: cell })
    expect([field, cell, row.outcome, row.notes, row.message]).toEqual([field, cell, 'error', [], message])
  }
  expect(read({ actual_arrival_date: '2026-02-28', mileage: 'many' }).message).toBe(
    'Mileage: Must be a whole number, not "many"; Actual arrival date: The arrival date is before the move date',
  )
})

test('a failed row keeps its original cells, with ISO dates and leading zeros', () => {
  const cells: Cell[] = [1234, 'Nowhere', 'tempe', 46_000, ' Desert Auto Haul', 'in transit', true, '3/4/2026', ' 5 ']
  expect(validator({ fields: [...FIELDS.slice(0, 9), null, 'notes'] }).validate({ row: 2, cells })).toEqual({
    row: 2,
    outcome: 'error',
    cells: [
      '001234',
      'Nowhere',
      'tempe',
      '2025-12-09',
      ' Desert Auto Haul',
      'in transit',
      'TRUE',
      '2026-03-04',
      ' 5 ',
      '',
      '',
    ],
    notes: [],
    message:
      'Location out: Unknown location "Nowhere"; RA number: Must be a number, not "TRUE"; choose another ' +
      'field for the column',
  })
})

test('a row with the key of an earlier valid row is a duplicate', () => {
  const rows = validator()
  const outcome = (row: number, values: Record<string, Cell>) => {
    const { outcome, message } = rows.validate({ row, cells: cellsOf(values) })
    return [outcome, message]
  }
  expect(outcome(2, { status: 'Lost' })[0]).toBe('error')
  expect(outcome(3, {})).toEqual(['create', null])
  expect(outcome(4, { move_date: '2026-03-02' })).toEqual(['create', null])
  expect(outcome(5, { location_in: 'Phoenix' })).toEqual(['create', null])
  expect(outcome(6, { location_in: 'tempe', move_date: '3/1/2026', notes: 'again' })).toEqual([
    'duplicate',
    'Duplicate of row 3, with other values',
  ])
  const plates = validator({ dataType: 'registrations', fields: fieldsOf('registrations') })
  const plate = (text: string) =>
    plates.validate({ row: 2, cells: ['100001', 'Tempe', text, 'AZ', '2026-01-01', '2026-12-31'] }).outcome
  expect(['cda4821', 'CDA4821', 'CDA4822'].map(plate)).toEqual(['create', 'duplicate', 'create'])
})

test('an extra cell in a text file is reported as an unquoted comma', () => {
  const withMore = (more: Cell[], isText = true) =>
    validator({ isText }).validate({ row: 2, cells: [...cellsOf({}), ...more] }).message
  const message =
    'The row has more cells than the header row. If a value contains a comma, put quotation marks around it.'
  expect([withMore([]), withMore(['', ' ']), withMore(['', 'x'])]).toEqual([null, null, message])
  expect(withMore(['x'], false)).toBe(null)
  expect(validator().validate({ row: 2, cells: cellsOf({}).slice(0, 6) }).message).toBe(null)
})

test('numbers read as unit numbers are listed in the warnings', () => {
  const rows = validator()
  for (const unit_number of [1234, ' 100001', 100_002]) rows.validate({ row: 7, cells: cellsOf({ unit_number }) })
  expect(rows.validate({ row: 9, cells: cellsOf({ unit_number: '10202' }) }).message).toBe(
    'Unit number: 6 digits required; did you mean 010202?',
  )
  rows.validate({ row: 8, cells: cellsOf({ move_date: 46_000 }) })
  expect(rows.warnings).toEqual(['Row 7: unit number 1234 was read as 001234'])
})

describe('questions to the user', () => {
  const findQuestions = (field: string, cells: Cell[], more?: Partial<FileReading>) => {
    const rows = validator(more)
    for (const cell of cells) rows.validate({ row: 2, cells: cellsOf({ [field]: cell }) })
    return { dates: rows.unclear.dates, names: rows.unclear.names }
  }

  test('include the date order of ambiguous columns, with three samples', () => {
    const dates = (...cells: Cell[]) => findQuestions('move_date', cells).dates
    const question = (rows: number, ...samples: string[]) => [
      { field: 'move_date', samples, rows, is_contradicted: false },
    ]
    const contradiction = (sample: string) => [
      { field: 'move_date', samples: [sample], rows: 1, is_contradicted: true },
    ]
    expect(dates('3/4/2026')).toEqual(question(1, '3/4/2026'))
    expect(dates(' 3/4/2026', '3/4/2026', '5/6/2026', '7/8/2026', '9/10/2026')).toEqual(
      question(5, '3/4/2026', '5/6/2026', '7/8/2026'),
    )
    expect(dates('3/4/2026', '13/4/2026')).toEqual(contradiction('3/4/2026'))
    expect(dates('3/4/2026', '3/13/2026', '5/6/2026')).toEqual([])
    expect(dates('3/3/2026', '13/4/2026', '2026-03-04', 46_000)).toEqual(contradiction('13/4/2026'))
    expect(findQuestions('notes', ['3/4/2026']).dates).toEqual([])
  })

  test('include unknown names, most frequent first', () => {
    expect(findQuestions('location_out', ['Yuma', 'Mesa', 'MESA', 'Phoenix', ' ']).names).toEqual([
      { kind: 'location', name: 'Mesa', rows: 2 },
      { kind: 'location', name: 'Yuma', rows: 1 },
    ])
    expect(findQuestions('transport_company', ['Yuma']).names).toEqual([{ kind: 'company', name: 'Yuma', rows: 1 }])
    const longest = 'x'.repeat(200)
    expect(findQuestions('location_out', [longest, `${longest}x`, 'tab\there']).names.map(({ name }) => name)).toEqual([
      longest,
    ])
  })

  test('include at most 500 names', () => {
    const names = Array.from({ length: 501 }, (_, n) => `Yard ${n}`)
    expect(findQuestions('location_out', [...names, 'Yard 0']).names.map(({ rows }) => rows)).toEqual([
      2,
      ...Array(499).fill(1),
    ])
  })
})

describe('a column', () => {
  const placed = (header: string[], chosen: (string | null)[] | null = null, remembered = {}) =>
    placeColumns(header, 'titles', { remembered: new Map(Object.entries(remembered)), choices: chosen })

  test('fills the field of its name or of its remembered name', () => {
    expect(
      placed(['Unit Number', 'LOCATION', 'Dealer-Name', 'Where', 'notes'], null, { where: 'dealer_contact' }),
    ).toEqual({
      fields: ['unit_number', 'location', 'dealer_name', 'dealer_contact', 'notes'],
      missing: [],
      contested: [],
      warnings: ['Column "Where" was read as Dealer contact, as in an earlier file'],
    })
    expect(placed(['where'], null, { where: 'location' }).missing).toEqual(['unit_number'])
  })

  test('is ignored with a warning when unknown or repeated', () => {
    const unknown = 'x'.repeat(101)
    expect(placed([unknown, ' ', 'Row', 'Reason', 'location', 'Location ', 'x'])).toEqual({
      fields: [null, null, null, null, 'location', null, null],
      missing: ['unit_number'],
      contested: [],
      warnings: [
        `Column "${'x'.repeat(100)}" is not known and was ignored`,
        'Column "Location" appears twice; the first one was used',
        'Column "x" is not known and was ignored',
      ],
    })
  })

  test('fills the chosen field whatever its name', () => {
    expect(placed(['unit_number', 'x', 'location'], ['location', 'unit_number'], { x: 'notes' })).toEqual({
      fields: ['location', 'unit_number', null],
      missing: [],
      contested: [],
      warnings: [`Column "location" was ignored`],
    })
  })

  test('that is required and missing is listed in the error', () => {
    const missing = (header: string[]) => missingColumns('titles', { ...placed(header), header })
    expect(missing(['location', 'x'])).toBe('Missing required columns: unit_number')
    expect(missing(['Colour', 'Size'])).toBe('Missing required columns: unit_number, location')
    expect(missing(['100001', 'Phoenix'])).toBe('The file has no header row: expected unit_number, location')
  })
})
