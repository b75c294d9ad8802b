import { distance } from 'fastest-levenshtein'
import type { Found } from '../../../db/schema'
import { nameKey } from '../reading/text'

type UnknownName = Pick<Found['names'][number], 'kind' | 'name'>
type NamedRecord = { id: number; other_names: string[] | null }
type LocationNames = NamedRecord & { location_code: string; location_name: string }
type CompanyNames = NamedRecord & { company_name: string }

/** Limits for suggesting records for an unknown name: their maximum number, and their minimum similarity (0 to 1). */
const MAX_SUGGESTIONS = 3
const MIN_SIMILARITY = 0.6
/** Factor for names of which only a part matches. It reduces their similarity. */
const PART = 0.85

const digits = (name: string) => name.replace(/\D/g, '')

/** Share of letters that two names have in common, from 0 to 1. Returns 0 if the lengths alone rule out a match. */
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

/** Returns the name that is most similar to the given one, or null if none is similar. */
export function mostSimilar(name: string, others: string[]): string | null {
  const key = nameKey(name)
  let best: { other: string; as: number } | null = null
  for (const other of others) {
    const as = similarity(key, nameKey(other))
    if (as >= MIN_SIMILARITY && as > (best?.as ?? 0)) best = { other, as }
  }
  return best?.other ?? null
}

/**
 * Returns the ids of the records that each unknown name probably means, best match first. A key of the result is a kind
 * and a name, separated by a space, such as `location Phoenix`.
 */
export function suggestMatches(
  unknownNames: UnknownName[],
  locations: LocationNames[],
  companies: CompanyNames[],
): Record<string, number[]> {
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
    return candidates[kind]
      .map(({ id, names }) => ({ id, as: Math.max(...names.map((one) => similarity(key, one))) }))
      .filter(({ as }) => as >= MIN_SIMILARITY)
      .sort((a, b) => b.as - a.as)
      .slice(0, MAX_SUGGESTIONS)
      .map(({ id }) => id)
  }
  return Object.fromEntries(
    unknownNames.map((unknownName) => [`${unknownName.kind} ${unknownName.name}`, suggest(unknownName)]),
  )
}
