import type { Module } from '../module'
import { filesApi } from './api'
import { filesPages } from './pages'

export const imports: Module = {
  routes: (ctx) => [filesPages(ctx), filesApi(ctx)],
}
