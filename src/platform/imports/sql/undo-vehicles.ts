import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../../db/client'
import { kinds } from '../../kinds'
import type { Write } from '../../records/transactions'
import { AUDIT_COLUMNS, auditHead } from './statements'
import { type Batch, editedBy, inBatch } from './undo-entries'

/** Tables whose records change the state of their vehicle. */
const VEHICLE_TABLES = ['transports', 'osl_entries']

/**
 * SQL for the units of the records in `batch`, as an array. Postgres computes an array once. With outdated statistics,
 * it would run a subquery after `in` once for each vehicle.
 */
const unitsOf = (batch: Batch, table: string) => sql`array(
  select t.unit_number from audit_entries e join ${sql.raw(table)} t on t.id = e.entity_id
  where ${inBatch(batch)} and e.entity = ${table})`

/**
 * SQL condition that the state of a vehicle depends on its records. It is true if this undo keeps records of vehicle
 * `t`, or if such records were added or changed since the import. With a scalar subquery, Postgres looks up each record
 * in an index, as in `editedBy`.
 * @param entry SQL for the id of the vehicle's audit entry
 */
const isDetermined = ({ upload_id, from }: Batch, entry: SQL) => sql`exists (
  select 1 from ${kinds('vehicles').recordsOf(sql.raw('t.unit_number'))} r where (
    select a.id from audit_entries a where a.entity = r.entity and a.entity_id = r.id
    and ((a.upload_id = ${upload_id} and a.action = 'create' and a.id >= ${from})
      or (a.id > ${entry} and a.upload_id is distinct from ${upload_id})) limit 1) is not null)`

/**
 * Returns SQL for the values of a vehicle after the undo. Normally, these are the values from before the import,
 * because users may have entered them. Sometimes the undo keeps records of the vehicle, or its records were added or
 * changed since the import. Each value that the import changed is then computed from the vehicle's records.
 * `followRecords` computes the values again when a later step of the undo removes more records.
 */
export function vehicleValues(batch: Batch): Record<string, SQL> {
  const { statusByRecords, placeByRecords, mileageByRecords } = kinds('vehicles')
  const unit = sql.raw('t.unit_number')
  const value = (column: string, byRecords: SQL) =>
    sql`case when e.changes ? ${sql.raw(`'${column}'`)} and ${isDetermined(batch, sql`e.entry_id`)} then ${byRecords}
      else ${sql.raw(`old.${column}`)} end`
  return {
    current_location: value('current_location', placeByRecords(unit)),
    current_status: value('current_status', statusByRecords(unit)),
    current_mileage: value('current_mileage', mileageByRecords(unit)),
  }
}

/**
 * A vehicle. `status` is true if the vehicle's status agrees with its records. `place` and `mileage` say the same about
 * its location and its mileage.
 */
type Follower = { id: number; status: boolean; place: boolean; mileage: boolean }

/**
 * Finds the vehicles of the records in `batch`. Checks which values of each vehicle agree with its records. The undo
 * keeps a value that differs from the records, because a user has probably entered it. Must be called before the undo
 * removes records of `table`.
 */
export async function findFollowers(db: Db, batch: Batch, table: string): Promise<Follower[]> {
  if (!VEHICLE_TABLES.includes(table)) return []
  const { statusByRecords, placeByRecords, mileageByRecords } = kinds('vehicles')
  const unit = sql.raw('t.unit_number')
  return rows<Follower>(
    db,
    sql`select t.id, t.current_status is not distinct from ${statusByRecords(unit)} as status,
        t.current_location is not distinct from ${placeByRecords(unit)} as place,
        t.current_mileage is not distinct from ${mileageByRecords(unit)} as mileage
      from vehicles t where t.unit_number = any(${unitsOf(batch, table)})`,
  )
}

/**
 * Updates vehicles after the undo has removed some of their records. The rules are the same as when a user deletes a
 * record. Skips vehicles to which the undo has restored the values from before the import.
 */
export async function followRecords({ db, actor }: Write, batch: Batch, followers: Follower[]): Promise<void> {
  if (followers.length === 0) return
  const { upload_id } = batch
  const { statusByRecords, placeByRecords, mileageByRecords } = kinds('vehicles')
  const unit = sql.raw('t.unit_number')
  await db.execute(sql`
    with found as materialized (
      select t.id, t.current_status, t.current_location, t.current_mileage,
        case when f.status then ${statusByRecords(unit)} else t.current_status end as new_status,
        case when f.place then ${placeByRecords(unit)} else t.current_location end as new_location,
        case when f.mileage then ${mileageByRecords(unit)} else t.current_mileage end as new_mileage
      from jsonb_to_recordset(${JSON.stringify(followers)}::text::jsonb)
        f (id int, status boolean, place boolean, mileage boolean) join vehicles t on t.id = f.id
      where not exists (select 1 from audit_entries e where e.entity = 'vehicles' and e.entity_id = t.id
        and e.upload_id = ${upload_id} and e.action = 'update' and ${editedBy(upload_id)} is null
        and not (${isDetermined(batch, sql`e.id`)}))),
    changed as (
      update vehicles t set current_status = f.new_status, current_location = f.new_location,
        current_mileage = f.new_mileage, version = t.version + 1,
        updated_at = ${actor.now.toISOString()}::timestamptz, updated_by = ${actor.username}
      from found f where f.id = t.id and (f.current_status, f.current_location, f.current_mileage)
        is distinct from (f.new_status, f.new_location, f.new_mileage)
      returning f.*)
    insert into audit_entries (${AUDIT_COLUMNS})
    select ${auditHead(actor, upload_id)}, 'update', 'vehicles', id, (
      select jsonb_object_agg(field, jsonb_build_object('old', old, 'new', new)) from (values
        ('current_status', to_jsonb(current_status), to_jsonb(new_status)),
        ('current_location', to_jsonb(current_location), to_jsonb(new_location)),
        ('current_mileage', to_jsonb(current_mileage), to_jsonb(new_mileage))) part (field, old, new)
        where old is distinct from new)
    from changed`)
}

/** Locks the vehicles of the records in `batch`. The lock prevents the undo from overwriting a concurrent change. */
export const lockVehiclesOf = (db: Db, batch: Batch, table: string) =>
  db.execute(sql`
    select 1 from vehicles v where v.unit_number = any(${unitsOf(batch, table)}) order by v.id for no key update of v`)
