import type { Module } from '../../platform/module'
import { budgetsApi } from './api'
import { budgetKind } from './kind'
import { budgetsPages } from './pages'

/** What locations may cost, beside what they do. */
export const budgets: Module = {
  routes: (ctx) => [budgetsPages(ctx), budgetsApi(ctx)],
  kinds: [budgetKind],
}
