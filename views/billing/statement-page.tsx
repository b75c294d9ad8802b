import type { Statement, StatementLine } from '../../src/features/billing/statement'
import type { Letterhead as Head } from '../../src/features/settings/queries'
import { paths, withQuery } from '../../src/platform/paths'
import { NONE, showCount, showDate, showMoney } from '../format'
import { Letterhead } from '../settings/letterhead'
import { Unit } from '../ui/cells'
import { PageHead } from '../ui/page-head'
import { PlainTable } from '../ui/plain-table'

const api = (vendor: number) => `/api/vendors/${vendor}/statement`

export function StatementPage({ statement, head }: { statement: Statement; head: Head }) {
  const { vendor_id, vendor_name, start_date, end_date, lines, total } = statement
  const period = { start_date, end_date }
  const rows = lines.map((line, id) => ({ ...line, id }))
  return (
    <>
      <Letterhead {...head} />
      <PageHead
        hasManyActions
        title={`Storage at ${vendor_name}`}
        lead={`${showDate(start_date)} to ${showDate(end_date)}, both days included`}
      >
        <a className="button" href={paths.vendorBilling.show(vendor_id)}>
          Vendor
        </a>
        <a className="button" href={withQuery(api(vendor_id), { ...period, format: 'csv' })}>
          CSV
        </a>
        <a className="button" href={withQuery(api(vendor_id), { ...period, format: 'xlsx' })}>
          Excel
        </a>
        <button type="button" className="button with-script" data-print="">
          Print
        </button>
      </PageHead>
      <section className="panel panel-table">
        <h2>
          Total chargeable: <strong>{showMoney(total)}</strong>
        </h2>
        <PlainTable
          caption="Days × daily rate, unit by unit"
          rows={rows}
          empty="No storage fees in this period"
          columns={[
            { label: 'Unit #', cell: (row) => <Unit unit={row.unit_number} href={paths.osl.show(row.osl_id)} /> },
            { label: 'From', cell: (row) => showDate(row.from) },
            { label: 'To', cell: (row) => showDate(row.to) },
            { label: 'Days', align: 'right', cell: (row) => (isWaiver(row) ? '' : showCount(row.days)) },
            { label: 'Daily rate', align: 'right', cell: (row) => (isWaiver(row) ? '' : showMoney(row.daily_rate)) },
            { label: 'Amount', align: 'right', cell: (row) => showMoney(row.amount) },
            { label: 'Remark', cell: (row) => (isWaiver(row) ? `Waived: ${row.waived_reason ?? ''}` : NONE) },
          ]}
        />
      </section>
    </>
  )
}

const isWaiver = ({ days }: StatementLine) => days === 0
