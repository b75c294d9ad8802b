import type { Module } from '../../platform/module'
import { usersApi } from './api'
import { userKind } from './kind'
import { usersPages } from './pages'

export const users: Module = {
  routes: (ctx) => [usersPages(ctx), usersApi(ctx)],
  kinds: [userKind],
}
