import { isLaidOut, type ViewList } from '../../db/vocabulary'
import type { Names } from '../../src/platform/lists/layouts/narrowed'
import { paths, withQuery } from '../../src/platform/paths'
import { showDate } from '../format'
import { plain, type Query } from './list-query'

/** What narrows a list besides its own selects, and the words that say so. */
const NARROWING: { name: string; words: (value: string, name?: string | null) => string }[] = [
  { name: 'vendor_id', words: (_, name) => (name ? `Of ${name}` : 'Of one vendor') },
  { name: 'location_id', words: (_, name) => (name ? `At ${name}` : 'At one location') },
  { name: 'transport_company_id', words: (_, name) => (name ? `By ${name}` : 'By one company') },
  { name: 'over_estimate', words: (value) => (value === 'true' ? 'Above the estimate' : 'Within the estimate') },
  { name: 'invoiced', words: (value) => (value === 'true' ? 'Invoiced' : 'Not invoiced') },
  { name: 'unit_number', words: (unit) => `Of unit ${unit}` },
  { name: 'start_date', words: (day) => `From ${showDate(day)}` },
  { name: 'end_date', words: (day) => `To ${showDate(day)}` },
]

/** What narrows them stands above them already. */
const WITHOUT_FIELDS: ViewList[] = ['osl-completed', 'due']

/** Lists that cannot be looked at without a period, as those without a name; it has fields of its own. */
const OF_A_PERIOD = ['transports-completed', 'osl-completed']

const isSet = (value: unknown) => value !== undefined && value !== null && value !== ''

/** By what else than its own selects a list is narrowed now. */
export const narrowingOf = (query: Query, list: ViewList | undefined) =>
  NARROWING.filter(
    ({ name }) => isSet(query[name]) && !(name.endsWith('_date') && (!list || OF_A_PERIOD.includes(list))),
  )

type Props = { path: string; query: Query; list: ViewList | undefined; names: Names }

/** Says by what a list is narrowed, so that nobody takes a part for the whole, and leads to what else may narrow it. */
export function Narrowing({ path, query, list, names }: Props) {
  const asked = { ...plain(query), page: null }
  return (
    <span id="narrowing" className="narrowing">
      {narrowingOf(query, list).map(({ name, words }) => (
        <a key={name} className="narrowed" href={withQuery(path, { ...asked, [name]: null })}>
          <span className="narrowed-by" title={words(String(query[name]), names[name as keyof Names])}>
            {words(String(query[name]), names[name as keyof Names])}
          </span>{' '}
          <span aria-hidden="true">×</span>
          <span className="visually-hidden">show all</span>
        </a>
      ))}
      {list && isLaidOut(list) && !WITHOUT_FIELDS.includes(list) && (
        <a href={withQuery(paths.lists.filter(list), asked)} data-modal="">
          More filters
        </a>
      )}
    </span>
  )
}
