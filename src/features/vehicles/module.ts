import type { Module } from '../../platform/module'
import { vehiclesApi } from './api'
import { vehiclesPages } from './pages'

export const vehicles: Module = {
  routes: (ctx) => [vehiclesPages(ctx), vehiclesApi(ctx)],
}
