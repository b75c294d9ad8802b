import { readFileSync } from 'node:fs'
import listPath from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'file' }

let list: Set<string> | undefined

/** Loaded on first use. The list takes half a megabyte of memory, and most runs never need it. */
function mostCommon(): Set<string> {
  list ??= new Set(JSON.parse(readFileSync(listPath as unknown as string, 'utf8')) as string[])
  return list
}

/** Digits in the order of the keyboard, as often as the longest password can repeat them. */
const ASCENDING_DIGITS = '1234567890'.repeat(100)
const DESCENDING_DIGITS = '0987654321'.repeat(100)

/** Matches up to four characters that are repeated, such as `********` and `abcdabcd`. */
const REPEATED = /^(.{1,4})\1+.{0,2}$/su

/**
 * True for characters in ascending or descending order, such as `abcdefgh` and `87654321`. After the digit 9, the order
 * continues with 0, as on a keyboard.
 */
function isSequence(password: string): boolean {
  if (/^\d+$/.test(password)) return ASCENDING_DIGITS.includes(password) || DESCENDING_DIGITS.includes(password)
  const codes = Array.from(password, (character) => character.codePointAt(0) as number)
  const [first = 0, second = 0] = codes
  return Math.abs(second - first) === 1 && codes.every((code, at) => code === first + at * (second - first))
}

/**
 * Returns whether a password is among about 49,000 common ones, ignoring case. Repeated characters and sequences of
 * characters count as common, too.
 */
export const isCommonPassword = (password: string): boolean =>
  REPEATED.test(password) || isSequence(password) || mostCommon().has(password.toLowerCase())
