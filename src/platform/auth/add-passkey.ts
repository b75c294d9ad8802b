import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { eq } from 'drizzle-orm'
import { violatedUnique } from '../../../db/client'
import { passkeys } from '../../../db/schema'
import { PRODUCT } from '../../../db/vocabulary'
import type { AppContext } from '../context'
import type { Write } from '../records/transactions'
import { createRecord } from '../records/write'
import { Conflict, Refused } from '../refusals'
import { confirmIdentity } from './confirmation'
import { endPasskeySetups, factorState } from './factor-setups'
import { passkeyLibrary } from './passkey-library'
import { described, isCredentialId, isOfSite, ofUser, type Passkey, type Site } from './passkeys'
import { seal, unseal } from './sealing'
import { whileSignedIn } from './session-access'
import type { Session } from './sessions'

/** Ways in which a browser can reach a passkey. Other values from the browser are not stored. */
const TRANSPORTS = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal', 'cable'] as AuthenticatorTransport[]
const PASSKEYS_LIMIT = 10
const TOO_MANY = `An account can have at most ${PASSKEYS_LIMIT} passkeys. Remove one first.`
const SETUP_MS = 5 * 60_000

/** Options to create a passkey, and a ticket. The ticket proves which session began the setup. */
type Setup = { options: PublicKeyCredentialCreationOptionsJSON; ticket: string }

/**
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
  const state = await factorState(ctx.db, id)
  const stored = await ofUser(ctx.db, id)
  if (stored.length >= PASSKEYS_LIMIT) throw new Conflict(TOO_MANY)
  const { generateRegistrationOptions } = await passkeyLibrary()
  const options = await generateRegistrationOptions({
    rpName: PRODUCT.name,
    rpID: site.id,
    userName: username,
    userID: new TextEncoder().encode(`user-${id}`),
    excludeCredentials: described(stored.filter((passkey) => isOfSite(passkey, site))),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'discouraged' },
  })
  const until = ctx.clock.now().getTime() + SETUP_MS
  const proof = { challenge: options.challenge, by: session.id, origin: site.origin, state, until }
  return { options, ticket: seal(ctx, 'passkey', JSON.stringify(proof)) }
}

const SETUP_ENDED = 'The passkey setup has expired. Start again.'

/**
 * @returns the challenge of the setup, and the state of the second factor and passkeys when the setup began (see
 * `factorState`)
 * @throws Conflict when the setup has expired, or when it began in another session or at another site
 */
function setupOf(ctx: AppContext, session: Session, site: Site, ticket: string): { challenge: string; state: string } {
  try {
    const { challenge, by, origin, state, until } = JSON.parse(unseal(ctx, 'passkey', ticket))
    if (by === session.id && origin === site.origin && until > ctx.clock.now().getTime()) return { challenge, state }
  } catch {
    // Treat a forged ticket like an expired ticket.
  }
  throw new Conflict(SETUP_ENDED)
}

const NOT_VERIFIED = 'The passkey could not be verified. Try again.'

/**
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
  const { challenge, state } = setupOf(ctx, session, site, ticket)
  const { verifyRegistrationResponse } = await passkeyLibrary()
  const verified = await verifyRegistrationResponse({
    response: credential as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: false,
  }).catch(() => null)
  if (!verified?.verified || !isCredentialId(verified.registrationInfo.credential.id))
    throw Refused.field('credential', NOT_VERIFIED)
  const { id, publicKey, counter, transports } = verified.registrationInfo.credential
  const { id: user_id } = session.user
  const adding = whileSignedIn(write, session, async (write) => {
    if ((await factorState(write.db, user_id)) !== state) throw new Conflict(SETUP_ENDED)
    await endPasskeySetups(write.db, user_id)
    // Count the passkeys again under the lock, because another setup can have added one.
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
    throw violatedUnique(error) ? Refused.field('credential', 'This passkey has already been added') : error
  })
  return shown
}
