import { expect, test } from 'bun:test'
import {
  cellText,
  possibleOrders,
  readDate,
  readDateText,
  readText,
  readUnit,
} from '../../src/platform/imports/spreadsheet/cells'
import { dateOf } from '../../src/platform/imports/spreadsheet/date-cell'

test('a cell is shown as its file shows it', () => {
  expect(cellText(null)).toBe('')
  expect([cellText(true), cellText(false)]).toEqual(['TRUE', 'FALSE'])
  expect([cellText(0), cellText(12.5), cellText('  as it is ')]).toEqual(['0', '12.5', '  as it is '])
  expect(cellText({ date: '2026-03-14' })).toBe('2026-03-14')
  expect([cellText({ formula: true }), cellText({ error: '#REF!' })]).toEqual(['(formula without a result)', '#REF!'])
})

test('a number in a cell is a day, a number in a text is none', () => {
  expect(readDate(46_000)).toBe('2025-12-09')
  expect(readDate('46000')).toBe('46000')
  expect([readDate(null), readDate(''), readDate('3/9/2026')]).toEqual([null, '', '2026-03-09'])
  expect([readDate({ date: '2026-03-14' }), readDate(true)]).toEqual(['2026-03-14', true])
})

test('a number is a day of a time in which somebody may have driven; the hour says nothing', () => {
  const days = [46_000.75, 10_000, 9_999, 109_574, 109_575, -1].map((serial) => readDate(serial))
  expect(days).toEqual(['2025-12-09', '1927-05-18', '9999', '2199-12-31', '109575', '-1'])
  expect([
    readDate(44_538, { date1904: true }),
    readDate(8_538, { date1904: true }),
    readDate(8_537, { date1904: true }),
  ]).toEqual(['2025-12-09', '1927-05-18', '8537'])
})

test('a date cell shows the day that its spreadsheet counts, each in its own way', () => {
  const shown = (serial: number, date1904 = false) => dateOf(serial, date1904)?.date ?? null
  expect([shown(1), shown(46_000), shown(46_000.99), shown(-1)]).toEqual([
    '1900-01-01',
    '2025-12-09',
    '2025-12-09',
    null,
  ])
  // A time of day alone is no day.
  expect([shown(0.354), shown(0)]).toEqual([null, null])
  expect([shown(0, true), shown(44_538, true)]).toEqual(['1904-01-01', '2025-12-09'])
})

test('a date is read as people write it, month first unless told', () => {
  const dates: [text: string, monthFirst: string | null, dayFirst?: string | null][] = [
    ['2026-03-04', '2026-03-04'],
    ['2026/3/4', '2026-03-04'],
    [' 3/4/2026 ', '2026-03-04', '2026-04-03'],
    ['3-4-26', '2026-03-04', '2026-04-03'],
    ['12/31/99', '2099-12-31', null],
    ['31/12/2026', null, '2026-12-31'],
    ['3/4/2026 10:30 AM', '2026-03-04', '2026-04-03'],
    ['2026-03-04T10:30:00.000Z', '2026-03-04'],
    ['4 Mar 2026', '2026-03-04'],
    ['31-Dec-26', '2026-12-31'],
    ['January 5, 2026', '2026-01-05'],
    ['Dec. 31 2026', '2026-12-31'],
    ['Foo 5, 2026', null],
    ['2/30/2026', null],
    ['3/4/0100', null],
    ['0100-03-04', null],
    ['soon', null],
  ]
  expect(dates.map(([text]) => [text, readDateText(text), readDateText(text, 'day')])).toEqual(
    dates.map(([text, month, day = month]) => [text, month, day]),
  )
})

test('a numeric date can be read in as many orders as have a twelfth month at most', () => {
  const orders = ['3/4/2026', '12/11/26', '12/12/2026', '3/13/2026', '13/3/2026', '11/12/2026 8:00', '2026-03-04', 'x']
  expect(orders.map((text) => possibleOrders(text).join())).toEqual([
    'month,day',
    'month,day',
    '',
    'month',
    'day',
    'month,day',
    '',
    '',
  ])
})

test('a month and a day mean the year in which they are nearest to today, where the year may be left out', () => {
  const near = (today: string, ...texts: string[]) => texts.map((text) => readDate(text, { near: today }))
  expect(near('2026-03-14', '3/14', '3/15', '12/31', '9/12', '9/13', '2-29', '13/1', '0/1', '3/4/25', 'soon')).toEqual([
    '2026-03-14',
    '2026-03-15',
    '2025-12-31',
    '2026-09-12',
    '2025-09-13',
    '2-29',
    '13/1',
    '0/1',
    '2025-03-04',
    'soon',
  ])
  expect([readDate('14/3', { near: '2026-03-14', order: 'day' }), readDate('3/14')]).toEqual(['2026-03-14', '3/14'])
})

test('a unit number has its zeros back when a number lost them, and in text where a preview shows it', () => {
  expect([readUnit(1234), readUnit('1234'), readUnit(999_999), readUnit(1_000_000)]).toEqual([
    '001234',
    '1234',
    '999999',
    '1000000',
  ])
  const previewed = ['1234', ' 12345 ', '1', '123456', '12a', '', 7].map((cell) => readUnit(cell, true))
  expect(previewed).toEqual(['001234', '012345', '000001', '123456', '12a', '', '000007'])
  expect([readUnit(0), readUnit(-1), readUnit(1.5)]).toEqual(['000000', '-1', '1.5'])
})

test('a text column takes what was typed, whatever the spreadsheet made of it', () => {
  const cells = ['RA 7', 10_021, true, { date: '2026-03-14' }, null]
  expect(cells.map(readText)).toEqual(['RA 7', '10021', 'true', '2026-03-14', null])
})

test('a text that is far too long is no date, however it begins', () => {
  // With the length unlimited this takes minutes, so the test's own limit would end it.
  expect([
    readDateText(`1/2/2026 ${'T'.repeat(1_000_000)}x`),
    possibleOrders(`1/2/2026${' '.repeat(1_000_000)}x`),
  ]).toEqual([null, []])
})
