import type { Module } from '../module'
import { titlesApi } from './api'
import { titleExports } from './exports'
import { titlesPages } from './pages'

export const titles: Module = {
  routes: (ctx) => [titlesPages(ctx), titlesApi(ctx)],
  exports: titleExports,
}
