import type { Module } from '../module'
import { dashboardApi } from './api'
import { dashboardPages } from './pages'

export const dashboard: Module = {
  routes: (ctx) => [dashboardPages(ctx), dashboardApi(ctx)],
}
