import type { z } from 'zod'
import type { Db } from '../../../db/client'
import { transports } from '../../../db/schema'
import type { Calendar } from '../../platform/clock'
import type { Actor } from '../../platform/records/actor'
import { restoreRecord } from '../../platform/records/restore'
import { changeRecord, createRecord, removeRecord } from '../../platform/records/write'
import { Conflict } from '../../platform/refusals'
import { takePoNumber } from '../settings'
import { ensureVehicle, followRecord, itsVehicle, traceOfTransport } from '../vehicles'
import { findTransport, type NewTransport, type Transport } from './queries'
import { arrivalFor, checkDates, type statusChange } from './rules'

/** @throws Refused for dates out of order or an unknown location or company */
export async function createTransport(db: Db, actor: Actor, clock: Calendar, values: NewTransport): Promise<Transport> {
  checkDates(values)
  const actual_arrival_date = arrivalFor(values.status, values.actual_arrival_date, null, clock.today())
  return db.transaction(async (tx) => {
    await ensureVehicle(tx, actor, values.unit_number)
    const created = await createRecord(tx, actor, transports, { ...values, actual_arrival_date })
    await followRecord(tx, actor, null, traceOfTransport(created))
    return findTransport(tx, created.id)
  })
}

/** Changes the fields given. @throws Missing, Stale, or Refused like createTransport */
export async function updateTransport(
  db: Db,
  actor: Actor,
  clock: Calendar,
  id: number,
  version: number | undefined,
  change: Partial<NewTransport>,
): Promise<Transport> {
  return db.transaction(async (tx) => {
    if (change.unit_number) await ensureVehicle(tx, actor, change.unit_number)
    const { before, after } = await changeRecord(tx, actor, transports, {
      id,
      version,
      what: 'Transport',
      values: (stored) => {
        const next = { ...stored, ...change }
        // A form sends the arrival back that Delivered took by itself; nobody typed that one.
        const isTyped =
          (change.actual_arrival_date !== undefined && change.actual_arrival_date !== stored.actual_arrival_date) ||
          (change.move_date !== undefined && change.move_date !== stored.move_date)
        checkDates({ ...next, actual_arrival_date: isTyped ? (next.actual_arrival_date ?? null) : null })
        return {
          ...change,
          actual_arrival_date: arrivalFor(
            next.status,
            change.actual_arrival_date,
            stored.actual_arrival_date,
            clock.today(),
          ),
        }
      },
    })
    await followRecord(tx, actor, traceOfTransport(before), traceOfTransport(after))
    return findTransport(tx, id)
  })
}

/** Changes the status alone; Delivered takes an arrival date, today unless told, and leaving it clears that. */
export function changeTransportStatus(
  db: Db,
  actor: Actor,
  clock: Calendar,
  id: number,
  { version, ...change }: z.output<typeof statusChange>,
) {
  return updateTransport(db, actor, clock, id, version, change)
}

/**
 * Gives a transport the next PO number of the company. @throws Missing, Stale, or Conflict when it has one already
 */
export const issuePo = (db: Db, actor: Actor, id: number, version?: number): Promise<Transport> =>
  db.transaction(async (tx) => {
    await changeRecord(tx, actor, transports, {
      id,
      version,
      what: 'Transport',
      async values({ po_number }) {
        if (po_number) throw new Conflict(`It has the PO number ${po_number} already`)
        return { issue_po: true, po_number: await takePoNumber(tx) }
      },
    })
    return findTransport(tx, id)
  })

/** @throws Missing */
export const removeTransport = (db: Db, actor: Actor, id: number) =>
  db.transaction(async (tx) => {
    const removed = await removeRecord(tx, actor, transports, id, 'Transport')
    await followRecord(tx, actor, traceOfTransport(removed), null)
    return removed
  })

/** Takes a deletion back. @throws Missing, Conflict */
export const restoreTransport = (db: Db, actor: Actor, id: number): Promise<Transport> =>
  db.transaction(async (tx) => {
    const restored = await restoreRecord(tx, actor, transports, id, 'Transport', { prepare: itsVehicle(actor) })
    await followRecord(tx, actor, null, traceOfTransport(restored))
    return findTransport(tx, id)
  })
