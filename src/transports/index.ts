import type { Module } from '../module'
import { transportsApi } from './api'
import { transportBulk } from './bulk'
import { transportExports } from './exports'
import { transportsPages } from './pages'

export const transports: Module = {
  routes: (ctx) => [transportsPages(ctx), transportsApi(ctx)],
  exports: transportExports,
  bulk: transportBulk,
}
