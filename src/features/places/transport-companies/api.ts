import type { AppContext } from '../../../platform/context'
import { ref } from '../../../platform/docs/schema'
import { masterApi } from '../master-data-api'
import { transportCompanyQueries } from './queries'
import { transportCompany, transportCompanyFilters } from './rules'

export const transportCompaniesApi = (ctx: AppContext) =>
  masterApi(ctx, {
    path: 'transport-companies',
    queries: transportCompanyQueries,
    rules: transportCompany,
    filters: transportCompanyFilters,
    item: ref('TransportCompany'),
    noun: 'transport company',
    many: 'transport companies',
  })
