import { expect, test } from 'bun:test'
import type { Db } from '../../db/client'
import { VENDOR } from '../../src/features/billing/billers'
import { linesOfSheet } from '../../src/features/billing/sheet'
import { businessClock } from '../../src/platform/clock'
import { NOON } from '../support/context'
import { textCell, workbook } from '../support/zip'

/** Tests of invoice files in which a row or column could lead to a wrong amount. */
const ctx = { db: {} as Db, clock: businessClock('America/Phoenix', () => NOON), log: () => {} }

test('an invoice refuses the repeated amount of a merged cell, and leaves out struck-through rows', async () => {
  const cell = (at: string, value: string | number, style = 0) =>
    typeof value === 'number'
      ? `<c r="${at}" s="${style}"><v>${value}</v></c>`
      : textCell(at, value).replace('<c ', `<c s="${style}" `)
  const styles =
    '<styleSheet><fonts><font/><font><strike/></font></fonts>' +
    '<cellXfs><xf fontId="0"/><xf fontId="1"/></cellXfs></styleSheet>'
  const book = (rows: string) => workbook(rows, '<sst/>', styles)
  const merge = '</sheetData><mergeCells count="1"><mergeCell ref="B2:B3"/></mergeCells><sheetData>'
  const head = `<row r="1">${cell('A1', 'Unit')}${cell('B1', 'Amount')}</row>`
  const first = `<row r="2">${cell('A2', 100001)}${cell('B2', 910)}</row>`
  const merged = await book(`${head}${first}<row r="3">${cell('A3', 100002)}</row>${merge}`)
  const read = (bytes: Uint8Array<ArrayBuffer>) => linesOfSheet(ctx, VENDOR, new File([bytes], 'bill.xlsx'))
  expect(await read(merged).catch(({ message }) => message)).toBe(
    'Row 3: 100002 repeats the amount of a merged cell. Divide the amount among its rows',
  )
  const struck = await book(`${head}${first}<row r="3">${cell('A3', 100002, 1)}${cell('B3', 525, 1)}</row>`)
  const { lines, warnings } = await read(struck)
  expect(lines).toMatchObject([{ unit_number: '100001' }])
  expect(warnings[0]?.message).toBe('Not included in the totals: Row 3: 100002 is struck through')
})

test.each([
  ['Unit,Previous Balance,Current Charges,Total Due', '100001,200.00,910.00,1110.00', 910],
  ['Unit,Description,Debit,Credit,Balance', '100001,Storage,245.00,,900.00', 245],
])('an invoice with %s reads the charge', async (heads, line, amount) => {
  const { lines } = await linesOfSheet(ctx, VENDOR, new File([`${heads}\n${line}\n`], 'bill.csv'))
  expect(lines).toMatchObject([{ amount: amount.toFixed(2) }])
})

test('an invoice warns about a column with surcharges', async () => {
  const file = new File(['Unit,Amount,Fuel Surcharge\n100001,300,45\nPage 1 of 1\n'], 'bill.csv')
  expect((await linesOfSheet(ctx, VENDOR, file)).warnings.map(({ message }) => message)).toEqual([
    'Amounts were read from the column "Amount", not "Fuel Surcharge".',
  ])
})

test.each([
  ['Type', 'Credit Memo'],
  ['Type', 'Payment'],
  ['DR/CR', 'CR'],
  ['+/-', '-'],
  ['Description', 'CREDIT - billed in error Oct'],
  ['Description', 'Refund gate fee'],
  ['Status', 'Paid'],
  ['Status', 'Reversed'],
  ['Remarks', 'do not pay'],
  ['Remarks', 'duplicate of Oct'],
  ['Waived', 'Y'],
])('an invoice leaves out a line with %s %s', async (heading, mark) => {
  const file = new File([`Unit,${heading},Amount\n100001,,910\n100002,${mark},525\n`], 'bill.csv')
  const { lines, warnings } = await linesOfSheet(ctx, VENDOR, file)
  expect(lines).toMatchObject([{ unit_number: '100001' }])
  expect(warnings.map(({ message }) => message).join()).toContain('Row 3: 100002 is marked as ')
})

test.each([
  ['Description', 'Credit card fee'],
  ['Terms', 'Payment due in 30 days'],
  ['Waived', '0.00'],
  ['Waived', '$ -'],
  ['Waived', 'FALSE'],
  ['Waived days', '3'],
  ['Waived by', 'Ben'],
  ['Type', 'Storage'],
  ['Type', '-'],
  ['From', 'Credit Union Lot'],
  ['Terms', 'Paid weekly'],
  ['Terms', 'Payment net 30'],
  ['Pay method', 'CREDIT'],
  ['Notes', 'Reversed out of bay'],
])('an invoice bills a line with %s %s', async (heading, text) => {
  const file = new File([`Unit,${heading},Amount\n100001,${text},910\n`], 'bill.csv')
  expect((await linesOfSheet(ctx, VENDOR, file)).lines).toMatchObject([{ unit_number: '100001' }])
})

test('an invoice with an amount that may be waived in part is refused', async () => {
  const file = new File(['Unit,Waived,Amount\n100001,0.00,910\n100002,200.00,525\n'], 'bill.csv')
  const refused = await linesOfSheet(ctx, VENDOR, file).catch(({ message }) => message)
  expect(refused).toBe('Row 3: 100002 is marked as Waived 200.00')
})

test('quantities on an invoice are not read as unit numbers', async () => {
  const file = new File(['Service,Units,Rate,Amount\nStorage 300001,26,35,910\nStorage 300002,3,35,105\n'], 'bill.csv')
  const refused = await linesOfSheet(ctx, VENDOR, file).catch(({ message }) => message)
  expect(refused).toContain('The file needs a column for the unit')
})
