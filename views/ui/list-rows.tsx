import { createContext, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { SerializedRow } from '../../src/platform/records/listing'
import { createMarkupCache } from './markup-cache'
import { TimeZone } from './time-zone'
import { Today } from './today'

export type Column<Row> = {
  label: string
  /** Sort key in the URL. Undefined if the list cannot be sorted by this column. */
  sort?: string
  align?: 'right'
  isActions?: boolean
  isPick?: boolean
  /**
   * Width in pixels. Columns without a width share the remaining space.
   * If any column of a list has a width, each row takes one line, and the header stays visible while the user scrolls.
   */
  width?: number
  /** Position of the cell in the card of its row on phones. Cells without a position are hidden there. */
  part?: 'unit' | 'main' | 'due' | 'state' | 'place' | 'sum'
  isCost?: boolean
  /** True if the column is hidden until the user adds it. On phones, its cells are lines of the card. */
  isExtra?: boolean
  /**
   * True if the column is also shown on phones, as a line of the card with its label.
   * Actions need it if the record has no page with these actions.
   */
  isOnCard?: boolean
  /**
   * Hides the column in narrow windows. The limits are 1250 pixels for `room`, 1050 pixels for `spare`, and 601 to
   * 760 pixels for `tight`.
   */
  leaves?: 'room' | 'spare' | 'tight'
  /** Returns an additional CSS class for a cell. For example, the class sets the length of a bar. */
  tone?: (row: Row) => string | undefined
  cell: (row: Row) => ReactNode
}

export type ListedRow = { id: number; version?: number }

/**
 * Context in which a list renders a placeholder instead of its rows. The rest of the page can then be cached. The list
 * stores a function in `draw` that renders the rows later. If the context is null, the list renders its rows at once.
 */
export const RowsLater = createContext<{ draw?: (lines: SerializedRow<never>[]) => string[] } | null>(null)
/** Placeholder that the rows of a list replace later. User input cannot contain it, because input is escaped. */
export const ROWS_HERE = '<template id="rows-here"></template>'

const rowFor = createMarkupCache(2000)

/**
 * Returns the HTML of each table row, from the cache if possible. The cache key contains all values of a row, including
 * names from other tables, so a changed row has a new key.
 */
export function rowsMarkup<Row extends ListedRow>(
  lines: SerializedRow<Row>[],
  columns: Column<Row>[],
  rowClass: ((row: Row) => string | undefined) | undefined,
  scope: string,
): string[] {
  return lines.map(({ text, read }) =>
    rowFor(scope, text, () => {
      const row = read()
      return rowMarkup(row, columns, rowClass?.(row), scope)
    }),
  )
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

export function ListRow<Row extends ListedRow>({
  row,
  columns,
  className,
  isCard = false,
}: {
  row: Row
  columns: Column<Row>[]
  className?: string | undefined
  /** True if the row is a card on phones. Each cell is then a line with the column's label. */
  isCard?: boolean
}) {
  return (
    <tr id={`row-${row.id}`} className={className} data-version={row.version}>
      {columns.map((column) => (
        <td
          key={column.label}
          data-label={isCard || isLine(column) ? column.label : undefined}
          className={cellClass(column, column.tone?.(row))}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

const isLine = <Row,>({ isActions, isExtra, isOnCard }: Column<Row>) => isExtra || (isOnCard && !isActions)

export const cellClass = <Row,>(column: Column<Row>, tone?: string) => {
  const { align, isActions, isPick, part, leaves } = column
  const names = [isActions && 'actions', isPick && 'pick', isLine(column) && 'line', part, leaves, tone]
  return [align === 'right' && 'figure', ...names].filter(Boolean).join(' ') || undefined
}
