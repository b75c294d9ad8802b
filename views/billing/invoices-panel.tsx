import type { InvoiceSummary } from '../../src/features/billing/queries'
import { paths } from '../../src/platform/paths'
import { showCount, showDate, showDifference, showMoney } from '../format'
import { TablePanel } from '../ui/plain-table'

export const InvoicesPanel = ({ invoices }: { invoices: InvoiceSummary[] }) => (
  <TablePanel
    title="Invoices"
    caption="Checked invoices"
    rows={invoices}
    empty="No invoices checked yet"
    columns={[
      { label: 'Number', cell: (row) => <a href={paths.invoices.show(row.id)}>{row.number}</a> },
      { label: 'From', cell: (row) => showDate(row.start_date) },
      { label: 'To', cell: (row) => showDate(row.end_date) },
      { label: 'Billed', align: 'right', cell: (row) => showMoney(row.billed) },
      { label: 'Our records', align: 'right', cell: (row) => showMoney(row.expected) },
      { label: 'Difference', align: 'right', cell: (row) => showDifference(row.billed - row.expected) },
      { label: 'Differing lines', align: 'right', cell: (row) => showCount(row.differing) },
      { label: 'Undecided lines', align: 'right', cell: (row) => showCount(row.open) },
    ]}
  />
)
