import { createContext, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Line } from '../../src/platform/records/listing'
import { remembered } from './remembered'
import { TimeZone } from './time-zone'
import { Today } from './today'

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
  /** It tells what something costs, which not everybody may see. */
  isCost?: boolean
  /** The column is there only for those who ask for it. */
  isExtra?: boolean
  /** What can be done with a row stands on its card too, where the record has no page of its own that offers it. */
  isOnCard?: boolean
  /** The column leaves when the window is narrower than 1100 (`room`) or 900 pixels (`spare`). */
  leaves?: 'room' | 'spare'
  /** A further class of a row's cell, such as a length. */
  tone?: (row: Row) => string | undefined
  cell: (row: Row) => ReactNode
}

export type ListedRow = { id: number; version?: number }

/** A page that is drawn without its rows is told here what draws them; null for one that is drawn whole. */
export const RowsLater = createContext<{ draw?: (lines: Line<never>[]) => string } | null>(null)
/** Where they belong in it; what people write cannot say this, for it is escaped. */
export const ROWS_HERE = '<template id="rows-here"></template>'

/** The markup of rows by everything that they show: lists show the same rows again and again. */
const rowFor = remembered(2000)

/** The rows as markup. One that was changed, also in a joined name, has another key, and is never shown stale. */
export function rowsMarkup<Row extends ListedRow>(
  lines: Line<Row>[],
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

/** One row of a list, as it stands there or as it comes back after a change. */
export function ListRow<Row extends ListedRow>({
  row,
  columns,
  className,
  isCard = false,
}: {
  row: Row
  columns: Column<Row>[]
  className?: string | undefined
  /** On a phone each cell is a line with its name. */
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
