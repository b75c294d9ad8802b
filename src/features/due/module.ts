import type { Module } from '../../platform/module'
import { dueApi } from './api'
import { duePages } from './pages'

/** What needs doing, found by the program itself. */
export const due: Module = {
  routes: (ctx) => [duePages(ctx), dueApi(ctx)],
}
