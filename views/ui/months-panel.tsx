import { type PlainColumn, TablePanel } from './plain-table'
import { Share } from './share'
import { showMonth } from './today'

type Month = { start_date: string; end_date: string }

type Props<M extends Month> = {
  months: M[]
  /** What a month tells, for whoever hears the table without its page. */
  caption: string
  /** The list that a month is made of. */
  href: (month: M) => string
  /** What it came to; the dearest month is a full length. */
  amount: (month: M) => number
  /** What stands between the month and its length. */
  columns: PlainColumn<M & { id: number }>[]
}

/** The months of something, one a line, each leading to what it is made of. */
export function MonthsPanel<M extends Month>({ months, caption, href, amount, columns }: Props<M>) {
  const most = Math.max(...months.map(amount))
  return (
    <TablePanel
      keepsColumns
      title="Month by month"
      caption={caption}
      rows={months.map((month, id) => ({ ...month, id }))}
      empty=""
      columns={[
        { label: 'Month', cell: (month) => <a href={href(month)}>{showMonth(month.start_date)}</a> },
        ...columns,
        { label: 'Share', leaves: true, cell: (month) => <Share of={amount(month)} most={most} /> },
      ]}
    />
  )
}
