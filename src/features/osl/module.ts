import type { Module } from '../../platform/module'
import { oslApi } from './api'
import { oslBulk } from './bulk'
import { oslExports } from './exports'
import { oslPages } from './pages'

export const osl: Module = {
  routes: (ctx) => [oslPages(ctx), oslApi(ctx)],
  exports: oslExports,
  bulk: oslBulk,
}
