import type { Module } from '../../platform/module'
import { settingsApi } from './api'
import { settingsPages } from './pages'

export const settings: Module = {
  routes: (ctx) => [settingsPages(ctx), settingsApi(ctx)],
}
