import { distance } from 'fastest-levenshtein'
import type { Found } from '../../../db/schema'
import type { Suggestions } from '../../../views/imports/question-props'
import { isRegion } from '../reading/regions'
import { nameKey, normalize } from '../reading/text'

type UnknownName = Pick<Found['names'][number], 'kind' | 'name'>
type NamedRecord = { id: number; other_names: string[] | null }
export type LocationNames = NamedRecord & { location_code: string; location_name: string }
export type CompanyNames = NamedRecord & { company_name: string }

const MAX_SUGGESTIONS = 3
/** Minimum similarity of a suggested name, from 0 to 1. */
const MIN_SIMILARITY = 0.6
/**
 * Factor that reduces the similarity of partial matches.
 * In a partial match, the shorter name matches only a part of the longer name.
 */
const PART = 0.85

const digits = (name: string) => name.replace(/\D/g, '')

/** Share of letters in common, from 0 to 1. Returns 0 if the lengths alone rule out a match. */
function letters(one: string, other: string): number {
  const [short, long] = [Math.min(one.length, other.length), Math.max(one.length, other.length)]
  return short < MIN_SIMILARITY * long || long === 0 ? 0 : 1 - distance(one, other) / long
}

/** Similarity of two names, from 0 to 1. Names with different digits get 0, because Lot 12 is not Lot 13. */
function similarity(one: string, other: string): number {
  if (digits(one) !== digits(other)) return 0
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length > 2 && ` ${long} `.includes(` ${short} `)) return Math.max(letters(one, other), PART)
  // Compare the shorter name with the beginning of the longer one, such as `Axel Works` with `Axle Works Yard`.
  const beginning = long.split(' ').slice(0, short.split(' ').length).join(' ')
  return Math.max(letters(one, other), PART * letters(short, beginning))
}

/**
 * Minimum word lengths at which a difference counts as a typing error. `gap` is the minimum for one missing or extra
 * letter and for exchanged letters after the first one. `one` is for one wrong letter, and `two` for two wrong letters.
 */
const TYPO_LENGTH = { gap: 4, one: 5, two: 8 }

const isSwap = (word: string, other: string) =>
  word.length === other.length && [...word].sort().join('') === [...other].sort().join('')

/**
 * True if two words differ at most by a typing error.
 * Fewer errors are allowed in short words, because `East` is not `West`.
 */
function isSameWord(word: string, other: string): boolean {
  const length = Math.min(word.length, other.length)
  const wrong = distance(word, other)
  if (wrong === 0) return true
  if (length >= TYPO_LENGTH.two) return wrong <= 2
  if (length >= TYPO_LENGTH.one) return wrong === 1 || (wrong === 2 && isSwap(word, other))
  if (length < TYPO_LENGTH.gap) return false
  return (wrong === 1 && word.length !== other.length) || (wrong === 2 && isSwap(word, other) && word[0] === other[0])
}

export function isTypo(one: string, other: string): boolean {
  const [words, otherWords] = [one.split(' '), other.split(' ')]
  if (words.length !== otherWords.length || digits(one) !== digits(other)) return false
  return words.every((word, at) => isSameWord(word, otherWords[at] as string))
}

const LEGAL_FORM = / (?:llc|inc|ltd|co|corp|lp|llp|incorporated|limited|company|corporation)$/

/**
 * Removes the parts of a name that often vary. `mésa, az` becomes `mesa`.
 * The parts are accents, dots, commas, and a legal form or state code at the end of the name.
 */
const bareName = (key: string) =>
  normalize(key, 'NFD')
    .replace(/[.,\p{M}]/gu, '')
    .replace(LEGAL_FORM, '')
    .replace(/ ([a-z]{2})$/, (ending, code: string) => (isRegion(code.toUpperCase()) ? '' : ending))

function beginsWith(name: string, beginning: string): boolean {
  const count = beginning.split(' ').length
  const words = name.split(' ')
  return count > 1 && words.length > count && isTypo(words.slice(0, count).join(' '), beginning)
}

/**
 * Returns true if two names probably mean the same record. They can differ in accents, typing errors, a legal form or a
 * state: `Axle Works` and `Axel Works LLC`. A name of at least two words can also be the beginning of the other name:
 * `Coper State` and `Copper State Transport`.
 */
function isSameName(key: string, otherKey: string): boolean {
  const [name, other] = [bareName(key), bareName(otherKey)]
  return isTypo(name, other) || beginsWith(name, other) || beginsWith(other, name)
}

/** Minimum length of a name that can stand for a longer one. Example: `Saguaro` for `Saguaro Logistics`. */
const BEGINNING_LENGTH = 5

/**
 * True if a name is the beginning of a known company name. Not used for locations, because several locations can begin
 * with `Phoenix`.
 */
const isBeginning = (key: string, knownKey: string) =>
  bareName(key).length >= BEGINNING_LENGTH && bareName(knownKey).startsWith(bareName(key))

/** Returns a function that finds the most similar name in `others`. */
export function nameMatcher(others: string[]): (name: string) => string | null {
  const keys = others.map(nameKey)
  return (name) => {
    const key = nameKey(name)
    let best: { at: number; as: number } | null = null
    for (const [at, other] of keys.entries()) {
      const as = similarity(key, other)
      if (as >= MIN_SIMILARITY && as > (best?.as ?? 0)) best = { at, as }
    }
    return best ? (others[best.at] as string) : null
  }
}

/** Suggests records for unknown names. The keys of the result are kind and name, such as `location Phoenix`. */
export function suggestMatches(
  unknownNames: UnknownName[],
  locations: LocationNames[],
  companies: CompanyNames[],
): Suggestions['names'] {
  const keys = ({ id, other_names }: NamedRecord, names: string[]) => ({
    id,
    names: [...names, ...(other_names ?? [])].map(nameKey),
  })
  const candidates = {
    location: locations.map((location) => keys(location, [location.location_code, location.location_name])),
    company: companies.map((company) => keys(company, [company.company_name])),
  }
  const suggest = ({ kind, name }: UnknownName) => {
    const key = nameKey(name)
    const best = candidates[kind]
      .map(({ id, names }) => ({ id, names, as: Math.max(...names.map((one) => similarity(key, one))) }))
      .filter(({ as }) => as >= MIN_SIMILARITY)
      .sort((a, b) => b.as - a.as)
      .slice(0, MAX_SUGGESTIONS)
    const canBeBeginning = kind === 'company' && best.length === 1
    const likely = best.filter(({ names }) =>
      names.some((one) => isSameName(key, one) || (canBeBeginning && isBeginning(key, one))),
    )
    return { ids: best.map(({ id }) => id), isLikely: likely.length === 1 && likely[0] === best[0] }
  }
  return Object.fromEntries(
    unknownNames.map((unknownName) => [`${unknownName.kind} ${unknownName.name}`, suggest(unknownName)]),
  )
}
