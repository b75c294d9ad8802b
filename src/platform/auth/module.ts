import type { Module } from '../module'
import { authApi } from './api'
import { identityKind, passkeyKind, secondFactorKind, tokenKind } from './kind'
import { authPages } from './pages'
import { singleSignOnRoutes } from './single-sign-on-routes'

export const auth: Module = {
  routes: (ctx) => [authPages(ctx), authApi(ctx), singleSignOnRoutes(ctx)],
  kinds: [tokenKind, secondFactorKind, passkeyKind, identityKind],
}
