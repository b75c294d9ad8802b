import type { Module } from '../../platform/module'
import { transportsApi } from './api'
import { transportBulk } from './bulk'
import { transportExports } from './exports'
import { orderPages } from './order-pages'
import { transportsPages } from './pages'

export const transports: Module = {
  routes: (ctx) => [transportsPages(ctx), orderPages(ctx), transportsApi(ctx)],
  exports: transportExports,
  bulk: transportBulk,
}
