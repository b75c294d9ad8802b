import type { AppContext } from '../../context'
import { masterApi } from '../master-data-api'
import { transportCompanyQueries } from './queries'
import { transportCompany, transportCompanyFilters } from './rules'

export const transportCompaniesApi = (ctx: AppContext) =>
  masterApi(ctx, {
    path: 'transport-companies',
    queries: transportCompanyQueries,
    rules: transportCompany,
    filters: transportCompanyFilters,
    one: 'transport company',
    many: 'transport companies',
  })
