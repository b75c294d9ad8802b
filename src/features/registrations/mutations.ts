import { getTableColumns, sql } from 'drizzle-orm'
import { rows } from '../../../db/client'
import { registrations } from '../../../db/schema'
import type { RegistrationStatus } from '../../../db/vocabulary'
import { accept } from '../../platform/accept'
import { restoreRecord } from '../../platform/records/restore'
import { inSavepoint, inTransaction, type Write } from '../../platform/records/transactions'
import { changeRecord, createRecord, removeRecord } from '../../platform/records/write'
import { type FieldError, Refusal, Refused } from '../../platform/refusals'
import { ensureNewVehicle, ensureVehicle, restoreVehicle } from '../vehicles'
import { findRegistration, type NewRegistration, type Registration } from './queries'
import { checkDates, registration, statusFor } from './rules'

/**
 * Adds the vehicle if its unit number is unknown.
 * @throws Refused when dates are out of order or the location is unknown
 */
export async function createRegistration(write: Write, values: NewRegistration): Promise<Registration> {
  checkDates(values)
  return inTransaction(write, async (write) => {
    await ensureVehicle(write, registrations, values.unit_number)
    const status = statusFor(values.received, values.date_expires, write.clock.today())
    return createRecord(write, registrations, { ...values, status }, ({ id }) =>
      findRegistration(write.db, write.clock, id),
    )
  })
}

/**
 * Fields that a registration in a batch can contain.
 * The API also returns read-only fields. They are accepted, so that clients can send back a registration unchanged.
 */
const KNOWN_FIELDS = new Set([...Object.keys(registration.shape), ...Object.keys(getTableColumns(registrations))])

/** Creates the valid registrations of a batch. Each rejected registration is returned with its index and the reason. */
export async function createRegistrations(write: Write, list: unknown[]) {
  const errors: { index: number; message: string; errors: FieldError[] }[] = []
  const rows: { index: number; id: number }[] = []
  await inTransaction(write, async (write) => {
    // Process the batch in unit-number order, so that concurrent batches cannot deadlock.
    const unitOf = (item: unknown) => {
      const unit = (item as { unit_number?: unknown } | null)?.unit_number
      return typeof unit === 'string' || typeof unit === 'number' ? String(unit) : ''
    }
    const inOrder = list
      .map((item, index) => ({ item, index }))
      .sort((a, b) => unitOf(a.item).localeCompare(unitOf(b.item)))
    for (const { item, index } of inOrder) {
      try {
        if (typeof item !== 'object' || item === null) throw new Refusal(422, 'Must be a registration (a JSON object)')
        const unknown = Object.keys(item).find((field) => !KNOWN_FIELDS.has(field))
        if (unknown) throw Refused.field(unknown, 'There is no such field')
        const { id } = await inSavepoint(write, (write) => createRegistration(write, accept(registration, item)))
        rows.push({ index, id })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const fields = error.errors ?? []
        const message = fields.map(({ field, message }) => `${field}: ${message}`).join('; ') || error.message
        errors.push({ index, message, errors: fields })
      }
    }
  })
  const byIndex = (a: { index: number }, b: { index: number }) => a.index - b.index
  return { created: rows.length, failed: errors.length, rows: rows.sort(byIndex), errors: errors.sort(byIndex) }
}

type Change = Partial<NewRegistration> & { status?: RegistrationStatus }

/**
 * Changes the given fields of a registration. If `received` or the expiry date changes, the status is updated, unless
 * the change already contains a status.
 * @throws Missing when the registration does not exist
 * @throws Stale when another user has changed the registration
 * @throws Refused when a value is invalid
 */
export async function updateRegistration(
  write: Write,
  id: number,
  version: number | undefined,
  change: Change | ((stored: { received: boolean }) => Change),
): Promise<Registration> {
  return inTransaction(write, async (write) => {
    const { answer } = await changeRecord(write, registrations, {
      id,
      version,
      what: 'Registration',
      answer: () => findRegistration(write.db, write.clock, id),
      values: async (stored, write) => {
        const changes = typeof change === 'function' ? change(stored) : change
        await ensureNewVehicle(write, registrations, stored, changes)
        const next = { ...stored, ...changes }
        checkDates(next)
        const isTouched = changes.received !== undefined || changes.date_expires !== undefined
        return {
          ...changes,
          status:
            changes.status ??
            (isTouched ? statusFor(next.received, next.date_expires, write.clock.today()) : stored.status),
        }
      },
    })
    return answer
  })
}

export const changeRegistrationStatus = (
  write: Write,
  id: number,
  { status, version }: { status: RegistrationStatus; version?: number | undefined },
) => updateRegistration(write, id, version, { status, received: status !== 'Pending' })

export const toggleReceived = (write: Write, id: number, version?: number) =>
  updateRegistration(write, id, version, (stored) => ({ received: !stored.received }))

export const setReceived = (write: Write, id: number, received: boolean, version?: number) =>
  updateRegistration(write, id, version, { received })

export const removeRegistration = (write: Write, id: number) => removeRecord(write, registrations, id, 'Registration')

/**
 * Adds the vehicle again if it no longer exists.
 * @throws Missing when no deleted registration has this id
 * @throws Conflict when a registration with this id exists, or its location is missing
 */
export async function restoreRegistration(write: Write, id: number): Promise<Registration> {
  await restoreRecord(write, registrations, id, 'Registration', { prepare: restoreVehicle(registrations) })
  return findRegistration(write.db, write.clock, id)
}

/**
 * Sets the status Expired on received registrations whose expiry date has passed.
 * @returns the number of changed registrations
 */
export async function expireRegistrations(write: Write): Promise<number> {
  return inTransaction(write, async (write) => {
    const [result] = await rows<{ updated: number }>(
      write.db,
      sql`with expired as (
            update ${registrations} set status = 'Expired', version = version + 1,
            updated_at = ${write.actor.now.toISOString()}::timestamptz, updated_by = ${write.actor.username}
            where received and status = 'Complete' and date_expires < ${write.clock.today()}::date returning id),
          audited as (
            insert into audit_entries (at, actor, source, address, token_name, action, entity, entity_id, changes)
            select ${write.actor.now.toISOString()}::timestamptz, ${write.actor.username}, ${write.actor.source},
            ${write.actor.address}, ${write.actor.token_name ?? null}, 'update', 'registrations', id,
              jsonb_build_object('status', jsonb_build_object('old', 'Complete', 'new', 'Expired')) from expired)
          select count(*)::int as updated from expired`,
    )
    return result?.updated ?? 0
  })
}
