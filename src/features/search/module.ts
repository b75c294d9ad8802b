import type { Module } from '../../platform/module'
import { searchApi } from './api'
import { searchPages } from './pages'

export const search: Module = {
  routes: (ctx) => [searchPages(ctx), searchApi(ctx)],
}
