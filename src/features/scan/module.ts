import type { Module } from '../../platform/module'
import { scanApi } from './api'
import { scanPages } from './pages'

/** Applies one action to many units, each scanned by its number. */
export const scan: Module = {
  routes: (ctx) => [scanPages(ctx), scanApi(ctx)],
}
