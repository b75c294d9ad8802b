import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client'
import { oslEntries, oslNotes, vendors } from '../../../db/schema'
import { checkAll } from '../../platform/accept'
import { usernameOf } from '../../platform/auth/accounts'
import { type Calendar, dateIn, noonOf } from '../../platform/clock'
import type { Actor } from '../../platform/records/actor'
import { notesOf } from '../../platform/records/notes'
import { restoreRecord } from '../../platform/records/restore'
import { inTransaction, type Write } from '../../platform/records/transactions'
import { changeRecord, createRecord, removeRecord, withoutMissing } from '../../platform/records/write'
import { Refused } from '../../platform/refusals'
import { ensureNewVehicle, ensureVehicle, followRecord, restoreVehicle, traceOfOsl } from '../vehicles'
import { findOslEntry, type NewOslEntry, type OslEntry } from './queries'
import { oslEntryRates, removeRates } from './rates'
import { checkNextStep, completionDay, type followUp, type oslStatusChange, settleFees } from './rules'

/**
 * Converts an entered completion date to a point in time. If the stored completion time falls on the entered date,
 * returns the stored time. If the entered date is today, returns the current time. For any other date, returns noon of
 * that date.
 */
function completedAt(
  day: string | null,
  stored: { completed_at: Date | null } | null,
  { now }: Actor,
  clock: Calendar,
): Date | null {
  if (day === null) return null
  const knownInstant = [stored?.completed_at ?? null, now].find(
    (instant) => instant && dateIn(instant, clock.timeZone) === day,
  )
  return knownInstant ?? noonOf(day, clock.timeZone)
}

/** Fills missing storage terms of a new entry from its vendor. The terms are the grace days and the daily rate. */
async function withTermsOf(tx: Db, values: Omit<NewOslEntry, 'completed_on'>) {
  const [vendor] = values.vendor_id
    ? await tx.select().from(vendors).where(eq(vendors.id, values.vendor_id)).for('share')
    : []
  const isFree = values.storage_fees_applicable === false
  return {
    ...values,
    storage_grace_days: values.storage_grace_days ?? vendor?.storage_grace_days ?? 0,
    storage_fee_daily_rate: values.storage_fee_daily_rate ?? (isFree ? null : (vendor?.storage_daily_rate ?? null)),
  }
}

type WithOwner = { owner?: string | null | undefined }

/**
 * Checks the new owner, and returns the username from the account. An unchanged owner is not checked, because the
 * account may have been deactivated in the meantime.
 */
const ownerOf = async (tx: Db, { owner }: WithOwner, stored?: WithOwner) =>
  owner && owner !== stored?.owner ? { owner: await usernameOf(tx, 'owner', owner) } : {}

type Stored = typeof oslEntries.$inferSelect

/** Reads a changed OSL entry, and updates its vehicle. */
async function answerFor(write: Write, id: number, before: Stored | null, after: Stored): Promise<OslEntry> {
  const [entry] = await Promise.all([
    findOslEntry(write.db, write.clock, id),
    followRecord(write, before && traceOfOsl(before), traceOfOsl(after)),
  ])
  return entry
}

/** @throws Refused when storage fees apply without a daily rate, dates are out of order, or the owner is unknown */
export async function prepareOslEntry({ db, actor, clock }: Write, { completed_on, ...values }: NewOslEntry) {
  const terms = await withTermsOf(db, values)
  const [completedDay, fees, owner] = await checkAll(
    () => completionDay(values, completed_on, null, clock.today()),
    () => settleFees(terms),
    () => ownerOf(db, values),
    () => checkNextStep(values),
  )
  return { ...values, ...fees, ...owner, completed_at: completedAt(completedDay, null, actor, clock) }
}

/** @throws Refused when fees apply without a daily rate, dates are out of order, or a location or vendor is unknown */
export const createOslEntry = (write: Write, input: NewOslEntry): Promise<OslEntry> =>
  inTransaction(write, async (write) => {
    const values = await prepareOslEntry(write, input)
    await ensureVehicle(write, oslEntries, values.unit_number)
    return createRecord(write, oslEntries, values, (created) => answerFor(write, created.id, null, created))
  })

type Change = { [Key in keyof NewOslEntry]?: NewOslEntry[Key] | undefined }

/** @throws Refused when storage fees apply without a daily rate, dates are out of order, or the owner is unknown */
export async function prepareOslChange(
  { db, actor, clock }: Write,
  stored: Omit<Stored, 'version'>,
  { completed_on, ...change }: Change,
) {
  const next = { ...stored, ...withoutMissing(change) }
  const isTouched = [completed_on, change.status, change.osl_date].some((value) => value !== undefined)
  const completed = stored.completed_at && dateIn(stored.completed_at, clock.timeZone)
  const [day, fees, owner] = await checkAll(
    () => (isTouched ? completionDay(next, completed_on, completed, clock.today()) : completed),
    () => settleFees(change, stored),
    () => ownerOf(db, change, stored),
    () => checkNextStep(next),
  )
  return { ...change, ...fees, ...owner, completed_at: completedAt(day, stored, actor, clock) }
}

/**
 * Changes the given fields of an OSL entry (out-of-service period). The status Completed sets the completion date. Any
 * other status clears it.
 * @throws Missing when the entry does not exist
 * @throws Stale when another user has changed the entry
 * @throws Refused when a value is invalid
 */
export async function updateOslEntry(
  write: Write,
  id: number,
  version: number | undefined,
  input: Change,
): Promise<OslEntry> {
  const { completed_on: _, ...change } = input
  return inTransaction(write, async (write) => {
    const { answer } = await changeRecord(write, oslEntries, {
      id,
      version,
      what: 'OSL entry',
      given: change,
      answer: async (before, after) => {
        if (before.storage_fees_applicable && !after.storage_fees_applicable) await removeRates(write, id)
        return answerFor(write, id, before, after)
      },
      values: async (stored, write) => {
        await ensureNewVehicle(write, oslEntries, stored, change)
        return prepareOslChange(write, stored, input)
      },
    })
    return answer
  })
}

export const changeOslStatus = (write: Write, id: number, { version, ...change }: z.output<typeof oslStatusChange>) =>
  updateOslEntry(write, id, version, change)

export const oslEntryNotes = notesOf({
  table: oslNotes,
  parent: oslNotes.osl_id,
  key: 'osl_id',
  records: oslEntries,
  what: 'OSL entry',
})

/**
 * Adds a note and replaces the next step.
 * @throws Missing when the entry does not exist
 * @throws Stale when another user has changed the entry
 * @throws Refused when the date of the next step is in the past, or has no text
 */
export const followUpOslEntry = (
  write: Write,
  id: number,
  { note_text, version, ...nextStep }: z.output<typeof followUp>,
) =>
  inTransaction(write, async (write) => {
    if (nextStep.next_action_on && nextStep.next_action_on < write.clock.today())
      throw Refused.field('next_action_on', 'The next step must not be in the past')
    await updateOslEntry(write, id, version, nextStep)
    await oslEntryNotes.add(write, id, note_text)
    return findOslEntry(write.db, write.clock, id)
  })

/** @throws Missing when the entry does not exist */
export const removeOslEntry = (write: Write, id: number) =>
  inTransaction(write, async (write) => {
    const removed = await removeRecord(write, oslEntries, id, 'OSL entry', async (tx, id) => ({
      ...(await oslEntryNotes.snapshot(tx, id)),
      ...(await oslEntryRates.snapshot(tx, id)),
    }))
    await followRecord(write, traceOfOsl(removed), null)
    return removed
  })

/**
 * @throws Missing when no deleted entry has this id
 * @throws Conflict when an entry with this id exists, or a record that it refers to is missing
 */
export const restoreOslEntry = (write: Write, id: number): Promise<OslEntry> =>
  inTransaction(write, async (write) => {
    const restored = await restoreRecord(write, oslEntries, id, 'OSL entry', {
      prepare: restoreVehicle(oslEntries),
      async restoreRelated(tx, id, deletion) {
        await oslEntryNotes.restore(tx, id, deletion)
        await oslEntryRates.restore(tx, id, deletion)
      },
    })
    await followRecord(write, null, traceOfOsl(restored))
    return findOslEntry(write.db, write.clock, id)
  })
