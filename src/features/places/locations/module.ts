import type { Module } from '../../../platform/module'
import { locationsApi } from './api'
import { locationsPages } from './pages'

export const locations: Module = {
  routes: (ctx) => [locationsPages(ctx), locationsApi(ctx)],
}
