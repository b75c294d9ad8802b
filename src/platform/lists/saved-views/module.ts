import type { Module } from '../../module'
import { savedViewsApi } from './api'
import { savedViewKind } from './kind'
import { savedViewsPages } from './pages'

export const views: Module = {
  routes: (ctx) => [savedViewsPages(ctx), savedViewsApi(ctx)],
  kinds: [savedViewKind],
}
