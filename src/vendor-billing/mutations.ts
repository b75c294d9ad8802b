import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Db, rows, violatedUnique } from '../../db/client'
import { locations, oslEntries, vehicles, vendorInvoiceLines, vendorInvoices, vendors } from '../../db/schema'
import { vendorQueries } from '../admin/vendors/queries'
import { type Calendar, daysBetween } from '../clock'
import { completedOn } from '../osl/sql'
import type { Actor } from '../records/actor'
import { restoreRecord } from '../records/restore'
import { changeRecord, createRecord, removeRecord, withoutMissing } from '../records/write'
import { Conflict, Missing } from '../refusals'
import { type CheckedLine, checkLines } from './check'
import { type Decision, findInvoice, type Invoice, type InvoiceLine, type StoredInvoice } from './queries'
import { type BilledLine, checkPeriod, type NewInvoice } from './rules'
import { expectedByUnit, type Period } from './statement'

const e = alias(oslEntries, 'e')

/** Which of these units another invoice of the vendor billed for days of the period, unless that was disputed. */
async function billedBefore(db: Db, vendor: number, { start_date, end_date }: Period): Promise<Map<string, string>> {
  const found = await rows<{ unit_number: string; said: string }>(
    db,
    sql`select l.unit_number, min('invoice ' || i.number || ', ' || to_char(i.start_date, 'MM/DD/YYYY') || ' to '
        || to_char(i.end_date, 'MM/DD/YYYY')) as said
      from ${vendorInvoices} i join ${vendorInvoiceLines} l on l.invoice_id = i.id
      where i.vendor_id = ${vendor} and i.start_date <= ${end_date}::date and i.end_date >= ${start_date}::date
        and l.amount is not null and l.status <> 'not_ours' and l.decision is distinct from 'disputed'
      group by l.unit_number`,
  )
  return new Map(found.map(({ unit_number, said }) => [unit_number, said]))
}

/** What is known of units that this vendor has no claim for: their latest entry, wherever it stands. */
async function knownElsewhere(db: Db, clock: Calendar, units: string[]): Promise<Map<string, string>> {
  if (units.length === 0) return new Map()
  const found = await rows<{ unit_number: string; said: string }>(
    db,
    sql`select v.unit_number, coalesce((select 'Unit ' || v.unit_number || ' was with ' || coalesce(d.vendor_name, l.location_name)
          || ' from ' || to_char(e.osl_date, 'MM/DD/YYYY')
          || coalesce(' to ' || to_char(${completedOn(e, clock)}, 'MM/DD/YYYY'), '')
          || case when e.storage_fees_applicable then '' else ', without storage fees' end
        from ${oslEntries} e join ${locations} l on l.id = e.location_id left join ${vendors} d on d.id = e.vendor_id
        where e.unit_number = v.unit_number order by e.osl_date desc, e.id desc limit 1),
        'Unit ' || v.unit_number || ' was never out of service') as said
      from ${vehicles} v where v.unit_number in ${units}`,
  )
  return new Map(found.map(({ unit_number, said }) => [unit_number, said]))
}

/** Sets every line of a bill against our log. */
async function checked(db: Db, clock: Calendar, vendor: number, period: Period, lines: BilledLine[]) {
  const ours = new Map((await expectedByUnit(db, clock, vendor, period)).map((own) => [own.unit_number, own]))
  const strange = lines.map(({ unit_number }) => unit_number).filter((unit) => !ours.has(unit))
  return checkLines(lines, {
    periodDays: daysBetween(period.start_date, period.end_date) + 1,
    ours,
    billedBefore: await billedBefore(db, vendor, period),
    elsewhere: await knownElsewhere(db, clock, strange),
  })
}

const ROWS_AT_ONCE = 500

async function insertLines(tx: Db, lines: (typeof vendorInvoiceLines.$inferInsert)[]) {
  for (let at = 0; at < lines.length; at += ROWS_AT_ONCE)
    await tx.insert(vendorInvoiceLines).values(lines.slice(at, at + ROWS_AT_ONCE))
}

/** @throws Conflict for the second invoice of a number */
const refuseSameNumber =
  (number?: string) =>
  (error: unknown): never => {
    if (violatedUnique(error) === null) throw error
    const message = `This vendor has an invoice ${number ?? 'of this number'} already`
    throw new Conflict(message, [{ field: 'number', message }])
  }

/**
 * Keeps a vendor's invoice, every line set against our own log.
 * @throws Missing, Refused, Conflict when the vendor has an invoice of that number
 */
export const createInvoice = (
  db: Db,
  actor: Actor,
  clock: Calendar,
  vendor: number,
  { lines, ...values }: NewInvoice,
) =>
  db
    .transaction(async (tx) => {
      await vendorQueries.find(tx, vendor)
      checkPeriod(values)
      const result: CheckedLine[] = await checked(tx, clock, vendor, values, lines)
      const { id } = await createRecord(tx, actor, vendorInvoices, { ...values, vendor_id: vendor })
      const stamps = {
        created_at: actor.now,
        created_by: actor.username,
        updated_at: actor.now,
        updated_by: actor.username,
      }
      await insertLines(
        tx,
        result.map((line) => ({ ...line, invoice_id: id, ...stamps })),
      )
      return findInvoice(tx, id)
    })
    .catch(refuseSameNumber(values.number))

/** Accepts or disputes one line, or takes that back. @throws Missing, Stale */
export const decideLine = (
  db: Db,
  actor: Actor,
  { vendor, invoice, line }: { vendor: number; invoice: number; line: number },
  { version, ...values }: Decision,
): Promise<InvoiceLine> =>
  db.transaction(async (tx) => {
    await findInvoice(tx, invoice, vendor)
    const { after } = await changeRecord(tx, actor, vendorInvoiceLines, {
      id: line,
      version,
      what: 'Invoice line',
      values(stored) {
        if (stored.invoice_id !== invoice) throw new Missing('Invoice line')
        return withoutMissing(values)
      },
    })
    return after
  })

/** Accepts every line that matches and is not decided on. @throws Missing */
export const acceptMatched = (db: Db, actor: Actor, vendor: number, id: number): Promise<Invoice> =>
  db.transaction(async (tx) => {
    const { lines } = await findInvoice(tx, id, vendor)
    for (const { id: line, status, decision } of lines)
      if (status === 'matched' && decision === null)
        await decideLine(tx, actor, { vendor, invoice: id, line }, { decision: 'accepted' })
    return findInvoice(tx, id, vendor)
  })

/** Deletes an invoice with its lines, so that its number is free again. @throws Missing */
export const removeInvoice = (db: Db, actor: Actor, vendor: number, id: number): Promise<StoredInvoice> =>
  db.transaction(async (tx) => {
    await findInvoice(tx, id, vendor)
    return removeRecord(tx, actor, vendorInvoices, id, 'Invoice', async (tx, id) => ({
      lines: (await findInvoice(tx, id)).lines,
    }))
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
              created_at: new Date(line.created_at),
              updated_at: new Date(line.updated_at),
            })),
          )
        },
      })
      return findInvoice(tx, id)
    })
    .catch(refuseSameNumber())
