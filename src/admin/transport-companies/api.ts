import type { Office } from '../../office'
import { masterApi } from '../master-data-api'
import { transportCompanyQueries } from './queries'
import { transportCompany, transportCompanyFilters } from './rules'

export const transportCompaniesApi = (office: Office) =>
  masterApi(office, {
    path: 'transport-companies',
    queries: transportCompanyQueries,
    rules: transportCompany,
    filters: transportCompanyFilters,
    one: 'transport company',
    many: 'transport companies',
  })
