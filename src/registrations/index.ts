import type { Module } from '../module'
import { registrationsApi } from './api'
import { registrationBulk } from './bulk'
import { registrationExports } from './exports'
import { registrationsPages } from './pages'

export const registrations: Module = {
  routes: (ctx) => [registrationsPages(ctx), registrationsApi(ctx)],
  exports: registrationExports,
  bulk: registrationBulk,
}
