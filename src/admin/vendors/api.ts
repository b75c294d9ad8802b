import { Elysia } from 'elysia'
import type { Office } from '../../office'
import { masterApi, typeRoute } from '../master-data-api'
import { vendorQueries } from './queries'
import { vendor, vendorFilters } from './rules'

export const vendorsApi = (office: Office) =>
  new Elysia()
    .use(masterApi(office, { path: 'vendors', queries: vendorQueries, rules: vendor, filters: vendorFilters, one: 'vendor', many: 'vendors' }))
    .use(typeRoute(office, 'vendors', vendorQueries, 'vendors'))
