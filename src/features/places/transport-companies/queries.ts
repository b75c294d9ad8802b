import { transportCompanies } from '../../../../db/schema'
import { masterQueries } from '../../../platform/records/master-data/queries'
import { naturally } from '../../../platform/records/natural-order'

export type TransportCompany = typeof transportCompanies.$inferSelect

export const transportCompanyQueries = masterQueries<TransportCompany>({
  table: transportCompanies,
  noun: 'Transport company',
  unique: { field: 'company_name', message: 'Company name already exists' },
  called: [transportCompanies.company_name],
  filter: 'transport_company_id',
  searched: [transportCompanies.contact_person, transportCompanies.email],
  sorts: {
    company_name: naturally(transportCompanies.company_name),
    contact_person: naturally(transportCompanies.contact_person),
    created_at: transportCompanies.created_at,
    updated_at: transportCompanies.updated_at,
  },
})
