import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { passkeys, users } from '../../../db/schema'
import { passkeyLibrary } from './passkey-library'
import { described, isOfSite, ofUser, type Site } from './passkeys'

/**
 * Returns the options for the browser to ask for a passkey. Returns null if the account has no passkey for this site.
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
  const { generateAuthenticationOptions } = await passkeyLibrary()
  return generateAuthenticationOptions({
    rpID: site.id,
    challenge: Buffer.from(challenge, 'base64url'),
    allowCredentials: described(stored),
    userVerification: 'discouraged',
  })
}

/** `issued` is the time at which the challenge was created. */
export type Assertion = { response: AuthenticationResponseJSON; challenge: string; issued: Date; site: Site }

/**
 * Verifies the response of a passkey and marks the passkey as used. Refuses a challenge that was created before the
 * last use of the passkey, so that no response is accepted twice. Must run in the transaction of the sign-in, because
 * that transaction has locked the account.
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
  const { verifyAuthenticationResponse } = await passkeyLibrary()
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
      // The clock of the server instance that created the challenge can be ahead. If `now` is earlier than `issued`,
      // storing `now` would allow a second use of the challenge.
      last_used_at: now > issued ? now : issued,
    })
    .where(eq(passkeys.id, stored.id))
  return true
}
