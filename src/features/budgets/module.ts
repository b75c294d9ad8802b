import type { Module } from '../../platform/module'
import { budgetsApi } from './api'
import { budgetKind } from './kind'
import { budgetsPages } from './pages'

export const budgets: Module = {
  routes: (ctx) => [budgetsPages(ctx), budgetsApi(ctx)],
  kinds: [budgetKind],
}
