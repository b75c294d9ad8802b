import type { Letterhead as Head } from '../../src/features/settings/queries'
import type { Order } from '../../src/features/transports/queries'
import type { Document } from '../../src/platform/documents/queries'
import { paths } from '../../src/platform/paths'
import { DocumentList } from '../documents/document-list'
import { showCount, showDate, showMoney } from '../format'
import { Island } from '../island'
import { Letterhead } from '../settings/letterhead'
import { Facts } from '../ui/facts'
import { PageHead } from '../ui/page-head'

type Props = { order: Order; head: Head; documents: Document[] }

export function OrderPage({ order: { transport, out, in: to, company, vehicle }, head, documents }: Props) {
  const { id, version, po_number, unit_number, estimated_arrival_date } = transport
  return (
    <>
      <Letterhead {...head} />
      <PageHead
        title={po_number ? `Transport order ${po_number}` : 'Transport order'}
        lead={`To ${transport.transport_company_name}`}
      >
        <a className="button" href={paths.transports.edit(id)} data-modal="">
          Edit
        </a>
        {!po_number && (
          <form method="post" action={paths.transports.issuePo(id)}>
            <input type="hidden" name="version" value={version} />
            <button type="submit" className="button">
              Issue PO
            </button>
          </form>
        )}
        <button type="button" className="button button-primary with-script" data-print="">
          Print
        </button>
      </PageHead>
      <section className="panel">
        <h2>
          Unit <a href={paths.vehicles.show(unit_number)}>{unit_number}</a>
        </h2>
        <Facts
          facts={[
            ['VIN', vehicle.vin],
            ['Model year', vehicle.model_year],
            ['Move type', transport.move_type],
            ['RA number', transport.ra_number],
            ['Mileage', showCount(transport.mileage)],
          ]}
        />
      </section>
      <div className="order-places">
        <section className="panel">
          <h2>From</h2>
          <Facts
            facts={[
              ['Location', `${transport.location_out_name} (${transport.location_out_code})`],
              ['Address', out.address],
              ['Phone', out.phone],
              ['Pick up', showDate(transport.move_date)],
            ]}
          />
        </section>
        <section className="panel">
          <h2>To</h2>
          <Facts
            facts={[
              ['Location', `${transport.location_in_name} (${transport.location_in_code})`],
              ['Address', to.address],
              ['Phone', to.phone],
              ['Deliver by', estimated_arrival_date && showDate(estimated_arrival_date)],
            ]}
          />
        </section>
      </div>
      <section className="panel">
        <h2>Terms</h2>
        <Facts
          facts={[
            ['Carrier', transport.transport_company_name],
            ['Contact', company.contact_person],
            ['Carrier phone', company.phone],
            ['Carrier e-mail', company.email],
            ['Agreed cost', showMoney(transport.estimated_cost)],
            ['Notes', transport.notes],
          ]}
        />
      </section>
      <div className="order-places signatures">
        <Signature label="Released by" />
        <Signature label="Received by" />
      </div>
      <DocumentList documents={documents} />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}

const Signature = ({ label }: { label: string }) => (
  <dl>
    {[label, 'Signature', 'Date and time'].map((line) => (
      <div key={line}>
        <dt>{line}</dt>
        <dd />
      </div>
    ))}
  </dl>
)
