import type { Letterhead as Head } from '../../src/features/settings/queries'

export const Letterhead = ({ company_name, address, phone, email }: Head) =>
  company_name || address || phone || email ? (
    <address className="letterhead">
      {company_name && <strong>{company_name}</strong>}
      {address && <span>{address}</span>}
      {(phone || email) && <span>{[phone, email].filter(Boolean).join(' · ')}</span>}
    </address>
  ) : null
