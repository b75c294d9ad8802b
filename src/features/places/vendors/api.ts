import { Elysia } from 'elysia'
import type { AppContext } from '../../../platform/context'
import { ref } from '../../../platform/docs/schema'
import { masterApi, typeRoute } from '../master-data-api'
import { vendorQueries } from './queries'
import { vendor, vendorFilters } from './rules'

export const vendorsApi = (ctx: AppContext) =>
  new Elysia()
    .use(
      masterApi(ctx, {
        path: 'vendors',
        queries: vendorQueries,
        rules: vendor,
        filters: vendorFilters,
        item: ref('Vendor'),
        noun: 'vendor',
        many: 'vendors',
      }),
    )
    .use(typeRoute(ctx, 'vendors', vendorQueries, ref('Vendor'), 'vendors'))
