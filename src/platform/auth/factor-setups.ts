import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { secondFactors } from '../../../db/schema'
import { Conflict } from '../refusals'

/**
 * Returns a text that identifies the state of an account's second factor. The text changes when a passkey is added or
 * removed, a session is renewed, or the second factor is set up again. A passkey setup remembers the text from its
 * start, and fails if the text has changed.
 * @throws Conflict when two-factor authentication is off
 */
export async function factorState(db: Db, user_id: number): Promise<string> {
  const [factor] = await db
    .select({ id: secondFactors.id, version: secondFactors.version, confirmed_at: secondFactors.confirmed_at })
    .from(secondFactors)
    .where(eq(secondFactors.user_id, user_id))
  if (!factor?.confirmed_at) throw new Conflict('Turn on two-factor authentication before you add a passkey')
  return `${factor.id} ${factor.version}`
}

/** Call this function in the transaction that adds or removes a passkey. */
export const endPasskeySetups = (tx: Db, user_id: number) =>
  tx
    .update(secondFactors)
    .set({ version: sql`${secondFactors.version} + 1` })
    .where(eq(secondFactors.user_id, user_id))

/**
 * Moves the setup of an authenticator app to a replacement session. Also ends the unfinished setups of passkeys. Call
 * this function in the transaction that replaces the session. Otherwise, somebody with the old token could finish a
 * setup.
 */
export async function moveSetups(tx: Db, user_id: number, old: string, replacement: string): Promise<void> {
  await endPasskeySetups(tx, user_id)
  const isOwn = and(eq(secondFactors.user_id, user_id), eq(secondFactors.begun_by, old))
  await tx.update(secondFactors).set({ begun_by: replacement }).where(isOwn)
}
