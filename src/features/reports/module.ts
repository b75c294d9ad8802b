import type { Module } from '../../platform/module'
import { reportsApi } from './api'
import { reportsPages } from './pages'
import { schedulePages } from './schedule-pages'

export const reports: Module = {
  routes: (ctx) => [reportsPages(ctx), schedulePages(ctx), reportsApi(ctx)],
}
