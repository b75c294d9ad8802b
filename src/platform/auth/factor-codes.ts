import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import type { Db } from '../../../db/client'
import { secondFactors } from '../../../db/schema'
import { PRODUCT } from '../../../db/vocabulary'
import type { AppContext } from '../context'
import { type Assertion, acceptPasskey } from './passkey-sign-in'
import { unsealOrNull } from './sealing'

/** Checks the codes of second factors: those of an authenticator app and recovery codes. */

const PERIOD_SECONDS = 30
/** Accepted clock difference to the authenticator app, in steps of 30 seconds. */
const WINDOW = 1

type Keys = Pick<AppContext, 'signingKey'>
export type Factor = typeof secondFactors.$inferSelect

export const totp = (secret: string, username: string) =>
  new TOTP({
    issuer: PRODUCT.name,
    label: username,
    secret: Secret.fromBase32(secret),
    period: PERIOD_SECONDS,
  })

/**
 * @returns the time step of the code, or null if the code is wrong or its time step is not after `last_step`.
 * `last_step` is the time step of the last accepted code.
 */
export function stepOf(secret: string, code: string, last_step: number, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const timestamp = now.getTime()
  const delta = totp(secret, '').validate({ token: code, timestamp, window: WINDOW })
  if (delta === null) return null
  const step = Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta
  return step > last_step ? step : null
}

export const hashOf = (code: string) => new Bun.CryptoHasher('sha256').update(code).digest('hex')
export const bare = (code: string) => code.replace(/[\s-]/g, '').toUpperCase()

export const factorOf = async (db: Db, user_id: number): Promise<Factor | undefined> => {
  const [factor] = await db.select().from(secondFactors).where(eq(secondFactors.user_id, user_id))
  return factor
}

/** A code, which can be empty, or the response of a passkey. */
export type FactorProof = { code: string; assertion?: Assertion | undefined }

/**
 * Checks a second-factor code, a recovery code or a passkey. Marks a right code or passkey as used. Must run in the
 * transaction of the sign-in, because that transaction has locked the account.
 * @returns true if the proof is right or the account has no second factor
 */
export async function acceptFactor(
  keys: Keys,
  tx: Db,
  user_id: number,
  { code, assertion }: FactorProof,
  now: Date,
): Promise<boolean> {
  const factor = await factorOf(tx, user_id)
  if (!factor?.confirmed_at) return true
  if (assertion) return acceptPasskey(tx, user_id, assertion, now)
  const text = bare(code)
  // Recovery codes work even if the secret cannot be decrypted.
  const secret = unsealOrNull(keys, 'second factor', factor.secret)
  const step = secret === null ? null : stepOf(secret, text, factor.last_step, now)
  const hash = hashOf(text)
  if (step === null && !factor.recovery_codes.includes(hash)) return false
  const used =
    step === null ? { recovery_codes: factor.recovery_codes.filter((one) => one !== hash) } : { last_step: step }
  await tx.update(secondFactors).set(used).where(eq(secondFactors.id, factor.id))
  return true
}

/** @returns the number of unused recovery codes, or null without a second factor */
export async function countRecoveryCodes(db: Db, user_id: number): Promise<number | null> {
  const factor = await factorOf(db, user_id)
  return factor?.confirmed_at ? factor.recovery_codes.length : null
}
