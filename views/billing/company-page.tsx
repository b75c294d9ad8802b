import type { CompanyMonth, NotInvoiced } from '../../src/features/billing/companies'
import type { InvoiceSummary } from '../../src/features/billing/queries'
import type { TransportCompany } from '../../src/features/places/transport-companies/queries'
import { paths, withQuery } from '../../src/platform/paths'
import { NONE, showCount, showMoney } from '../format'
import { Island } from '../island'
import { Facts } from '../ui/facts'
import { MonthsPanel } from '../ui/months-panel'
import { BillerHead } from './biller-head'
import { InvoicesPanel } from './invoices-panel'

type Period = { start_date: string; end_date: string }
type Props = {
  company: TransportCompany
  /** Number and cost of the transports not invoiced yet. The company delivered these transports in the period. */
  open: NotInvoiced & Period
  months: CompanyMonth[]
  invoices: InvoiceSummary[]
  isAdmin: boolean
}

export function CompanyPage({ company, open, months, invoices, isAdmin }: Props) {
  const { completed } = paths.transports
  const transportsUrl = (more: Record<string, string | number>) =>
    withQuery(completed, { transport_company_id: company.id, ...more })
  const { count, cost, start_date, end_date } = open
  return (
    <>
      <BillerHead
        name={company.company_name}
        lead="Transport company"
        edit={isAdmin ? paths.transportCompanies.edit(company.id) : null}
        checkInvoice={paths.companyBilling.createInvoice(company.id)}
      />
      <section className="panel">
        <h2>Transports</h2>
        <Facts
          facts={[
            [
              'In progress',
              <a key="active" href={withQuery(paths.transports.active, { transport_company_id: company.id })}>
                Active transports
              </a>,
            ],
            [
              'Delivered, not invoiced',
              <a key="open" href={transportsUrl({ invoiced: 'false', start_date, end_date })}>
                {showCount(count)} {count === 1 ? 'transport' : 'transports'}
              </a>,
            ],
            ['Cost not invoiced', showMoney(cost)],
            ['Contact', company.contact_person],
            ['Phone', company.phone],
            ['E-mail', company.email],
            ['Notes', company.notes],
          ]}
        />
      </section>
      <MonthsPanel
        months={months}
        caption="Deliveries in each of the last twelve months"
        href={({ start_date, end_date }) => transportsUrl({ start_date, end_date })}
        amount={({ final_cost }) => final_cost}
        columns={[
          { label: 'Delivered', align: 'right', cell: ({ delivered }) => showCount(delivered) },
          {
            label: 'On time',
            align: 'right',
            cell: ({ on_time, with_estimate }) =>
              with_estimate > 0 ? `${Math.round((100 * on_time) / with_estimate)} %` : NONE,
          },
          { label: 'Estimated cost', align: 'right', leaves: true, cell: (month) => showMoney(month.estimated_cost) },
          { label: 'Final cost', align: 'right', cell: (month) => showMoney(month.final_cost) },
        ]}
      />
      <InvoicesPanel invoices={invoices} />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
