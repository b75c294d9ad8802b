import type { Module } from '../../platform/module'
import { transportsApi } from './api'
import { transportBulk } from './bulk'
import { transportExports } from './exports'
import { transportKind } from './kind'
import { transportLists } from './lists'
import { orderPages } from './order-pages'
import { transportsPages } from './pages'
import { transportSchemas } from './schemas'

export const transports: Module = {
  routes: (ctx) => [transportsPages(ctx), orderPages(ctx), transportsApi(ctx)],
  exports: transportExports,
  bulk: transportBulk,
  kinds: [transportKind],
  lists: transportLists,
  schemas: transportSchemas,
}
