import { TransportCompanyForm } from '../../../../views/places/transport-companies/form'
import {
  TransportCompaniesPage,
  TransportCompanyListRow,
} from '../../../../views/places/transport-companies/index-page'
import type { AppContext } from '../../../platform/context'
import { paths } from '../../../platform/paths'
import { masterPages } from '../master-data-pages'
import { transportCompanyColumns } from './import'
import { transportCompanyQueries } from './queries'
import { transportCompany, transportCompanyFilters } from './rules'

export const transportCompaniesPages = (ctx: AppContext) =>
  masterPages(ctx, {
    queries: transportCompanyQueries,
    rules: transportCompany,
    filters: transportCompanyFilters,
    noun: 'Transport company',
    many: 'transport companies',
    title: 'Manage Transport Companies',
    nameOf: (item) => item.company_name,
    paths: paths.transportCompanies,
    defaults: { is_active: true },
    columns: transportCompanyColumns,
    carriedFields: [],
    Index: TransportCompaniesPage,
    Row: TransportCompanyListRow,
    Form: TransportCompanyForm,
  })
