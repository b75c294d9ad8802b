import type { Db } from '../../../db/client'
import { asAdministrator } from '../../platform/auth/administrators'
import { confirmIdentity } from '../../platform/auth/confirmation'
import { endSessionsOf } from '../../platform/auth/ending-sessions'
import { holdAccount } from '../../platform/auth/session-access'
import { countOtherSignIns, endSessionByHandle, listSessions } from '../../platform/auth/session-list'
import type { Session } from '../../platform/auth/sessions'
import type { AppContext } from '../../platform/context'
import { audit } from '../../platform/records/audit-entry'
import type { Write } from '../../platform/records/transactions'
import { findUser } from './queries'

/** @throws Missing when the user does not exist */
export async function sessionsOf(db: Db, id: number, reader: Session, now: Date) {
  await findUser(db, id)
  return listSessions(db, id, reader, now)
}

/**
 * Ends the session that `key` identifies. If `key` is null, ends all sessions of the account except the session of this
 * request.
 * @throws Missing when the account or session does not exist
 * @throws Refused when the password must be confirmed first
 */
export async function endSessions(ctx: AppContext, write: Write, reader: Session, id: number, key: string | null) {
  await confirmIdentity(ctx, reader, undefined)
  await asAdministrator(write, reader, async (write) => {
    await findUser(write.db, id)
    // Lock the account, so that a concurrent request waits here and then finds that the sessions have already ended.
    await holdAccount(write.db, id)
    const ended = key === null ? await countOtherSignIns(write.db, id, reader, write.actor.now) : 1
    if (key === null) await endSessionsOf(write.db, id, reader)
    else await endSessionByHandle(write, id, key)
    if (ended) await audit(write, 'update', 'users', id, { sessions_ended: { old: null, new: ended } })
  })
}
