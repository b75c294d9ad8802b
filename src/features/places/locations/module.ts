import type { Module } from '../../../platform/module'
import { placeSchemas } from '../schemas'
import { locationsApi } from './api'
import { locationKind } from './kind'
import { locationsPages } from './pages'

export const locations: Module = {
  routes: (ctx) => [locationsPages(ctx), locationsApi(ctx)],
  kinds: [locationKind],
  schemas: placeSchemas,
}
