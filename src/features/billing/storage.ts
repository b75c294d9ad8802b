import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Db, rows } from '../../../db/client'
import { locations, oslEntries, vehicles, vendorInvoiceLines, vendorInvoices, vendors } from '../../../db/schema'
import { type Calendar, daysBetween } from '../../platform/clock'
import { Refused } from '../../platform/refusals'
import { completedOn } from '../osl'
import { checkStorage, type OtherStay } from './check-storage'
import type { CheckedLine } from './checked-line'
import type { StorageLine } from './rules'
import { invoiceLabels, isBilled } from './sql'
import {
  crowdedUnits,
  daysOf,
  daysOutUntil,
  type ExpectedCharge,
  expectedByUnit,
  type Period,
  STAYS_LIMIT,
  vendorStatement,
} from './statement'

const e = alias(oslEntries, 'e')

/**
 * Explains why a vendor cannot bill the storage of certain units. The explanation of a unit describes one of its OSL
 * entries (out-of-service periods). An entry that overlaps the invoice period is preferred, then an entry of this
 * vendor with storage fees, then the latest entry. `osl_id` is set only if this vendor charges storage fees for the
 * entry.
 */
async function explainOtherUnits(
  db: Db,
  clock: Calendar,
  vendor: number,
  period: Period,
  units: string[],
): Promise<Map<string, OtherStay>> {
  if (units.length === 0) return new Map()
  const { start_date, end_date } = period
  const isWithin = sql`${e.osl_date} <= ${end_date}::date
    and coalesce(${completedOn(e, clock)}, ${end_date}::date) >= ${start_date}::date`
  const endsBefore = sql`${completedOn(e, clock)} < ${start_date}::date`
  const isTheirs = sql`${e.vendor_id} = ${vendor} and ${e.storage_fees_applicable}`
  const explanations = await rows<OtherStay & { unit_number: string }>(
    db,
    sql`select v.unit_number, s.osl_id, coalesce(s.text, 'Unit ' || v.unit_number || ' was never out of service') as
      reason,
        b.label as "billedBefore", coalesce(b.ids, '{}') as billed_on, s.days as billed_days
      from ${vehicles} v left join lateral (
        select case when ${isTheirs} then e.id end as osl_id, 'Unit ' || v.unit_number
          || coalesce(' was with ' || d.vendor_name, ' was at ' || l.location_name || ' without a vendor')
          || ' from ' || to_char(e.osl_date, 'MM/DD/YYYY')
          || coalesce(' to ' || to_char(${completedOn(e, clock)}, 'MM/DD/YYYY'), '')
          || case when e.storage_fees_applicable then '' else ', without storage fees' end as text,
          case when ${isTheirs} then (${daysOf(period)} + case when ${endsBefore}
            then ${daysOutUntil(completedOn(e, clock))} else '{}' end)::text end as days
        from ${oslEntries} e join ${locations} l on l.id = e.location_id left join ${vendors} d on d.id = e.vendor_id
        where e.unit_number = v.unit_number
        order by (${isWithin}) desc, (${isTheirs}) is true desc, e.osl_date desc, e.id desc limit 1) s on true
      left join lateral (
        select ${invoiceLabels} as label, array_agg(distinct i.id) as ids
        from ${vendorInvoiceLines} l join ${vendorInvoices} i on i.id = l.invoice_id
        where l.osl_ids && array[s.osl_id] and ${isBilled}) b on true
      where v.unit_number in ${units}`,
  )
  return new Map(explanations.map(({ unit_number, ...stay }) => [unit_number, stay]))
}

/** Maximum number of OSL entries of all units of an invoice. */
const ENTRIES_LIMIT = 4000
/** Maximum number of units of a vendor that are not on an invoice. They are stored with it as unbilled lines. */
const UNBILLED_LIMIT = 3000
/** Maximum number of other invoices that bill a unit in an invoice period. Each line of the unit stores their ids. */
const INVOICES_LIMIT = 100

/** @throws Refused when a unit of the lines has too many OSL entries in the period */
async function checkStays(db: Db, clock: Calendar, period: Period, lines: StorageLine[]) {
  const units = [...new Set(lines.map(({ unit_number }) => unit_number))]
  const [crowded] = await rows<{ unit_number: string }>(db, sql`${crowdedUnits(clock, period, sql`${units}`)} limit 1`)
  if (crowded)
    throw Refused.field(
      'end_date',
      `Unit ${crowded.unit_number} has more than ${STAYS_LIMIT} OSL entries in this period. Choose a shorter period.`,
    )
}

/** @throws Refused when the invoice's units, or the other units of the vendor, have too many records in the period */
function checkCounts(charges: Map<string, ExpectedCharge>, billed: Set<string>) {
  const charged = [...billed].flatMap((unit) => charges.get(unit) ?? [])
  const repeated = charged.find(({ billed_on }) => billed_on.length > INVOICES_LIMIT)
  if (repeated)
    throw Refused.field(
      'end_date',
      `Unit ${repeated.unit_number} is on more than ${INVOICES_LIMIT} other invoices for days of this period. ` +
        'Dispute or delete some of them, or choose a shorter period.',
    )
  if (charged.reduce((sum, { osl_ids }) => sum + osl_ids.length, 0) > ENTRIES_LIMIT)
    throw Refused.field(
      'lines',
      `These units have more than ${ENTRIES_LIMIT} OSL entries. Divide the invoice into two.`,
    )
  const unbilled = [...charges.values()].filter(({ unit_number, expected }) => expected > 0 && !billed.has(unit_number))
  if (unbilled.length > UNBILLED_LIMIT)
    throw Refused.field(
      'lines',
      `More than ${UNBILLED_LIMIT} other units of this vendor have storage fees in this period. Add more lines.`,
    )
}

/** @throws Refused when the units have too many records in the period */
export async function storageChecked(
  db: Db,
  clock: Calendar,
  vendor: number,
  period: Period,
  lines: StorageLine[],
): Promise<CheckedLine[]> {
  await checkStays(db, clock, period, lines)
  const charges = new Map((await expectedByUnit(db, clock, vendor, period)).map((own) => [own.unit_number, own]))
  checkCounts(charges, new Set(lines.map(({ unit_number }) => unit_number)))
  const runs = Map.groupBy((await vendorStatement(db, clock, vendor, period)).lines, ({ unit_number }) => unit_number)
  const unknownUnits = lines.map(({ unit_number }) => unit_number).filter((unit) => !charges.has(unit))
  return checkStorage(lines, {
    periodDays: daysBetween(period.start_date, period.end_date) + 1,
    records: charges,
    runs,
    elsewhere: await explainOtherUnits(db, clock, vendor, period, unknownUnits),
  })
}
