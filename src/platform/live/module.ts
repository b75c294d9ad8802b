import type { Module } from '../module'
import { liveApi } from './api'

export const live: Module = {
  routes: (ctx) => [liveApi(ctx)],
}
