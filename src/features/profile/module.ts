import type { Module } from '../../platform/module'
import { profilePages } from './pages'
import { twoFactorPages } from './two-factor-pages'

export const profile: Module = {
  routes: (ctx) => [profilePages(ctx), twoFactorPages(ctx)],
}
