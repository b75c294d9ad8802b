import { webhookDeliveries, webhooks } from '../../../db/schema'
import { paths } from '../paths'
import type { RecordKind } from '../records/kind'

export const webhookKinds: RecordKind[] = [
  {
    table: webhooks,
    noun: 'webhook',
    many: 'webhooks',
    calledBy: webhooks.url,
    page: ({ id }) => paths.webhooks.deliveries(id),
    events: 'administrators',
  },
  { table: webhookDeliveries, noun: 'webhook delivery', many: 'webhook deliveries' },
]
