import { type SQL, sql } from 'drizzle-orm'
import { locations, oslEntries, transports, vehicleReadings } from '../../../db/schema'

/**
 * SQL that derives the state of a vehicle from its records. The records are transports and OSL entries (out-of-service
 * periods). Both single changes and imports use this SQL. `unit` is SQL for the unit number. It must not use the
 * aliases `move`, `entry`, `reading` and `place`, which the subqueries use.
 */

const ARRIVED_ON = sql`coalesce(move.actual_arrival_date, move.move_date)`

const lastDelivered = (unit: SQL, value: SQL) => sql`
  (select ${value} from (select * from ${transports} move where move.unit_number = ${unit} offset 0) move
  where move.status = 'Delivered' order by ${ARRIVED_ON} desc, move.id desc limit 1)`

export const statusByRecords = (unit: SQL): SQL => sql`case
  when exists (select 1 from ${oslEntries} entry where entry.unit_number = ${unit} and entry.status <> 'Completed')
  then 'Out of Service'
  when exists (select 1 from ${transports} move where move.unit_number = ${unit} and move.status = 'In Transit')
  then 'In Transit'
  when ${lastDelivered(unit, sql`move.move_type`)} = 'Sales' then 'Sold'
  else 'Available' end`

export const recordsOf = (unit: SQL): SQL => sql`(
  select 'transports' as entity, move.id from ${transports} move where move.unit_number = ${unit}
  union all select 'osl_entries', entry.id from ${oslEntries} entry where entry.unit_number = ${unit})`

/** Location and day of the last delivered transport and newest OSL entry. */
const placesByRecords = (unit: SQL): SQL => sql`(
    (select move.location_in_id as location_id, ${ARRIVED_ON} as day, 1 as rank
      from (select * from ${transports} move where move.unit_number = ${unit} offset 0) move
      where move.status = 'Delivered' order by ${ARRIVED_ON} desc, move.id desc limit 1)
    union all
    (select entry.location_id, entry.osl_date, 0
      from (select * from ${oslEntries} entry where entry.unit_number = ${unit} offset 0) entry
      order by entry.osl_date desc, entry.id desc limit 1)) place`

/**
 * Current location of a vehicle according to its records. Uses the last delivered transport or the newest OSL entry
 * (out-of-service period), whichever is later. On the same day, the transport wins.
 */
export const placeByRecords = (unit: SQL): SQL => sql`
  (select l.location_name from ${placesByRecords(unit)}
  join ${locations} l on l.id = place.location_id order by place.day desc, place.rank desc limit 1)`

export const placeDayByRecords = (unit: SQL): SQL => sql`(select max(place.day) from ${placesByRecords(unit)})`

/**
 * Highest mileage in all records and readings of a vehicle. Only the latest telematics reading that is not ignored is
 * read, because its mileage is the highest.
 */
export const mileageByRecords = (unit: SQL): SQL => sql`
  (select max(r.mileage) from (
    select move.mileage from ${transports} move where move.unit_number = ${unit} union all select entry.osl_mileage
    from ${oslEntries} entry where entry.unit_number = ${unit}
    union all (select reading.mileage from ${vehicleReadings} reading where reading.unit_number = ${unit}
      and not reading.is_ignored and reading.mileage is not null order by reading.at desc limit 1)) r)`
