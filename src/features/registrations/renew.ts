import { asc, sql } from 'drizzle-orm'
import { type Db, oneOf, rows } from '../../../db/client'
import { registrations } from '../../../db/schema'
import { accept } from '../../platform/accept'
import { addMonths } from '../../platform/clock'
import type { UndoKind } from '../../platform/lists/bulk/kind'
import { chosen, eachOf, keepForUndo } from '../../platform/lists/bulk/queries'
import { type BulkChoice, checkChoice } from '../../platform/lists/bulk/rules'
import { inTransaction, type Write } from '../../platform/records/write'
import { Refusal } from '../../platform/refusals'
import { registrationBulk } from './bulk'
import { createRegistration, removeRegistration } from './mutations'
import { findRegistration, type Registration } from './queries'
import { type Renewal, registration } from './rules'

/**
 * What a renewal is filled in with: issued today, for a year after the old one's end, or as many as it takes to be
 * ahead.
 */
export function renewalOf(old: Registration, today: string) {
  let date_expires = addMonths(old.date_expires, 12)
  while (date_expires < today) date_expires = addMonths(date_expires, 12)
  const { unit_number, location_id, plate_number, state_province } = old
  return {
    unit_number,
    location_id,
    plate_number,
    state_province,
    date_issued: today,
    date_expires,
    registration_type: 'Renewal' as const,
    cost: null,
    vlt: null,
    notes: null,
    received: false,
  }
}

/** Adds the registration that comes after one, which stays as it is. @throws Missing, Refused */
export async function renewRegistration(write: Write, id: number, change: Renewal = {}): Promise<Registration> {
  return inTransaction(write, async (write) => {
    const usual = renewalOf(await findRegistration(write.db, write.clock, id), write.clock.today())
    const given = Object.fromEntries(
      Object.entries(change).filter(([, value]) => value !== undefined && value !== null),
    )
    return createRegistration(write, accept(registration, { ...usual, ...given }))
  })
}

/** @throws Refusal for one that a later one of its unit follows */
async function refuseRenewed(tx: Db, id: number) {
  const [later] = await rows<{ id: number }>(
    tx,
    sql`select l.id from ${registrations} r join ${registrations} l on l.unit_number = r.unit_number
        and l.date_expires > r.date_expires where r.id = ${id} limit 1`,
  )
  if (later) throw new Refusal(409, 'A later registration of the unit is there already')
}

/** Renewals that were made together are taken back by deleting each of them. */
export const renewalUndo: UndoKind = {
  name: 'renewals',
  find: findRegistration,
  back: (write, { id }) => removeRegistration(write, id),
}

/** All of them are added in one transaction, for which others wait where everybody shares one connection. */
const RENEW_LIMIT = 1000

/**
 * Renews each registration that can be; the others come back with the reason. With `once` those that are renewed already
 * are among them, as with filters: two people may have ticked the same, and a call may be sent again.
 * `id` is what takes all of them back.
 * @throws Refused when none is chosen, Conflict when filters mean others than were shown
 */
export async function renewRegistrations(write: Write, choice: BulkChoice, once = false) {
  checkChoice(registrationBulk, choice)
  const isOnce = once || choice.filters !== undefined
  return inTransaction(write, async (write) => {
    const ids = await chosen(write.db, write.clock, registrationBulk, choice, RENEW_LIMIT)
    // Whoever renews the same ones waits here, and sees what was renewed meanwhile.
    await write.db
      .select({ id: registrations.id })
      .from(registrations)
      .where(oneOf(registrations.id, ids))
      .orderBy(asc(registrations.id))
      .for('no key update')
    const { done, skipped } = await eachOf(write, ids, async (write, id) => {
      if (isOnce) await refuseRenewed(write.db, id)
      return renewRegistration(write, id)
    })
    const created = done.map(({ value }) => value)
    const items = created.map(({ id, version }) => ({ id, version, before: {} }))
    return { id: await keepForUndo(write, renewalUndo, items), created, skipped }
  })
}
