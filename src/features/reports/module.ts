import type { Module } from '../../platform/module'
import { reportsApi } from './api'
import { reportKinds } from './kind'
import { reportsPages } from './pages'
import { schedulePages } from './schedule-pages'
import { reportSchemas } from './schemas'

export const reports: Module = {
  routes: (ctx) => [reportsPages(ctx), schedulePages(ctx), reportsApi(ctx)],
  kinds: reportKinds,
  schemas: reportSchemas,
}
