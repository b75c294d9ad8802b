import type { z } from 'zod'
import { users } from '../../../db/schema'
import type { AppContext } from '../context'
import type { Write } from '../records/transactions'
import { changeRecord, withoutMissing } from '../records/write'
import { SignedOut, showingStored } from '../refusals'
import { type Account, withoutSecrets } from './account-columns'
import { findAccount } from './accounts'
import { confirmationNeeded, isConfirmed } from './confirmation'
import { checkMail, type profileChange } from './rules'
import { whileSignedIn } from './session-access'
import type { Session } from './sessions'

/**
 * @throws Stale when the profile was changed in the meantime, Refused when the email address changes and the user has
 * not confirmed the password
 */
export async function updateProfile(
  ctx: AppContext,
  write: Write,
  session: Session,
  { version, current_password, ...values }: z.output<typeof profileChange>,
): Promise<Account> {
  const stored = await findAccount(ctx.db, session.user.id)
  if (!stored) throw new SignedOut()
  const wasConfirmed = await isConfirmed(ctx, session, current_password)
  return whileSignedIn(write, session, async (write) => {
    const { after } = await changeRecord(write, users, {
      id: session.user.id,
      version,
      what: 'User',
      values(current) {
        const isOtherAddress = values.email !== undefined && values.email !== current.email
        if (isOtherAddress && !wasConfirmed) throw confirmationNeeded()
        checkMail({ ...current, ...withoutMissing(values) })
        return values
      },
    })
    return withoutSecrets(after)
  }).catch(showingStored(withoutSecrets))
}
