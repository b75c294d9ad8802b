import type { Module } from '../../platform/module'
import { registrationsApi } from './api'
import { registrationBulk } from './bulk'
import { registrationExports } from './exports'
import { registrationsPages } from './pages'
import { renewalUndo } from './renew'

export const registrations: Module = {
  routes: (ctx) => [registrationsPages(ctx), registrationsApi(ctx)],
  exports: registrationExports,
  bulk: registrationBulk,
  undoes: renewalUndo,
}
