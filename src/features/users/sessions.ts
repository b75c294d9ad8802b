import type { Db } from '../../../db/client'
import { confirmIdentity } from '../../platform/auth/confirmation'
import { endSessionCalled, listSessions } from '../../platform/auth/session-list'
import { endSessionsOf, holdAccount, type Session } from '../../platform/auth/sessions'
import type { AppContext } from '../../platform/context'
import type { Actor } from '../../platform/records/actor'
import { audit } from '../../platform/records/write'
import { findUser } from './queries'

/** Where somebody is signed in, for an administrator, and the way to end it. */

/** @throws Missing */
export async function sessionsOf(db: Db, id: number, reader: Session, now: Date) {
  await findUser(db, id)
  return listSessions(db, id, reader.id, now)
}

/**
 * Ends one session of an account, or all of them but the administrator's own.
 * @throws Missing, Refused when the password has to be confirmed first
 */
export async function endSessions(ctx: AppContext, actor: Actor, reader: Session, id: number, key: string | null) {
  await confirmIdentity(ctx, reader, undefined)
  await ctx.db.transaction(async (tx) => {
    await findUser(tx, id)
    // Who ends the same ones at the same time comes after, and finds none.
    await holdAccount(tx, id)
    const open = await listSessions(tx, id, reader.id, actor.now)
    const ended = key === null ? open.filter(({ is_current }) => !is_current).length : 1
    if (key === null) await endSessionsOf(tx, id, reader.id)
    else await endSessionCalled(tx, id, key)
    if (ended) await audit(tx, actor, 'update', 'users', id, { sessions_ended: { old: null, new: ended } })
  })
}
