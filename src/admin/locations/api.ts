import { Elysia } from 'elysia'
import type { Office } from '../../office'
import { masterApi, typeRoute } from '../master-data-api'
import { locationQueries } from './queries'
import { location, locationFilters } from './rules'

export const locationsApi = (office: Office) =>
  new Elysia()
    .use(masterApi(office, { path: 'locations', queries: locationQueries, rules: location, filters: locationFilters, one: 'location', many: 'locations' }))
    .use(typeRoute(office, 'locations', locationQueries, 'locations'))
