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
import { ROLES, SIGN_IN_METHODS, TOKEN_SCOPES } from '../vocabulary'
import { stamps } from './stamps'

/** An account. Accounts are deactivated instead of deleted. */
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
    single_sign_on: boolean().notNull().default(false),
    /**
     * Expiry time of a temporary password. A password is temporary if another person has set or seen it. Null for other
     * passwords.
     */
    password_expires_at: timestamp({ withTimezone: true }),
    /** True if the user receives the daily mail about due items. `due_mailed_on` is the date of the latest mail. */
    wants_due_mail: boolean().notNull().default(false),
    due_mailed_on: date(),
    last_login: timestamp({ withTimezone: true }),
    previous_login: timestamp({ withTimezone: true }),
    ...stamps,
  },
  (t) => [uniqueIndex('users_username_key').on(sql`lower(${t.username})`)],
)

/** Link between an account and a person at an OpenID Connect provider. The row is added at the first single sign-on. */
export const externalIdentities = pgTable(
  'external_identities',
  {
    id: serial().primaryKey(),
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    issuer: varchar({ length: 500 }).notNull(),
    subject: varchar({ length: 255 }).notNull(),
    ...stamps,
  },
  (t) => [
    uniqueIndex('external_identities_user_id_key').on(t.user_id),
    uniqueIndex('external_identities_subject_key').on(t.issuer, t.subject),
  ],
)

/**
 * A session of a signed-in browser or integration.
 * The session token contains only the ids of this row and of the sign-in, so deleting this row ends the session
 * everywhere.
 */
export const sessions = pgTable(
  'sessions',
  {
    id: varchar({ length: 64 }).primaryKey(),
    /**
     * Id of the first session of this sign-in. Null if this session is the first.
     * A renewed session gets a new id, but keeps `first_id`.
     */
    first_id: varchar({ length: 64 }),
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    created_at: timestamp({ withTimezone: true }).notNull(),
    last_seen_at: timestamp({ withTimezone: true }).notNull(),
    /**
     * Time of the last password entry or single sign-on.
     * A sensitive change requires that this was at most an hour ago.
     */
    authenticated_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    expires_at: timestamp({ withTimezone: true }).notNull(),
    method: varchar({ length: 16, enum: SIGN_IN_METHODS }).notNull().default('password'),
    address: varchar({ length: 64 }),
    user_agent: varchar({ length: 300 }),
  },
  (t) => [
    index('sessions_user_id_idx').on(t.user_id),
    index('sessions_first_id_idx').on(t.first_id),
    index('sessions_expires_at_idx').on(t.expires_at),
  ],
)

/** An API token that lets an integration act as its owner. The database stores only a hash of the token. */
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
    /** IP addresses and networks from which the token is accepted. An empty list allows all addresses. */
    allowed_addresses: text().array().notNull().default([]),
    ...stamps,
  },
  (t) => [
    uniqueIndex('api_tokens_token_hash_key').on(t.token_hash),
    uniqueIndex('api_tokens_name_key').on(t.user_id, sql`lower(${t.name})`),
  ],
)

/** A successful or failed sign-in to an account. Rows are deleted after `sign_in_kept_days`, if this is set. */
export const signIns = pgTable(
  'sign_ins',
  {
    id: serial().primaryKey(),
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    at: timestamp({ withTimezone: true }).notNull(),
    method: varchar({ length: 20, enum: SIGN_IN_METHODS }).notNull(),
    is_accepted: boolean().notNull(),
    address: varchar({ length: 64 }),
    user_agent: varchar({ length: 300 }),
  },
  (t) => [index('sign_ins_user_id_idx').on(t.user_id, t.id), index('sign_ins_at_idx').on(t.at)],
)

/** A counter of failed sign-ins. The library rate-limiter-flexible defines the columns. */
export const rateLimits = pgTable('rate_limits', {
  key: varchar({ length: 255 }).primaryKey(),
  points: integer().notNull().default(0),
  expire: bigint({ mode: 'number' }),
})

/** A value that all server instances share, such as the signing key. */
export const settings = pgTable('settings', {
  key: varchar({ length: 50 }).primaryKey(),
  value: text().notNull(),
})
