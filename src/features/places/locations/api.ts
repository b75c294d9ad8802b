import { Elysia } from 'elysia'
import type { AppContext } from '../../../platform/context'
import { ref } from '../../../platform/docs/schema'
import { masterApi, typeRoute } from '../master-data-api'
import { locationQueries } from './queries'
import { location, locationFilters } from './rules'

export const locationsApi = (ctx: AppContext) =>
  new Elysia()
    .use(
      masterApi(ctx, {
        path: 'locations',
        queries: locationQueries,
        rules: location,
        filters: locationFilters,
        item: ref('Location'),
        noun: 'location',
        many: 'locations',
      }),
    )
    .use(typeRoute(ctx, 'locations', locationQueries, ref('Location'), 'locations'))
