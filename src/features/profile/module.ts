import type { Module } from '../../platform/module'
import { profilePages } from './pages'

export const profile: Module = {
  routes: (ctx) => [profilePages(ctx)],
}
