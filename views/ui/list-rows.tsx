import { createContext, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { SerializedRow } from '../../src/platform/records/listing'
import { createMarkupCache } from './markup-cache'
import { TimeZone } from './time-zone'
import { Today } from './today'

export type Column<Row> = {
  label: string
  /** Sort key; undefined if the column cannot be sorted. */
  sort?: string
  align?: 'right'
  isActions?: boolean
  isPick?: boolean
  /**
   * Width in pixels. A list whose columns have widths is a board: each row takes one line, and the header is sticky.
   * Columns without a width share the remaining space.
   */
  width?: number
  /** Place of the cell on the card that shows the row on phones. Cells without a place are hidden on phones. */
  part?: 'unit' | 'main' | 'due' | 'state' | 'place' | 'sum'
  /** Contains costs, which not all users may see. */
  isCost?: boolean
  /** Hidden unless the user adds the column. */
  isExtra?: boolean
  /** Also shows the actions on the card of a row, because the record has no page that offers them. */
  isOnCard?: boolean
  /** Hides the column in windows that are at most 1100 (`room`) or 900 (`spare`) pixels wide. */
  leaves?: 'room' | 'spare'
  /** Returns an additional CSS class for the column's cell in a row, for example the length of a bar. */
  tone?: (row: Row) => string | undefined
  cell: (row: Row) => ReactNode
}

export type ListedRow = { id: number; version?: number }

/**
 * Set when a page is rendered without its rows: `draw` receives the function that renders the rows later. If the value
 * is null, the whole page is rendered at once.
 */
export const RowsLater = createContext<{ draw?: (lines: SerializedRow<never>[]) => string } | null>(null)
/** Placeholder for the rows. User input cannot contain this text, because input is escaped. */
export const ROWS_HERE = '<template id="rows-here"></template>'

/** Cache of row markup, because lists show the same rows repeatedly. */
const rowFor = createMarkupCache(2000)

/**
 * Renders rows from the cache. The cache key contains all values of a row, including joined names, so the markup is
 * never stale.
 */
export function rowsMarkup<Row extends ListedRow>(
  lines: SerializedRow<Row>[],
  columns: Column<Row>[],
  rowClass: ((row: Row) => string | undefined) | undefined,
  scope: string,
): string {
  let markup = ''
  for (const { text, read } of lines)
    markup += rowFor(`${scope} ${text}`, () => {
      const row = read()
      return rowMarkup(row, columns, rowClass?.(row), scope)
    })
  return markup
}

function rowMarkup<Row extends ListedRow>(
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

/** One row, in its list or as the response to a change. */
export function ListRow<Row extends ListedRow>({
  row,
  columns,
  className,
  isCard = false,
}: {
  row: Row
  columns: Column<Row>[]
  className?: string | undefined
  /** True if phones show the row as a card, in which each cell is a line with its label. */
  isCard?: boolean
}) {
  return (
    <tr id={`row-${row.id}`} className={className} data-version={row.version}>
      {columns.map((column) => (
        <td
          key={column.label}
          data-label={isCard ? column.label : undefined}
          className={cellClass(column, column.tone?.(row))}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

export const cellClass = <Row,>({ align, isActions, isPick, part, leaves }: Column<Row>, tone?: string) =>
  [align === 'right' && 'figure', isActions && 'actions', isPick && 'pick', part, leaves, tone]
    .filter(Boolean)
    .join(' ') || undefined
