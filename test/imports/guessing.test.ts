import { beforeEach, describe, expect, test } from 'bun:test'
import { DATA_TYPES, type DataType } from '../../db/vocabulary'
import { importKind } from '../../src/platform/imports/kinds'
import { hasDates } from '../../src/platform/imports/parse/guess-by-values'
import { guessColumn } from '../../src/platform/imports/parse/guess-columns'
import { placeColumns } from '../../src/platform/imports/parse/place-columns'
import { testContext } from '../support/context'

describe('a column heading', () => {
  test('that names a place is a date if the column has dates', () => {
    const header = ['Unit', 'Pickup', 'From', 'To']
    const fields = (hasDates: boolean) => placeColumns(header, 'transports', { hasDates: () => hasDates }).fields
    expect(fields(false)).toEqual(['unit_number', null, 'location_out', 'location_in'])
    expect(hasDates(['11/03/2026', { date: '2026-11-04' }, null, 'Phoenix'], '2026-11-26')).toBe(true)
    expect(hasDates(['Phoenix', '11/03/2026', 'Tempe'], '2026-11-26')).toBe(false)
    const pickup = (at: number) => at === 1
    expect(placeColumns(header, 'transports', { hasDates: pickup }).fields).toEqual([
      'unit_number',
      'move_date',
      'location_out',
      'location_in',
    ])
  })

  test.each<[field: string, DataType, ...headings: string[]]>([
    ['unit_number', 'titles', 'Vehicle Unit', 'Fleet Unit #', 'Asset Tag', 'Unit Number #'],
    ['location_out', 'transports', 'From Lot', 'From Yard', 'Ship From', 'Picked up at', 'Sending Loc'],
    ['location_in', 'transports', 'To Lot', 'To Yard', 'Ship To', 'Drop Location', 'Dest.'],
    ['osl_date', 'osl', 'Date Down', 'Down Since', 'OOS Date'],
    ['problem', 'osl', 'Description of Problem', 'Repair Needed', 'Reason Down', 'Symptoms'],
    ['date_issued', 'registrations', 'Registration Date', 'Reg. Date', 'Effective Date'],
    ['date_expires', 'registrations', 'Valid Thru', 'Good Until', 'Valid To'],
    ['state_province', 'registrations', 'Jurisdiction', 'State Registered'],
    ['location', 'registrations', 'Home Location', 'Current Lot', 'Parked at'],
  ])('means %s in %s', (field, dataType, ...headings) => {
    expect(headings.map((heading) => guessColumn(heading, dataType))).toEqual(headings.map(() => field))
  })

  test('is matched by its usual synonyms', () => {
    const guessColumns = (dataType: DataType, ...headings: string[]) =>
      headings.map((heading) => guessColumn(heading, dataType))
    expect(
      guessColumns('transports', 'Unit #', 'From', 'To', 'Date', 'Carrier', 'ETA', 'Est. Cost ($)', 'Odo', 'PO #'),
    ).toEqual([
      'unit_number',
      'location_out',
      'location_in',
      'move_date',
      'transport_company',
      'estimated_arrival_date',
      'estimated_cost',
      'mileage',
      'po_number',
    ])
    expect(
      guessColumns('transports', 'Pick-up Loc', 'RA No.', 'Est Arrival', 'Cost', 'Colour', '', '###', '—'),
    ).toEqual([
      'location_out',
      'ra_number',
      'estimated_arrival_date',
      // This heading can be an estimated or a final cost.
      null,
      null,
      null,
      null,
      null,
    ])
    expect(guessColumns('registrations', 'Tag', 'State', 'Exp Date', 'Fee')).toEqual([
      'plate_number',
      'state_province',
      'date_expires',
      'cost',
    ])
    expect(guessColumns('osl', 'Since', 'Issue', 'Yard', 'Daily Rate')).toEqual([
      'osl_date',
      'problem',
      'location',
      'storage_fee_daily_rate',
    ])
    expect(guessColumns('titles', 'Veh #', 'Hub', 'Dealer')).toEqual(['unit_number', 'location', 'dealer_name'])
  })

  test('is never matched by a value, so pasted rows keep their first row', () => {
    for (const dataType of DATA_TYPES) {
      const words = importKind(dataType).columns.flatMap(({ words = [] }) => words)
      expect(
        [...words, 'PHX', 'Phoenix', '000123', '2026-03-01', 'AZ', 'Desert Auto Haul'].filter((word) =>
          guessColumn(word, dataType),
        ),
      ).toEqual([])
    }
  })

  test('matches by synonym only after exact names and explicit choices', () => {
    const read = (header: string[], hints: Parameters<typeof placeColumns>[2] = {}) =>
      placeColumns(header, 'transports', hints)
    expect(read(['Date', 'Move date', 'Notes', 'Comments'])).toMatchObject({
      fields: [null, 'move_date', 'notes', 'notes'],
      warnings: [
        'Column "Date" was ignored, because another column is used for Move date',
        'Column "Comments" was read as Notes',
      ],
    })
    expect(read(['Comment', 'Remarks'])).toMatchObject({
      fields: ['notes', 'notes'],
      warnings: ['Column "Comment" was read as Notes', 'Column "Remarks" was read as Notes'],
    })
    // A specific heading takes precedence over a vague one, in any order of the columns.
    const stock = read(['Stock #', 'Unit No.', 'Unit'])
    expect([stock.fields, stock.warnings]).toEqual([
      [null, 'unit_number', null],
      [
        'Column "Stock #" was ignored, because another column is used for Unit number',
        'Column "Unit No." was read as Unit number',
        'Column "Unit" was ignored, because another column is used for Unit number',
      ],
    ])
    expect(read(['Stock #']).fields).toEqual(['unit_number'])
    expect(read(['From'], { choices: [null] }).fields).toEqual([null])
    expect(read(['From'], { remembered: new Map([['from', 'notes']]) }).fields).toEqual(['notes'])
  })
})

describe('an office file', () => {
  let h: Awaited<ReturnType<typeof testContext>>
  beforeEach(async () => {
    h = await testContext()
  })
  const FILE = 'Unit,From,To,Date,Hauler,Status,Est Cost\n102 370,Phoenix,Tempe,3/1,Desert Auto Haul,In Transit,99.5\n'

  test('is imported correctly with and without a preview', async () => {
    const { id } = await h.cast.ben.begin('transports', 'moves.csv', FILE)
    expect(await h.cast.ben.settled(id)).toMatchObject({
      status: 'ready',
      imported: 1,
      failed: 0,
      validation_errors: expect.arrayContaining([
        'Column "Est Cost" was read as Estimated cost',
        expect.stringContaining('102 370 was read as 102370'),
      ]),
    } as never)
    expect((await h.cast.ben.post(`/files/${id}/commit`)).status).toBeLessThan(300)
    expect(await h.cast.ben.settled(id)).toMatchObject({ status: 'done', imported: 1 })
    expect((await h.cast.ben.get('/transports')).body.data).toMatchObject([
      { unit_number: '102370', estimated_cost: 99.5 },
    ])
    const unseen = await h.cast.ben.upload('transports', 'later.csv', FILE)
    expect([unseen.status, unseen.body.duplicates, unseen.body.validation_errors]).toEqual([
      200,
      1,
      expect.arrayContaining(['Column "From" was read as Location out', 'Row 2: Date 3/1 was read as 03/01/2026']),
    ])
  })
})

test('a heading of a million characters is matched without delay', () => {
  // A reader that starts again at each bracket would take minutes.
  expect(guessColumn('('.repeat(1_000_000), 'transports')).toBeNull()
  expect(guessColumn(`${'('.repeat(50)}unit`, 'transports')).toBe('unit_number')
})

test('pasted rows without headings keep their first row', async () => {
  const { ben } = (await testContext()).cast
  const rowsOf = async (data_type: string, rows: string) => {
    const { location } = await ben.submit('/files/paste', { data_type, rows })
    return (await ben.settled(Number(/\d+$/.exec(String(location))?.[0]))).row_count
  }
  expect(await rowsOf('titles', '100347\tPHX\tAuction')).toBe(1)
  expect(await rowsOf('osl', '100347\t3/1\tPHX\tOut of service\n100348\t3/1\tPHX\tDoes not start')).toBe(2)
  expect(await rowsOf('titles', 'Unit\tHub\tDealer\n100347\tPHX\tAuction')).toBe(1)
  expect(await rowsOf('titles', 'unit_number\tlocation\n100347\tPHX')).toBe(1)
})
