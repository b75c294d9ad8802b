import { VendorForm } from '../../../../views/places/vendors/form'
import { VendorListRow, VendorsPage } from '../../../../views/places/vendors/index-page'
import type { AppContext } from '../../../platform/context'
import { paths } from '../../../platform/paths'
import { masterPages } from '../master-data-pages'
import { vendorColumns } from './import'
import { vendorQueries } from './queries'
import { vendor, vendorFilters } from './rules'

export const vendorsPages = (ctx: AppContext) =>
  masterPages(ctx, {
    queries: vendorQueries,
    rules: vendor,
    filters: vendorFilters,
    noun: 'Vendor',
    many: 'vendors',
    title: 'Manage Vendors',
    nameOf: (item) => item.vendor_name,
    paths: paths.vendors,
    defaults: { is_active: true },
    columns: vendorColumns,
    carriedFields: ['vendor_type'],
    Index: VendorsPage,
    Row: VendorListRow,
    Form: VendorForm,
  })
