import type { Module } from '../module'
import { reportsApi } from './api'
import { reportsPages } from './pages'

export const reports: Module = {
  routes: (ctx) => [reportsPages(ctx), reportsApi(ctx)],
}
