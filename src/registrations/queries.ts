import { and, asc, desc, eq, getTableColumns, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, rows } from '../../db/client'
import { locations, registrations } from '../../db/schema'
import type { RegistrationStatus } from '../../db/vocabulary'
import { addDays, addMonths, type Clock } from '../clock'
import { accept } from '../fields'
import type { Actor } from '../records/actor'
import { type Listing, listing } from '../records/listing'
import { beginningWith, containing } from '../records/search'
import { changeRecord, createRecord, removeRecord, restoreRecord } from '../records/write'
import { Missing, Refusal } from '../refusals'
import { ensureVehicle, itsVehicle } from '../vehicles/queries'
import {
  checkDates,
  EXPIRING_WINDOW_DAYS,
  type Renewal,
  registration,
  type registrationFilters,
  statusFor,
} from './rules'
import { daysUntilExpiry, isExpiring, plateBegins } from './sql'

export type RegistrationFilters = z.output<typeof registrationFilters>
type NewRegistration = z.output<typeof registration>
type Day = Pick<Clock, 'today'>

const withDays = (db: Db, clock: Day) =>
  db
    .select({
      ...getTableColumns(registrations),
      location_name: locations.location_name,
      days_until_expiry: daysUntilExpiry(registrations, clock.today()).as('days_until_expiry'),
    })
    .from(registrations)
    .innerJoin(locations, eq(locations.id, registrations.location_id))
    .$dynamic()

/** A registration with its location's name and the days until it expires. */
export type Registration = Awaited<ReturnType<typeof findRegistration>>

/** Expires from today to `days` ahead, and the vehicle has no later registration. */
const expiring = (clock: Day, days: number) =>
  isExpiring(registrations, { start: clock.today(), end: addDays(clock.today(), days) })

const SORTS: Record<RegistrationFilters['sort'], SQL> = {
  date_expires: sql`${registrations.date_expires}`,
  unit_number: sql`${registrations.unit_number}`,
  plate_number: sql`${registrations.plate_number}`,
  state_province: sql`${registrations.state_province}`,
  date_issued: sql`${registrations.date_issued}`,
  registration_type: sql`${registrations.registration_type}`,
  location_name: sql`${locations.location_name}`,
  cost: sql`${registrations.cost}`,
  created_at: sql`${registrations.created_at}`,
}

function filtered(query: RegistrationFilters): SQL | undefined {
  return and(
    query.q
      ? or(
          sql`${registrations.unit_number} like ${beginningWith(query.q)}`,
          plateBegins(registrations.plate_number, query.q),
          sql`${registrations.location_id} = any(array(select id from ${locations} where location_name ilike ${containing(query.q)} or location_code ilike ${containing(query.q)}))`,
        )
      : undefined,
    query.unit_number ? eq(registrations.unit_number, query.unit_number) : undefined,
    query.status ? eq(registrations.status, query.status) : undefined,
    query.registration_type ? eq(registrations.registration_type, query.registration_type) : undefined,
    query.location_id ? eq(registrations.location_id, query.location_id) : undefined,
  )
}

function listed(db: Db, clock: Day, query: RegistrationFilters, where: SQL | undefined): Listing<Registration> {
  const direction = query.order === 'asc' ? asc : desc
  return listing(db, {
    select: () => withDays(db, clock),
    table: registrations,
    where,
    order: [direction(SORTS[query.sort]), direction(registrations.id)],
    query,
  })
}

/** The lists of registrations; each to be read by the page or from end to end. */
export const registrationListings = {
  all: (db: Db, clock: Day, query: RegistrationFilters) => listed(db, clock, query, filtered(query)),
  /** Papers not received yet. */
  pending: (db: Db, clock: Day, query: RegistrationFilters) =>
    listed(db, clock, query, and(eq(registrations.received, false), filtered(query))),
  /** Papers received. */
  completed: (db: Db, clock: Day, query: RegistrationFilters) =>
    listed(db, clock, query, and(eq(registrations.received, true), filtered(query))),
  expiring: (db: Db, clock: Day, query: RegistrationFilters & { days: number }) =>
    listed(db, clock, query, and(expiring(clock, query.days), filtered(query))),
}

export async function findRegistration(db: Db, clock: Day, id: number) {
  const [found] = await withDays(db, clock).where(eq(registrations.id, id))
  if (!found) throw new Missing('Registration')
  return found
}

/** All registrations of a vehicle, the latest to expire first. */
export const registrationsOfVehicle = (db: Db, clock: Day, unit: string) =>
  withDays(db, clock)
    .where(eq(registrations.unit_number, unit))
    .orderBy(desc(registrations.date_expires), desc(registrations.id))

export const registrationsAtLocation = (db: Db, clock: Day, id: number) =>
  withDays(db, clock)
    .where(eq(registrations.location_id, id))
    .orderBy(desc(registrations.date_expires), desc(registrations.id))

export const countPendingRegistrations = (db: Db) => db.$count(registrations, eq(registrations.received, false))

export type RegistrationTotals = {
  pending: number
  completed: number
  expiring: number
  expired: number
  total_cost: number
  total_vlt: number
}

export async function totalRegistrations(db: Db, clock: Day): Promise<RegistrationTotals> {
  const [sums] = await rows<Record<keyof RegistrationTotals, string | number>>(
    db,
    sql`select count(*) filter (where not received)::int as pending, count(*) filter (where received)::int as completed,
          count(*) filter (where status = 'Expired')::int as expired, coalesce(sum(cost), 0) as total_cost, coalesce(sum(vlt), 0) as total_vlt,
          (select count(*)::int from ${registrations} where ${expiring(clock, EXPIRING_WINDOW_DAYS)}) as expiring
        from ${registrations}`,
  )
  const number = (key: keyof RegistrationTotals) => Number(sums?.[key] ?? 0)
  return {
    pending: number('pending'),
    completed: number('completed'),
    expiring: number('expiring'),
    expired: number('expired'),
    total_cost: number('total_cost'),
    total_vlt: number('total_vlt'),
  }
}

/** @throws Refused for dates out of order or an unknown location */
export async function createRegistration(
  db: Db,
  actor: Actor,
  clock: Day,
  values: NewRegistration,
): Promise<Registration> {
  checkDates(values)
  return db.transaction(async (tx) => {
    await ensureVehicle(tx, actor, values.unit_number)
    const status = statusFor(values.received, values.date_expires, clock.today())
    const { id } = await createRecord(tx, actor, registrations, { ...values, status })
    return findRegistration(tx, clock, id)
  })
}

/** What a renewal is filled in with: issued today, for a year after the old one's end, or as many as it takes to be ahead. */
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
  clock: Day,
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

/** Renews each registration that can be; the others come back with the reason. */
export async function renewRegistrations(db: Db, actor: Actor, clock: Day, ids: number[]) {
  const created: Registration[] = []
  const skipped: { id: number; reason: string }[] = []
  await db.transaction(async (tx) => {
    for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
      try {
        created.push(await renewRegistration(tx, actor, clock, id))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        skipped.push({ id, reason: error.message })
      }
    }
  })
  return { created, skipped }
}

/** Creates each registration that can be accepted; the others come back with their place in the list and the reason. */
export async function createRegistrations(db: Db, actor: Actor, clock: Day, list: unknown[]) {
  const errors: { index: number; message: string }[] = []
  let created = 0
  await db.transaction(async (tx) => {
    // In the order of their units, so that two batches wait for each other instead of stopping each other.
    const unitOf = (item: unknown) => String((item as { unit_number?: unknown } | null)?.unit_number ?? '')
    const inOrder = list
      .map((item, index) => ({ item, index }))
      .sort((a, b) => unitOf(a.item).localeCompare(unitOf(b.item)))
    for (const { item, index } of inOrder) {
      try {
        if (typeof item !== 'object' || item === null) throw new Refusal(422, 'Must be a registration')
        await createRegistration(tx, actor, clock, accept(registration, item))
        created++
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        errors.push({
          index,
          message: (error.errors ?? []).map(({ field, message }) => `${field}: ${message}`).join('; ') || error.message,
        })
      }
    }
  })
  return { created, failed: errors.length, errors: errors.sort((a, b) => a.index - b.index) }
}

type Change = Partial<NewRegistration> & { status?: RegistrationStatus }

/** Changes the fields given and keeps the status in step with them. @throws Missing, Stale, Refused */
export async function updateRegistration(
  db: Db,
  actor: Actor,
  clock: Day,
  id: number,
  version: number | undefined,
  change: Change | ((stored: { received: boolean }) => Change),
): Promise<Registration> {
  return db.transaction(async (tx) => {
    await changeRecord(tx, actor, registrations, {
      id,
      version,
      what: 'Registration',
      values: async (stored, inner) => {
        const wanted = typeof change === 'function' ? change(stored) : change
        if (wanted.unit_number) await ensureVehicle(inner, actor, wanted.unit_number)
        const next = { ...stored, ...wanted }
        checkDates(next)
        const isTouched = wanted.received !== undefined || wanted.date_expires !== undefined
        return {
          ...wanted,
          status:
            wanted.status ?? (isTouched ? statusFor(next.received, next.date_expires, clock.today()) : stored.status),
        }
      },
    })
    return findRegistration(tx, clock, id)
  })
}

/** Sets the status; Pending means not received, the others mean received. */
export const changeRegistrationStatus = (
  db: Db,
  actor: Actor,
  clock: Day,
  id: number,
  { status, version }: { status: RegistrationStatus; version?: number | undefined },
) => updateRegistration(db, actor, clock, id, version, { status, received: status !== 'Pending' })

/** Flips whether the papers are received. */
export const toggleReceived = (db: Db, actor: Actor, clock: Day, id: number, version?: number) =>
  updateRegistration(db, actor, clock, id, version, (stored) => ({ received: !stored.received }))

/** Says whether the papers are received; where they are so already, nothing changes, whoever said it. */
export async function setReceived(
  db: Db,
  actor: Actor,
  clock: Day,
  id: number,
  received: boolean,
  version?: number,
): Promise<Registration> {
  const stored = await findRegistration(db, clock, id)
  return stored.received === received ? stored : updateRegistration(db, actor, clock, id, version, { received })
}

/** @throws Missing */
export const removeRegistration = (db: Db, actor: Actor, id: number) =>
  removeRecord(db, actor, registrations, id, 'Registration')

/** Takes a deletion back. @throws Missing, Conflict */
export async function restoreRegistration(db: Db, actor: Actor, clock: Day, id: number): Promise<Registration> {
  await restoreRecord(db, actor, registrations, id, 'Registration', { prepare: itsVehicle(actor) })
  return findRegistration(db, clock, id)
}

/** Marks the received registrations whose day has passed as expired. @returns how many */
export async function expireRegistrations(db: Db, actor: Actor, clock: Day): Promise<number> {
  return db.transaction(async (tx) => {
    const [counted] = await rows<{ updated: number }>(
      tx,
      sql`with expired as (
            update ${registrations} set status = 'Expired', version = version + 1, updated_at = ${actor.now.toISOString()}::timestamptz, updated_by = ${actor.username}
            where received and status = 'Complete' and date_expires < ${clock.today()}::date returning id),
          audited as (
            insert into audit_entries (at, actor, source, address, action, entity, entity_id, changes)
            select ${actor.now.toISOString()}::timestamptz, ${actor.username}, ${actor.source}, ${actor.address}, 'update', 'registrations', id,
              jsonb_build_object('status', jsonb_build_object('old', 'Complete', 'new', 'Expired')) from expired)
          select count(*)::int as updated from expired`,
    )
    return counted?.updated ?? 0
  })
}
