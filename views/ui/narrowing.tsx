import { isLaidOut, type ViewList } from '../../db/vocabulary'
import { paths, withQuery } from '../../src/paths'
import { showDate } from '../format'
import { plain, type Query } from './list-query'

/** What narrows a list besides its own selects, and the words that say so. */
const NARROWING: { name: string; words: (value: string) => string }[] = [
  { name: 'vendor_id', words: () => 'Of one vendor' },
  { name: 'location_id', words: () => 'At one location' },
  { name: 'transport_company_id', words: () => 'By one company' },
  { name: 'unit_number', words: (unit) => `Of unit ${unit}` },
  { name: 'start_date', words: (day) => `From ${showDate(day)}` },
  { name: 'end_date', words: (day) => `To ${showDate(day)}` },
]

/** Lists that cannot be looked at without a period; it has fields of its own. */
const OF_A_PERIOD = ['transports-completed', 'osl-completed']

/** By what else than its own selects a list is narrowed now. */
export const narrowingOf = (query: Query, list: ViewList | undefined) =>
  NARROWING.filter(({ name }) => query[name] && !(name.endsWith('_date') && list && OF_A_PERIOD.includes(list)))

/** Says by what a list is narrowed, so that nobody takes a part for the whole, and leads to what else may narrow it. */
export function Narrowing({ path, query, list }: { path: string; query: Query; list: ViewList | undefined }) {
  const asked = { ...plain(query), page: null }
  return (
    <span id="narrowing" className="narrowing">
      {narrowingOf(query, list).map(({ name, words }) => (
        <a key={name} className="narrowed" href={withQuery(path, { ...asked, [name]: null })}>
          {words(String(query[name]))} <span aria-hidden="true">×</span>
          <span className="visually-hidden">show all</span>
        </a>
      ))}
      {list && isLaidOut(list) && list !== 'osl-completed' && (
        <a href={withQuery(paths.lists.filter(list), asked)} data-modal="">
          More filters
        </a>
      )}
    </span>
  )
}
