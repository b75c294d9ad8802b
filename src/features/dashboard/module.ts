import type { Module } from '../../platform/module'
import { dashboardApi } from './api'
import { dashboardPages } from './pages'

export const dashboard: Module = {
  routes: (ctx) => [dashboardPages(ctx), dashboardApi(ctx)],
}
