import { type ReactNode, useContext } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { ViewList } from '../../db/vocabulary'
import { paths, withQuery } from '../../src/paths'
import { showCount } from '../format'
import type { Option } from './fields'
import { SearchIcon } from './icons'
import { type Selection, SelectionBar } from './selection'
import { TimeZone } from './time-zone'
import { Today } from './today'

type Query = { page: number; per_page: number; q?: string | null; sort?: string; order?: 'asc' | 'desc' } & Record<
  string,
  unknown
>
type Meta = { page: number; per_page: number; total: number; pages: number }

export type Column<Row> = {
  label: string
  /** The name it sorts by, when it can be sorted. */
  sort?: string
  align?: 'right'
  /** What can be done with a row. */
  isActions?: boolean
  /** The box that ticks a row. */
  isPick?: boolean
  /**
   * In pixels. A list whose columns have widths is a board: one line a row, its header in sight. Columns without one
   * share what is left.
   */
  width?: number
  /** What the cell is on the card that a row becomes on a phone; cells without a part are not on it. */
  part?: 'unit' | 'main' | 'due' | 'state' | 'place' | 'sum'
  /** What can be done with a row stands on its card too, where the record has no page of its own that offers it. */
  isOnCard?: boolean
  /** The column leaves when the window is narrower than 1100 (`room`) or 900 pixels (`spare`). */
  leaves?: 'room' | 'spare'
  /** A further class of a row's cell, such as a length. */
  tone?: (row: Row) => string | undefined
  cell: (row: Row) => ReactNode
}

/** One choice that narrows a list; `name` is its key in the address. */
export type Filter = { name: string; label: string; any: string; options: Option[] }

type Props<Row extends { id: number; version?: number }> = {
  path: string
  query: Query
  meta: Meta
  rows: Row[]
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
  /**
   * Given, a row is remembered by its values: then its cells must follow from them, the day, and this, such as the tab.
   */
  rowScope?: string
  /** The table whose records stand in the rows, which then follow what others change. */
  live?: string
}

const USUAL_SIZE = 50
/** What narrows a list by a link from elsewhere, and is shown so that nobody takes a part for the whole. */
const NARROWING = [
  { name: 'vendor_id', words: 'Of one vendor' },
  { name: 'location_id', words: 'At one location' },
  { name: 'transport_company_id', words: 'By one company' },
  { name: 'unit_number', words: 'Of one unit' },
]

const plain = (query: Query) => query as Record<string, string | number | boolean | null>

/** A searchable, sortable, paged table whose whole state stands in its address. */
export function List<Row extends { id: number; version?: number }>(props: Props<Row>) {
  const {
    path,
    query,
    meta,
    rows,
    columns,
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
    rowScope,
  } = props
  const isNarrowed =
    Boolean(query.q) || filters.some((filter) => query[filter.name] !== null && query[filter.name] !== undefined)
  const hasTools = search !== undefined || filters.length > 0
  const scope = [useContext(Today), useContext(TimeZone), path, rowScope].join(' ')
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
  const narrowedBy = NARROWING.filter(({ name }) => others.some(([other]) => other === name))
  const isBoard = columns.some(({ width }) => width !== undefined)
  const tableClass = ['table', isBoard && 'board', columns.some(({ isOnCard }) => isOnCard) && 'has-card-actions']
    .filter(Boolean)
    .join(' ')
  const swap = {
    'hx-target': '#list',
    'hx-select': '#list',
    'hx-swap': 'outerHTML',
    'hx-push-url': 'true',
    'hx-select-oob': '#lead',
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
          {narrowedBy.map(({ name, words }) => (
            <a key={name} className="narrowed" href={withQuery(path, { ...plain(query), [name]: null, page: null })}>
              {words} <span aria-hidden="true">×</span>
              <span className="visually-hidden">show all</span>
            </a>
          ))}
        </form>
      )}
      <div id="list" className="list">
        {rows.length === 0 && meta.total > 0 ? (
          <div className="empty">
            <h2>This page is empty now</h2>
            <p>
              <a href={withQuery(path, { ...plain(query), page: meta.pages })}>Go to the last page</a>
            </p>
          </div>
        ) : rows.length === 0 ? (
          <div className="empty">
            <h2>{isNarrowed ? 'Nothing matches' : empty.title}</h2>
            <p>{isNarrowed ? <a href={withQuery(path, keep)}>Clear the search and filters</a> : empty.hint}</p>
          </div>
        ) : (
          <>
            {selection && <SelectionBar {...selection} query={plain(query)} total={meta.total} />}
            {hasTools && <PagerTop path={path} query={query} meta={meta} shown={rows.length} />}
            <Scrolling isBoard={isBoard} caption={caption}>
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
                {rowScope === undefined ? (
                  <tbody>
                    {rows.map((row) => (
                      <ListRow key={row.id} row={row} columns={columns} className={rowClass?.(row)} />
                    ))}
                  </tbody>
                ) : (
                  <tbody dangerouslySetInnerHTML={{ __html: rowsMarkup(rows, columns, rowClass, scope) }} />
                )}
              </table>
            </Scrolling>
            <Pager
              path={path}
              query={{ ...query, ...keep }}
              meta={meta}
              shown={rows.length}
              file={file}
              keptAs={keptAs}
            />
          </>
        )}
      </div>
    </>
  )
}

/** A table without widths of its own may be wider than the page, and then scrolls by itself. */
const Scrolling = ({ isBoard, caption, children }: { isBoard: boolean; caption: string; children: ReactNode }) =>
  isBoard ? (
    children
  ) : (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={caption}>
      {children}
    </div>
  )

const REMEMBERED = 2000

/** The markup of rows by everything that they show: lists show the same rows again and again. */
const remembered = new Map<string, string>()

/** A string put together from pieces keeps each of them; one that stays for long is better in one piece. */
const inOnePiece = (text: string) => Buffer.from(text).toString()

/** The rows as markup. One that was changed, also in a joined name, has another key, and is never shown stale. */
function rowsMarkup<Row extends { id: number; version?: number }>(
  rows: Row[],
  columns: Column<Row>[],
  rowClass: Props<Row>['rowClass'],
  scope: string,
): string {
  let markup = ''
  for (const row of rows) {
    const key = `${scope} ${JSON.stringify(row)}`
    let known = remembered.get(key)
    if (known === undefined) {
      known = inOnePiece(rowMarkup(row, columns, rowClass?.(row), scope))
      // The oldest goes first.
      if (remembered.size >= REMEMBERED) remembered.delete(remembered.keys().next().value as string)
      remembered.set(inOnePiece(key), known)
    }
    markup += known
  }
  return markup
}

function rowMarkup<Row extends { id: number; version?: number }>(
  row: Row,
  columns: Column<Row>[],
  className: string | undefined,
  scope: string,
): string {
  const [today = '', timeZone = ''] = scope.split(' ')
  return renderToStaticMarkup(
    <Today.Provider value={today}>
      <TimeZone.Provider value={timeZone}>
        <ListRow row={row} columns={columns} className={className} />
      </TimeZone.Provider>
    </Today.Provider>,
  )
}

/** One row of a list, as it stands there or as it comes back after a change. */
export function ListRow<Row extends { id: number; version?: number }>({
  row,
  columns,
  className,
}: {
  row: Row
  columns: Column<Row>[]
  className?: string | undefined
}) {
  return (
    <tr id={`row-${row.id}`} className={className} data-version={row.version}>
      {columns.map((column) => (
        <td key={column.label} className={cellClass(column, column.tone?.(row))}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

const cellClass = <Row,>({ align, isActions, isPick, part, leaves }: Column<Row>, tone?: string) =>
  [align === 'right' && 'figure', isActions && 'actions', isPick && 'pick', part, leaves, tone]
    .filter(Boolean)
    .join(' ') || undefined

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

/** The whole list as it is filtered and sorted now, as a file. */
function Files({ from, query, total }: { from: string; query: Query; total: number }) {
  const { page: _page, per_page: _perPage, tab: _tab, ...filters } = plain(query)
  const at = (format: string) => withQuery(from, { ...filters, format })
  return (
    <span className="list-files">
      {' '}
      · Export {total === 1 ? 'it' : `all ${showCount(total)}`} with every column:{' '}
      <a href={at('xlsx')} download="">
        Excel
      </a>{' '}
      <a href={at('csv')} download="">
        CSV
      </a>
    </span>
  )
}

/** Leads to the form that keeps the list as it is narrowed and sorted now. */
function KeepLink({ list, query }: { list: ViewList; query: Query }) {
  const { page: _, ...kept } = plain(query)
  return (
    <span className="list-files">
      {' '}
      ·{' '}
      <a href={withQuery(paths.views.create, { list, query: withQuery('', kept).slice(1) })} data-modal="">
        Keep this list
      </a>
    </span>
  )
}

type Place = { path: string; query: Query; meta: Meta; shown: number }

const addressOfPage = (path: string, query: Query, page: number) =>
  withQuery(path, { ...plain(query), page: page === 1 ? null : page })

function Range({ meta, shown }: Pick<Place, 'meta' | 'shown'>) {
  const first = (meta.page - 1) * meta.per_page + 1
  return (
    <>
      {showCount(first)}–{showCount(first + shown - 1)} of {showCount(meta.total)}
    </>
  )
}

/** Where the page stands, above the rows; the keyboard finds the same below them. */
function PagerTop({ path, query, meta, shown }: Place) {
  if (meta.pages === 1) return null
  return (
    <div className="pager-top">
      <span>
        <Range meta={meta} shown={shown} />
      </span>
      {meta.page > 1 && <a href={addressOfPage(path, query, meta.page - 1)}>Previous</a>}
      {meta.page < meta.pages && <a href={addressOfPage(path, query, meta.page + 1)}>Next</a>}
    </div>
  )
}

const PAGE_SIZES = [25, 50, 100, 200, 500]

/** Goes to a page by its number, with as many rows as are wanted. */
function PageJump({ path, query, meta }: Omit<Place, 'shown'>) {
  const { page: _page, per_page: _perPage, ...kept } = plain(query)
  const sizes = PAGE_SIZES.includes(meta.per_page) ? PAGE_SIZES : [meta.per_page, ...PAGE_SIZES]
  return (
    <form className="pager-jump" method="get" action={path} autoComplete="off">
      {Object.entries(kept).map(
        ([name, value]) =>
          value !== null &&
          value !== undefined &&
          value !== '' && <input key={name} type="hidden" name={name} value={String(value)} />,
      )}
      {meta.pages > 1 && (
        <label>
          Page <input type="number" name="page" min={1} max={meta.pages} defaultValue={meta.page} inputMode="numeric" />{' '}
          of {showCount(meta.pages)},
        </label>
      )}
      <label>
        <select name="per_page" defaultValue={meta.per_page}>
          {sizes.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>{' '}
        rows a page
      </label>
      <button type="submit" className="button">
        Go
      </button>
    </form>
  )
}

function Pager({
  path,
  query,
  meta,
  shown,
  file,
  keptAs,
}: Place & { file: string | undefined; keptAs: ViewList | undefined }) {
  return (
    <nav className="pager" aria-label="Pages">
      <p>
        <Range meta={meta} shown={shown} />
        {file && <Files from={file} query={query} total={meta.total} />}
        {keptAs && <KeepLink list={keptAs} query={query} />}
      </p>
      <div className="pager-links">
        {meta.total > PAGE_SIZES[0]! && <PageJump path={path} query={query} meta={meta} />}
        {meta.page > 1 && (
          <a className="button" rel="prev" href={addressOfPage(path, query, meta.page - 1)}>
            Previous
          </a>
        )}
        {meta.page < meta.pages && (
          <a className="button" rel="next" href={addressOfPage(path, query, meta.page + 1)}>
            Next
          </a>
        )}
      </div>
    </nav>
  )
}
