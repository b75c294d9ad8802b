import type { Module } from '../module'
import { liveApi } from './api'

/** What others change, told as it happens. */
export const live: Module = {
  routes: (ctx) => [liveApi(ctx)],
}
