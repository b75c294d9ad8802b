import { type ReactNode, useContext } from 'react'
import type { ViewList } from '../../db/vocabulary'
import { withQuery } from '../../src/paths'
import type { Line } from '../../src/records/listing'
import type { Option } from './fields'
import { SearchIcon } from './icons'
import { Layouts, useColumns } from './layouts'
import { type Meta, plain, type Query } from './list-query'
import { type Column, cellClass, type ListedRow, ListRow, rowsMarkup } from './list-rows'
import { Narrowing } from './narrowing'
import { Pager, PagerTop } from './pager'
import { type Selection, SelectionBar } from './selection'
import { TimeZone } from './time-zone'
import { Today } from './today'

/** One choice that narrows a list; `name` is its key in the address. */
export type Filter = { name: string; label: string; any: string; options: Option[] }

type Props<Row extends ListedRow> = {
  path: string
  query: Query
  meta: Meta
  /** The rows, or as lines of a list that remembers them: then the cells must follow from the row, the day and `rowScope`. */
  rows?: Row[]
  lines?: Line<Row>[]
  columns: Column<Row>[]
  filters?: Filter[]
  search?: string
  /** Further keys of the address that paging and sorting keep, such as a tab. */
  keep?: Record<string, string>
  caption: string
  empty: { title: string; hint: ReactNode }
  before?: ReactNode
  rowClass?: (row: Row) => string | undefined
  /** The address of the export that brings every row of the list as a file. */
  file?: string
  /** What can be done with several rows at once. */
  selection?: Selection
  /** The name under which the list can be kept with its filters. */
  keptAs?: ViewList
  /** What else the cells of a line follow from, such as the tab. */
  rowScope?: string
  /** The table whose records stand in the rows, which then follow what others change. */
  live?: string
}

const USUAL_SIZE = 50
/** A searchable, sortable, paged table whose whole state stands in its address. */
export function List<Row extends ListedRow>(props: Props<Row>) {
  const {
    path,
    query,
    meta,
    rows = [],
    lines,
    filters = [],
    search,
    keep = {},
    caption,
    empty,
    before,
    rowClass,
    file,
    selection,
    keptAs,
    live,
    rowScope = '',
  } = props
  const isNarrowed =
    Boolean(query.q) || filters.some((filter) => query[filter.name] !== null && query[filter.name] !== undefined)
  const hasTools = search !== undefined || filters.length > 0
  const shown = (lines ?? rows).length
  const columns = useColumns(keptAs, props.columns)
  const layouts = useContext(Layouts)
  const isRoomy = keptAs !== undefined && layouts[keptAs]?.density === 'roomy'
  const labels = columns.map(({ label }) => label).join()
  const scope = [useContext(Today), useContext(TimeZone), path, rowScope, labels].join(' ')
  // Whatever else narrows, sorts or sizes the list stays when it is searched or filtered.
  const own = new Set(['q', 'page', ...filters.map(({ name }) => name), ...Object.keys(keep)])
  const others = Object.entries(plain(query)).filter(
    ([name, value]) =>
      !own.has(name) &&
      value !== null &&
      value !== undefined &&
      value !== '' &&
      !(name === 'per_page' && value === USUAL_SIZE),
  )
  const more = <Narrowing path={path} query={query} list={keptAs} />
  const isBoard = columns.some(({ width }) => width !== undefined)
  const over = isBoard ? stepsOver(columns) : 0
  const tableClass = [
    'table',
    isBoard && 'board',
    over > 0 && `is-over over-${over}`,
    columns.some(({ isOnCard }) => isOnCard) && 'has-card-actions',
  ]
    .filter(Boolean)
    .join(' ')
  const swap = {
    'hx-target': '#list',
    'hx-select': '#list',
    'hx-swap': 'outerHTML',
    'hx-push-url': 'true',
    'hx-select-oob': '#lead,#narrowing',
  }
  return (
    <>
      {hasTools && (
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
          {search && (
            <div className="search">
              <SearchIcon />
              <input
                type="search"
                name="q"
                defaultValue={query.q ?? ''}
                placeholder={search}
                aria-label={search}
                data-hotkey="/"
                maxLength={100}
                autoComplete="off"
              />
            </div>
          )}
          {filters.map((filter) => (
            <label key={filter.name} className="filter">
              <span>{filter.label}</span>
              <select
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
          {more}
        </form>
      )}
      {!hasTools && more}
      <div id="list" className={isRoomy ? 'list is-roomy' : 'list'}>
        {shown === 0 && meta.total > 0 ? (
          <div className="empty">
            <h2>This page is empty now</h2>
            <p>
              <a href={withQuery(path, { ...plain(query), page: meta.pages })}>Go to the last page</a>
            </p>
          </div>
        ) : shown === 0 ? (
          <div className="empty">
            <h2>{isNarrowed ? 'Nothing matches' : empty.title}</h2>
            <p>{isNarrowed ? <a href={withQuery(path, keep)}>Clear the search and filters</a> : empty.hint}</p>
          </div>
        ) : (
          <>
            {selection && <SelectionBar {...selection} query={plain(query)} total={meta.total} />}
            {hasTools && <PagerTop path={path} query={query} meta={meta} shown={shown} />}
            <Scrolling isNeeded={!isBoard || over > 0} caption={caption}>
              <table className={tableClass} data-live={live}>
                <caption className="visually-hidden">{caption}</caption>
                {isBoard && (
                  <colgroup>
                    {columns.map(({ label, width, leaves, isActions }) => (
                      <col key={label} width={width} className={isActions ? 'actions' : leaves} />
                    ))}
                  </colgroup>
                )}
                <thead>
                  <tr>
                    {columns.map((column) => (
                      <Heading key={column.label} column={column} path={path} query={query} />
                    ))}
                  </tr>
                </thead>
                {lines ? (
                  <tbody dangerouslySetInnerHTML={{ __html: rowsMarkup(lines, columns, rowClass, scope) }} />
                ) : (
                  <tbody>
                    {rows.map((row) => (
                      <ListRow key={row.id} row={row} columns={columns} className={rowClass?.(row)} />
                    ))}
                  </tbody>
                )}
              </table>
            </Scrolling>
            <Pager path={path} query={{ ...query, ...keep }} meta={meta} shown={shown} file={file} keptAs={keptAs} />
          </>
        )}
      </div>
    </>
  )
}

/** What a column without a width needs, and what there is in a window of 1280, in pixels. */
const [ENOUGH, ROOM] = [180, 1064]
const STEP = 160

/** By how many steps of 160 pixels the columns that somebody added need more than there is. */
function stepsOver<Row>(columns: Column<Row>[]): number {
  if (!columns.some(({ isExtra }) => isExtra)) return 0
  const needed = columns.reduce((sum, { width = ENOUGH }) => sum + width, 0)
  return Math.max(0, Math.ceil((needed - ROOM) / STEP))
}

/** A table without widths of its own, or with columns that were asked for, may be wider than the page. */
const Scrolling = ({ isNeeded, caption, children }: { isNeeded: boolean; caption: string; children: ReactNode }) =>
  isNeeded ? (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={caption}>
      {children}
    </div>
  ) : (
    children
  )

function Heading<Row>({ column, path, query }: { column: Column<Row>; path: string; query: Query }) {
  const isSorted = column.sort !== undefined && query.sort === column.sort
  const order = isSorted && query.order === 'asc' ? 'desc' : 'asc'
  return (
    <th
      scope="col"
      className={cellClass(column)}
      aria-sort={isSorted ? (query.order === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      {column.isPick ? (
        <input type="checkbox" className="with-script" data-pick-all="" aria-label="Select every row of this page" />
      ) : column.sort ? (
        <a href={withQuery(path, { ...plain(query), page: null, sort: column.sort, order })}>{column.label}</a>
      ) : (
        column.label
      )}
    </th>
  )
}
