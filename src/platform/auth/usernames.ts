import { z } from 'zod'
import { requiredText } from '../fields'

/**
 * Which usernames new accounts can have: the rules of PRECIS for usernames (RFC 8265), without right-to-left
 * exceptions, and stricter against look-alikes. No maintained library has them.
 */

const LENGTH = 'Username must be 3 to 50 characters'
const CHARACTERS = 'Use letters, digits and the signs . _ - @ without spaces'
const MIXED = 'Use letters of one alphabet only'
const LOOKALIKE = 'Use Latin letters: these look like them but are others'

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

/** Latin letters in use for names: without phonetic, small capital and African ones, dotless i and long s. */
const LATIN_IN_USE = /^[a-zà-öø-žḀ-ỿ]$/iu
const LATIN_LOOKALIKES = /[ıſĸŉ]/u
/** Letters of other alphabets that look like Latin ones, in either case. */
const LOOKALIKES = /^[асԁеһіјӏорԛѕѵԝхуүАВСЕНІЈКМОРЅТУХοναυρικΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսհոցքՕՍ]+$/u

/** The stored form of a typed username: full-width characters become ordinary ones, accents one character. */
export const normalizeUsername = (text: string) =>
  text.replace(/[\uff01-\uffee\u3000]/g, (character) => character.normalize('NFKC')).normalize('NFC')

/** What is wrong with a normalized username, or null. */
export function usernameProblem(name: string): string | null {
  // Marks that do not compose with their letter are not needed for names, and hide in them.
  if (!/^[\p{L}0-9._@-]+$/u.test(name) || !/[\p{L}0-9]/u.test(name)) return CHARACTERS
  if (name !== name.normalize('NFKC') || /\p{Default_Ignorable_Code_Point}/u.test(name)) return CHARACTERS
  const letters = [...name].filter((character) => /\p{L}/u.test(character))
  if (!SCRIPTS.some((script) => letters.every((letter) => script.test(letter)))) return MIXED
  const isLatin = letters.every((letter) => SCRIPTS[0]!.test(letter))
  const isFamiliar = (letter: string) => LATIN_IN_USE.test(letter) && !LATIN_LOOKALIKES.test(letter)
  if (isLatin ? !letters.every(isFamiliar) : LOOKALIKES.test(letters.join(''))) return LOOKALIKE
  return null
}

/** The username of a new account, normalized. */
export const newUsername = z.preprocess(
  (value) => (typeof value === 'string' ? normalizeUsername(value) : value),
  requiredText('Username is required', 50, 3, LENGTH).superRefine((name, context) => {
    const problem = usernameProblem(name)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  }),
)
