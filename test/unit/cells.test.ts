import { expect, test } from 'bun:test'
import { cellText } from '../../src/platform/imports/spreadsheet/cells'
import { dateOf } from '../../src/platform/imports/spreadsheet/date-cell'

test('cells are shown as in their file', () => {
  expect(cellText(null)).toBe('')
  expect([cellText(true), cellText(false)]).toEqual(['TRUE', 'FALSE'])
  expect([cellText(0), cellText(12.5), cellText('  as it is ')]).toEqual(['0', '12.5', '  as it is '])
  expect(cellText({ date: '2026-03-14' })).toBe('2026-03-14')
  expect([cellText({ formula: true }), cellText({ error: '#REF!' })]).toEqual(['(formula without a result)', '#REF!'])
})

test('a date cell is read in the 1900 or 1904 date system', () => {
  const shown = (serial: number, date1904 = false) => dateOf(serial, date1904)?.date ?? null
  expect([shown(1), shown(46_000), shown(46_000.99), shown(-1)]).toEqual([
    '1900-01-01',
    '2025-12-09',
    '2025-12-09',
    null,
  ])
  // A time of day without a date is not a date.
  expect([shown(0.354), shown(0)]).toEqual([null, null])
  expect([shown(0, true), shown(44_538, true)]).toEqual(['1904-01-01', '2025-12-09'])
})
