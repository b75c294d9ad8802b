import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { locations, oslEntries, registrations, titles, transports, vehicles } from '../../../db/schema'

export type UnitSummary = {
  unit_number: string
  is_known: boolean
  model_year: number | null
  current_status: string | null
  current_location: string | null
  /** Id of the active location whose name is `current_location`. Null if there is none. */
  current_location_id: number | null
  /** Newest undelivered transport, such as `Phoenix → Mesa, In Transit`. */
  open_transport: string | null
  /** Newest open OSL entry, such as `Axle Works Yard, In Repair`. */
  open_osl: string | null
  /** Latest expiry date of all registrations, as `YYYY-MM-DD`. */
  registered_until: string | null
  has_pending_title: boolean
}

/** @param own SQL condition that selects the vehicle's transports, with the table alias `t` */
export const openTransport = (own: SQL) =>
  sql`(select o.location_name || ' → ' || i.location_name || ', ' || t.status from ${transports} t
    join ${locations} o on o.id = t.location_out_id join ${locations} i on i.id = t.location_in_id
    where ${own} and t.status <> 'Delivered' order by t.move_date desc, t.id desc limit 1)`

export const openOsl = (unit: string) =>
  sql`(select l.location_name || ', ' || e.status from ${oslEntries} e join ${locations} l on l.id = e.location_id
    where e.unit_number = ${unit} and e.status <> 'Completed' order by e.osl_date desc, e.id desc limit 1)`

export const registeredUntil = (unit: string) =>
  sql`(select to_char(max(g.date_expires), 'YYYY-MM-DD') from ${registrations} g where g.unit_number = ${unit})`

export const hasPendingTitle = (unit: string) =>
  sql`exists (select 1 from ${titles} s where s.unit_number = ${unit} and s.transferred_date is null)`

/** An unknown unit number is not an error. Saving a record with this number adds the vehicle. */
export async function loadUnitSummary(db: Db, unit: string): Promise<UnitSummary> {
  const [summary] = await rows<UnitSummary>(
    db,
    sql`select ${unit}::text as unit_number, v.id is not null as is_known, v.model_year, v.current_status,
      v.current_location,
        (select l.id from ${locations} l where l.location_name = v.current_location and l.is_active order by l.id
        limit 1) as current_location_id,
        ${openTransport(sql`t.unit_number = ${unit}`)} as open_transport, ${openOsl(unit)} as open_osl,
        ${registeredUntil(unit)} as registered_until, ${hasPendingTitle(unit)} as has_pending_title
      from (select 1) one left join ${vehicles} v on v.unit_number = ${unit}`,
  )
  return summary as UnitSummary
}

/**
 * True if a record with a date after `day` has a mileage. The current mileage of the vehicle may come from such a
 * record, so do not compare it with a mileage of `day`.
 */
export const isReadLater = (unit: string, day: string) =>
  sql`(exists (select 1 from ${transports} t where t.unit_number = ${unit} and t.mileage is not null
    and t.move_date > ${day}::date)
    or exists (select 1 from ${oslEntries} e where e.unit_number = ${unit} and e.osl_mileage is not null
    and e.osl_date > ${day}::date))`
