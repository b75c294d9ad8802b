import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, rows } from '../../../db/client'
import { companySettings, oslEntries, transports } from '../../../db/schema'
import { confirmationNeeded, isConfirmed } from '../../platform/auth/confirmation'
import { holdSession } from '../../platform/auth/session-access'
import type { Session } from '../../platform/auth/sessions'
import type { AppContext } from '../../platform/context'
import type { Write } from '../../platform/records/transactions'
import { changeRecord, withoutMissing } from '../../platform/records/write'
import { findSettings, type Settings } from './queries'
import { checkDays, type settingsChange } from './rules'

/**
 * Returns the next purchase order (PO) number and increases the counter.
 * Skips numbers that users entered by hand. The counter stays locked until the caller's transaction ends. Therefore,
 * concurrent callers get different numbers, and a rolled-back transaction uses up no number.
 */
export async function takePoNumber(tx: Db): Promise<string> {
  for (;;) {
    // This update only increases a counter, so the settings keep their version number and get no audit entry.
    const [updated] = await tx
      .update(companySettings)
      .set({ po_last: sql`greatest(${companySettings.po_last} + 1, ${companySettings.po_first})` })
      .returning({
        number: sql<string>`coalesce(${companySettings.po_prefix}, '') || ${companySettings.po_last}`,
      })
    const number = (updated as { number: string }).number
    const [used] = await rows<{ is_used: boolean }>(
      tx,
      sql`select exists (select 1 from ${transports} where lower(${transports.po_number}) = lower(${number}))
        or exists (select 1 from ${oslEntries} where lower(${oslEntries.po_number}) = lower(${number})) as is_used`,
    )
    if (!used?.is_used) return number
  }
}

/**
 * Settings that grant permissions, protect accounts or delete data. To change them, users must confirm their own
 * password.
 */
const PROTECTED = [
  'cost_viewers',
  'invoice_deciders',
  'password_rule',
  'second_factor_required',
  'audit_kept_days',
  'deleted_kept_days',
  'upload_kept_days',
  'sign_in_kept_days',
] as const

/**
 * @throws Stale when another user has changed the settings
 * @throws Refused when a protected setting changes without the user's password
 * @throws Refused when the settings would make vehicle titles urgent before they become due
 */
export async function updateSettings(
  ctx: AppContext,
  write: Write,
  session: Session,
  { version, current_password, ...change }: z.output<typeof settingsChange>,
): Promise<Settings> {
  const { db } = ctx
  const { id } = await findSettings(db)
  const wasConfirmed = await isConfirmed(ctx, session, current_password)
  const { after } = await changeRecord(write, companySettings, {
    id,
    version,
    what: 'Settings',
    async values(stored, write) {
      // Check the session after locking the settings, because the session may have ended while this change waited for
      // the lock.
      await holdSession(write, session)
      const changesProtected = PROTECTED.some((name) => change[name] !== undefined && change[name] !== stored[name])
      if (changesProtected && !wasConfirmed) throw confirmationNeeded()
      checkDays({ ...stored, ...withoutMissing(change) })
      // If the prefix of the purchase order numbers changes, numbering starts again at the first number.
      const isAnother = change.po_prefix !== undefined && change.po_prefix !== stored.po_prefix
      return isAnother ? { ...change, po_last: null } : change
    },
  })
  return after
}
