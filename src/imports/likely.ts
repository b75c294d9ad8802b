import { distance } from 'fastest-levenshtein'
import type { Found } from '../../db/schema'
import { nameKey } from '../records/name-key'

type Asked = Pick<Found['names'][number], 'kind' | 'name'>
type Known = { id: number; other_names: string[] | null }
type Location = Known & { location_code: string; location_name: string }
type Company = Known & { company_name: string }

/** So many are offered, and no less alike. */
const OFFERED = 3
const ALIKE = 0.6
/** One name within the other, as in `Mesa Yard` and `Mesa`, is likelier than most slips of the pen. */
const WITHIN = 0.85

const digits = (name: string) => name.replace(/\D/g, '')

/** How alike two names are: 1 when they are the same, 0 when no letter stays. Lot 12 is no slip of the pen for Lot 13. */
function likeness(one: string, other: string): number {
  if (digits(one) !== digits(other)) return 0
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  const letters = 1 - distance(one, other) / Math.max(long.length, 1)
  return short.length > 2 && ` ${long} `.includes(` ${short} `) ? Math.max(letters, WITHIN) : letters
}

/** The ids that each unknown name may be meant to stand for, the likeliest first, by `kind name`. */
export function likelyFor(asked: Asked[], locations: Location[], companies: Company[]): Record<string, number[]> {
  const called = {
    location: locations.map((of) => ({
      ...of,
      names: [of.location_code, of.location_name, ...(of.other_names ?? [])],
    })),
    company: companies.map((of) => ({ ...of, names: [of.company_name, ...(of.other_names ?? [])] })),
  }
  const likely = ({ kind, name }: Asked) =>
    called[kind]
      .map(({ id, names }) => ({ id, as: Math.max(...names.map((one) => likeness(nameKey(name), nameKey(one)))) }))
      .filter(({ as }) => as >= ALIKE)
      .sort((a, b) => b.as - a.as)
      .slice(0, OFFERED)
      .map(({ id }) => id)
  return Object.fromEntries(asked.map((one) => [`${one.kind} ${one.name}`, likely(one)]))
}
