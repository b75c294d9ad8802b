import { transportCompanies } from '../../../db/schema'
import { masterQueries } from '../master-data'

export type TransportCompany = typeof transportCompanies.$inferSelect

export const transportCompanyQueries = masterQueries<TransportCompany>({
  table: transportCompanies,
  noun: 'Transport company',
  unique: { field: 'company_name', message: 'Company name already exists' },
  name: transportCompanies.company_name,
  searched: [transportCompanies.company_name, transportCompanies.contact_person, transportCompanies.email],
  sorts: {
    company_name: transportCompanies.company_name,
    contact_person: transportCompanies.contact_person,
    created_at: transportCompanies.created_at,
  },
})
