import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  pgTable,
  serial,
  text,
  timestamp,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { ROLES, TOKEN_SCOPES } from '../vocabulary'
import { stamps } from './stamps'

/** An account; it is switched off rather than deleted. */
export const users = pgTable(
  'users',
  {
    id: serial().primaryKey(),
    username: varchar({ length: 50 }).notNull(),
    password_hash: text().notNull(),
    role: varchar({ length: 20, enum: ROLES }).notNull().default('user'),
    first_name: varchar({ length: 50 }),
    last_name: varchar({ length: 50 }),
    email: varchar({ length: 100 }),
    phone: varchar({ length: 20 }),
    is_active: boolean().notNull().default(true),
    must_change_password: boolean().notNull().default(false),
    /** When a password that somebody else set or read stops working; null for one that its user chose. */
    password_expires_at: timestamp({ withTimezone: true }),
    /** Is mailed each day how much is due; and on which day that was done last. */
    wants_due_mail: boolean().notNull().default(false),
    due_mailed_on: date(),
    last_login: timestamp({ withTimezone: true }),
    previous_login: timestamp({ withTimezone: true }),
    ...stamps,
  },
  (t) => [uniqueIndex('users_username_key').on(sql`lower(${t.username})`)],
)

/** One signed-in browser or integration. Its token only names this row, so deleting the row ends it everywhere. */
export const sessions = pgTable(
  'sessions',
  {
    id: varchar({ length: 64 }).primaryKey(),
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    created_at: timestamp({ withTimezone: true }).notNull(),
    last_seen_at: timestamp({ withTimezone: true }).notNull(),
    /** When its user last entered a password; sensitive changes ask for it again after a while. */
    authenticated_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    expires_at: timestamp({ withTimezone: true }).notNull(),
    address: varchar({ length: 64 }),
    user_agent: varchar({ length: 300 }),
  },
  (t) => [index('sessions_user_id_idx').on(t.user_id), index('sessions_expires_at_idx').on(t.expires_at)],
)

/** Lets an integration in as its owner, without a sign-in. Only the token's hash is kept. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: serial().primaryKey(),
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: varchar({ length: 100 }).notNull(),
    scope: varchar({ length: 10, enum: TOKEN_SCOPES }).notNull(),
    token_hash: varchar({ length: 64 }).notNull(),
    expires_at: timestamp({ withTimezone: true }).notNull(),
    last_used_at: timestamp({ withTimezone: true }),
    ...stamps,
  },
  (t) => [
    uniqueIndex('api_tokens_token_hash_key').on(t.token_hash),
    uniqueIndex('api_tokens_name_key').on(t.user_id, sql`lower(${t.name})`),
  ],
)

/** Counters of failed sign-ins; rate-limiter-flexible defines the columns. */
export const rateLimits = pgTable('rate_limits', {
  key: varchar({ length: 255 }).primaryKey(),
  points: integer().notNull().default(0),
  expire: bigint({ mode: 'number' }),
})

/** Facts of the installation that every instance shares, such as the signing key. */
export const settings = pgTable('settings', {
  key: varchar({ length: 50 }).primaryKey(),
  value: text().notNull(),
})
