import { sql } from 'drizzle-orm'
import { transportCompanies, transports } from '../../../db/schema'
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
  usage: (id) => sql`
    select (select count(*)::int from ${transports} where transport_company_id = c.id) as transports,
           0 as osl, 0 as registrations, 0 as titles
    from ${transportCompanies} c where c.id = ${id}`,
})
