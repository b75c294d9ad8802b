import { type ReactNode, useContext } from 'react'
import type { FilterNames } from '../../src/platform/lists/layouts/filter-names'
import { withQuery } from '../../src/platform/paths'
import type { SerializedRow } from '../../src/platform/records/listing'
import { areCostsSeen } from '../costs'
import { showCount } from '../format'
import { ActiveFilters, activeFilterNames } from './active-filters'
import { Layouts, useColumns } from './layouts'
import { type Meta, plain, type Query } from './list-query'
import { type Column, cellClass, type ListedRow, ListRow, ROWS_HERE, RowsLater, rowsMarkup } from './list-rows'
import { addressOfPage, Pager, PagerTop } from './pager'
import { type Selection, SelectionBar } from './selection'
import { TimeZone } from './time-zone'
import { Today } from './today'
import { type Filter, Toolbar } from './toolbar'

type Props<Row extends ListedRow> = {
  path: string
  query: Query
  meta: Meta
  /** Rows as objects, whose HTML is not cached. A list has either `rows` or `lines`. */
  rows?: Row[]
  /**
   * Rows as JSON text from the database. Their HTML is cached, so their cells may depend only on the row, the day and
   * `rowScope`.
   */
  lines?: SerializedRow<Row>[]
  columns: Column<Row>[]
  filters?: Filter[]
  search?: string
  /**
   * Query parameters without an input above the list, such as the tab. These parameters stay in the URL when the user
   * sorts the list or opens its next page.
   */
  keep?: Record<string, string>
  caption: string
  empty: { title: string; hint: ReactNode }
  before?: ReactNode
  rowClass?: (row: Row) => string | undefined
  /** URL of a file with all rows of the list. */
  file?: string
  selection?: Selection
  /** Name for the saved views and column layouts of the list. */
  listName?: string
  /**
   * Further values that the cells of `lines` depend on. An example is the selected tab. The row and the day need not be
   * listed here. The values become part of the cache key.
   */
  rowScope?: string
  /** Database table of the listed records. The page shows when other users change records of this table. */
  live?: string
  /**
   * Names of the records that are selected in filters. Filters contain only ids, so the names are needed to describe
   * them.
   */
  names?: FilterNames
  /** True if a row can take several lines. By default, each row takes one line if the columns have widths. */
  isWrapped?: boolean
}

const PAGING = ['page', 'per_page', 'gone', 'sort', 'order', 'snoozed']

/** Returns the line under the title of a list. With a search or filters, this is a count such as `7 found`. */
export const countLead = (query: object, total: number, words: string): string => {
  const isFiltered = Object.entries(query).some(([name, value]) => !PAGING.includes(name) && (value ?? '') !== '')
  return isFiltered ? `${showCount(total)} found` : words
}

/** The whole state of the list is in the URL. */
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
    listName,
    live,
    rowScope = '',
    names = {},
    isWrapped = false,
  } = props
  const isNarrowed =
    Boolean(query.q) ||
    filters.some((filter) => query[filter.name] !== null && query[filter.name] !== undefined) ||
    activeFilterNames(query, listName).length > 0
  const hasTools = search !== undefined || filters.length > 0
  const shownCount = (lines ?? rows).length
  const columns = useColumns(listName, props.columns)
  const layouts = useContext(Layouts)
  const isRoomy = listName !== undefined && layouts[listName]?.density === 'roomy'
  const labels = columns.map(({ label }) => label).join()
  const scope = [useContext(Today), useContext(TimeZone), areCostsSeen(), path, rowScope, labels].join(' ')
  const later = useContext(RowsLater)
  const drawn = (lines: SerializedRow<Row>[]) => rowsMarkup(lines, columns, rowClass, scope)
  if (later) later.draw = drawn
  const narrowing = <ActiveFilters path={path} query={query} list={listName} names={names} />
  const isFixed = columns.some(({ width }) => width !== undefined)
  const isBoard = isFixed && !isWrapped
  const over = isBoard ? stepsOver(columns) : 0
  const tableClass = [
    'table',
    isBoard ? 'board' : 'table-cards',
    isFixed && !isBoard && 'is-fixed',
    over > 0 && `is-over over-${over}`,
    columns.some(({ isActions, isOnCard }) => isActions && isOnCard) && 'has-card-actions',
  ]
    .filter(Boolean)
    .join(' ')
  return (
    <>
      {hasTools ? (
        <Toolbar
          {...{ path, query, filters, search, keep, before }}
          narrowing={narrowing}
          canSelect={selection !== undefined}
        />
      ) : (
        narrowing
      )}
      <div id="list" className={isRoomy ? 'list is-roomy' : 'list'} data-live={live} data-total={live && meta.total}>
        {shownCount === 0 && meta.total > 0 ? (
          <div className="empty">
            <h2>This page of the list has no rows any more</h2>
            <p>
              <a href={addressOfPage(path, query, meta.pages)}>Go to the last page</a>
            </p>
          </div>
        ) : shownCount === 0 ? (
          <div className="empty">
            <h2>{isNarrowed ? 'Nothing matches' : empty.title}</h2>
            <p>{isNarrowed ? <a href={withQuery(path, keep)}>Clear the search and filters</a> : empty.hint}</p>
          </div>
        ) : (
          <>
            {selection && <SelectionBar {...selection} query={plain(query)} total={meta.total} />}
            {hasTools && <PagerTop path={path} query={query} meta={meta} shown={shownCount} />}
            <Scrolling isNeeded={!isBoard || over > 0} isTall={over > 0} caption={caption}>
              <table className={tableClass}>
                <caption className="visually-hidden">{caption}</caption>
                {isFixed && (
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
                  <tbody dangerouslySetInnerHTML={{ __html: later ? ROWS_HERE : drawn(lines).join('') }} />
                ) : (
                  <tbody>
                    {rows.map((row) => (
                      <ListRow key={row.id} row={row} columns={columns} className={rowClass?.(row)} isCard={!isBoard} />
                    ))}
                  </tbody>
                )}
              </table>
            </Scrolling>
            <Pager
              path={path}
              query={{ ...query, ...keep }}
              meta={meta}
              shown={shownCount}
              file={file}
              listName={listName}
            />
          </>
        )}
      </div>
    </>
  )
}

/**
 * Default width of a column and width of the table, in pixels. The width of the table applies to a window of 1280
 * pixels.
 */
const [DEFAULT_WIDTH, TABLE_WIDTH] = [180, 1064]
const STEP = 160

/**
 * Returns by how many steps the columns are too wide. A step is 160 pixels, and the window is 1280 pixels wide. Always
 * returns 0 if the user has not added columns.
 */
function stepsOver<Row>(columns: Column<Row>[]): number {
  if (!columns.some(({ isExtra }) => isExtra)) return 0
  const totalWidth = columns.reduce((sum, { width = DEFAULT_WIDTH }) => sum + width, 0)
  return Math.max(0, Math.ceil((totalWidth - TABLE_WIDTH) / STEP))
}

type ScrollingProps = {
  isNeeded: boolean
  /** Makes the container scroll in both directions. The header of the table then stays visible. */
  isTall: boolean
  caption: string
  children: ReactNode
}

const Scrolling = ({ isNeeded, isTall, caption, children }: ScrollingProps) =>
  isNeeded ? (
    <div className={isTall ? 'table-scroll is-tall' : 'table-scroll'} tabIndex={0} role="region" aria-label={caption}>
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
