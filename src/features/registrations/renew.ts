import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Db, oneOf, rows } from '../../../db/client'
import { documents, registrations, vehicles } from '../../../db/schema'
import { accept } from '../../platform/accept'
import { addMonths } from '../../platform/clock'
import type { UndoKind } from '../../platform/lists/bulk/kind'
import { forEachRecord, selectIds, storeUndo } from '../../platform/lists/bulk/queries'
import { type BulkChoice, checkChoice } from '../../platform/lists/bulk/rules'
import { lockRecords } from '../../platform/records/locks'
import { inTransaction, type Write } from '../../platform/records/transactions'
import { Conflict, Refusal } from '../../platform/refusals'
import { registrationBulk } from './bulk'
import { createRegistration, removeRegistration } from './mutations'
import { findRegistration, type NewRegistration, type Registration } from './queries'
import { type Renewal, type RenewalValues, registration } from './rules'

/**
 * Default values of a renewal. The new expiry date is one year after the old expiry date. If this date is not after the
 * issue date, further years are added until it is after the issue date.
 */
export function renewalOf(old: Registration, date_issued: string) {
  let date_expires = addMonths(old.date_expires, 12)
  while (date_expires <= date_issued) date_expires = addMonths(date_expires, 12)
  const { unit_number, location_id, plate_number, state_province } = old
  return {
    unit_number,
    location_id,
    plate_number,
    state_province,
    date_issued,
    date_expires,
    registration_type: 'Renewal' as const,
    cost: null,
    vlt: null,
    notes: null,
    received: false,
  }
}

/**
 * Creates a new registration from an old one. The old registration stays unchanged. Values that are not given take the
 * defaults of `renewalOf`.
 * @throws Missing when the registration does not exist
 * @throws Refused when a value is invalid
 */
export async function renewRegistration(write: Write, id: number, change: Renewal = {}): Promise<Registration> {
  return inTransaction(write, async (write) => {
    const old = await findRegistration(write.db, write.clock, id)
    const defaults = renewalOf(old, change.date_issued ?? write.clock.today())
    const changes = Object.fromEntries(
      Object.entries(change).filter(([, value]) => value !== undefined && value !== null),
    )
    return createRegistration(write, accept(registration, { ...defaults, ...changes }))
  })
}

async function refuseRenewed(tx: Db, id: number) {
  const [later] = await rows<{ id: number }>(
    tx,
    sql`select l.id from ${registrations} r join ${registrations} l on l.unit_number = r.unit_number
        and l.date_expires > r.date_expires where r.id = ${id} limit 1`,
  )
  if (later) throw new Refusal(409, 'The unit already has a registration that expires later')
}

/**
 * Locks the vehicles of registrations until the transaction ends. Locking only the registrations is not enough. A
 * vehicle can have two current registrations, and two users could each renew one of these registrations at the same
 * time.
 */
async function lockVehiclesOf(tx: Db, ids: number[]) {
  const found = await tx
    .select({ id: vehicles.id })
    .from(vehicles)
    .innerJoin(registrations, eq(registrations.unit_number, vehicles.unit_number))
    .where(oneOf(registrations.id, ids))
  await lockRecords(
    tx,
    vehicles,
    found.map(({ id }) => id),
  )
}

export const renewalUndo: UndoKind = {
  name: 'renewals',
  table: registrations,
  find: findRegistration,
  async back(write, { id }) {
    const [document] = await write.db
      .select({ id: documents.id })
      .from(documents)
      .where(and(eq(documents.entity, 'registrations'), eq(documents.record_id, id), isNull(documents.deleted_at)))
      .limit(1)
    if (document) throw new Conflict('A document was added to the renewal')
    return removeRegistration(write, id)
  },
}

const storeRenewals = (write: Write, created: Registration[]) =>
  storeUndo(
    write,
    renewalUndo,
    created.map(({ id, version }) => ({ id, version, before: {} })),
  )

/** The returned `id` identifies this change for undo. */
export const createRenewal = (write: Write, values: NewRegistration) =>
  inTransaction(write, async (write) => {
    const created = await createRegistration(write, values)
    return { id: await storeRenewals(write, [created]), created }
  })

/**
 * Maximum number of renewals per request.
 * All renewals of a request are one transaction, which blocks the only connection of the embedded database.
 */
const RENEW_LIMIT = 1000

/**
 * Renews several registrations. Returns the renewals, and the skipped registrations with reasons.
 * The returned `id` identifies this change for undo. `values` replaces defaults of single renewals, such as the costs.
 *
 * If `once` is true or the choice has `filters`, skips each registration whose unit already has a later registration.
 * This prevents duplicates if two users renew the same registration or a client retries a request.
 * @throws Refused when no registration is chosen
 * @throws Conflict when the filters match a different number of registrations than the user was shown
 */
export async function renewRegistrations(
  write: Write,
  choice: BulkChoice & { values?: RenewalValues[] | undefined },
  once = false,
) {
  checkChoice(registrationBulk, choice)
  const values = new Map((choice.values ?? []).map(({ id, ...change }) => [id, change]))
  const isOnce = once || choice.filters !== undefined
  return inTransaction(write, async (write) => {
    const ids = await selectIds(write.db, write.clock, registrationBulk, choice, RENEW_LIMIT)
    // Lock the registrations, so that a concurrent request waits and then finds the renewals that this request created.
    await lockRecords(write.db, registrations, ids)
    await lockVehiclesOf(write.db, ids)
    const { done, skipped } = await forEachRecord(write, ids, async (write, id) => {
      if (isOnce) await refuseRenewed(write.db, id)
      return renewRegistration(write, id, values.get(id))
    })
    const created = done.map(({ value }) => value)
    return { id: await storeRenewals(write, created), created, skipped }
  })
}
