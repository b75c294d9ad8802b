import { expect, test } from 'bun:test'
import { cellText, readDate, readUnit } from '../../src/imports/spreadsheet/cells'

test('a cell is shown as its file shows it', () => {
  expect(cellText(null)).toBe('')
  expect([cellText(true), cellText(false)]).toEqual(['TRUE', 'FALSE'])
  expect([cellText(0), cellText(12.5), cellText('  as it is ')]).toEqual(['0', '12.5', '  as it is '])
  expect(cellText({ date: '2026-03-14' })).toBe('2026-03-14')
})

test('a number in a cell is a day, a number in a text is none', () => {
  expect(readDate(46_000, false)).toBe('2025-12-09')
  expect(readDate('46000', false)).toBe('46000')
  expect([readDate(null, false), readDate('', false), readDate('3/9/2026', false)]).toEqual([null, '', '2026-03-09'])
})

test('a unit number has its zeros back only when a number lost them', () => {
  expect([readUnit(1234), readUnit('1234'), readUnit(999_999), readUnit(1_000_000)]).toEqual([
    '001234',
    '1234',
    '999999',
    '1000000',
  ])
})
