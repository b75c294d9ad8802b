import type { Module } from '../../platform/module'
import { registrationsApi } from './api'
import { registrationBulk } from './bulk'
import { registrationExports } from './exports'
import { registrationKind } from './kind'
import { registrationLists } from './lists'
import { registrationsPages } from './pages'
import { renewalUndo } from './renew'
import { registrationSchemas } from './schemas'

export const registrations: Module = {
  routes: (ctx) => [registrationsPages(ctx), registrationsApi(ctx)],
  exports: registrationExports,
  bulk: registrationBulk,
  undoes: renewalUndo,
  kinds: [registrationKind],
  lists: registrationLists,
  schemas: registrationSchemas,
}
