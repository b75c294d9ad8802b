import type { Invoice } from '../../src/features/billing/queries'
import type { Letterhead as Head } from '../../src/features/settings/queries'
import { paths } from '../../src/platform/paths'
import { showDate, showMoney } from '../format'
import { Letterhead } from '../settings/letterhead'
import { PageHead } from '../ui/page-head'
import { PlainTable } from '../ui/plain-table'
import { billerOf } from './billers'

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export function DisputeLetter({ invoice, today, head }: { invoice: Invoice; today: string; head: Head }) {
  const lines = invoice.lines.filter(({ decision }) => decision === 'disputed')
  const { totals } = invoice
  const biller = billerOf(invoice)
  // Dispute only the excess: if a line bills $500 and our records say $420, dispute $80. If a line bills no more than
  // our records say, the amount is not the reason for the dispute, so dispute the whole line.
  const inDispute = ({ amount, expected }: Invoice['lines'][number]) => {
    const billed = amount ?? 0
    return billed > expected ? billed - expected : billed
  }
  const disputed = lines.reduce((cents, line) => cents + Math.round(inDispute(line) * 100), 0) / 100
  const rest = Math.round((totals.disputed - disputed) * 100) / 100
  const accepted = [
    rest > 0 ? `the remaining ${showMoney(rest)} of these lines` : null,
    totals.accepted > 0 ? `${showMoney(totals.accepted)} in the other lines` : null,
  ].filter((part) => part !== null)
  const acceptance = accepted.length > 0 ? ` We accept ${accepted.join(' and ')}.` : ''
  const open = totals.open > 0 ? ` We are still checking ${showMoney(totals.open)}.` : ''
  return (
    <>
      <Letterhead {...head} />
      <PageHead title={`Dispute of invoice ${invoice.number}`} lead={`To ${biller.name}, ${showDate(today)}`}>
        <a className="button" href={paths.invoices.show(invoice.id)}>
          Invoice
        </a>
        {lines.length > 0 && (
          <button type="button" className="button button-primary with-script" data-print="">
            Print
          </button>
        )}
      </PageHead>
      {lines.length === 0 ? (
        <p className="banner banner-warning">No line is disputed, so there is nothing to send.</p>
      ) : (
        <section className="panel panel-table">
          <p className="letter">
            We checked invoice {invoice.number} for {biller.billed} from {showDate(invoice.start_date)} to{' '}
            {showDate(invoice.end_date)} against our records. Of {showMoney(totals.billed)} billed, we dispute{' '}
            {showMoney(disputed)} in the lines below.{acceptance}
            {open}
          </p>
          <PlainTable
            caption="Disputed lines"
            rows={lines}
            empty=""
            columns={[
              { label: 'Unit #', cell: (row) => <span className="id">{row.unit_number}</span> },
              { label: 'Billed', align: 'right', cell: (row) => showMoney(row.amount) },
              { label: 'Our records', align: 'right', cell: (row) => showMoney(row.expected) },
              { label: 'In dispute', align: 'right', cell: (row) => showMoney(inDispute(row)) },
              {
                label: 'Reason',
                isText: true,
                cell: (row) => capitalized([row.reason, row.note].filter(Boolean).join('. ')),
              },
            ]}
          />
          <p className="letter">Please send a corrected invoice.</p>
        </section>
      )}
    </>
  )
}
