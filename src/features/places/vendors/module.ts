import type { Module } from '../../../platform/module'
import { vendorsApi } from './api'
import { vendorKind } from './kind'
import { vendorsPages } from './pages'

export const vendors: Module = {
  routes: (ctx) => [vendorsPages(ctx), vendorsApi(ctx)],
  kinds: [vendorKind],
}
