import type { Module } from '../../platform/module'
import { dashboardApi } from './api'
import { dashboardPages } from './pages'
import { dashboardSchemas } from './schemas'

export const dashboard: Module = {
  routes: (ctx) => [dashboardPages(ctx), dashboardApi(ctx)],
  schemas: dashboardSchemas,
}
