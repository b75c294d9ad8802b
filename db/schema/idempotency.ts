import {
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core'
import { users } from './users'

/**
 * A request with the header `Idempotency-Key`, and its response.
 * The response is null until the request has finished. Rows are kept for a day.
 */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: varchar({ length: 200 }).notNull(),
    /** Hash of method, URL and body. A request with the same key but another hash is rejected. */
    fingerprint: varchar({ length: 64 }).notNull(),
    /**
     * Random id of the request that currently runs with this key.
     * A later request that takes over the key changes this id. The earlier request can then no longer commit.
     */
    attempt: uuid().notNull(),
    created_at: timestamp({ withTimezone: true }).notNull(),
    /** Until this time, the request counts as running. Other requests with the same key are rejected. */
    locked_until: timestamp({ withTimezone: true }).notNull(),
    /**
     * True if the change of the request has been committed.
     * The column is set in the transaction of the change, so that a retry after a crash does not repeat the change.
     */
    is_written: boolean().notNull().default(false),
    record_id: integer(),
    status: smallint(),
    /** The response, encrypted because it can contain a new token or password. */
    answer: text(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.key] }), index('idempotency_keys_created_at_idx').on(t.created_at)],
)
