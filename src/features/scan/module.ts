import type { Module } from '../../platform/module'
import { scanApi } from './api'
import { scanPages } from './pages'

/** The same done to unit after unit, each by its number alone. */
export const scan: Module = {
  routes: (ctx) => [scanPages(ctx), scanApi(ctx)],
}
