import type { Module } from '../../platform/module'
import { titlesApi } from './api'
import { titleBulk } from './bulk'
import { titleExports } from './exports'
import { titlesPages } from './pages'

export const titles: Module = {
  routes: (ctx) => [titlesPages(ctx), titlesApi(ctx)],
  exports: titleExports,
  bulk: titleBulk,
}
