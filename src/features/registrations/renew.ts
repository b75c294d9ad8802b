import { asc, sql } from 'drizzle-orm'
import { type Db, oneOf, rows } from '../../../db/client'
import { registrations } from '../../../db/schema'
import { accept } from '../../platform/accept'
import { addMonths, type Calendar, type Clock } from '../../platform/clock'
import type { UndoKind } from '../../platform/lists/bulk/kind'
import { chosen, eachOf, keepForUndo } from '../../platform/lists/bulk/queries'
import { type BulkChoice, checkChoice } from '../../platform/lists/bulk/rules'
import type { Actor } from '../../platform/records/actor'
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
export async function renewRegistration(
  db: Db,
  actor: Actor,
  clock: Calendar,
  id: number,
  change: Renewal = {},
): Promise<Registration> {
  return db.transaction(async (tx) => {
    const usual = renewalOf(await findRegistration(tx, clock, id), clock.today())
    const given = Object.fromEntries(
      Object.entries(change).filter(([, value]) => value !== undefined && value !== null),
    )
    return createRegistration(tx, actor, clock, accept(registration, { ...usual, ...given }))
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
  back: (db, actor, _clock, { id }) => removeRegistration(db, actor, id),
}

/** All of them are added in one transaction, for which others wait where everybody shares one connection. */
const RENEW_LIMIT = 1000

/**
 * Renews each registration that can be; the others come back with the reason. With `once` those that are renewed already
 * are among them, as with filters: two people may have ticked the same, and a call may be sent again.
 * `id` is what takes all of them back.
 * @throws Refused when none is chosen, Conflict when filters mean others than were shown
 */
export async function renewRegistrations(db: Db, actor: Actor, clock: Clock, choice: BulkChoice, once = false) {
  checkChoice(registrationBulk, choice)
  const isOnce = once || choice.filters !== undefined
  return db.transaction(async (tx) => {
    const ids = await chosen(tx, clock, registrationBulk, choice, RENEW_LIMIT)
    // Whoever renews the same ones waits here, and sees what was renewed meanwhile.
    await tx
      .select({ id: registrations.id })
      .from(registrations)
      .where(oneOf(registrations.id, ids))
      .orderBy(asc(registrations.id))
      .for('no key update')
    const { done, skipped } = await eachOf(tx, ids, async (step, id) => {
      if (isOnce) await refuseRenewed(step, id)
      return renewRegistration(step, actor, clock, id)
    })
    const created = done.map(({ value }) => value)
    const items = created.map(({ id, version }) => ({ id, version, before: {} }))
    return { id: await keepForUndo(tx, actor, renewalUndo, items), created, skipped }
  })
}
