import { paths } from '../../src/paths'
import type { Invoice } from '../../src/vendor-billing/queries'
import { showDate, showMoney } from '../format'
import { PageHead } from '../ui/page-head'
import { PlainTable } from '../ui/plain-table'

/** A letter that names every disputed line, to be printed. */
export function DisputeLetter({ invoice, today }: { invoice: Invoice; today: string }) {
  const lines = invoice.lines.filter(({ decision }) => decision === 'disputed')
  const { totals } = invoice
  return (
    <>
      <PageHead title={`Dispute of invoice ${invoice.number}`} lead={`To ${invoice.vendor_name}, ${showDate(today)}`}>
        <a className="button" href={paths.invoices.show(invoice.id)}>
          Invoice
        </a>
        <button type="button" className="button button-primary with-script" data-print="">
          Print
        </button>
      </PageHead>
      <section className="panel panel-table">
        <p className="letter">
          We checked invoice {invoice.number} for storage from {showDate(invoice.start_date)} to{' '}
          {showDate(invoice.end_date)} against our log. Of {showMoney(totals.billed)} billed we accept{' '}
          {showMoney(totals.accepted)} and dispute {showMoney(totals.disputed)}, as follows.
        </p>
        <PlainTable
          caption="Disputed lines"
          rows={lines}
          empty="Nothing is disputed"
          columns={[
            { label: 'Unit #', cell: (row) => row.unit_number },
            { label: 'Billed', align: 'right', cell: (row) => showMoney(row.amount) },
            { label: 'By our log', align: 'right', cell: (row) => showMoney(row.expected) },
            { label: 'Reason', cell: (row) => [row.reason, row.note].filter(Boolean).join('. ') },
          ]}
        />
        <p className="letter">Please send a corrected invoice.</p>
      </section>
    </>
  )
}
