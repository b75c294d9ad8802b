import { and, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, violatedUnique } from '../../../db/client'
import { apiTokens, users } from '../../../db/schema'
import type { AppContext } from '../context'
import { Networks } from '../networks'
import { inTransaction, type Write } from '../records/transactions'
import { createRecord, removeRecord } from '../records/write'
import { Conflict, Forbidden, Missing } from '../refusals'
import { confirmationNeeded, confirmIdentity } from './confirmation'
import { currentUserColumns, everybodySeesCosts, withScope } from './current-user'
import { whileSignedIn } from './session-access'
import type { Session } from './sessions'
import { type newToken, TOKEN_PREFIX } from './token-rules'

const USED_EVERY_MS = 60_000

const shown = {
  id: apiTokens.id,
  name: apiTokens.name,
  scope: apiTokens.scope,
  allowed_addresses: apiTokens.allowed_addresses,
  expires_at: apiTokens.expires_at,
  last_used_at: apiTokens.last_used_at,
  created_at: apiTokens.created_at,
}

// A fast hash is enough for API tokens, because their 256 random bits cannot be guessed.
const hashOf = (token: string) => new Bun.CryptoHasher('sha256').update(token).digest('hex')

/** An account with many tokens would take long to deactivate, because its tokens are revoked one by one. */
const TOKENS_LIMIT = 50
const TOO_MANY = `An account can have at most ${TOKENS_LIMIT} API tokens. Revoke one first.`
const NAME_TAKEN = 'You already have a token with this name'

export const listTokens = (db: Db, user_id: number) =>
  db.select(shown).from(apiTokens).where(eq(apiTokens.user_id, user_id)).orderBy(desc(apiTokens.id))

const passwordHashOf = async (db: Db, id: number) =>
  (await db.select({ hash: users.password_hash }).from(users).where(eq(users.id, id)))[0]?.hash

/**
 * @returns the record with `token`, which cannot be read again
 * @throws Refused when the password is missing or wrong, Conflict when the user has a token with this name or too many
 * tokens, SignedOut when the session has just ended
 */
export async function createToken(
  ctx: AppContext,
  write: Write,
  session: Session,
  { days, current_password, ...values }: z.output<typeof newToken>,
) {
  const passwordBefore = await passwordHashOf(ctx.db, session.user.id)
  await confirmIdentity(ctx, session, current_password, { always: true })
  const token = TOKEN_PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
  const expires_at = new Date(write.actor.now.getTime() + days * 86_400_000)
  try {
    const { id, name, scope, allowed_addresses, created_at } = await whileSignedIn(write, session, async (write) => {
      // The account is locked now. A concurrent password reset therefore either sees the new token and revokes it, or
      // was committed before.
      // Compare the password hash again, because a concurrent request of the same session may have changed the password
      // and revoked all tokens.
      if ((await passwordHashOf(write.db, session.user.id)) !== passwordBefore) throw confirmationNeeded()
      const count = await write.db.$count(apiTokens, eq(apiTokens.user_id, session.user.id))
      if (count >= TOKENS_LIMIT) throw new Conflict(TOO_MANY)
      return createRecord(write, apiTokens, {
        ...values,
        user_id: session.user.id,
        expires_at,
        token_hash: hashOf(token),
      })
    })
    return { id, name, scope, allowed_addresses, expires_at, last_used_at: null, created_at, token }
  } catch (error) {
    if (violatedUnique(error) === null) throw error
    throw new Conflict(NAME_TAKEN, [{ field: 'name', message: NAME_TAKEN }])
  }
}

export async function revokeToken(write: Write, user_id: number, id: number): Promise<void> {
  await inTransaction(write, async (write) => {
    const [own] = await write.db
      .select({ id: apiTokens.id })
      .from(apiTokens)
      .where(and(eq(apiTokens.id, id), eq(apiTokens.user_id, user_id)))
    if (!own) throw new Missing('Token')
    await removeRecord(write, apiTokens, id, 'Token')
  })
}

export async function revokeTokensOf(write: Write, user_id: number): Promise<void> {
  const own = await write.db.select({ id: apiTokens.id }).from(apiTokens).where(eq(apiTokens.user_id, user_id))
  for (const { id } of own) {
    await removeRecord(write, apiTokens, id, 'Token').catch((error) => {
      if (!(error instanceof Missing)) throw error // The owner has just revoked this token.
    })
  }
}

/**
 * Updates `last_used_at` at most once a minute. Returns null if the token is unknown, revoked or expired, or if its
 * owner is inactive.
 * @throws Forbidden when the token is not accepted from this address
 */
export async function findTokenSession(
  db: Db,
  { token, address, onFound }: { token: string; address: string; onFound: (username: string, token: string) => void },
  now: Date,
): Promise<Session | null> {
  const [apiToken] = await db
    .select({ ...shown, is_active: users.is_active, user: currentUserColumns, everybodySeesCosts })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.user_id))
    .where(eq(apiTokens.token_hash, hashOf(token)))
  if (!apiToken?.is_active || apiToken.expires_at <= now) return null
  onFound(apiToken.user.username, apiToken.name)
  const allowed = apiToken.allowed_addresses
  if (allowed.length > 0 && !new Networks(allowed).has(address))
    throw new Forbidden(`This API token is not accepted from the address ${address}`)
  if (now.getTime() - (apiToken.last_used_at?.getTime() ?? 0) > USED_EVERY_MS) {
    await db.update(apiTokens).set({ last_used_at: now }).where(eq(apiTokens.id, apiToken.id))
  }
  return {
    id: `token ${apiToken.id}`,
    user: withScope(apiToken.user, apiToken.scope, apiToken.everybodySeesCosts),
    views: [],
    layouts: {},
    token: { id: apiToken.id, name: apiToken.name, scope: apiToken.scope },
  }
}
