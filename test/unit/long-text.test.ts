import { describe, expect, test } from 'bun:test'
import { VENDOR } from '../../src/features/billing/billers'
import { pastedLines, readFigure } from '../../src/features/billing/pasted-lines'
import { credentials } from '../../src/platform/auth/rules'
import { normalizeUsername } from '../../src/platform/auth/usernames'
import { matchHeadings } from '../../src/platform/imports/spreadsheet/match-headings'
import { Position } from '../../src/platform/live/gaps'
import { readDate } from '../../src/platform/reading/dates'
import { plateKey, readIdentifier, readNumber, readSearch, readUnitDigits } from '../../src/platform/reading/numbers'
import { readRegion } from '../../src/platform/reading/regions'
import {
  cleanText,
  defused,
  isPlaceholder,
  isTotal,
  nameKey,
  narrow,
  undefused,
  wordKey,
} from '../../src/platform/reading/text'

/**
 * Gives each function that reads text 200,000 characters that are slow for careless patterns.
 * A function whose time grows with the square of the length takes minutes, so the test times out.
 */

const LENGTH = 200_000
const TODAY = '2026-03-14'

const READERS: Record<string, (text: string) => unknown> = {
  cleanText,
  nameKey,
  wordKey,
  narrow,
  isPlaceholder,
  isTotal,
  defused,
  undefused,
  readNumber,
  readUnitDigits,
  readIdentifier,
  readSearch,
  plateKey,
  readRegion,
  normalizeUsername,
  readDate: (text) => readDate(text, { today: TODAY }),
  credentials: (username) => credentials.parse({ username, password: 'x' }),
  position: (text) => Position.parse(text),
  headings: (text) => matchHeadings([text], Object.values(VENDOR.sheet)),
  figures: (text) => ['days', 'daily_rate', 'amount', 'move_date'].map((field) => readFigure(field, text, TODAY)),
  pasted: (text) => {
    try {
      return pastedLines(`100001 ${text} 35`, VENDOR.writing, TODAY)
    } catch (error) {
      return error
    }
  },
}

const fill = (piece: string) => piece.repeat(Math.ceil(LENGTH / piece.length))
const PIECES = [
  ' ',
  '\t',
  '\u00a0',
  '0',
  '9',
  '1 ',
  '1,',
  '.',
  '-',
  '$',
  '(',
  '*',
  '#',
  "'",
  '_',
  '\u0301',
  'a\u0301\u0316',
]
const HOSTILE = [
  ...PIECES.flatMap((piece) => [fill(piece), `1${fill(piece)}1`, `x${fill(piece)}y`]),
  `a${'\u0301'.repeat(LENGTH / 2)}${'\u0316'.repeat(LENGTH / 2)}`,
  `1;${fill('1-9,')}`,
]

describe('long text', () => {
  for (const [name, read] of Object.entries(READERS))
    test(`is read by ${name} in time that grows with its length`, () => {
      for (const text of HOSTILE) read(text)
      expect(HOSTILE.length).toBeGreaterThan(50)
    })
})
