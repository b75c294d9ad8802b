import fc from 'fast-check'

const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown

const STUMBLED_OVER: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_649,
  9_007_199_254_740_992,
  1e308,
  -1e308,
  0.1 + 0.2,
  '',
  ' ',
  '0',
  '-1',
  '1e9',
  '١٢٣',
  'NaN',
  'Infinity',
  '0x10',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  '\u202e',
  '🚚',
  'x'.repeat(300),
  'y'.repeat(6000),
  '%',
  '%25',
  '\\',
  "'",
  '"',
  "' or 1=1--",
  '"; drop table users; --',
  '../../etc/passwd',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '=1+1',
  '\r\nX-Injected: 1',
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '-0001-01-01',
  '10000-01-01',
  '2026-03-14T00:00:00Z',
  'true',
  'null',
  'undefined',
  '[object Object]',
  [],
  [1],
  [null],
  {},
  { length: 5 },
  { toString: 'x' },
  { constructor: { prototype: {} } },
  nested(40),
  nested(4000),
  Array.from({ length: 300 }, () => 'a'),
  '100200',
  '1HGCM82633A004352',
  'Phoenix',
  'Delivered',
  'Completed',
  '2026-03-10',
]

/** Bodies that are malformed, empty or of another type than declared. */
export const RAW: (string | Uint8Array<ArrayBuffer>)[] = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '{"a":1,"a":2}',
  '{"__proto__":{"role":"admin"}}',
  '{"constructor":{"prototype":{"x":1}}}',
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  '\ufeff{}',
  '{"unit_number":1e400}',
  '{"version":-0}',
  new Uint8Array([0xff, 0xfe, 0x00]),
  new Uint8Array([0x7b, 0xc3, 0x28, 0x7d]),
  new TextEncoder().encode('a=1&a=2&b[]=3&c[d]=4'),
]
export const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/xml',
  'x',
]
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND']
export const HEADERS: [string, string][] = [
  ['accept-encoding', 'gzip, gzip, br;q=x'],
  ['accept-language', 'x'.repeat(4000)],
  ['cookie', 'yardmaster_session=%E0%A4%A; a=b; yardmaster_toast=%00'],
  ['content-encoding', 'gzip'],
  ['x-forwarded-for', "' or 1=1"],
  ['x-request-id', 'x'.repeat(500)],
  ['if-none-match', '*'],
  ['range', 'bytes=0-,5-'],
  ['expect', '100-continue'],
  ['hx-request', 'true'],
  ['origin', 'null'],
  ['hx-current-url', 'javascript:alert(1)'],
  ['referer', 'not a url'],
  ['content-length', '5'],
  ['transfer-encoding', 'chunked'],
]

/** Mostly values that often cause errors, and sometimes random ones. */
export const odd = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...STUMBLED_OVER) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.oneof(fc.integer(), fc.double()) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** The values of `odd` as text, for a query, a path or a form. */
export const oddText = odd.map((value) =>
  typeof value === 'string' ? value.toWellFormed() : (JSON.stringify(value) ?? ''),
)

export const oddSegment = oddText.map((text) => encodeURIComponent(text).slice(0, 2000))

/**
 * Generates `rare` in `percent` of the cases, and otherwise `usual`.
 * A failure that both cause is shrunk to the usual value.
 */
export const sometimes = <T, U>(percent: number, rare: fc.Arbitrary<T>, usual: fc.Arbitrary<U>) =>
  fc.oneof({ withCrossShrink: true }, { weight: 100 - percent, arbitrary: usual }, { weight: percent, arbitrary: rare })

/** Generates a value in `percent` of the cases, and otherwise undefined. */
export const maybe = <T>(percent: number, arbitrary: fc.Arbitrary<T>) =>
  sometimes(percent, arbitrary, fc.constant(undefined))
