import type { ReactNode } from 'react'
import type { Option } from './fields'
import { SearchIcon } from './icons'
import { plain, type Query } from './list-query'

/** `name` is the query parameter. */
export type Filter = {
  name: string
  label: string
  any: string
  options: Option[]
  /** Scripts update the options of a filter with the id `kinds` when the list changes. */
  id?: 'kinds'
}

type Props = {
  path: string
  query: Query
  filters: Filter[]
  search: string | undefined
  keep: Record<string, string>
  before?: ReactNode
  narrowing: ReactNode
  /** True if the user can tick rows. On phones, a button shows the checkboxes. */
  canSelect: boolean
}

const USUAL_SIZE = 50

/** With scripts, a search reloads only the list and not the page. */
export function Toolbar({ path, query, filters, search, keep, before, narrowing, canSelect }: Props) {
  // Add a hidden field for each query parameter that has no field in this form. A search then keeps these parameters,
  // such as the sort order and the page size.
  const own = new Set(['q', 'page', ...filters.map(({ name }) => name), ...Object.keys(keep)])
  const others = Object.entries(plain(query)).filter(
    ([name, value]) => !own.has(name) && value !== '' && !(name === 'per_page' && value === USUAL_SIZE),
  )
  const swap = {
    'hx-target': '#list',
    'hx-select': '#list',
    'hx-swap': 'outerHTML',
    'hx-push-url': 'true',
    'hx-select-oob': '#lead,#narrowing',
  }
  return (
    <form
      className={filters.length + (before ? 2 : 0) > 3 ? 'toolbar is-wide' : 'toolbar'}
      method="get"
      action={path}
      hx-get={path}
      {...swap}
      hx-trigger="submit, change, input delay:300ms"
      hx-sync="this:replace"
      role="search"
      autoComplete="off"
    >
      {Object.entries(keep).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {others.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={String(value)} />
      ))}
      {search && <SearchField label={search} value={query.q} />}
      <div className="filters">
        {canSelect && (
          <button type="button" className="button select-rows" data-select-rows="" aria-pressed="false">
            Select
          </button>
        )}
        {filters.map((filter) => (
          <label key={filter.name} className="filter">
            <span>{filter.label}</span>
            <select
              id={filter.id}
              name={filter.name}
              defaultValue={
                query[filter.name] === null || query[filter.name] === undefined ? '' : String(query[filter.name])
              }
            >
              <option value="">{filter.any}</option>
              {filter.options.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        ))}
        {before}
        <button type="submit" className="button without-script">
          Apply
        </button>
        {narrowing}
      </div>
    </form>
  )
}

export const SearchField = ({ label, value }: { label: string; value: string | null | undefined }) => (
  <div className="search">
    <SearchIcon />
    <input
      type="search"
      name="q"
      defaultValue={value ?? ''}
      placeholder={label}
      aria-label={label}
      data-hotkey="/"
      maxLength={100}
      autoComplete="off"
    />
  </div>
)
