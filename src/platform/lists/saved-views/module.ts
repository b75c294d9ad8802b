import type { Module } from '../../module'
import { savedViewsApi } from './api'
import { savedViewsPages } from './pages'

/** Lists with their filters, kept under a name. */
export const views: Module = {
  routes: (ctx, lists) => [savedViewsPages(ctx), savedViewsApi(ctx, lists)],
}
