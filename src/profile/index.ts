import type { Module } from '../module'
import { profilePages } from './pages'

export const profile: Module = {
  routes: (ctx) => [profilePages(ctx)],
}
