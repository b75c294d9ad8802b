import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  SettingsService,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { and, asc, eq, getTableColumns } from 'drizzle-orm'
import { type Db, violatedUnique } from '../../../db/client'
import { passkeys, secondFactors, users } from '../../../db/schema'
import { PRODUCT } from '../../../db/vocabulary'
import type { AppContext } from '../context'
import { ownOrigin } from '../http/request'
import { inTransaction, type Write } from '../records/transactions'
import { createRecord, removeRecord } from '../records/write'
import { Conflict, Missing, Refused } from '../refusals'
import { confirmIdentity } from './confirmation'
import { seal, unseal } from './sealing'
import { holdSession, type Session } from './sessions'

/**
 * At sign-in, a passkey can replace the code of the second factor. Only an account with an authenticator app can have
 * passkeys. Such an account also has recovery codes, so its user can sign in without JavaScript.
 */

type StoredPasskey = typeof passkeys.$inferSelect
const {
  public_key: _publicKey,
  credential_id: _credentialId,
  counter: _counter,
  origin: _origin,
  ...SHOWN
} = getTableColumns(passkeys)
export type Passkey = Omit<StoredPasskey, 'public_key' | 'credential_id' | 'counter' | 'origin'>

/** The site that a passkey belongs to. Browsers use a passkey only on the host name `id`. */
export type Site = { origin: string; id: string }

export function siteOf(request: Request, config: AppContext['config']): Site {
  const origin = ownOrigin(request, config)
  return { origin, id: origin && new URL(origin).hostname }
}

// Remove all root certificates, so that the library does not fetch revocation lists from the addresses in a
// certificate. No root certificates are needed, because the program does not request attestation and does not check the
// manufacturer of a passkey.
for (const identifier of ['apple', 'android-key', 'android-safetynet'] as const)
  SettingsService.setRootCertificates({ identifier, certificates: [] })

/** Ways in which a browser can reach a passkey. Other values from the browser are not stored. */
const TRANSPORTS = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal', 'cable'] as AuthenticatorTransport[]
const PASSKEYS_LIMIT = 10
const TOO_MANY = `An account can have at most ${PASSKEYS_LIMIT} passkeys. Remove one first.`
/** Matches the id of a passkey, which WebAuthn limits to 1,023 bytes. */
const CREDENTIAL_ID = /^[\w-]{1,1364}$/
/** Maximum length of a credential as JSON. Verifying a long list of certificates would block the server for seconds. */
export const CREDENTIAL_LIMIT = 20_000
export const isCredentialId = (id: unknown): id is string => typeof id === 'string' && CREDENTIAL_ID.test(id)
const SETUP_MS = 5 * 60_000

/** Options with which a browser creates a passkey. The ticket binds the challenge to the session. */
type Setup = { options: PublicKeyCredentialCreationOptionsJSON; ticket: string }

async function requireFactor(db: Db, user_id: number) {
  const [factor] = await db
    .select({ confirmed_at: secondFactors.confirmed_at })
    .from(secondFactors)
    .where(eq(secondFactors.user_id, user_id))
  if (!factor?.confirmed_at) throw new Conflict('Turn on two-factor authentication before you add a passkey')
}

const ofUser = (db: Db, user_id: number) =>
  db
    .select({ credential_id: passkeys.credential_id, transports: passkeys.transports, origin: passkeys.origin })
    .from(passkeys)
    .where(eq(passkeys.user_id, user_id))

/**
 * Returns true if a passkey was added on this site. The browser compares only host names, but another program can run
 * on a different port of the same host.
 */
const isOfSite = ({ origin }: Pick<StoredPasskey, 'origin'>, site: Site) => origin === null || origin === site.origin

const described = (stored: Awaited<ReturnType<typeof ofUser>>) =>
  stored.map(({ credential_id, transports }) => ({ id: credential_id, transports }))

/** Lists the passkeys of an account, oldest first. */
export const listPasskeys = (db: Db, user_id: number): Promise<Passkey[]> =>
  db.select(SHOWN).from(passkeys).where(eq(passkeys.user_id, user_id)).orderBy(asc(passkeys.id))

/**
 * Begins to add a passkey.
 * @throws Refused when the password must be confirmed first, Conflict when two-factor authentication is off or the
 * account has ten passkeys
 */
export async function beginPasskey(
  ctx: AppContext,
  session: Session,
  site: Site,
  password: string | undefined,
): Promise<Setup> {
  await confirmIdentity(ctx, session, password)
  const { id, username } = session.user
  await requireFactor(ctx.db, id)
  const stored = await ofUser(ctx.db, id)
  if (stored.length >= PASSKEYS_LIMIT) throw new Conflict(TOO_MANY)
  const options = await generateRegistrationOptions({
    rpName: PRODUCT.name,
    rpID: site.id,
    userName: username,
    userID: new TextEncoder().encode(`user-${id}`),
    excludeCredentials: described(stored.filter((passkey) => isOfSite(passkey, site))),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'discouraged' },
  })
  const until = ctx.clock.now().getTime() + SETUP_MS
  return {
    options,
    ticket: seal(ctx, 'passkey', JSON.stringify({ challenge: options.challenge, by: session.id, until })),
  }
}

/**
 * Returns the challenge of a setup.
 * @throws Conflict when the setup has expired or another session began it
 */
function challengeOf(ctx: AppContext, session: Session, ticket: string): string {
  try {
    const { challenge, by, until } = JSON.parse(unseal(ctx, 'passkey', ticket))
    if (by === session.id && until > ctx.clock.now().getTime()) return challenge
  } catch {
    // Treat a forged ticket like an expired ticket.
  }
  throw new Conflict('The setup has expired. Start again.')
}

const NOT_VERIFIED = 'The passkey could not be verified. Try again.'

/**
 * Adds a passkey that the browser has created.
 * @throws Conflict when the setup has expired, two-factor authentication is off or the account has ten passkeys
 * @throws Refused when the credential is invalid or already added
 * @throws SignedOut when the session has ended
 */
export async function addPasskey(
  ctx: AppContext,
  write: Write,
  session: Session,
  site: Site,
  { ticket, name, credential }: { ticket: string; name: string; credential: Record<string, unknown> },
): Promise<Passkey> {
  const verified = await verifyRegistrationResponse({
    response: credential as unknown as RegistrationResponseJSON,
    expectedChallenge: challengeOf(ctx, session, ticket),
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: false,
  }).catch(() => null)
  if (!verified?.verified || !isCredentialId(verified.registrationInfo.credential.id))
    throw Refused.field('credential', NOT_VERIFIED)
  const { id, publicKey, counter, transports } = verified.registrationInfo.credential
  const { id: user_id } = session.user
  const adding = inTransaction(write, async (write) => {
    await holdSession(write.db, session)
    await requireFactor(write.db, user_id)
    // Count again under the lock, because a ticket can be used for several requests at once.
    if ((await write.db.$count(passkeys, eq(passkeys.user_id, user_id))) >= PASSKEYS_LIMIT) throw new Conflict(TOO_MANY)
    return createRecord(write, passkeys, {
      user_id,
      name,
      credential_id: id,
      public_key: publicKey,
      counter,
      origin: site.origin,
      transports: TRANSPORTS.filter((one) => Array.isArray(transports) && transports.includes(one)),
    })
  })
  const {
    public_key,
    credential_id,
    counter: _,
    origin: _origin,
    ...shown
  } = await adding.catch((error) => {
    throw violatedUnique(error) ? Refused.field('credential', 'This passkey is already added') : error
  })
  return shown
}

/**
 * Removes one of the user's own passkeys.
 * @throws Refused when the password must be confirmed first, Missing when the account has no such passkey
 */
export async function removePasskey(
  ctx: AppContext,
  write: Write,
  session: Session,
  id: number,
  password: string | undefined,
): Promise<void> {
  await confirmIdentity(ctx, session, password)
  await inTransaction(write, async (write) => {
    await holdSession(write.db, session)
    const own = and(eq(passkeys.id, id), eq(passkeys.user_id, session.user.id))
    if ((await write.db.$count(passkeys, own)) === 0) throw new Missing('Passkey')
    await removeRecord(write, passkeys, id, 'Passkey')
  })
}

/** Removes all passkeys of an account. Must run within a transaction. */
export async function removePasskeysOf(write: Write, user_id: number): Promise<void> {
  for (const { id } of await listPasskeys(write.db, user_id)) await removeRecord(write, passkeys, id, 'Passkey')
}

/**
 * Returns the options with which a browser asks for a passkey at sign-in. Returns null if the account has no passkeys
 * of this site.
 */
export async function passkeyRequest(
  db: Db,
  username: string,
  challenge: string,
  site: Site,
): Promise<PublicKeyCredentialRequestOptionsJSON | null> {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.username, username))
  const stored = (user ? await ofUser(db, user.id) : []).filter((passkey) => isOfSite(passkey, site))
  if (stored.length === 0) return null
  return generateAuthenticationOptions({
    rpID: site.id,
    challenge: Buffer.from(challenge, 'base64url'),
    allowCredentials: described(stored),
    userVerification: 'discouraged',
  })
}

/** A passkey's answer to the challenge of a sign-in. `issued` is the time at which the challenge was created. */
export type Assertion = { response: AuthenticationResponseJSON; challenge: string; issued: Date; site: Site }

/**
 * Checks a passkey's answer and marks the passkey as used. A challenge that was created before the passkey's last use
 * is refused, so that no answer is accepted twice. Must run in the transaction of the sign-in, because that transaction
 * has locked the account.
 */
export async function acceptPasskey(
  tx: Db,
  user_id: number,
  { response, challenge, issued, site }: Assertion,
  now: Date,
): Promise<boolean> {
  const [stored] = await tx
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.user_id, user_id), eq(passkeys.credential_id, response.id)))
  if (!stored || !isOfSite(stored, site)) return false
  if (stored.last_used_at && stored.last_used_at >= issued) return false
  const { credential_id, public_key, counter, transports } = stored
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    credential: { id: credential_id, publicKey: new Uint8Array(public_key), counter, transports },
    requireUserVerification: false,
  }).catch(() => null)
  if (!verified?.verified) return false
  await tx
    .update(passkeys)
    .set({
      counter: verified.authenticationInfo.newCounter,
      // Store the later time, because the clock of the server instance that issued the challenge can be ahead.
      last_used_at: now > issued ? now : issued,
    })
    .where(eq(passkeys.id, stored.id))
  return true
}
