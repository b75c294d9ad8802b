import { getTableName, type SQL, sql } from 'drizzle-orm'
import { type Db, idList, rows } from '../../../db/client'
import { auditEntries, vendorInvoiceLines, vendorInvoices } from '../../../db/schema'
import type { Write } from '../../platform/records/transactions'
import { Conflict, Refused } from '../../platform/refusals'
import type { CheckedLine } from './checked-line'
import { CAN_BE_SAME, pairsOf } from './line-pairs'
import type { BilledBy } from './queries'
import { billedDays, invoiceLabel, invoiceLabels, isBilled } from './sql'
import { daysOf, type Period } from './statement'

/** Checks that keep two invoices from billing the same transport or stay. */

const isPaid = (line: 'own' | 'l') =>
  sql.raw(`(${line}.decision = 'accepted' or (${line}.status = 'matched' and ${line}.decision is null))`)

/**
 * Maximum numbers of pairs of a line and another invoice of its unit, and of stored lines of the units or records.
 * Either takes about two seconds.
 */
const PAIRS_LIMIT = 200_000
const STORED_LIMIT = 100_000

/**
 * Counts stored lines by unit and also by record, because the unit of a billed record can be changed.
 * @throws Refused when the units or records of the lines are on too many other invoices
 */
async function checkPairs(db: Db, lines: Pick<CheckedLine, 'unit_number' | 'transport_id' | 'osl_ids'>[]) {
  const counts = [...Map.groupBy(lines, ({ unit_number }) => unit_number)].map(([unit_number, { length: count }]) => ({
    unit_number,
    count,
  }))
  const transportIds = [...new Set(lines.flatMap(({ transport_id }) => transport_id ?? []))]
  const oslIds = [...new Set(lines.flatMap(({ osl_ids }) => osl_ids))]
  const [found] = await rows<{ pairs: number; stored: number; of_records: number }>(
    db,
    sql`select coalesce(sum(own.count * l.invoices), 0)::float8 as pairs, coalesce(sum(l.stored), 0)::float8 as stored,
        (select count(*) from ${vendorInvoiceLines} where transport_id = any(${idList(transportIds)}::int[]))::float8
        + (select count(*) from ${vendorInvoiceLines} where osl_ids && ${idList(oslIds)}::int[])::float8 as of_records
      from jsonb_to_recordset(${JSON.stringify(counts)}::text::jsonb) own (unit_number text, count int)
      cross join lateral (select count(distinct invoice_id) as invoices, count(*) as stored from ${vendorInvoiceLines}
        where unit_number = own.unit_number) l`,
  )
  if (found && (found.pairs > PAIRS_LIMIT || Math.max(found.stored, found.of_records) > STORED_LIMIT))
    throw Refused.field('lines', 'The units of these lines are on too many other invoices. Divide the invoice.')
}

/**
 * Adds other invoices that bill the same record to each line's reason. The record is the transport or stay of the line.
 * For example, a matched line gets the status `differs` and the reason `Already billed on invoice 17`. The user can
 * then accept or dispute the line. An invoice that the reason already names is not added again.
 * @throws Refused when the units of the lines are on too many other invoices
 */
export async function nameOtherInvoices(
  { db, clock }: Pick<Write, 'db' | 'clock'>,
  { column, id }: BilledBy,
  { start_date, end_date }: Period,
  lines: CheckedLine[],
): Promise<CheckedLine[]> {
  const keyOf = ({ amount: _, expected, billed_on, reason, ...line }: CheckedLine) =>
    JSON.stringify({ ...line, is_expected: expected > 0, named: reason === null ? [] : billed_on })
  // Search only once for all lines with the same `keyOf`, because the result is the same. An invoice can have 100 lines
  // for one unit, and each of them is compared with all other invoices of the unit.
  const keys = [...new Set(lines.filter(({ amount }) => amount).map(keyOf))]
  const numbered = keys.map((key, at) => ({ ...JSON.parse(key), at }))
  await checkPairs(db, numbered)
  const own = sql`select a.*, coalesce(a.billed_days::datemultirange, ${daysOf({ start_date, end_date })}) as days,
      null::int as invoice_id, ${column === 'vendor_id' ? id : null}::int as vendor_id,
      ${column === 'vendor_id' ? null : id}::int as transport_company_id,
      ${start_date}::date as start_date, ${end_date}::date as end_date
    from jsonb_to_recordset(${JSON.stringify(numbered)}::text::jsonb) a (at int, unit_number text, transport_id int,
      osl_id int, osl_ids int[], status text, is_expected boolean, named int[], billed_days text)`
  const found = await rows<{ at: number; label: string; ids: number[] }>(
    db,
    sql`${pairsOf(clock, {
      own,
      other: isBilled,
      missingRecord: CAN_BE_SAME,
      result: sql`own.at, ${invoiceLabels} as label, array_agg(distinct i.id) as ids`,
    })} group by own.at`,
  )
  const named = new Map(found.map(({ at, ...other }) => [keys[at], other]))
  return lines.map((line) => {
    const other = line.amount ? named.get(keyOf(line)) : undefined
    if (!other) return line
    const reason = `${line.reason ? `${line.reason}. ` : ''}Already billed on ${other.label}`
    // `billed_on` must list only invoices that the reason names or counts. If the line had no reason so far, its old
    // `billed_on` lists invoices that no reason mentions, so leave these out.
    const billed_on = [...new Set([...(line.reason === null ? [] : line.billed_on), ...other.ids])]
    return line.status === 'matched'
      ? { ...line, status: 'differs', expected: 0, reason, billed_on }
      : { ...line, reason, billed_on }
  })
}

type BilledTwice = {
  /** SQL condition on lines of the changed invoice (table alias `own`). */
  own: SQL
  /** SQL condition on lines of other invoices (table alias `l`). */
  other: SQL
  /**
   * SQL condition for pairs of lines in which a record is missing. One line has no transport or OSL entry, or its
   * transport or OSL entry was deleted. A change that creates such a pair is also refused.
   */
  missingRecord: SQL
  remedy: string
}

/**
 * Refuses a change that bills a transport or storage day twice. Ignores lines without a positive amount, because they
 * bill nothing. Also ignores an invoice that is mentioned in the reason of the `own` line, because the user has already
 * read this reason.
 * @throws Conflict that names the other invoice
 */
async function refuseBilled(
  { db, clock }: Pick<Write, 'db' | 'clock'>,
  { own, other, missingRecord, remedy }: BilledTwice,
) {
  const lines = sql`select row_number() over () as at, o.* from (
    select distinct own.invoice_id, own.unit_number, own.transport_id, own.osl_id, own.osl_ids, own.status,
      own.expected > 0 as is_expected, mine.vendor_id, ${billedDays('own', 'mine')} as days,
      case when own.reason is null then '{}' else own.billed_on end as named,
      mine.transport_company_id, mine.start_date, mine.end_date
    from ${vendorInvoiceLines} own join ${vendorInvoices} mine on mine.id = own.invoice_id
    where ${own} and own.amount > 0) o`
  const [found] = await rows<{ unit_number: string; invoice: string }>(
    db,
    sql`${pairsOf(clock, {
      own: lines,
      other,
      missingRecord,
      result: sql`own.unit_number, ${invoiceLabel} as invoice`,
    })} order by l.id limit 1`,
  )
  if (found) throw new Conflict(`Unit ${found.unit_number} is also billed on ${found.invoice}. ${remedy}`)
}

/**
 * Refuses to restore an invoice whose records another invoice already bills. The records are transports and storage
 * periods.
 */
export const refuseBilledTwice = (write: Pick<Write, 'db' | 'clock'>, id: number) =>
  refuseBilled(write, {
    own: sql`own.invoice_id = ${id} and ${isPaid('own')}`,
    // Ignore a line of another invoice that is in question because of invoice `id`, if the user accepted the line
    // before invoice `id` was deleted. The user has already decided about that line.
    other: sql`${isPaid('l')} and not (${id} = any(l.billed_on) and l.reason is not null
      and not exists (select 1 from ${auditEntries} c where c.entity = ${getTableName(vendorInvoiceLines)}
        and c.entity_id = l.id and c.changes ? 'decision' and c.at > (
          select max(d.at) from ${auditEntries} d where d.entity = ${getTableName(vendorInvoices)}
            and d.entity_id = ${id} and d.action = 'delete')))`,
    // If the transport or OSL entry of a line is missing or deleted, refuse only if one of the two lines is `not_ours`.
    // Otherwise, an invoice could not be restored if a record was deleted after both invoices were accepted.
    missingRecord: sql`${CAN_BE_SAME} and (l.is_not_ours or own.status = 'not_ours')`,
    remedy: 'Delete the other invoice before you restore this one.',
  })

/**
 * Refuses to accept lines that repeat another invoice's accepted lines. Lines repeat each other if they bill the same
 * transport, stay or unit.
 * @param own SQL condition that selects the lines (table alias `own`)
 */
export const refuseAcceptedTwice = (write: Pick<Write, 'db' | 'clock'>, own: SQL) =>
  refuseBilled(write, {
    own,
    other: sql`l.decision = 'accepted'`,
    missingRecord: CAN_BE_SAME,
    remedy:
      'Dispute one of the two lines, or delete this invoice and enter it again. ' +
      'Yardmaster then compares the new lines with the lines of the other invoice.',
  })
