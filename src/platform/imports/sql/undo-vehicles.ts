import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/client'
import { kinds } from '../../kinds'
import type { Write } from '../../records/transactions'
import { AUDIT_COLUMNS, auditHead } from './statements'
import { type Batch, editedBy, inBatch } from './undo-entries'

/** Column with the mileage of a record, by table. Only records of these tables change their vehicle. */
const MILEAGE_COLUMNS: Record<string, string> = { transports: 'mileage', osl_entries: 'osl_mileage' }

/**
 * SQL condition: records that this undo keeps, or that were added or changed since the import, determine the state of
 * vehicle `t`. The scalar subquery uses an index for each record, as in `editedBy`.
 * @param entry SQL for the id of the vehicle's audit entry
 */
const isDetermined = ({ upload_id, from }: Batch, entry: SQL) => sql`exists (
  select 1 from ${kinds('vehicles').recordsOf(sql.raw('t.unit_number'))} r where (
    select a.id from audit_entries a where a.entity = r.entity and a.entity_id = r.id
    and ((a.upload_id = ${upload_id} and a.action = 'create' and a.id >= ${from})
      or (a.id > ${entry} and a.upload_id is distinct from ${upload_id})) limit 1) is not null)`

/**
 * Returns SQL for the values of a vehicle after the undo. Normally, these are the values from before the import,
 * because users may have entered them. If other records of the vehicle were added or changed since, or if the undo
 * keeps some, the vehicle's records determine the values that the import changed. `followRecords` corrects them when a
 * later step of the undo removes more records.
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
 * Updates vehicles that cannot return to their state before the import, after the undo has removed records of `table`.
 * The remaining records determine the values that the import changed. A value that users have changed since stays.
 */
export async function followRecords({ db, actor }: Write, batch: Batch, table: string): Promise<void> {
  const mileage = MILEAGE_COLUMNS[table]
  if (!mileage) return
  const { statusByRecords, placeByRecords, mileageByRecords } = kinds('vehicles')
  const unit = sql.raw('t.unit_number')
  const isFree = (column: string) => sql`e.changes ? ${column} and (
    to_jsonb(t) -> ${column} is not distinct from e.changes -> ${column} -> 'new'
    or not exists (select 1 from audit_entries later where later.entity = 'vehicles' and later.entity_id = t.id
      and later.id > e.id and later.upload_id is distinct from ${batch.upload_id} and later.changes ? ${column}))`
  await db.execute(sql`
    with units as materialized (
      select coalesce(t.unit_number, e.changes -> 'unit_number' ->> 'new') as unit_number,
        array_agg((e.changes -> ${mileage} ->> 'new')::int) as mileages
      from audit_entries e left join ${sql.raw(table)} t on t.id = e.entity_id
      where ${inBatch(batch)} and e.entity = ${table} and e.action in ('create', 'update') group by 1),
    found as materialized (
      select distinct on (t.id) t.id, t.current_status, t.current_location, t.current_mileage,
        case when ${isFree('current_status')} then ${statusByRecords(unit)} else t.current_status end as new_status,
        case when ${isFree('current_location')} then ${placeByRecords(unit)}
          else t.current_location end as new_location,
        case when e.changes ? 'current_mileage' and t.current_mileage = any(u.mileages) then ${mileageByRecords(unit)}
          else t.current_mileage end as new_mileage
      from units u join vehicles t on t.unit_number = u.unit_number
        join audit_entries e on e.entity = 'vehicles' and e.entity_id = t.id and e.upload_id = ${batch.upload_id}
          and e.action = 'update'
      where ${editedBy(batch.upload_id)} is not null or ${isDetermined(batch, sql`e.id`)} order by t.id, e.id),
    changed as (
      update vehicles t set current_status = f.new_status, current_location = f.new_location,
        current_mileage = f.new_mileage, version = t.version + 1,
        updated_at = ${actor.now.toISOString()}::timestamptz, updated_by = ${actor.username}
      from found f where f.id = t.id and (f.current_status, f.current_location, f.current_mileage)
        is distinct from (f.new_status, f.new_location, f.new_mileage)
      returning f.*)
    insert into audit_entries (${AUDIT_COLUMNS})
    select ${auditHead(actor, batch.upload_id)}, 'update', 'vehicles', id, (
      select jsonb_object_agg(field, jsonb_build_object('old', old, 'new', new)) from (values
        ('current_status', to_jsonb(current_status), to_jsonb(new_status)),
        ('current_location', to_jsonb(current_location), to_jsonb(new_location)),
        ('current_mileage', to_jsonb(current_mileage), to_jsonb(new_mileage))) part (field, old, new)
        where old is distinct from new)
    from changed`)
}

/** Locks the vehicles of the records of a batch, so that no concurrent change is overwritten. */
export const lockVehiclesOf = (db: Db, batch: Batch, table: string) =>
  db.execute(sql`
    select 1 from vehicles v where v.unit_number in (
      select t.unit_number from audit_entries e join ${sql.raw(table)} t on t.id = e.entity_id
      where ${inBatch(batch)} and e.entity = ${table}) order by v.id for no key update of v`)
