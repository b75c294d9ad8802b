import type { Module } from '../module'
import { authApi } from './api'
import { secondFactorKind, tokenKind } from './kind'
import { authPages } from './pages'

export const auth: Module = {
  routes: (ctx) => [authPages(ctx), authApi(ctx)],
  kinds: [tokenKind, secondFactorKind],
}
