import type { Module } from '../module'
import { auditApi } from './api'
import { auditPages } from './pages'

export const audit: Module = {
  routes: (ctx) => [auditPages(ctx), auditApi(ctx)],
}
