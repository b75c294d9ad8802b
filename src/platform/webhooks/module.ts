import type { Module } from '../module'
import { webhooksApi } from './api'
import { webhookKinds } from './kind'
import { webhooksPages } from './pages'
import { webhookSchemas } from './schemas'

export const webhooks: Module = {
  routes: (ctx) => [webhooksPages(ctx), webhooksApi(ctx)],
  kinds: webhookKinds,
  schemas: webhookSchemas,
}
