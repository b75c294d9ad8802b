import { PageHead } from '../ui/page-head'

type Props = {
  name: string
  lead: string
  /** Null for users who cannot edit this vendor or company. */
  edit: string | null
  checkInvoice: string
}

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
