import { describe, expect, test } from 'bun:test'
import {
  isCalendarDate,
  possibleOrders,
  readDate,
  readDateSerial,
  type YearRule,
} from '../../src/platform/reading/dates'
import { plateKey, readIdentifier, readNumber, readUnitDigits } from '../../src/platform/reading/numbers'
import { readRegion } from '../../src/platform/reading/regions'
import {
  cleanText,
  defused,
  isPlaceholder,
  nameKey,
  normalize,
  undefused,
  wordKey,
} from '../../src/platform/reading/text'

const TODAY = '2026-03-14'
const dateOf = (text: string, order?: 'month' | 'day') => readDate(text, { order })?.date ?? null

describe('a date', () => {
  test('is read in common formats, month first by default', () => {
    const dates: [text: string, monthFirst: string | null, dayFirst?: string | null][] = [
      ['2026-03-04', '2026-03-04'],
      ['2026/3/4', '2026-03-04'],
      ['20260304', '2026-03-04'],
      [' 3/4/2026 ', '2026-03-04', '2026-04-03'],
      ['3-4-26', '2026-03-04', '2026-04-03'],
      ['3.4.2026', '2026-03-04', '2026-04-03'],
      ['3 4 2026', '2026-03-04', '2026-04-03'],
      ['31/12/2026', null, '2026-12-31'],
      ['3/4/2026 10:30 AM', '2026-03-04', '2026-04-03'],
      ['3/4/2026, 8:30:00 a.m. MST', '2026-03-04', '2026-04-03'],
      ['2026-03-04T10:30:00.000Z', '2026-03-04'],
      ['2026-03-04T08:30:00-07:00', '2026-03-04'],
      ['3/4/2026 8 pm', '2026-03-04', '2026-04-03'],
      ['3/4/2026 AM', '2026-03-04', '2026-04-03'],
      ['3-4-2026 Wed', '2026-03-04', '2026-04-03'],
      ['3–4–2026', '2026-03-04', '2026-04-03'],
      ['3 /4 /2026', '2026-03-04', '2026-04-03'],
      ['3/4/26*', '2026-03-04', '2026-04-03'],
      ['3/4/2026 (conf.)', '2026-03-04', '2026-04-03'],
      ['4 Mar 2026', '2026-03-04'],
      ['04MAR2026', '2026-03-04'],
      ['31-Dec-26', '2026-12-31'],
      ['January 5, 2026', '2026-01-05'],
      ['Dec. 31 2026', '2026-12-31'],
      ['Wed, Mar 4th, 2026', '2026-03-04'],
      ['Wednesday, March 4, 2026', '2026-03-04'],
      ['\u200E3/\u200E4/2026\u200B', '2026-03-04', '2026-04-03'],
      ['Foo 5, 2026', null],
      ['2/30/2026', null],
      ['3/4/0100', null],
      ['0100-03-04', null],
      ['3/4', null],
      ['102370', null],
      ['soon', null],
    ]
    expect(dates.map(([text]) => [text, dateOf(text), dateOf(text, 'day')])).toEqual(
      dates.map(([text, month, day = month]) => [text, month, day]),
    )
  })

  test('without a year is the nearest, next or last such day', () => {
    const read = (text: string, year: YearRule) => readDate(text, { today: TODAY, year })
    const dates: [text: string, nearest: string, ahead: string, past: string][] = [
      ['3/14', '2026-03-14', '2026-03-14', '2026-03-14'],
      ['3/15', '2026-03-15', '2026-03-15', '2025-03-15'],
      ['12/31', '2025-12-31', '2026-12-31', '2025-12-31'],
      ['9/12', '2026-09-12', '2026-09-12', '2025-09-12'],
      ['9/13', '2025-09-13', '2026-09-13', '2025-09-13'],
      ['Nov 23', '2025-11-23', '2026-11-23', '2025-11-23'],
      ['2-29', '2028-02-29', '2028-02-29', '2024-02-29'],
    ]
    for (const [text, nearest, ahead, past] of dates)
      expect([text, read(text, 'nearest'), read(text, 'ahead'), read(text, 'past')]).toEqual([
        text,
        ...[nearest, ahead, past].map((date) => ({ date, isGuessed: true })),
      ])
    expect(['13/1', '0/1', '13/45'].map((text) => read(text, 'nearest'))).toEqual([null, null, null])
    expect(readDate('14/3', { today: TODAY, order: 'day' })?.date).toBe('2026-03-14')
    // The last leap day can be four years back.
    expect(readDate('2/29', { today: '2027-11-25', year: 'past' })?.date).toBe('2024-02-29')
    expect(readDate('2/29', { today: '2028-02-01', year: 'past' })?.date).toBe('2024-02-29')
  })

  test('with a two-digit year gets a plausible century, marked as a guess if far away', () => {
    const read = (text: string, year: YearRule) => {
      const { date, isGuessed } = readDate(text, { today: TODAY, year }) ?? {}
      return [date, isGuessed]
    }
    expect([read('5/1/98', 'past'), read('1/2/68', 'past'), read('3/1/26', 'past')]).toEqual([
      ['1998-05-01', true],
      ['1968-01-02', true],
      ['2026-03-01', false],
    ])
    expect([read('5/1/99', 'ahead'), read('1/2/70', 'ahead'), read('5/1/27', 'ahead')]).toEqual([
      ['1999-05-01', true],
      ['1970-01-02', true],
      ['2027-05-01', false],
    ])
    expect(read('12/31/99', 'nearest')).toEqual(['1999-12-31', true])
  })

  test('must exist and lie between 1900 and 2199', () => {
    const days = ['2024-02-29', '2026-02-29', '2026-13-01', '1899-12-31', '2026-1-1', '2199-12-31']
    expect(days.map(isCalendarDate)).toEqual([true, false, false, false, false, true])
  })

  test('is read from a serial number by the epoch of its workbook', () => {
    const days = [46_000.75, 10_000, 9_999, 109_574, 109_575, -1].map((serial) => readDateSerial(serial, false))
    expect(days).toEqual(['2025-12-09', '1927-05-18', null, '2199-12-31', null, null])
    expect([44_538, 8_538, 8_537].map((serial) => readDateSerial(serial, true))).toEqual([
      '2025-12-09',
      '1927-05-18',
      null,
    ])
  })

  test('is not read from overlong text', () => {
    // Without a limit of length this takes minutes.
    const long = [`1/2/2026 ${'T'.repeat(1_000_000)}x`, `1/2/2026${' '.repeat(1_000_000)}x`]
    expect(long.map((text) => [readDate(text), possibleOrders(text)])).toEqual([
      [null, []],
      [null, []],
    ])
  })
})

test('a numeric date reports its possible orders of month and day', () => {
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

test('a unit number is reduced to its six digits', () => {
  const units = ['102 370', '102-370', '#102370', 'Unit 102370', 'Unit #102370', 'Veh No. 102370', '102370.0']
  expect(
    [...units, '1.0237E5', '１０２３７０', '*102370*', '102370\u200B', '102370*', '(102370)'].map(readUnitDigits),
  ).toEqual(Array(13).fill('102370'))
  expect(['10202', '12a', '', 'Phoenix'].map(readUnitDigits)).toEqual(['10202', '12a', '', 'Phoenix'])
})

test('an amount can include currency signs, separators and units', () => {
  const amounts: [text: string, number: number | null][] = [
    ['1250.50', 1250.5],
    ['$1,250.50', 1250.5],
    [' $ 1,250.50 ', 1250.5],
    ['(12.00)', -12],
    ['45,210 mi', 45210],
    ['1 250', 1250],
    ['USD 5', 5],
    ['35/d', 35],
    ['$35 daily', 35],
    ['$350 ea', 350],
    ['-5', -5],
    ['1,25', 1.25],
    ['1.250,50', 1250.5],
    ['1,25,5', null],
    ['abc', null],
    ['', null],
  ]
  expect(amounts.map(([text]) => [text, readNumber(text)])).toEqual(amounts)
})

test('long text is not expanded, because it is no number or name', () => {
  const long = '\ufdfa'.repeat(1001)
  expect(normalize('\ufdfa', 'NFKC').length).toBe(18)
  expect(normalize(long, 'NFKC').length).toBe(1001)
  expect([readUnitDigits, readIdentifier, plateKey, nameKey].map((read) => read(long).length)).toEqual([
    1001, 1001, 1001, 1001,
  ])
})

test('scanner marks, plate spellings and state names are normalized', () => {
  const vin = '1HGCM82633A004352'
  expect([`I${vin}`, `*${vin}*`, '1hgcm-82633-a004352', '#012345'].map(readIdentifier)).toEqual([
    vin,
    vin,
    vin,
    '012345',
  ])
  expect(new Set(['ABC 123', 'ABC-123', 'abc123', 'A.B.C.123'].map(plateKey))).toEqual(new Set(['abc123']))
  const names = ['Arizona', 'az', 'A.Z.', 'Arizona (AZ)', 'new mexico', 'Sonora']
  expect(names.map(readRegion)).toEqual(['AZ', 'az', 'AZ', 'AZ', 'NM', 'Sonora'])
})

test('text is normalized, names compare by key, and placeholders are recognized', () => {
  expect(cleanText('Cafe\u0301\u00A0\u200BMu\u0308ller\vx')).toBe('Café Müller\nx')
  expect(nameKey('O’Brien  Yard')).toBe(nameKey("O'Brien Yard"))
  expect(nameKey('Mesa – East Lot')).toBe(nameKey('MESA - East Lot'))
  expect(new Set(['In Transit', 'in_transit', 'In-Transit', 'In\u00A0 Transit'].map(wordKey)).size).toBe(1)
  expect(['-', ' $ -   ', 'N/A', '#N/A', 'tbd', '0', 'Nadia'].map((text) => isPlaceholder(text))).toEqual([
    ...Array(5).fill(true),
    false,
    false,
  ])
})

test('the formula escape of an exported cell is removed when it is read', () => {
  for (const text of ['=1+1', '+1 602', '-5', '@x', "'=1", "''-x", "'quoted'", 'plain', "O'Brien", ''])
    expect(undefused(defused(text))).toBe(text)
  expect(['=1', '-x', 'x-1'].map(defused)).toEqual(["'=1", "'-x", 'x-1'])
})
