import type { Module } from '../../platform/module'
import { usersApi } from './api'
import { usersPages } from './pages'

export const users: Module = {
  routes: (ctx) => [usersPages(ctx), usersApi(ctx)],
}
