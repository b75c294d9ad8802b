import { FILTER_NAMES, FILTERS } from '../../src/platform/lists/filters'
import { findList } from '../../src/platform/lists/kind'
import type { FilterNames } from '../../src/platform/lists/layouts/filter-names'
import { paths, withQuery } from '../../src/platform/paths'
import { plain, type Query } from './list-query'

const isSet = (value: unknown) => value !== undefined && value !== null && value !== ''

/**
 * Returns the names of active filters without a select above the list.
 * A date is included only if the list declares it as a filter. In all other lists, the dates are the period of the
 * list, which is always set.
 */
export const activeFilterNames = (query: Query, list: string | undefined) =>
  FILTER_NAMES.filter((name) => {
    const isExtra = FILTERS[name].input !== 'date' || (list && findList(list)?.filters?.[name] !== undefined)
    return isExtra && isSet(query[name])
  })

type Props = { path: string; query: Query; list: string | undefined; names: FilterNames }

/**
 * Shows the active filters and a link to more filters. If the filters were not shown, users could mistake a filtered
 * list for the complete list.
 */
export function ActiveFilters({ path, query, list, names }: Props) {
  const parameters = { ...plain(query), page: null }
  return (
    <span id="narrowing" className="narrowing">
      {activeFilterNames(query, list).map((name) => {
        const words = FILTERS[name].words(String(query[name]), names[name as keyof FilterNames])
        return (
          <a key={name} className="narrowed" href={withQuery(path, { ...parameters, [name]: null })}>
            <span className="narrowed-by" title={words}>
              {words}
            </span>{' '}
            <span aria-hidden="true">×</span>
            <span className="visually-hidden">remove filter</span>
          </a>
        )
      })}
      {list && findList(list)?.filters && (
        <a href={withQuery(paths.lists.filter(list), parameters)} data-modal="">
          More filters
        </a>
      )}
    </span>
  )
}
