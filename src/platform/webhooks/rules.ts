import { z } from 'zod'
import { webhookEvents } from '../../../db/vocabulary'
import { changeOf, requiredText, yesNo } from '../fields'
import { listQuery } from '../lists/list-query'

const EVENTS = webhookEvents()
const NOT_A_URL = 'Must be an address that begins with https:// or http://'

function isWebUrl(text: string): boolean {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && !url.username && !url.password && url.port !== '0'
}

/**
 * Rule for the list of event types that trigger a webhook. A form sends them as one text, separated by commas or
 * spaces.
 */
const events = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : value),
  z
    .array(
      z.string({ error: 'Must be text' }).refine((type) => EVENTS.includes(type), {
        error: ({ input }) => `“${String(input).slice(0, 40)}” is not an event`,
      }),
      { error: 'Must be a list of events' },
    )
    .min(1, 'Choose at least one event')
    .max(EVENTS.length, 'Too many events')
    .transform((types) => [...new Set(types)]),
)

export const webhook = z.object({
  url: requiredText('URL is required', 500).refine(isWebUrl, NOT_A_URL),
  events,
  is_active: yesNo(true),
})
export const webhookChange = changeOf(webhook)

export const webhookFilters = listQuery(['id', 'url'], 'id')
export const deliveryFilters = listQuery(['id'], 'id', 'desc')
export type WebhookFilters = z.output<typeof webhookFilters>
export type DeliveryFilters = z.output<typeof deliveryFilters>
