import type { Module } from '../../module'
import { usersApi } from './api'
import { usersPages } from './pages'

export const users: Module = {
  routes: (ctx) => [usersPages(ctx), usersApi(ctx)],
}
