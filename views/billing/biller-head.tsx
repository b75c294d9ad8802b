import { PageHead } from '../ui/page-head'

type Props = {
  name: string
  lead: string
  /** Where it is edited; null for who may not. */
  edit: string | null
  checkInvoice: string
}

/** The head of a page about who sends us invoices. */
export const BillerHead = ({ name, lead, edit, checkInvoice }: Props) => (
  <PageHead title={name} lead={lead}>
    {edit && (
      <a className="button" href={edit} data-modal="">
        Edit
      </a>
    )}
    <a className="button button-primary" href={checkInvoice}>
      Check an invoice
    </a>
  </PageHead>
)
