import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  index,
  integer,
  pgTable,
  serial,
  text,
  timestamp,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core'
import { DELIVERY_STATUSES } from '../vocabulary'
import { stamps } from './stamps'

/** A webhook: the address that receives changes, and the events to send. */
export const webhooks = pgTable('webhooks', {
  id: serial().primaryKey(),
  url: varchar({ length: 500 }).notNull(),
  /** Event types to send, such as `transport.created`. `*` stands for all event types. */
  events: text().array().notNull(),
  is_active: boolean().notNull().default(true),
  /** Reason why the program disabled the webhook after failed deliveries. Null if the program has not disabled it. */
  disabled_note: text(),
  /**
   * Key that signs deliveries, stored encrypted.
   * Until `old_secret_until`, deliveries are also signed with the previous key, `old_secret`.
   */
  secret: text().notNull(),
  old_secret: text(),
  old_secret_until: timestamp({ withTimezone: true }),
  /**
   * Time until which a server instance has claimed this webhook.
   * No other instance sends its deliveries in the meantime. Null if no instance has claimed it.
   */
  sending_until: timestamp({ withTimezone: true }),
  ...stamps,
})

/**
 * An event for one webhook, with the state of its delivery.
 * When a transaction changes a record, a database trigger inserts the event in the same transaction.
 */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    webhook_id: integer()
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /**
     * Event id that the program sends to the receiver. Retries have the same id, so that the receiver can ignore
     * duplicates.
     */
    message_id: uuid().notNull().defaultRandom(),
    type: varchar({ length: 40 }).notNull(),
    record_id: integer().notNull(),
    /** Audit entry of the change. Null for the event `import.finished`. */
    audit_id: bigint({ mode: 'number' }),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    status: varchar({ length: 10, enum: DELIVERY_STATUSES }).notNull().default('pending'),
    attempts: integer().notNull().default(0),
    /** Time of the next attempt. Null if the delivery is no longer pending. */
    next_at: timestamp({ withTimezone: true }),
    /** Request body. It is stored at the first attempt, so that retries send the same body. */
    body: text(),
    delivered_at: timestamp({ withTimezone: true }),
    /** HTTP status and error message of the latest attempt. */
    last_status: integer(),
    last_error: text(),
  },
  (t) => [
    index('webhook_deliveries_webhook_id_idx').on(t.webhook_id, t.id),
    index('webhook_deliveries_next_at_idx').on(t.next_at, t.webhook_id).where(sql`${t.status} = 'pending'`),
    index('webhook_deliveries_created_at_idx').on(t.created_at),
  ],
)
