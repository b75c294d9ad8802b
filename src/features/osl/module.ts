import type { Module } from '../../platform/module'
import { oslApi } from './api'
import { oslBulk } from './bulk'
import { oslExports } from './exports'
import { oslKind, oslPartKinds } from './kind'
import { oslLists } from './lists'
import { oslPages } from './pages'
import { oslSchemas } from './schemas'

export const osl: Module = {
  routes: (ctx) => [oslPages(ctx), oslApi(ctx)],
  exports: oslExports,
  bulk: oslBulk,
  kinds: [oslKind, ...oslPartKinds],
  lists: oslLists,
  schemas: oslSchemas,
}
