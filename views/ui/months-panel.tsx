import { type PlainColumn, TablePanel } from './plain-table'
import { Share } from './share'
import { showMonth } from './today'

type Month = { start_date: string; end_date: string }

type Props<M extends Month> = {
  months: M[]
  caption: string
  href: (month: M) => string
  amount: (month: M) => number
  columns: PlainColumn<M & { id: number }>[]
}

export function MonthsPanel<M extends Month>({ months, caption, href, amount, columns }: Props<M>) {
  const maxAmount = Math.max(...months.map(amount))
  return (
    <TablePanel
      keepsColumns
      hasEqualColumns
      title="Month by month"
      caption={caption}
      rows={months.map((month, id) => ({ ...month, id }))}
      empty=""
      columns={[
        { label: 'Month', cell: (month) => <a href={href(month)}>{showMonth(month.start_date)}</a> },
        ...columns,
        { label: 'Chart', leaves: true, cell: (month) => <Share value={amount(month)} max={maxAmount} /> },
      ]}
    />
  )
}
