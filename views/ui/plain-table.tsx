import type { ReactNode } from 'react'

export type PlainColumn<Row> = { label: string; align?: 'right'; cell: (row: Row) => ReactNode }

type Props<Row extends { id: number }> = { caption: string; rows: Row[]; columns: PlainColumn<Row>[]; empty: string }

/** A short table on a panel, without search and paging. */
export function PlainTable<Row extends { id: number }>({ caption, rows, columns, empty }: Props<Row>) {
  if (rows.length === 0) return <p className="empty-line">{empty}</p>
  return (
    <table className="table table-cards">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ label, align }) => (
            <th key={label} scope="col" className={align === 'right' ? 'figure' : undefined}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            {columns.map(({ label, align, cell }) => (
              <td key={label} data-label={label} className={align === 'right' ? 'figure' : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A panel that holds such a table. */
export function TablePanel<Row extends { id: number }>({
  title,
  children,
  ...table
}: Props<Row> & { title: string; children?: ReactNode }) {
  return (
    <section className="panel panel-table">
      <h2>{title}</h2>
      <PlainTable {...table} />
      {children}
    </section>
  )
}
