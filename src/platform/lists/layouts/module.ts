import type { Module } from '../../module'
import { listsApi } from './api'
import { layoutKind } from './kind'
import { listsPages } from './pages'

/** How each person has their lists laid out, and what narrows a list. */
export const lists: Module = {
  routes: (ctx) => [listsPages(ctx), listsApi(ctx)],
  kinds: [layoutKind],
}
