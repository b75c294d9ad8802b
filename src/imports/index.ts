import type { Module } from '../module'
import { filesApi } from './api'
import { filesPages } from './pages'
import { pastePages } from './paste-pages'

export const imports: Module = {
  routes: (ctx) => [filesPages(ctx), pastePages(ctx), filesApi(ctx)],
}
