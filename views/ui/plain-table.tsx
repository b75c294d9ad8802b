import type { ReactNode } from 'react'
import { HISTORY_LIMIT } from '../../src/platform/records/kind'
import { areCostsSeen } from '../costs'
import { showCount } from '../format'

export type PlainColumn<Row> = {
  label: string
  align?: 'right'
  isCost?: boolean
  /** Hides the column on phones, if the table has `keepsColumns`. */
  leaves?: boolean
  /** True for sentences. Keeps the column so wide that amounts in the text are not broken. */
  isText?: boolean
  cell: (row: Row) => ReactNode
  total?: ReactNode
}

type Props<Row extends { id: number }> = {
  caption: string
  rows: Row[]
  columns: PlainColumn<Row>[]
  empty: string
  /** Maximum number of rows to show. `rows` must be sorted with the latest row first. */
  latest?: number
  /**
   * True to keep the table layout on phones. Use it for tables with few short columns. By default, each row becomes a
   * card on phones.
   */
  keepsColumns?: boolean
  /**
   * True to give all columns the same width. Otherwise, columns can move while the browser is still receiving the
   * table.
   */
  hasEqualColumns?: boolean
  /**
   * Prefix of the ids of the rows. Needed if rows contain forms: after a form is submitted, the page is loaded again
   * and uses the id to focus the same row.
   */
  rowPrefix?: string
}

const classOf = <Row,>({ align, leaves, isText }: PlainColumn<Row>) =>
  [align === 'right' && 'figure', leaves && 'leaves', isText && 'words'].filter(Boolean).join(' ') || undefined

export function PlainTable<Row extends { id: number }>({
  caption,
  rows: allRows,
  empty,
  latest = Number.POSITIVE_INFINITY,
  keepsColumns,
  hasEqualColumns,
  rowPrefix,
  ...props
}: Props<Row>) {
  const rows = allRows.slice(0, latest)
  const columns = props.columns.filter(({ isCost }) => areCostsSeen() || !isCost)
  if (rows.length === 0) return <p className="empty-line">{empty}</p>
  const table = (
    <table className={`table ${keepsColumns ? 'table-kept' : 'table-cards'}${hasEqualColumns ? ' is-fixed' : ''}`}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.label} scope="col" className={classOf(column)}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} id={rowPrefix && `${rowPrefix}-${row.id}`}>
            {columns.map((column) => (
              <td key={column.label} data-label={column.label} className={classOf(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      {columns.some(({ total }) => total !== undefined) && (
        <tfoot>
          <tr>
            {columns.map((column) => (
              <td key={column.label} data-label={column.label} className={classOf(column)}>
                {column.total}
              </td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  )
  if (rows.length === allRows.length) return table
  return (
    <>
      {table}
      <p className="panel-foot">
        Only the latest {showCount(rows.length)}
        {allRows.length < HISTORY_LIMIT && ` of ${showCount(allRows.length)}`} are shown.
      </p>
    </>
  )
}

/**
 * `sum` is text: the number of rows and their total amount.
 * `actions` are buttons beside the title. The table does not move when one of them appears or disappears.
 */
export function TablePanel<Row extends { id: number }>({
  title,
  sum,
  actions,
  children,
  ...table
}: Props<Row> & { title: string; sum?: string; actions?: ReactNode; children?: ReactNode }) {
  return (
    <section className="panel panel-table">
      <h2 className={sum || actions ? 'has-sum' : undefined}>{title}</h2>
      {sum && <p className="sum-of-all">{sum}</p>}
      {actions && <div className="page-actions panel-actions">{actions}</div>}
      <PlainTable {...table} />
      {children}
    </section>
  )
}
