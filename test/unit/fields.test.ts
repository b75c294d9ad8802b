import { describe, expect, test } from 'bun:test'
import { z } from 'zod'
import { accept, acceptLeniently } from '../../src/platform/accept'
import {
  changeOf,
  choice,
  choiceOr,
  countOr,
  idParams,
  optionalChoice,
  optionalChoiceOf,
  optionalCount,
  optionalDate,
  optionalEmail,
  optionalIdFilter,
  optionalMoney,
  optionalTenths,
  optionalText,
  optionalYesNo,
  requiredChoiceOf,
  requiredDate,
  requiredMoney,
  requiredParagraph,
  requiredText,
  version,
  yesNo,
} from '../../src/platform/fields'
import { listQuery } from '../../src/platform/lists/list-query'
import { Refused } from '../../src/platform/refusals'

/** Returns the value that a rule reads, or its error message. */
function read(rule: z.ZodType, value: unknown): unknown {
  const { success, data, error } = rule.safeParse(value)
  return success ? data : error?.issues[0]?.message
}

const WORDS = ['red', 'blue'] as const
const NEGATIVE = 'Must not be negative'
const LARGE = 'Is too large'
const WHOLE = 'Must be a whole number'
const AMOUNT = 'Must be an amount, for example 1250.50'
const DATE = 'Must be a date, for example 2026-01-31'
const LIST = 'Choose one from the list'
const ONE_OF = 'Must be one of: red, blue'

const ATOMS: [name: string, rule: z.ZodType, cases: [value: unknown, read: unknown][]][] = [
  [
    'an amount',
    optionalMoney,
    [
      [0, 0],
      ['0.01', 0.01],
      ['9,999,999,999.99', 9_999_999_999.99],
      [' $ 1,250.50 ', 1250.5],
      [null, null],
      [undefined, null],
      ['  ', null],
      [10_000_000_000, LARGE],
      [-0.01, NEGATIVE],
      ['1.005', 'At most two decimals'],
      ['123456.789', 'At most two decimals'],
      ['9999999999.981', 'At most two decimals'],
      [0.120000015, 'At most two decimals'],
      ['abc', AMOUNT],
      [true, AMOUNT],
    ],
  ],
  [
    'a required amount',
    requiredMoney('Cost is required'),
    [
      [0, 0],
      ['', 'Cost is required'],
      [null, 'Cost is required'],
      [undefined, 'Cost is required'],
      ['abc', AMOUNT],
    ],
  ],
  [
    'a count',
    optionalCount(1000),
    [
      [0, 0],
      ['1,000', 1000],
      ['', null],
      [1001, LARGE],
      [-1, NEGATIVE],
      [1.5, WHOLE],
      ['x', WHOLE],
    ],
  ],
  [
    'a count with a default',
    countOr(7, 1000),
    [
      [0, 0],
      ['1,000', 1000],
      [' ', 7],
      [null, 7],
      [undefined, 7],
      [1001, LARGE],
      [-1, NEGATIVE],
    ],
  ],
  [
    'hours',
    optionalTenths,
    [
      [0, 0],
      ['1,234.5', 1234.5],
      ['', null],
      [999_999_999, 999_999_999],
      [1_000_000_000, LARGE],
      [-0.1, NEGATIVE],
      [0.15, 'At most one decimal'],
      ['x', 'Must be a number'],
    ],
  ],
  [
    'a required date',
    requiredDate('Day is required'),
    [
      [' 2026-03-14 ', '2026-03-14'],
      ['', 'Day is required'],
      [' ', 'Day is required'],
      [null, 'Day is required'],
      [undefined, 'Day is required'],
      ['x', DATE],
      [20260314, DATE],
      ['2026-02-29', DATE],
    ],
  ],
  [
    'a date',
    optionalDate,
    [
      ['2026-03-14', '2026-03-14'],
      [' ', null],
      [undefined, null],
      ['x', DATE],
    ],
  ],
  [
    'a required record',
    requiredChoiceOf('Place is required'),
    [
      [1, 1],
      ['2147483647', 2_147_483_647],
      ['', 'Place is required'],
      [null, 'Place is required'],
      [undefined, 'Place is required'],
      [0, LIST],
      ['x', LIST],
      [1.5, LIST],
      [2_147_483_648, LIST],
    ],
  ],
  [
    'an optional record',
    optionalChoiceOf,
    [
      ['1', 1],
      ['', null],
      [0, LIST],
    ],
  ],
  [
    'a filter by a record',
    optionalIdFilter,
    [
      ['1', 1],
      ['', null],
      [undefined, null],
      ['x', 'Must be the id of a record'],
      [0, 'Must be the id of a record'],
    ],
  ],
  [
    'an id',
    idParams.shape.id,
    [
      ['1', 1],
      ['', 'Unknown id'],
      ['0', 'Unknown id'],
    ],
  ],
  [
    'a version',
    version,
    [
      ['1', 1],
      ['', undefined],
      [null, undefined],
      [0, 'Must be the version number of the record'],
      ['abc', 'Must be the version number of the record'],
    ],
  ],
  [
    'a required choice',
    choice(WORDS, 'Colour is required'),
    [
      [' red ', 'red'],
      ['', 'Colour is required'],
      [null, 'Colour is required'],
      [undefined, 'Colour is required'],
      ['Red', ONE_OF],
    ],
  ],
  [
    'a choice with a default',
    choiceOr(WORDS, 'blue'),
    [
      ['red', 'red'],
      [' ', 'blue'],
      [null, 'blue'],
      [undefined, 'blue'],
      ['green', ONE_OF],
    ],
  ],
  [
    'an optional choice',
    optionalChoice(WORDS),
    [
      ['red', 'red'],
      ['', null],
      ['green', ONE_OF],
    ],
  ],
  [
    'a yes or no',
    yesNo(true),
    [
      ...[true, 'true', ' on ', '1'].map((value): [unknown, unknown] => [value, true]),
      ...[false, 'false', 'off', '0'].map((value): [unknown, unknown] => [value, false]),
      ...['', null, undefined].map((value): [unknown, unknown] => [value, true]),
      ['yes', 'Must be true or false'],
      [1, 'Must be true or false'],
    ],
  ],
  [
    'an optional yes or no',
    optionalYesNo,
    [
      ['on', true],
      ['0', false],
      ['', undefined],
    ],
  ],
  [
    'an e-mail address',
    optionalEmail(20),
    [
      [' a@b ', 'a@b'],
      ['', null],
      ['a b@c', 'Must be an e-mail address'],
      ['a@', 'Must be an e-mail address'],
      [`a@${'b'.repeat(19)}`, 'At most 20 characters'],
    ],
  ],
  [
    'a line',
    requiredText('Name is required', 10),
    [
      ['a', 'a'],
      [' a\n\t b ', 'a b'],
      [' ', 'Name is required'],
      [5, 'Name is required'],
      ['x'.repeat(11), 'At most 10 characters'],
      ['a\0', 'Contains characters that cannot be stored'],
    ],
  ],
  [
    'a line with a minimum length',
    requiredText('Name is required', 10, 3, 'Name is too short'),
    [
      ['abc', 'abc'],
      ['ab', 'Name is too short'],
      ['', 'Name is required'],
    ],
  ],
  [
    'a paragraph',
    requiredParagraph('Text is required', 10),
    [
      ['a', 'a'],
      [' a\n b ', 'a\n b'],
      [' ', 'Text is required'],
    ],
  ],
  [
    'a search query',
    listQuery(['unit'], 'unit').shape.q,
    [
      [' 100 200 ', '100200'],
      ['PO 100 200', 'PO 100 200'],
      ['', null],
      ['x'.repeat(100), 'x'.repeat(100)],
      ['x'.repeat(101), 'At most 100 characters'],
      [5, 'Must be text'],
    ],
  ],
]

describe('form input', () => {
  for (const [name, rule, cases] of ATOMS)
    test(`as ${name}`, () => {
      expect(cases.map(([value]) => [value, read(rule, value)])).toEqual(cases)
    })
})

test('a list defaults to page 1, 50 rows and its own order, within limits', () => {
  const query = listQuery(['unit', 'day'], 'day', 'desc')
  const usual = { page: 1, per_page: 50, q: null, sort: 'day', order: 'desc' }
  expect([read(query, {}), read(query, { page: '', per_page: null, sort: '', order: ' ' })]).toEqual([usual, usual])
  const most = { page: '10000000', per_page: '500', q: 'x', sort: 'unit', order: 'asc' }
  expect(read(query, most)).toEqual({ ...most, page: 10_000_000, per_page: 500 })
  expect(read(query, { page: '1', per_page: '1' })).toEqual({ ...usual, per_page: 1 })
  for (const [parameters, message] of [
    [{ page: 0 }, 'Page numbers start at 1'],
    [{ page: 10_000_001 }, LARGE],
    [{ page: 'x' }, 'Must be a page number'],
    [{ per_page: 0 }, 'At least 1'],
    [{ per_page: 501 }, 'At most 500'],
    [{ per_page: 1.5 }, WHOLE],
  ] as const)
    expect([parameters, read(query, parameters)]).toEqual([parameters, message])
})

test('unreadable link parameters get their defaults, and the others are used', () => {
  const query = listQuery(['unit', 'day'], 'day')
  const found = acceptLeniently(query, { page: 'x', per_page: '20', sort: 'none', q: 'PO' })
  expect(found).toEqual({ page: 1, per_page: 20, q: 'PO', sort: 'day', order: 'asc' })
  expect(acceptLeniently(query, { page: '2' }).page).toBe(2)
})

test('a change must be an object, and each invalid field is reported once', () => {
  const change = changeOf(z.object({ cost: optionalMoney, note: optionalText(3), status: choiceOr(WORDS, 'red') }))
  for (const body of [null, [], ['red'], 'red', 5])
    expect([body, change.safeParse(body).success]).toEqual([body, false])
  const refused = (body: unknown) => {
    try {
      return accept(change, body)
    } catch (error) {
      return (error as Refused).errors
    }
  }
  expect(refused({ cost: -0.001, note: 'four', status: ' ', version: 'x' })).toEqual([
    { field: 'cost', message: NEGATIVE },
    { field: 'note', message: 'At most 3 characters' },
    { field: 'version', message: expect.any(String) },
  ])
  expect(refused('red')).toEqual([{ field: 'body', message: expect.any(String) }])
  expect(new Refused([]).message).toBe('Please check what you entered')
})
