import { z } from 'zod'
import { requiredText } from '../fields'
import { normalize } from '../reading/text'

/**
 * Rules for the usernames of new accounts, based on PRECIS (RFC 8265). Unlike PRECIS, they have no exceptions for
 * right-to-left scripts, and they are stricter about letters that look alike. No maintained library implements such
 * rules.
 */

const FIRST = 'A username cannot begin with a hyphen'
const LENGTH = 'Username must be 3 to 50 characters'
const CHARACTERS = 'Use only letters, digits and the characters . _ - @ without spaces'
const MIXED = 'Use letters of one alphabet only'
const LOOKALIKE = 'Use Latin letters. Some letters of this username only look like Latin letters.'

const SCRIPTS = [
  /\p{scx=Latin}/u,
  /\p{scx=Greek}/u,
  /\p{scx=Cyrillic}/u,
  /\p{scx=Armenian}/u,
  /\p{scx=Georgian}/u,
  /\p{scx=Hebrew}/u,
  /\p{scx=Arabic}/u,
  /\p{scx=Hangul}/u,
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u,
]

/**
 * Matches one Latin letter that is common in names. Does not match phonetic letters, small capitals or African letters.
 * Also matches dotless i, forms of long s and medieval letters, which the separate check with `LATIN_LOOKALIKES`
 * rejects.
 */
const LATIN_IN_USE = /^[a-zà-öø-žḀ-ỿ]$/iu
const LATIN_LOOKALIKES = /[ıİſĸŉẜẝẟỺ-ỿ]/u
/** Text of which every letter looks like a Latin letter. The letters are Greek, Cyrillic or Armenian. */
const LOOKALIKES = /^[асԁеһіјӏорԛѕѵԝхуүАВСЕНІЈКМОРЅТУХοναυρικΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսհոցքՕՍ]+$/u

/**
 * Converts a username to the form in which it is stored. Full-width characters become ordinary ones, and a letter with
 * a separate accent becomes one character (NFC).
 */
export const normalizeUsername = (text: string) =>
  normalize(
    text.replace(/[\uff01-\uffee\u3000]/g, (character) => character.normalize('NFKC')),
    'NFC',
  )

export function usernameProblem(name: string): string | null {
  // The commands for administrators would take such a name for an option.
  if (name.startsWith('-')) return FIRST
  // Reject an accent that has no combined character with its letter, such as `x` with an acute accent. Names do not
  // need such accents, and readers easily miss them.
  if (!/^[\p{L}0-9._@-]+$/u.test(name) || !/[\p{L}0-9]/u.test(name)) return CHARACTERS
  if (name !== normalize(name, 'NFKC') || /\p{Default_Ignorable_Code_Point}/u.test(name)) return CHARACTERS
  const letters = [...name].filter((character) => /\p{L}/u.test(character))
  if (!SCRIPTS.some((script) => letters.every((letter) => script.test(letter)))) return MIXED
  const isLatin = letters.every((letter) => SCRIPTS[0]!.test(letter))
  const isFamiliar = (letter: string) => LATIN_IN_USE.test(letter) && !LATIN_LOOKALIKES.test(letter)
  if (isLatin ? !letters.every(isFamiliar) : LOOKALIKES.test(letters.join(''))) return LOOKALIKE
  return null
}

/** Longer usernames are cut, because normalizing long text is slow. All valid usernames are shorter. */
const MAX_LENGTH = 200

export const newUsername = z.preprocess(
  (value) => (typeof value === 'string' ? normalizeUsername(value.trim().slice(0, MAX_LENGTH)) : value),
  requiredText('Username is required', 50, 3, LENGTH).superRefine((name, context) => {
    const problem = usernameProblem(name)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  }),
)
