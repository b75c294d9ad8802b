import type { Module } from '../../platform/module'
import { settingsApi } from './api'
import { settingsKind } from './kind'
import { settingsPages } from './pages'
import { settingsSchemas } from './schemas'

export const settings: Module = {
  routes: (ctx) => [settingsPages(ctx), settingsApi(ctx)],
  kinds: [settingsKind],
  schemas: settingsSchemas,
}
