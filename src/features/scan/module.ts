import type { Module } from '../../platform/module'
import { scanApi } from './api'
import { scanPages } from './pages'

/** Pages and API for scanning. A user scans many units in a row, and the same action is applied to each unit. */
export const scan: Module = {
  routes: (ctx) => [scanPages(ctx), scanApi(ctx)],
}
