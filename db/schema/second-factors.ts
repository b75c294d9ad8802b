import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  serial,
  text,
  timestamp,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { bytes } from './bytes'
import { stamps } from './stamps'
import { users } from './users'

/** An account's second factor: an authenticator app (TOTP) and recovery codes. */
export const secondFactors = pgTable(
  'second_factors',
  {
    id: serial().primaryKey(),
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Secret shared with the authenticator app, stored encrypted. */
    secret: text().notNull(),
    /** Id of the session that may finish the setup. If the session gets a new id, this id changes too. */
    begun_by: varchar({ length: 64 }),
    /** Time of the first correct code. Until then, it is null, and sign-in requires no code. */
    confirmed_at: timestamp({ withTimezone: true }),
    /** TOTP time step of the last accepted code. This and earlier steps are rejected, so that no code works twice. */
    last_step: integer().notNull().default(0),
    /** SHA-256 hashes of the unused recovery codes. */
    recovery_codes: jsonb().$type<string[]>().notNull().default([]),
    ...stamps,
  },
  (t) => [uniqueIndex('second_factors_user_id_key').on(t.user_id)],
)

/** A passkey of an account. A user who signs in with a passkey needs no code. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: serial().primaryKey(),
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: varchar({ length: 60 }).notNull(),
    /** ID of the credential, in Base64url, as the browser reports it. */
    credential_id: text().notNull(),
    public_key: bytes().notNull(),
    /** Signature counter that the device last reported, to detect copied passkeys. Many devices always report 0. */
    counter: bigint({ mode: 'number' }).notNull(),
    transports: jsonb().$type<AuthenticatorTransport[]>().notNull().default([]),
    /** Origin on which the passkey was added. Null for passkeys that were added before origins were stored. */
    origin: text(),
    last_used_at: timestamp({ withTimezone: true }),
    ...stamps,
  },
  (t) => [uniqueIndex('passkeys_credential_id_key').on(t.credential_id), index('passkeys_user_id_idx').on(t.user_id)],
)
