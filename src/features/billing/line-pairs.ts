import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { oslEntries, vendorInvoiceLines, vendorInvoices } from '../../../db/schema'
import type { Calendar } from '../../platform/clock'
import { countsUntil } from '../osl'
import { billedDays } from './sql'
import { daysOutUntil } from './statement'

const e = alias(oslEntries, 'e')

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
export const CAN_BE_SAME = sql`(l.start_date <= own.end_date and l.end_date >= own.start_date
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
export const pairsOf = (
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
