import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { z } from 'zod'
import { readConfig } from '../../src/app/config'
import { ConfigError } from '../../src/app/config-sources'
import { accept } from '../../src/platform/accept'
import { addDays, addMonths, businessClock, daysBetween, hourIn, noonOf } from '../../src/platform/clock'
import { changeOf, choiceOr, optionalMoney, optionalText, requiredText, unitNumber } from '../../src/platform/fields'
import { clientAddress } from '../../src/platform/http/request'
import { headerKey } from '../../src/platform/imports/parse/heading-keys'
import { isOwnPath } from '../../src/platform/paths'
import { defused } from '../../src/platform/reading/text'
import { seeded } from '../support/property'

describe('fields', () => {
  const money = z.object({ amount: optionalMoney })
  const amount = (value: unknown) => money.safeParse({ amount: value }).data?.amount

  test('money is read in common formats, with two decimals at most', () => {
    expect(['$1,250.50', '1.250,50', ' 12 ', '0.5', '.5', 7, '', null, undefined].map(amount)).toEqual([
      1250.5,
      1250.5,
      12,
      0.5,
      0.5,
      7,
      null,
      null,
      null,
    ])
    expect(['1.005', '-1', '1e5', 'abc', '1,2,3', 10_000_000_000, Number.NaN, '12,505,5'].map(amount)).toEqual(
      Array(8).fill(undefined),
    )
  })

  test('any amount in cents is accepted unchanged', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999_999 }),
        (cents) => amount(cents / 100) === cents / 100 && amount((cents / 100).toFixed(2)) === cents / 100,
      ),
      seeded(100),
    )
  })

  test('a unit number is six digits', () => {
    expect(
      ['100200', ' 012345 ', '12345', '1234567', '12345a', '１２３４５６', 100200].map(
        (unit) => unitNumber.safeParse(unit).success,
      ),
    ).toEqual([true, true, false, false, false, true, false])
  })

  test('text is trimmed, blank text is null, and unstorable or invisible text is rejected', () => {
    const text = z.object({ note: optionalText(10), name: requiredText('Name is required', 10) })
    expect(accept(text, { note: '  ', name: ' a\n b ' })).toEqual({ note: null, name: 'a b' })
    for (const name of ['', '   ', '\u200b', 'a\0', '\ud800', 'x'.repeat(11)])
      expect(text.safeParse({ name }).success).toBe(false)
  })

  test('a change ignores blank fields with defaults and applies the others', () => {
    const change = changeOf(z.object({ status: choiceOr(['a', 'b'], 'a'), note: optionalText(5) }))
    expect(accept(change, {})).toEqual({})
    expect(accept(change, { status: null, note: null, version: '3' })).toEqual({ note: null, version: 3 })
    expect(change.safeParse({ status: 'c' }).success).toBe(false)
    expect(change.safeParse({ version: 'abc' }).success).toBe(false)
  })
})

describe('headers', () => {
  test('match regardless of case, spaces, underscores and hyphens', () => {
    expect(['Unit Number', 'UNIT_NUMBER', 'unit-number', '\uFEFFunit_number'].map(headerKey)).toEqual(
      Array(4).fill('unitnumber'),
    )
  })
})

describe('the business clock', () => {
  test('returns the current day in its time zone', () => {
    const at = (zone: string, instant: string) => businessClock(zone, () => new Date(instant)).today()
    expect(at('America/Phoenix', '2026-03-15T06:59:59Z')).toBe('2026-03-14')
    expect(at('America/Phoenix', '2026-03-15T07:00:00Z')).toBe('2026-03-15')
    expect(at('Pacific/Kiritimati', '2026-03-14T10:00:00Z')).toBe('2026-03-15')
  })

  test('returns noon and the hour of day in its time zone', () => {
    expect(noonOf('2026-07-14', 'America/New_York').toISOString()).toBe('2026-07-14T16:00:00.000Z')
    expect(noonOf('2026-01-14', 'America/New_York').toISOString()).toBe('2026-01-14T17:00:00.000Z')
    const at = (instant: string) => hourIn(new Date(instant), 'America/Phoenix')
    expect([at('2026-03-14T06:59:59Z'), at('2026-03-14T07:00:00Z')]).toEqual([23, 0])
  })

  test('counts calendar days across leap days and clock changes', () => {
    expect([
      daysBetween('2024-02-28', '2024-03-01'),
      daysBetween('2026-03-07', '2026-03-09'),
      addDays('2026-12-31', 1),
      addMonths('2026-03-31', -1),
    ]).toEqual([2, 2, '2027-01-01', '2026-02-28'])
  })
})

test('exported cells that look like formulas are escaped, and plain numbers are not', () => {
  expect(['=1+1', '+1', '-2.5', '-x', '@a', '\tx', 'ok'].map(defused)).toEqual([
    "'=1+1",
    '+1',
    '-2.5',
    "'-x",
    "'@a",
    "'\tx",
    'ok',
  ])
})

test('only local pages are valid targets after sign-in', () => {
  expect(['/a', '/a?b=//c', '//a', '/\\a', 'http://a', '', '/login'].map(isOwnPath)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})

test('an invalid setting fails with one line that names its variable', () => {
  const cases: Record<string, string> = {
    PORT: 'x',
    MAX_UPLOAD_MB: '0',
    BUSINESS_TIME_ZONE: 'Mars/Base',
    DATABASE_URL: 'mysql://x',
    TRUST_PROXY: 'perhaps',
    JWT_SECRET: 'short',
    TLS_CERT: import.meta.path,
  }
  for (const [name, value] of Object.entries(cases)) {
    const problem = (() => {
      try {
        readConfig({ [name]: value })
      } catch (error) {
        return error
      }
    })()
    expect(problem).toBeInstanceOf(ConfigError)
    expect((problem as Error).message).toContain(name === 'TLS_CERT' ? 'TLS_KEY' : name)
    expect((problem as Error).message).not.toContain('\n')
  }
  for (const url of [
    'postgres://u:se#cret@h/x',
    'postgres://u:se/cret@h/x',
    'postgres://u:se%cret@h/x',
    'postgres://u:secret@h:99999/x',
    'postgres://u:secret@/x',
  ]) {
    expect(() => readConfig({ DATABASE_URL: url })).toThrow(/^DATABASE_URL is not a valid URL(?!.*cret)/)
  }
  expect(readConfig({ DATABASE_URL: 'postgres://u:p%23@a:5432,b:5433/x?sslmode=require' }).databaseUrl).toContain(
    'p%23',
  )
})

test('a client address from a trusted proxy must be an IP address', () => {
  const config = readConfig({ TRUST_PROXY: 'on' })
  const readAddress = (forwardedFor: string) =>
    clientAddress(new Request('http://h/', { headers: { 'x-forwarded-for': forwardedFor } }), null, config)
  expect(
    ['10.0.0.5', '6.6.6.6, 10.0.0.5', '10.0.0.5:4711', '[2001:db8::1]:443', '2001:db8::1', '<script>', ''].map(
      readAddress,
    ),
  ).toEqual(['10.0.0.5', '10.0.0.5', '10.0.0.5', '2001:db8::1', '2001:db8::1', 'unknown', 'unknown'])
})
