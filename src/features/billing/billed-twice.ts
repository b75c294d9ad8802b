import { getTableName, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Db, rows } from '../../../db/client'
import { auditEntries, oslEntries, vendorInvoiceLines, vendorInvoices } from '../../../db/schema'
import type { Calendar } from '../../platform/clock'
import type { Write } from '../../platform/records/transactions'
import { Conflict, Refused } from '../../platform/refusals'
import { countsUntil } from '../osl'
import type { CheckedLine } from './checked-line'
import type { BilledBy } from './queries'
import { billedDays, invoiceLabel, invoiceLabels, isBilled } from './sql'
import { daysOf, daysOutUntil, type Period } from './statement'

const e = alias(oslEntries, 'e')

/** Checks that keep two invoices from billing the same transport or stay. */

const isPaid = (line: 'own' | 'l') =>
  sql.raw(`(${line}.decision = 'accepted' or (${line}.status = 'matched' and ${line}.decision is null))`)

/**
 * SQL condition: the line's record was deleted after the check. The record is the transport or an OSL entry of the
 * line. `s` is the row of `stays_found` for the OSL entries of the line.
 */
const isDeleted = (line: 'own' | 'l') =>
  sql.raw(`(${line}.transport_id is null and ${line}.osl_id is null and ${line}.is_expected
    or cardinality(${line}.osl_ids) > coalesce(s.count, 0))`)

/** SQL condition: the line's check found no transport or OSL entry. */
const hasNoRecord = (line: 'own' | 'l') =>
  sql.raw(`(${line}.transport_id is null and ${line}.osl_id is null and ${line}.status = 'not_ours')`)

/**
 * SQL expression for the move date and route of a line's transport. If a user deletes the transport and enters it
 * again, this value stays the same, although the transport's id changes.
 */
const moveOf = (line: 'own' | 'l') =>
  sql.raw(`(select t.move_date || ' ' || t.location_out_id || ' ' || t.location_in_id
    from transports t where t.id = ${line}.transport_id)`)

/**
 * SQL condition: line `l` bills days outside its OSL entries. This happens if a user corrects the dates of the OSL
 * entries (out-of-service periods) after the line has billed them.
 */
const wasCorrected = sql`coalesce(not coalesce(l.billed_days::datemultirange <@ s.days,
  ${billedDays('l', 'i')} && s.days), false)`

/** SQL condition: the invoices of both lines come from the same vendor or transport company. */
const IS_SAME_BILLER = sql.raw('(l.vendor_id = own.vendor_id or l.transport_company_id = own.transport_company_id)')

/**
 * SQL condition: both lines bill some of the same days for the same unit and the same vendor or company.
 * The lines can refer to different records. For example, a record was deleted and entered again, or a stay was split.
 * If both lines have a transport, `pairsOf` compares their dates and routes instead, because a company can move a unit
 * several times.
 */
const HAS_SAME_DAYS = sql`(l.days && own.days and ${IS_SAME_BILLER}
  and (l.vendor_id is not null or l.has_no_transport or own.transport_id is null))`

/**
 * SQL condition: two invoice lines may bill the same transport or stay. This is uncertain, because for at least one of
 * the lines, the transport or OSL entry was not found or was deleted.
 * Both lines have the same unit, and the periods of their invoices overlap. The days of the lines can differ.
 * If a record was deleted, the vendors or companies can differ too. For example, the user has entered the record again
 * with a different vendor.
 */
const CAN_BE_SAME = sql`(l.start_date <= own.end_date and l.end_date >= own.start_date
  and (${IS_SAME_BILLER} and (l.has_no_record or own.has_no_record)
    or (l.vendor_id is null) = (own.vendor_id is null) and (l.is_deleted or own.is_deleted)))`

/**
 * Finds pairs of lines that bill the same transport or stay, or may do so. `own` is a line of one invoice. `l` is the
 * first of similar lines of another invoice `i`. Two lines form a pair in these cases:
 * - They bill the same transport.
 * - Their transports have the same unit, date and route. A transport that was entered twice counts as the same, even if
 *   the two records name different companies.
 * - They bill the same days of an OSL entry, or the dates of a common entry were corrected after `l` had billed it.
 * - They bill the same unit on the same days, or meet the condition `missingRecord`.
 *
 * An invoice can have 2,000 lines, and a unit can be on hundreds of invoices. So that the work does not grow with the
 * product of their lines, each case has its own join, and similar lines of an invoice are grouped before it.
 * @param own query with the columns `at`, `invoice_id`, `unit_number`, `transport_id`, `osl_id`, `osl_ids`, `status`,
 * `is_expected`, `days`, `named`, `vendor_id`, `transport_company_id`, `start_date` and `end_date`. `is_expected` is
 * true if our records contain a charge for the line. `named` contains the ids of invoices that the line's reason
 * already names. These invoices are left out.
 * @param other condition on a line of another invoice (`l`)
 */
const pairsOf = (
  clock: Calendar,
  { own, other, missingRecord, result }: Record<'own' | 'other' | 'missingRecord' | 'result', SQL>,
) => sql`
  with own_lines as materialized (${own}),
  candidates as materialized (
    select id from ${vendorInvoiceLines} where unit_number in (select unit_number from own_lines)
    union select id from ${vendorInvoiceLines} where transport_id in (select transport_id from own_lines)
    union select id from ${vendorInvoiceLines}
      where osl_ids && (select coalesce(array_agg(distinct e.id), '{}')
        from own_lines own, unnest(own.osl_ids) e (id))),
  similar_lines as materialized (
    select min(id) as id, invoice_id, unit_number, transport_id, osl_id, osl_ids, status, expected > 0 as is_expected,
      billed_days
    from ${vendorInvoiceLines} l where l.amount > 0 and l.id in (select id from candidates) and ${other}
    group by invoice_id, unit_number, transport_id, osl_id, osl_ids, status, is_expected, billed_days),
  stays_found as materialized (
    select l.osl_ids, count(*) as count, range_agg(${daysOutUntil(countsUntil(e, clock))}) as days
    from (select osl_ids, unnest(osl_ids) as osl_id
        from (select osl_ids from own_lines union select osl_ids from similar_lines) u) l
      join ${oslEntries} e on e.id = l.osl_id
    group by l.osl_ids),
  own as materialized (
    select own.*, ${moveOf('own')} as move, ${isDeleted('own')} as is_deleted, ${hasNoRecord('own')} as has_no_record
    from own_lines own left join stays_found s on s.osl_ids = own.osl_ids),
  own_stays as materialized (
    select e.osl_id, own.osl_ids from (select distinct osl_ids from own) own, unnest(own.osl_ids) e (osl_id)),
  lines as materialized (
    select l.*, ${billedDays('l', 'i')} as days, ${moveOf('l')} as move, ${isDeleted('l')} as is_deleted,
      ${hasNoRecord('l')} as has_no_record, ${wasCorrected} as was_corrected
    from similar_lines l join ${vendorInvoices} i on i.id = l.invoice_id
      left join stays_found s on s.osl_ids = l.osl_ids),
  stays as materialized (
    select min(id) as id, invoice_id, osl_ids, was_corrected, range_agg(days) as days
    from lines where osl_ids <> '{}' group by invoice_id, osl_ids, was_corrected),
  same_stays as materialized (
    select distinct own.osl_ids, l.id, l.invoice_id, l.was_corrected, l.days
    from own_stays own join (select s.*, unnest(s.osl_ids) as osl_id from stays s) l on l.osl_id = own.osl_id),
  units as materialized (
    select l.*, i.vendor_id, i.transport_company_id, i.start_date, i.end_date
    from (
      select min(id) as id, invoice_id, unit_number, transport_id is null as has_no_transport,
        status = 'not_ours' as is_not_ours, is_deleted, has_no_record, range_agg(days) as days
      from lines
      group by invoice_id, unit_number, has_no_transport, is_not_ours, is_deleted, has_no_record) l
    join ${vendorInvoices} i on i.id = l.invoice_id),
  pairs as (
    select own.at, l.id, l.invoice_id from own join lines l on l.transport_id = own.transport_id
    union select own.at, l.id, l.invoice_id
      from own join (
        select min(id) as id, invoice_id, unit_number, move from lines group by invoice_id, unit_number, move) l
      on l.unit_number = own.unit_number and l.move = own.move
    union select own.at, l.id, l.invoice_id from own join same_stays l on l.osl_ids = own.osl_ids
      where l.days && own.days or l.was_corrected
    union select own.at, l.id, l.invoice_id from own join units l on l.unit_number = own.unit_number
      where ${HAS_SAME_DAYS} or ${missingRecord})
  select ${result} from pairs l join own on own.at = l.at join ${vendorInvoices} i on i.id = l.invoice_id
  where l.invoice_id is distinct from own.invoice_id and not l.invoice_id = any(own.named)`

/** Maximum number of pairs of a line and another invoice of its unit. 200,000 pairs take about two seconds. */
const PAIRS_LIMIT = 200_000

/** @throws Refused when the units of the lines are on too many other invoices */
async function checkPairs(db: Db, lines: { unit_number: string }[]) {
  const counts = [...Map.groupBy(lines, ({ unit_number }) => unit_number)].map(([unit_number, { length: count }]) => ({
    unit_number,
    count,
  }))
  const [pairs] = await rows<{ count: number }>(
    db,
    sql`select coalesce(sum(own.count * l.count), 0)::float8 as count
      from jsonb_to_recordset(${JSON.stringify(counts)}::text::jsonb) own (unit_number text, count int)
      cross join lateral (select count(distinct invoice_id) as count from ${vendorInvoiceLines}
        where unit_number = own.unit_number) l`,
  )
  if ((pairs?.count ?? 0) > PAIRS_LIMIT)
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
