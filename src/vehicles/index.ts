import type { Module } from '../module'
import { vehiclesApi } from './api'
import { vehiclesPages } from './pages'

export const vehicles: Module = {
  routes: (ctx) => [vehiclesPages(ctx), vehiclesApi(ctx)],
}
