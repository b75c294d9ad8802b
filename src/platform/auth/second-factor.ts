import { Secret } from 'otpauth'
import type { Db } from '../../../db/client'
import { secondFactors } from '../../../db/schema'
import type { AppContext } from '../context'
import { inTransaction, type Write } from '../records/transactions'
import { changeRecord, createRecord, removeRecord } from '../records/write'
import { Conflict, Missing, Refused } from '../refusals'
import { asAdministrator } from './administrators'
import { confirmIdentity } from './confirmation'
import { endSessionsOf } from './ending-sessions'
import { bare, type Factor, factorOf, hashOf, stepOf, totp } from './factor-codes'
import { removePasskeysOf } from './passkeys'
import { seal, unsealOrNull } from './sealing'
import { CODE_WRONG } from './second-factor-text'
import { holdAccount, whileSignedIn } from './session-access'
import type { Session } from './sessions'

/** Turns second factors on and off. */

const SECRET_BYTES = 20
const RECOVERY_CODES = 10
/** 120 bits. With less than 112 bits, the codes would have to be stored like passwords (ASVS 6.5.2). */
const RECOVERY_BYTES = 15

/** Generates a recovery code, such as `ABCD-EFGH-IJKL-MNOP-QRST-UVWX`. */
function newRecoveryCode(): string {
  const text = new Secret({ size: RECOVERY_BYTES }).base32
  return (text.match(/.{4}/g) ?? []).join('-')
}

const SETUP_MS = 60 * 60 * 1000
const SETUP_ENDED = 'The setup has expired. Start again.'

/**
 * Returns whether this session began the setup within the last hour. A renewed session counts as the same session. A
 * different session must not finish the setup, because the user has not confirmed the password in that session.
 */
const isOwnSetup = ({ begun_by, updated_at }: Factor, session: Session, now: Date) =>
  begun_by === session.id && now.getTime() - updated_at.getTime() < SETUP_MS

const ALREADY_ON = 'Two-factor authentication is already on. Turn it off first.'

/** An unfinished second factor. `secret` is in Base32, and `url` is for a QR code. */
type Setup = {
  secret: string
  url: string
  /** The encrypted secret. To show the setup again after a wrong code, the page must send this value. */
  sealed: string
}

/**
 * Replaces an earlier setup that was never confirmed.
 * @throws Conflict when a second factor is already on, Refused when the password must be confirmed first
 */
export async function beginSecondFactor(
  ctx: AppContext,
  write: Write,
  session: Session,
  password: string | undefined,
): Promise<Setup> {
  await confirmIdentity(ctx, session, password)
  const { id, username } = session.user
  const secret = new Secret({ size: SECRET_BYTES }).base32
  const sealed = seal(ctx, 'second factor', secret)
  const values = {
    secret: sealed,
    begun_by: session.id,
    last_step: 0,
    recovery_codes: [],
  }
  await whileSignedIn(write, session, async (write) => {
    const factor = await factorOf(write.db, id)
    if (factor?.confirmed_at) throw new Conflict(ALREADY_ON)
    if (factor) await changeRecord(write, secondFactors, { id: factor.id, what: 'Second factor', values })
    else await createRecord(write, secondFactors, { ...values, user_id: id })
  })
  return { secret, url: totp(secret, username).toString(), sealed }
}

/**
 * Returns an unfinished setup, to show it again after a wrong code. The page must send the encrypted secret. Otherwise,
 * somebody with a stolen session could read the secret.
 * @param sealed the encrypted secret that `beginSecondFactor` returned
 * @throws Conflict when there is no such setup, or a second factor is already on
 */
export async function pendingSecondFactor(ctx: AppContext, session: Session, sealed: unknown): Promise<Setup> {
  const { user } = session
  const factor = await factorOf(ctx.db, user.id)
  if (factor?.confirmed_at) throw new Conflict(ALREADY_ON)
  if (!factor || factor.secret !== sealed || !isOwnSetup(factor, session, ctx.clock.now()))
    throw new Conflict(SETUP_ENDED)
  const secret = unsealOrNull(ctx, 'second factor', factor.secret)
  if (secret === null) throw new Conflict(SETUP_ENDED)
  return { secret, url: totp(secret, user.username).toString(), sealed: factor.secret }
}

/**
 * Turns the second factor on after the first right code. Ends the account's other sessions, because they were opened
 * without a code.
 * @param renew called in the transaction with the id of the session that stays open. It can replace this session with a
 * new one.
 * @returns the recovery codes, which cannot be read again, and the id of the session that `renew` returned
 * @throws Missing when no setup has begun, Conflict when the setup has expired or the second factor is already on,
 * Refused when the code is wrong, RateLimited after too many attempts, SignedOut when the session has ended
 */
export async function confirmSecondFactor(
  ctx: AppContext,
  write: Write,
  session: Session,
  code: string,
  renew: (db: Db, sessionId: string) => Promise<string | null> = async () => null,
): Promise<{ recovery_codes: string[]; renewed: string | null }> {
  const { user } = session
  await ctx.limits.countSetup(session)
  const recovery_codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  const renewed = await whileSignedIn(write, session, async (write) => {
    const factor = await factorOf(write.db, user.id)
    if (!factor) throw new Missing('Second factor')
    await changeRecord(write, secondFactors, {
      id: factor.id,
      what: 'Second factor',
      values: (stored) => {
        if (stored.confirmed_at) throw new Conflict(ALREADY_ON)
        if (!isOwnSetup(stored, session, write.actor.now)) throw new Conflict(SETUP_ENDED)
        const secret = unsealOrNull(ctx, 'second factor', stored.secret)
        if (secret === null) throw new Conflict(SETUP_ENDED)
        const step = stepOf(secret, bare(code), 0, write.actor.now)
        if (step === null) {
          ctx.log('warn', 'a code was refused during the setup of two-factor authentication', {
            username: user.username,
          })
          throw Refused.field('code', CODE_WRONG)
        }
        return {
          confirmed_at: write.actor.now,
          last_step: step,
          recovery_codes: recovery_codes.map((one) => hashOf(bare(one))),
        }
      },
    })
    const sessionId = await endSessionsOf(write.db, user.id, session)
    return renew(write.db, sessionId ?? session.id)
  })
  await ctx.limits.setupSucceeded(session)
  return { recovery_codes, renewed }
}

async function removeFactor(write: Write, user_id: number): Promise<void> {
  await inTransaction(write, async (write) => {
    await holdAccount(write.db, user_id)
    const factor = await factorOf(write.db, user_id)
    if (!factor) throw new Missing('Second factor')
    await removePasskeysOf(write, user_id)
    await removeRecord(write, secondFactors, factor.id, 'Second factor')
  })
}

/**
 * Turns the second factor off and ends the account's other sessions.
 * @throws Refused when the password is missing or wrong, Missing when there is no second factor, SignedOut when the
 * session has ended
 */
export async function removeOwnSecondFactor(
  ctx: AppContext,
  write: Write,
  session: Session,
  password: string | undefined,
): Promise<void> {
  await confirmIdentity(ctx, session, password, { always: true })
  await whileSignedIn(write, session, async (write) => {
    await removeFactor(write, session.user.id)
    await endSessionsOf(write.db, session.user.id, session)
  })
}

/**
 * Removes a user's second factor and ends the user's sessions. Called from the command line.
 * If a thief with a stolen session has set up the second factor, the thief's session ends, too.
 * @throws Missing when there is no second factor
 */
export const resetSecondFactor = (write: Write, user_id: number): Promise<void> =>
  inTransaction(write, async (write) => {
    await removeFactor(write, user_id)
    await endSessionsOf(write.db, user_id)
  })

/**
 * Removes another user's second factor and ends that user's sessions.
 * @throws Refused for the user's own account or when the password must be confirmed first, Missing when there is no
 * second factor
 */
export async function resetOtherSecondFactor(
  ctx: AppContext,
  write: Write,
  session: Session,
  user_id: number,
  password: string | undefined,
): Promise<void> {
  if (user_id === session.user.id)
    throw Refused.field('id', 'Turn off your own two-factor authentication in your profile')
  await confirmIdentity(ctx, session, password)
  await asAdministrator(write, session, (write) => resetSecondFactor(write, user_id))
}
