import { distance } from 'fastest-levenshtein'
import type { Found } from '../../../db/schema'
import { nameKey } from '../reading/text'

type Asked = Pick<Found['names'][number], 'kind' | 'name'>
type Known = { id: number; other_names: string[] | null }
type Location = Known & { location_code: string; location_name: string }
type Company = Known & { company_name: string }

/** Maximum number of suggestions, and their minimum similarity. */
const OFFERED = 3
const ALIKE = 0.6
/** Weight of a partial match compared with a full one. */
const PART = 0.85

const digits = (name: string) => name.replace(/\D/g, '')

/** Share of matching letters. 0 when the lengths alone rule out a match. */
function letters(one: string, other: string): number {
  const [short, long] = [Math.min(one.length, other.length), Math.max(one.length, other.length)]
  return short < ALIKE * long || long === 0 ? 0 : 1 - distance(one, other) / long
}

/** Similarity of two names, from 0 to 1. Different digits never match: Lot 12 is not Lot 13. */
function likeness(one: string, other: string): number {
  if (digits(one) !== digits(other)) return 0
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length > 2 && ` ${long} `.includes(` ${short} `)) return Math.max(letters(one, other), PART)
  // Compares `Axel Works` with the beginning of `Axle Works Yard`.
  const begun = long.split(' ').slice(0, short.split(' ').length).join(' ')
  return Math.max(letters(one, other), PART * letters(short, begun))
}

/** Ids of likely matches for each unknown name, best first. Keyed by `kind name`. */
export function likelyFor(asked: Asked[], locations: Location[], companies: Company[]): Record<string, number[]> {
  const keys = ({ id, other_names }: Known, names: string[]) => ({
    id,
    names: [...names, ...(other_names ?? [])].map(nameKey),
  })
  const called = {
    location: locations.map((of) => keys(of, [of.location_code, of.location_name])),
    company: companies.map((of) => keys(of, [of.company_name])),
  }
  const likely = ({ kind, name }: Asked) => {
    const key = nameKey(name)
    return called[kind]
      .map(({ id, names }) => ({ id, as: Math.max(...names.map((one) => likeness(key, one))) }))
      .filter(({ as }) => as >= ALIKE)
      .sort((a, b) => b.as - a.as)
      .slice(0, OFFERED)
      .map(({ id }) => id)
  }
  return Object.fromEntries(asked.map((one) => [`${one.kind} ${one.name}`, likely(one)]))
}
