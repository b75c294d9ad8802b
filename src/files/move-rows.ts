import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../db/client'
import { locations, transports, vehicles } from '../../db/schema'
import type { DataType, ImportMode } from '../../db/vocabulary'
import type { Actor } from '../audit/actor'
import {
  AUDIT_COLUMNS,
  auditHead,
  changesAny,
  changesInWords,
  firstLike,
  moveCreated,
  moveUpdated,
  ofItsVehicle,
  type Range,
  rematch,
  sameRecord,
} from './target-sql'
import { TARGETS } from './targets'

const within = ({ upload_id, after, upto }: Range) => sql`r.upload_id = ${upload_id} and r.row > ${after} and r.row <= ${upto}`

/** Finds out which of the staged rows mean a record that is there already, and says so on them. */
export async function checkRows(db: Db, dataType: DataType, existing: ImportMode, range: Range): Promise<void> {
  const target = TARGETS[dataType]
  const same = sql.raw(sameRecord(target))
  const skipped = sql`'duplicate', min(t.id), ${dataType === 'titles' ? 'A title of this unit is pending already' : 'It is there already'}::text`
  const updated = sql`
    case when count(*) = 1 and bool_or(${sql.raw(changesAny(target))}) then 'update' else 'duplicate' end, min(t.id),
    case when count(*) > 1 then 'Several records are like this; none was changed' else coalesce(nullif(max(${sql.raw(changesInWords(target))}), ''), 'Nothing to change') end`
  await db.execute(sql`
    update upload_rows r set (outcome, record_id, message) = (select ${existing === 'skip' ? skipped : updated} from ${ofItsVehicle(target)} where ${same})
    where ${within(range)} and r.outcome = 'create' and ${firstLike(target)} is not null`)
}

/** Adds the vehicles that the list does not have yet. */
const addVehicles = (tx: Db, actor: Actor, range: Range) =>
  tx.execute(sql`
  with inserted as (
    insert into ${vehicles} (unit_number, created_at, created_by, updated_at, updated_by)
    select distinct r.cells[1], ${actor.now.toISOString()}::timestamptz, ${actor.username}, ${actor.now.toISOString()}::timestamptz, ${actor.username}
    from upload_rows r where ${within(range)} and r.outcome = 'create'
      and (select v.id from ${vehicles} v where v.unit_number = r.cells[1]) is null
    on conflict (unit_number) do nothing returning id, unit_number)
  insert into audit_entries (${AUDIT_COLUMNS})
  select ${auditHead(actor, range.upload_id)}, 'create', 'vehicles', id, jsonb_build_object('unit_number', jsonb_build_object('old', null, 'new', unit_number))
  from inserted`)

/**
 * A delivered vehicle stands where its latest transport ended. Looks at the transports that an import wrote, by the
 * entries `after` to `upto` that it left in the audit trail. Runs within `tx`; doing it again changes nothing. Each lookup
 * is fenced off, so that it uses its index: the planner knows nothing yet of rows that this transaction wrote. A place that a clerk
 * changes meanwhile stays as the clerk says.
 */
export const moveVehicles = (tx: Db, actor: Actor, { upload_id, after, upto }: Range) =>
  tx.execute(sql`
  with arrived as materialized (
    select distinct (select case when t.status = 'Delivered' then t.unit_number end from ${transports} t where t.id = e.entity_id) as unit_number
    from audit_entries e where e.upload_id = ${upload_id} and e.id > ${after} and e.id <= ${upto} and e.entity = 'transports'),
  latest as materialized (
    select v.id, v.current_location as old,
      (select l.location_name from (select * from ${transports} t where t.unit_number = arrived.unit_number offset 0) t
       join ${locations} l on l.id = t.location_in_id where t.status = 'Delivered' order by t.move_date desc, t.id desc limit 1) as new
    from arrived cross join lateral (select * from ${vehicles} v where v.unit_number = arrived.unit_number offset 0) v),
  moved as materialized (select * from latest where old is distinct from new),
  updated as (
    update ${vehicles} v set current_location = moved.new, version = v.version + 1,
      updated_at = ${actor.now.toISOString()}::timestamptz, updated_by = ${actor.username}
    from moved where moved.id = v.id and v.current_location is not distinct from moved.old returning v.id, moved.old, moved.new)
  insert into audit_entries (${AUDIT_COLUMNS})
  select ${auditHead(actor, upload_id)}, 'update', 'vehicles', id,
    jsonb_build_object('current_location', jsonb_build_object('old', old, 'new', new)) from updated`)

export type Moved = { created: number; updated: number; unchanged: number }

/** Writes the staged rows of a range with their audit entries and takes them out of the staged ones. Runs within `tx`. */
export async function moveRows(tx: Db, actor: Actor, dataType: DataType, range: Range, today: string): Promise<Moved> {
  const target = TARGETS[dataType]
  await tx.execute(rematch(target, range))
  await addVehicles(tx, actor, range)
  type Count = { taken: number; written: number }
  const [created] = await rows<Count>(tx, moveCreated(target, actor, range, today))
  const [updated] = await rows<Count>(tx, moveUpdated(target, actor, range, today))
  const [c, u] = [created as Count, updated as Count]
  return { created: c.written, updated: u.written, unchanged: c.taken - c.written + u.taken - u.written }
}
