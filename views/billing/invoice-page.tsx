import type { Invoice, InvoiceLine } from '../../src/features/billing/queries'
import type { Document } from '../../src/platform/documents/queries'
import { paths, withQuery } from '../../src/platform/paths'
import { DocumentList } from '../documents/document-list'
import { NONE, showDate, showDifference, showMoney } from '../format'
import { Island } from '../island'
import { Badge } from '../ui/badge'
import { Unit } from '../ui/cells'
import { Facts, Stamps } from '../ui/facts'
import { PageHead } from '../ui/page-head'
import { TablePanel } from '../ui/plain-table'
import { billerOf } from './billers'

const { order: orderOf } = paths.transports
const WORDS = { matched: 'Matched', differs: 'Differs', not_ours: 'Not ours', not_billed: 'Not billed' }
const TONES = { matched: 'success', differs: 'warning', not_ours: 'danger', not_billed: 'info' } as const

type Props = {
  invoice: Invoice
  documents: Document[]
  /**
   * `isAdmin` is true if the user can delete the invoice. `decides` is true if the user can accept and dispute its
   * lines.
   */
  isAdmin: boolean
  decides: boolean
  isUndecided: boolean
  /** A decision that the server rejected. The form shows the entered reason (`note`) again. */
  refused?: RefusedDecision | undefined
}
type RefusedDecision = { line: number; note: string; message: string }

/** Value of the query parameter `lines` that shows only the undecided lines. */
export const UNDECIDED = 'undecided'

/** Lines that differ from our records come first. */
export function InvoicePage({ invoice, documents, isAdmin, decides, isUndecided, refused }: Props) {
  const { lines, totals } = invoice
  const biller = billerOf(invoice)
  const isOpen = ({ status, decision }: InvoiceLine) => status === 'matched' && decision === null
  const matching = lines.filter(isOpen).length
  const undecided = lines.filter(({ decision, amount }) => decision === null && amount !== null)
  const shownLines = [...(isUndecided ? undecided : lines)].sort(
    (a, b) => Number(a.status === 'matched') - Number(b.status === 'matched') || a.id - b.id,
  )
  return (
    <>
      <PageHead
        hasManyActions
        title={`Invoice ${invoice.number}`}
        lead={`${biller.name}, ${showDate(invoice.start_date)} to ${showDate(invoice.end_date)}`}
      >
        <a className="button" href={biller.show}>
          {biller.noun}
        </a>
        {isAdmin && (
          <a className="button" href={paths.invoices.remove(invoice.id)} data-modal="">
            Delete
          </a>
        )}
      </PageHead>
      {refused && (
        <p className="banner banner-danger" role="alert">
          {refused.message}
        </p>
      )}
      {invoice.notes.length > 0 && (
        <section className="panel">
          <h2>About the file</h2>
          <ul className="scroll-box warnings-box" tabIndex={0} aria-label="About the file">
            {invoice.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </section>
      )}
      <section className="panel">
        <h2>Totals</h2>
        <Facts
          facts={[
            ['Billed', showMoney(totals.billed)],
            ['Our records', showMoney(totals.expected)],
            ['Difference', showDifference(totals.billed - totals.expected)],
            ['On accepted lines', showMoney(totals.accepted)],
            [
              'On disputed lines',
              <>
                {showMoney(totals.disputed)}{' '}
                {totals.disputed > 0 && <a href={paths.invoices.dispute(invoice.id)}>Dispute letter</a>}
              </>,
            ],
            ['On undecided lines', showMoney(totals.open)],
          ]}
        />
        <Stamps record={invoice} entity="vendor_invoices" />
      </section>
      <DocumentList documents={documents} />
      {!decides && undecided.length > 0 && (
        <p className="lead">
          Only administrators can accept and dispute lines. They can allow it for all users in Settings.
        </p>
      )}
      <TablePanel
        title={isUndecided ? 'Undecided lines' : 'Lines'}
        caption="Lines compared with our records"
        rows={shownLines}
        rowPrefix="line"
        empty={isUndecided ? 'All lines have been accepted or disputed' : 'No lines'}
        actions={
          <>
            {(isUndecided || undecided.length > 0) && (
              <a
                className="button"
                href={withQuery(paths.invoices.show(invoice.id), { lines: isUndecided ? null : UNDECIDED })}
              >
                {isUndecided ? `Show all ${lines.length} lines` : `Show ${undecided.length} undecided`}
              </a>
            )}
            {decides && matching > 0 && (
              <form method="post" action={paths.invoices.accept(invoice.id)}>
                <button type="submit" className="button button-primary">
                  {matching === 1 ? 'Accept the matched line' : `Accept all ${matching} matched`}
                </button>
              </form>
            )}
          </>
        }
        columns={[
          {
            label: 'Unit #',
            cell: (row) => {
              const path = row.osl_id ? paths.osl.show(row.osl_id) : row.transport_id && orderOf(row.transport_id)
              return path ? <Unit unit={row.unit_number} href={path} /> : <span className="id">{row.unit_number}</span>
            },
          },
          { label: 'Result', cell: (row) => <Badge tone={TONES[row.status]}>{WORDS[row.status]}</Badge> },
          { label: 'Billed', align: 'right', cell: (row) => showMoney(row.amount) },
          { label: 'Our records', align: 'right', cell: (row) => showMoney(row.expected) },
          {
            label: 'Difference',
            align: 'right',
            cell: (row) => showDifference((row.amount ?? 0) - row.expected),
          },
          { label: 'Reason', isText: true, cell: (row) => row.reason ?? NONE },
          { label: 'Decision', cell: (row) => <Decision {...{ decides, isUndecided, refused }} line={row} /> },
        ]}
      />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}

const DECIDED = { accepted: 'Accepted', disputed: 'Disputed' }

/**
 * Form that accepts or disputes an invoice line. It has two submit buttons, so that a decision takes one click and
 * works without scripts.
 */
function Decision({
  line,
  decides,
  isUndecided,
  refused,
}: Pick<Props, 'decides' | 'isUndecided' | 'refused'> & { line: InvoiceLine }) {
  if (line.amount === null) return NONE
  const decisionText = line.decision ? `${DECIDED[line.decision]}${line.note ? `: ${line.note}` : ''}` : 'Undecided'
  if (!decides) return <div className="decided">{decisionText}</div>
  return (
    <form
      method="post"
      action={paths.invoices.decide(line.id)}
      className="row-actions decision is-printed"
      // Save unsaved input as a draft, because the page reloads after each decision. The draft restores the reasons
      // that the user has typed for other lines.
      data-draft=""
      data-comes-back=""
    >
      <input type="hidden" name="version" value={line.version} />
      {isUndecided && <input type="hidden" name="lines" value={UNDECIDED} />}
      {line.decision && (
        <>
          {/* One line until it is opened, so that a decision does not move the lines below. */}
          <details>
            <summary>{decisionText}</summary>
          </details>
          <button type="submit" className="link" name="decision" value="" data-settled="">
            Undo
          </button>
        </>
      )}
      {(line.decision === null || refused?.line === line.id) && (
        <>
          {line.decision === null && <span className="only-printed">Undecided</span>}
          <input
            name="note"
            maxLength={1000}
            placeholder="Your reason"
            defaultValue={refused?.line === line.id ? refused.note : undefined}
            aria-label={`Reason, unit ${line.unit_number}`}
            className="why"
          />
          {/* Put Dispute first, because Enter presses the first button. Only a dispute needs a reason, so Enter after a
              typed reason must dispute the line. */}
          <button type="submit" className="link" name="decision" value="disputed">
            Dispute
          </button>
          <button type="submit" className="link" name="decision" value="accepted">
            Accept
          </button>
        </>
      )}
    </form>
  )
}
