import { eq } from 'drizzle-orm'
import { type Db, violatedUnique } from '../../../db/client'
import { transports, vendorInvoiceLines, vendorInvoices } from '../../../db/schema'
import type { Calendar } from '../../platform/clock'
import type { Actor } from '../../platform/records/actor'
import { restoreRecord } from '../../platform/records/restore'
import { changeRecord, createRecord, removeRecord, withoutMissing } from '../../platform/records/write'
import { Conflict, Missing } from '../../platform/refusals'
import type { Biller } from './billers'
import {
  type BilledBy,
  type Decision,
  findInvoice,
  type Invoice,
  type InvoiceLine,
  type StoredInvoice,
} from './queries'
import { checkPeriod, type NewInvoice } from './rules'

const ROWS_AT_ONCE = 500

async function insertLines(tx: Db, lines: (typeof vendorInvoiceLines.$inferInsert)[]) {
  for (let at = 0; at < lines.length; at += ROWS_AT_ONCE)
    await tx.insert(vendorInvoiceLines).values(lines.slice(at, at + ROWS_AT_ONCE))
}

/** @throws Conflict for the second invoice of a number */
const refuseSameNumber =
  (number = 'of this number') =>
  (error: unknown): never => {
    const constraint = violatedUnique(error)
    if (constraint === null) throw error
    const noun = constraint.includes('company') ? 'transport company' : 'vendor'
    const message = `This ${noun} has an invoice ${number} already`
    throw new Conflict(message, [{ field: 'number', message }])
  }

/**
 * Keeps an invoice, every line set against our own records.
 * @throws Missing, Refused, Conflict when the biller has an invoice of that number
 */
export const createInvoice = <Line>(
  db: Db,
  actor: Actor,
  clock: Calendar,
  { biller, id: by }: { biller: Biller<Line>; id: number },
  { lines, ...values }: NewInvoice<Line>,
) =>
  db
    .transaction(async (tx) => {
      await biller.nameOf(tx, by)
      checkPeriod(values)
      const checked = await biller.check(tx, clock, by, values, lines)
      const { id } = await createRecord(tx, actor, vendorInvoices, { ...values, [biller.column]: by })
      const stamps = {
        created_at: actor.now,
        created_by: actor.username,
        updated_at: actor.now,
        updated_by: actor.username,
      }
      await insertLines(
        tx,
        checked.map((line) => ({ ...line, invoice_id: id, ...stamps })),
      )
      return findInvoice(tx, id)
    })
    .catch(refuseSameNumber(values.number))

/**
 * A transport that nobody knew the cost of costs what is accepted, for as long as it is; a cost that somebody changed
 * since stays.
 */
async function followDecision(tx: Db, actor: Actor, line: InvoiceLine): Promise<InvoiceLine> {
  const { id, transport_id, amount, sets_final_cost } = line
  const isAccepted = line.decision === 'accepted'
  if (transport_id === null || amount === null || isAccepted === sets_final_cost) return line
  const { before, after } = await changeRecord(tx, actor, transports, {
    id: transport_id,
    what: 'Transport',
    values: ({ final_cost }) => {
      if (isAccepted) return final_cost === null ? { final_cost: amount } : {}
      return final_cost === amount ? { final_cost: null } : {}
    },
  })
  const sets = isAccepted && before.final_cost !== after.final_cost
  if (sets !== sets_final_cost)
    await tx.update(vendorInvoiceLines).set({ sets_final_cost: sets }).where(eq(vendorInvoiceLines.id, id))
  return { ...line, sets_final_cost: sets }
}

/**
 * Accepts or disputes one line, or takes that back. Accepting the bill of a transport without a final cost makes it
 * that, and taking it back takes it away.
 * @param by when given, it must be a line of theirs @throws Missing, Stale
 */
export const decideLine = (
  db: Db,
  actor: Actor,
  { by, invoice, line }: { by?: BilledBy; invoice: number; line: number },
  { version, ...values }: Decision,
): Promise<InvoiceLine> =>
  db.transaction(async (tx) => {
    await findInvoice(tx, invoice, by)
    const { after } = await changeRecord(tx, actor, vendorInvoiceLines, {
      id: line,
      version,
      what: 'Invoice line',
      values(stored) {
        if (stored.invoice_id !== invoice) throw new Missing('Invoice line')
        return withoutMissing(values)
      },
    })
    return followDecision(tx, actor, after)
  })

/** Accepts every line that matches and is not decided on. @param by as above @throws Missing */
export const acceptMatched = (db: Db, actor: Actor, id: number, by?: BilledBy): Promise<Invoice> =>
  db.transaction(async (tx) => {
    const { lines } = await findInvoice(tx, id, by)
    for (const { id: line, status, decision } of lines)
      if (status === 'matched' && decision === null)
        await decideLine(tx, actor, { invoice: id, line }, { decision: 'accepted' })
    return findInvoice(tx, id)
  })

/** Deletes an invoice with its lines, so that its number is free again, and the costs that it set. @throws Missing */
export const removeInvoice = (db: Db, actor: Actor, id: number, by?: BilledBy): Promise<StoredInvoice> =>
  db.transaction(async (tx) => {
    await findInvoice(tx, id, by)
    return removeRecord(tx, actor, vendorInvoices, id, 'Invoice', async (tx, id) => {
      const { lines } = await findInvoice(tx, id)
      for (const line of lines) await followDecision(tx, actor, { ...line, decision: null })
      return { lines }
    })
  })

/** Takes a deletion back, with what was decided on the lines. @throws Missing, Conflict */
export const restoreInvoice = (db: Db, actor: Actor, id: number): Promise<Invoice> =>
  db
    .transaction(async (tx) => {
      await restoreRecord(tx, actor, vendorInvoices, id, 'Invoice', {
        async belongings(tx, invoice_id, deletion) {
          const lines = (deletion.lines?.old ?? []) as InvoiceLine[]
          await insertLines(
            tx,
            lines.map((line) => ({
              ...line,
              invoice_id,
              sets_final_cost: false,
              created_at: new Date(line.created_at),
              updated_at: new Date(line.updated_at),
            })),
          )
        },
      })
      const { lines } = await findInvoice(tx, id)
      for (const line of lines) await followDecision(tx, actor, line)
      return findInvoice(tx, id)
    })
    .catch(refuseSameNumber())
