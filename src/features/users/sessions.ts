import type { Db } from '../../../db/client'
import { confirmIdentity } from '../../platform/auth/confirmation'
import { endSessionCalled, listSessions } from '../../platform/auth/session-list'
import { endSessionsOf, holdAccount, type Session } from '../../platform/auth/sessions'
import type { AppContext } from '../../platform/context'
import { audit, inTransaction, type Write } from '../../platform/records/write'
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
export async function endSessions(ctx: AppContext, write: Write, reader: Session, id: number, key: string | null) {
  await confirmIdentity(ctx, reader, undefined)
  await inTransaction(write, async (write) => {
    await findUser(write.db, id)
    // Who ends the same ones at the same time comes after, and finds none.
    await holdAccount(write.db, id)
    const open = await listSessions(write.db, id, reader.id, write.actor.now)
    const ended = key === null ? open.filter(({ is_current }) => !is_current).length : 1
    if (key === null) await endSessionsOf(write.db, id, reader.id)
    else await endSessionCalled(write.db, id, key)
    if (ended) await audit(write, 'update', 'users', id, { sessions_ended: { old: null, new: ended } })
  })
}
