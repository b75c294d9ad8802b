import type { Module } from '../../platform/module'
import { vehiclesApi } from './api'
import { vehicleKind } from './kind'
import { vehiclesPages } from './pages'
import { vehicleSchemas } from './schemas'

export const vehicles: Module = {
  routes: (ctx) => [vehiclesPages(ctx), vehiclesApi(ctx)],
  kinds: [vehicleKind],
  schemas: vehicleSchemas,
}
