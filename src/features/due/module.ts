import type { Module } from '../../platform/module'
import { dueApi } from './api'
import { dueKinds } from './kind'
import { dueLists } from './lists'
import { duePages } from './pages'
import { dueSchemas } from './schemas'

export const due: Module = {
  routes: (ctx) => [duePages(ctx), dueApi(ctx)],
  kinds: dueKinds,
  lists: dueLists,
  schemas: dueSchemas,
}
