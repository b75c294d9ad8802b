import type { Module } from '../../module'
import { listsApi } from './api'
import { layoutKind } from './kind'
import { listsPages } from './pages'

export const lists: Module = {
  routes: (ctx) => [listsPages(ctx), listsApi(ctx)],
  kinds: [layoutKind],
}
