import { webhookDeliveries, webhooks } from '../../../db/schema'
import { object, record, type Schema, string } from '../docs/schema'

const UNSHOWN = ['secret', 'old_secret', 'old_secret_until', 'sending_until']

export const webhookSchemas = (): Record<string, Schema> => {
  const { properties = {} } = record(webhooks)
  const shown = Object.fromEntries(Object.entries(properties).filter(([name]) => !UNSHOWN.includes(name)))
  return {
    Webhook: object(shown),
    WebhookWithSecret: object({ ...shown, secret: string }),
    WebhookDelivery: record(webhookDeliveries),
  }
}
