import type { z } from 'zod'
import { transports } from '../../../db/schema'
import { restoreRecord } from '../../platform/records/restore'
import { inTransaction, type Write } from '../../platform/records/transactions'
import { changeRecord, createRecord, removeRecord } from '../../platform/records/write'
import { Conflict } from '../../platform/refusals'
import { settleRestoredTransport } from '../billing'
import { takePoNumber } from '../settings'
import { ensureNewVehicle, ensureVehicle, followRecord, restoreVehicle, traceOfTransport } from '../vehicles'
import { findTransport, type NewTransport, type Transport } from './queries'
import { arrivalFor, checkDates, type statusChange } from './rules'

type Stored = typeof transports.$inferSelect

async function answerFor(write: Write, id: number, before: Stored | null, after: Stored): Promise<Transport> {
  const [transport] = await Promise.all([
    findTransport(write.db, id),
    followRecord(write, before && traceOfTransport(before), traceOfTransport(after)),
  ])
  return transport
}

/** @throws Refused when dates are out of order, or a location or company is unknown */
export async function createTransport(write: Write, values: NewTransport): Promise<Transport> {
  checkDates(values, write.clock.today())
  const actual_arrival_date = arrivalFor(values.status, values.actual_arrival_date, null, write.clock.today())
  return inTransaction(write, async (write) => {
    await ensureVehicle(write, transports, values.unit_number)
    return createRecord(write, transports, { ...values, actual_arrival_date }, (created) =>
      answerFor(write, created.id, null, created),
    )
  })
}

type TransportChange = {
  id: number
  version?: number | undefined
  change: Partial<NewTransport>
  /** Returns the dates whose order is checked, or null for no check. */
  datesToCheck: (stored: Stored, next: Stored) => ArrivalDates | null
}

async function saveTransport(write: Write, { id, version, change, datesToCheck }: TransportChange): Promise<Transport> {
  return inTransaction(write, async (write) => {
    const { answer } = await changeRecord(write, transports, {
      id,
      version,
      what: 'Transport',
      answer: (before, after) => answerFor(write, id, before, after),
      values: async (stored, write) => {
        await ensureNewVehicle(write, transports, stored, change)
        const next = { ...stored, ...change }
        const dates = datesToCheck(stored, next)
        const today = write.clock.today()
        if (dates) checkDates(dates, today)
        return {
          ...change,
          actual_arrival_date: arrivalFor(next.status, change.actual_arrival_date, stored.actual_arrival_date, today),
        }
      },
    })
    return answer
  })
}

type ArrivalDates = Parameters<typeof checkDates>[0]

/**
 * Returns the dates of a changed transport for `checkDates`. The program itself can store an arrival date that is
 * earlier than the move date. Checking such a date would reject changes to other fields, so the arrival date is
 * included only if it or the move date changes.
 */
export function typedDates(stored: ArrivalDates, next: ArrivalDates): ArrivalDates {
  const isTyped = next.actual_arrival_date !== stored.actual_arrival_date || next.move_date !== stored.move_date
  return { ...next, actual_arrival_date: isTyped ? next.actual_arrival_date : null }
}

/**
 * @throws Missing when the transport does not exist
 * @throws Stale when another user has changed the transport
 * @throws Refused when dates are out of order, or a location or company is unknown
 */
export const updateTransport = (
  write: Write,
  id: number,
  version: number | undefined,
  change: Partial<NewTransport>,
): Promise<Transport> =>
  saveTransport(write, {
    id,
    version,
    change,
    datesToCheck: typedDates,
  })

/** Does not check the dates. The program itself can store an arrival date before the move date. */
export const revertTransport = (write: Write, id: number, change: Partial<NewTransport>): Promise<Transport> =>
  saveTransport(write, { id, change, datesToCheck: () => null })

export function changeTransportStatus(write: Write, id: number, { version, ...change }: z.output<typeof statusChange>) {
  return updateTransport(write, id, version, change)
}

/**
 * Gives a transport the next purchase order (PO) number.
 * @throws Missing when the transport does not exist
 * @throws Stale when another user has changed the transport
 * @throws Conflict when the transport already has a PO number
 */
export const issuePo = (write: Write, id: number, version?: number): Promise<Transport> =>
  inTransaction(write, async (write) => {
    const { answer } = await changeRecord(write, transports, {
      id,
      version,
      what: 'Transport',
      answer: () => findTransport(write.db, id),
      async values({ po_number }) {
        if (po_number) throw new Conflict(`This transport already has PO number ${po_number}`)
        return { issue_po: true, po_number: await takePoNumber(write.db) }
      },
    })
    return answer
  })

export const removeTransport = (write: Write, id: number) =>
  inTransaction(write, async (write) => {
    const removed = await removeRecord(write, transports, id, 'Transport')
    await followRecord(write, traceOfTransport(removed), null)
    return removed
  })

/**
 * Restores a deleted transport. If its vehicle no longer exists, adds the vehicle again.
 * @throws Missing when no deleted transport has this id
 * @throws Conflict when a transport with this id exists, or a record that it refers to is missing
 */
export const restoreTransport = (write: Write, id: number): Promise<Transport> =>
  inTransaction(write, async (write) => {
    const restored = await restoreRecord(write, transports, id, 'Transport', { prepare: restoreVehicle(transports) })
    await settleRestoredTransport(write, id)
    await followRecord(write, null, traceOfTransport(restored))
    return findTransport(write.db, id)
  })
