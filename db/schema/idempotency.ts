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

/** A request with an `Idempotency-Key`, and its answer once there is one; kept for a day. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: varchar({ length: 200 }).notNull(),
    /** A hash of the method, the address and the body. */
    fingerprint: varchar({ length: 64 }).notNull(),
    /** The request that owns the row; one that lost it to a later request cannot commit. */
    attempt: uuid().notNull(),
    created_at: timestamp({ withTimezone: true }).notNull(),
    /** Until then the request is taken to be under way. */
    locked_until: timestamp({ withTimezone: true }).notNull(),
    /** Set in the transaction of the change, so that a retry after a crash does not repeat it. */
    is_written: boolean().notNull().default(false),
    record_id: integer(),
    status: smallint(),
    /** Encrypted, because some answers hold a new token or password. */
    answer: text(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.key] }), index('idempotency_keys_created_at_idx').on(t.created_at)],
)
