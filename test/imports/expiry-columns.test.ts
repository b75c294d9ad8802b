import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'
import { sheets } from '../support/sheets'
import { textCell, workbook } from '../support/zip'

/** Expiry dates and plates in the special columns of registration lists. Today is 2026-03-14. */
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})
const { rowsOf, textsOf, store } = sheets(() => h)

const DAY_OR_YEAR = 'could be a day without a year or a month of a year; write the full date'
const line = (unit: number, expiry: string) => `${unit},Phoenix,ABC${unit},AZ,3/2/2026,${expiry}`
const expiriesOf = async (heading: string, ...values: string[]) => {
  const head = `Unit,Location,Plate,State,Issued,${heading}`
  const { records } = await store('registrations', '/registrations', head, ...values.map((v, n) => line(100001 + n, v)))
  return records.map(({ date_expires }) => date_expires)
}

describe('an expiry that a spreadsheet program changed to 27-Nov', () => {
  const head = 'Unit,Location,Plate,State,Issued,Expires'

  test('is refused, because it can be November 2027', async () => {
    const [first] = await textsOf('registrations', head, line(100001, '27-Nov'), line(100002, '28-May'))
    expect(first).toBe(`Expires: 27-Nov ${DAY_OR_YEAR}`)
  })

  test('is a day if another cell of the column cannot be a year', async () => {
    expect(await expiriesOf('Expires', '27-Nov', '14-May')).toEqual(['2026-11-27', '2026-05-14'])
  })

  test('is a day if all cells are the last day of a month', async () => {
    expect(await expiriesOf('Expires', '30-Nov', '31-Dec')).toEqual(['2026-11-30', '2026-12-31'])
  })

  test('is also refused in a date cell without its year, and shown as in the sheet', async () => {
    const cells = ['Unit', 'Location', 'Plate', 'State', 'Issued', 'Expires']
    const letters = 'ABCDEF'
    const heads = cells.map((text, at) => textCell(`${letters[at]}1`, text)).join('')
    const row = ['100001', 'Phoenix', 'ABC100', 'AZ', '3/2/2026'].map((text, at) => textCell(`${letters[at]}2`, text))
    const book = await workbook(
      `<row r="1">${heads}</row><row r="2">${row.join('')}<c r="F2" s="1"><v>46353</v></c></row>`,
      '<sst/>',
      '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="16"/></cellXfs></styleSheet>',
    )
    const { id } = await h.cast.ben.begin('registrations', 'sheet.xlsx', book)
    expect((await rowsOf(id)).map(({ message }) => message)).toEqual([`Expires: 27-Nov ${DAY_OR_YEAR}`])
  })
})

test.each([
  ['Exp MMYY', ['1127', '0528', '527', '11/29'], ['2027-11-30', '2028-05-31', '2027-05-31', '2029-11-30']],
  ['Exp (MMYYYY)', ['112027', '52028'], ['2027-11-30', '2028-05-31']],
])('%s has a month and a year without a separator', async (heading, values, expected) => {
  expect(await expiriesOf(heading, ...values)).toEqual(expected)
})

describe('two columns with the month and the year of the expiry', () => {
  test.each([
    ['Exp Month,Exp Year', ['11,2027', 'Nov,28', '5,29'], ['2027-11-30', '2028-11-30', '2029-05-31']],
    ['Expiration Mo,Expiration Yr', ['11,27'], ['2027-11-30']],
  ])('%s are read together', async (headings, values, expected) => {
    expect(await expiriesOf(headings, ...values)).toEqual(expected)
  })

  test('are ignored beside the whole date', async () => {
    expect(await expiriesOf('Exp Month,Exp Year,Expires', '11,2027,5/31/2027')).toEqual(['2027-05-31'])
  })

  test('give an error without a year', async () => {
    const head = 'Unit,Location,Plate,State,Issued,Exp Month,Exp Year'
    const [text] = await textsOf('registrations', head, line(100001, '11,'), line(100002, '11,2027'))
    expect(text).toContain('Must be a date')
  })
})

describe('a column with plate and state', () => {
  const head = (heading: string) => `Unit,Location,${heading},Issued,Expires`
  const row = (plate: string) => `100001,Phoenix,${plate},3/2/2026,3/2/2027`

  test.each([
    ['Plate/State', 'ABC1234 AZ', 'ABC1234', 'AZ'],
    ['Plate/State', 'ABC1234/ca', 'ABC1234', 'CA'],
    ['Plate # and State', 'AZ-ABC1234', 'ABC1234', 'AZ'],
    ['State/Plate', 'NV 12 ABC', '12 ABC', 'NV'],
    ['License Plate/State', 'ABC 123 New Mexico', 'ABC 123', 'NM'],
    ['Tag & State', 'ABC1234 (Arizona)', 'ABC1234', 'AZ'],
  ])('%s: %s', async (heading, text, plate, state) => {
    const { records } = await store('registrations', '/registrations', head(heading), row(text))
    expect(records[0]).toMatchObject({ plate_number: plate, state_province: state })
  })

  test('is not split if both ends can be a state', async () => {
    const [text] = await textsOf('registrations', head('Plate/State'), row('AZ 123 CA'), row('ABC1234 AZ'))
    expect(text).toContain('State or province')
  })

  test('is the state beside a column with the plate', async () => {
    const { records } = await store(
      'registrations',
      '/registrations',
      'Unit,Location,Plate,Plate State,Issued,Expires',
      '100001,Phoenix,ABC1234,AZ,3/2/2026,3/2/2027',
    )
    expect(records[0]).toMatchObject({ plate_number: 'ABC1234', state_province: 'AZ' })
  })
})

test('a row that is struck through gets a note, but not a row in which only one cell is', async () => {
  const styled = (at: string, text: string, style: number) => textCell(at, text).replace('<c ', `<c s="${style}" `)
  const row = (n: number, unit: string, styles: [number, number, number]) =>
    `<row r="${n}">${styled(`A${n}`, unit, styles[0])}${styled(`B${n}`, 'Phoenix', styles[1])}` +
    `${styled(`C${n}`, 'Smith Motors', styles[2])}</row>`
  const heads = ['Unit', 'Location', 'Dealer'].map((text, at) => textCell(`${'ABC'[at]}1`, text)).join('')
  const book = await workbook(
    `<row r="1">${heads}</row>${row(2, '100001', [1, 1, 1])}${row(3, '100002', [1, 0, 0])}`,
    '<sst/>',
    '<styleSheet><fonts><font/><font><strike/></font><font><strike val="0"/></font></fonts>' +
      '<cellXfs><xf fontId="0"/><xf fontId="1"/><xf fontId="2"/></cellXfs></styleSheet>',
  )
  const { id } = await h.cast.ben.begin('titles', 'sheet.xlsx', book)
  const isStruck = (await rowsOf(id)).map(({ notes }) => notes.join().includes('struck through in the spreadsheet'))
  expect(isStruck).toEqual([true, false])
})

test('a plate that a spreadsheet program made a power of ten gives an error, but not an amount', async () => {
  const cells = ['Unit', 'Location', 'Plate', 'State', 'Issued', 'Expires', 'Fee']
  const letters = 'ABCDEFG'
  const heads = cells.map((text, at) => textCell(`${letters[at]}1`, text)).join('')
  const row = (n: number, plate: string, fee: string) =>
    `<row r="${n}">${textCell(`A${n}`, `10000${n}`)}${textCell(`B${n}`, 'Phoenix')}${plate}` +
    `${textCell(`D${n}`, 'AZ')}${textCell(`E${n}`, '3/2/2026')}${textCell(`F${n}`, '3/2/2027')}${fee}</row>`
  const book = await workbook(
    `<row r="1">${heads}</row>` +
      row(2, '<c r="C2" s="1"><v>12300000000</v></c>', '<c r="G2"><v>100</v></c>') +
      row(3, textCell('C3', 'ABC1234'), '<c r="G3" s="1"><v>100</v></c>'),
    '<sst/>',
    '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="11"/></cellXfs></styleSheet>',
  )
  const { id } = await h.cast.ben.begin('registrations', 'sheet.xlsx', book)
  expect((await rowsOf(id)).map(({ outcome, message }) => message ?? outcome)).toEqual([
    'Plate: the cell is in scientific notation; format the cell as text and type the value again',
    'create',
  ])
})
