import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../../db/client'
import { vehicles } from '../../../../db/schema'
import type { DataType, ImportMode, RowOutcome } from '../../../../db/vocabulary'
import { kinds } from '../../kinds'
import type { Write } from '../../records/transactions'
import { countUpToLimit, RECORDS_PER_UNIT, TOO_MANY_RECORDS } from '../../records/unit-limit'
import type { ImportKind } from '../kind'
import { importKind } from '../kinds'
import { changesAny, changesInWords, firstMatch, holderOfUnique, sameRecord, vehicleRecords } from './expressions'
import { addRowNotes } from './row-notes'
import { AUDIT_COLUMNS, applyUpdated, auditHead, insertCreated, type Range, rematch, within } from './statements'

/** Matches staged rows with existing records. Sets the outcome and message of each row. */
export async function checkRows(
  db: Db,
  dataType: DataType,
  existing: ImportMode,
  range: Range,
  { tellsCosts, today }: { tellsCosts: boolean; today: string },
): Promise<void> {
  const kind = importKind(dataType)
  const isSameRecord = sql.raw(sameRecord(kind))
  const isChanged = sql.raw(changesAny(kind, tellsCosts))
  const exists = kind.only
    ? sql`${kind.only.message}::text`
    : sql`'The record already exists' || case when count(*) = 1 and bool_or(${isChanged}) then ', with other values'
      else '' end`
  const skipped = sql`'duplicate', min(t.id), ${exists}`
  const updated = sql`
    case when count(*) = 1 and bool_or(${isChanged}) then 'update' else 'duplicate' end,
    min(t.id),
    case when count(*) > 1 then 'Several records match this row, so no record was changed'
    else coalesce(nullif(max(${sql.raw(changesInWords(kind, tellsCosts))}), ''), 'Nothing to change') end`
  await db.execute(sql`
    update upload_rows r set (outcome, record_id, message) = (select ${existing === 'skip' ? skipped : updated}
    from ${vehicleRecords(kind)} where ${isSameRecord})
    where ${within(range)} and r.outcome = 'create' and ${firstMatch(kind)} is not null`)
  await db.execute(failUnmatched(range))
  await db.execute(skipHeldValues(kind, range))
  await skipFullUnits(db, kind, range)
  await addRowNotes(db, kind, range, today)
}

/**
 * Returns SQL that marks unmatched rows as failed. These rows can only update a record but match none. Their messages
 * were already set when the file was read.
 */
const failUnmatched = (range: Range): SQL => sql`
  update upload_rows r set outcome = 'error', cells = original_cells, notes = null
  where ${within(range)} and r.outcome = 'create' and r.original_cells is not null`

/**
 * Returns SQL that skips rows with a unique value of another record. An example of a unique value is the external id.
 */
function skipHeldValues(kind: ImportKind, range: Range): SQL {
  const holder = sql.raw(holderOfUnique(kind))
  return sql`
    update upload_rows r set (outcome, record_id, message) = (
      select 'duplicate', u.id, 'A record of unit ' || u.unit_number || ' has this external ID' ${holder} limit 1)
    where ${within(range)} and r.outcome in ('create', 'update') and exists (select ${holder})`
}

/**
 * Skips the new records of a range that would be too many for their unit.
 * @returns the number of skipped rows
 */
async function skipFullUnits(db: Db, { table }: ImportKind, range: Range): Promise<number> {
  const unit = sql`r.cells[1]`
  const skipped = await rows(
    db,
    sql`
      update upload_rows r set outcome = 'duplicate', message = 'Unit ' || ${unit} || ' ' || ${TOO_MANY_RECORDS}
      where ${within(range)} and r.row = any(array(
        select n.row from (
          select u.number, ${countUpToLimit(sql.raw(table), sql`u.number`)} as stored
          from (select ${unit} as number, count(*) as added from upload_rows r
            where ${within(range)} and r.outcome = 'create' group by ${unit} offset 0) u
          where u.added + ${countUpToLimit(sql.raw(table), sql`u.number`)} > ${RECORDS_PER_UNIT}) full_unit
        cross join lateral (
          select r.row, row_number() over (order by r.row) as place from upload_rows r
          where ${within(range)} and r.outcome = 'create' and ${unit} = full_unit.number) n
        where full_unit.stored + n.place > ${RECORDS_PER_UNIT}))
      returning r.row`,
  )
  return skipped.length
}

const addVehicles = (write: Write, range: Range) =>
  write.db.execute(sql`
  with inserted as (
    insert into ${vehicles} (unit_number, current_status, created_at, created_by, updated_at, updated_by)
    select distinct r.cells[1], ${kinds('vehicles').firstStatus}, ${write.actor.now.toISOString()}::timestamptz,
    ${write.actor.username}, ${write.actor.now.toISOString()}::timestamptz, ${write.actor.username}
    from upload_rows r where ${within(range)} and r.outcome = 'create'
      and (select v.id from ${vehicles} v where v.unit_number = r.cells[1]) is null
    on conflict (unit_number) do nothing returning id, unit_number)
  insert into audit_entries (${AUDIT_COLUMNS})
  select ${auditHead(write.actor, range.upload_id)}, 'create', 'vehicles', id,
    jsonb_build_object('unit_number', jsonb_build_object('old', null, 'new', unit_number), 'current_status',
    jsonb_build_object('old', null, 'new', ${kinds('vehicles').firstStatus}::text))
  from inserted`)

const currentValue = (column: string) => sql.raw(`t.${column}::text`)
/** SQL for the value of a column before audit entry `e`. */
const previousValue = (column: string) =>
  sql.raw(`case when e.changes ? '${column}' then e.changes -> '${column}' ->> 'old' else t.${column}::text end`)
type Columns = typeof currentValue

/**
 * SQL for the effect of a transport on its vehicle's place. The result is text. If a change to the transport changes
 * this text, it can also change the place of the vehicle. `statusEffect` is a similar text about the status of the
 * vehicle. Both expressions must follow the rules of `traceOfTransport`.
 */
const placeEffect = (of: Columns) =>
  sql`case when ${of('status')} = 'Delivered' then coalesce(${of('actual_arrival_date')}, ${of('move_date')}) end`
const statusEffect = (of: Columns) =>
  sql`case when ${of('status')} = 'In Transit' then 'In Transit' else ${of('move_type')} || ${placeEffect(of)} end`
const isChanged = (expression: (of: Columns) => SQL) =>
  sql`(${expression(currentValue)}) is distinct from case when e.action = 'update' then ${expression(previousValue)}
    end`

/**
 * SQL expressions for each table whose records affect vehicles. In the SQL, `t` is an imported record, and `e` is the
 * audit entry that the import wrote for this record.
 * - `status`: true if the imported record can change the status of the vehicle.
 * - `place`: true if the imported record can change the location of the vehicle.
 * - `mileage`: the name of the field that contains the record's mileage.
 * - `reading`: the value of this field.
 */
const VEHICLE_PARTS = {
  transports: {
    table: sql.raw('transports'),
    status: isChanged(statusEffect),
    place: isChanged(placeEffect),
    mileage: sql`'mileage'`,
    reading: sql`t.mileage`,
  },
  osl_entries: {
    table: sql.raw('osl_entries'),
    status: sql`e.action = 'create'`,
    place: sql`e.action = 'create' or e.changes ? 'location_id'`,
    mileage: sql`'osl_mileage'`,
    reading: sql`t.osl_mileage`,
  },
}

const UNIT = sql`v.unit_number`

/**
 * Updates vehicles after an import. The rules are the same as when a user saves a record in a form. Uses the import's
 * audit entries with ids above `after` and up to `upto`. Runs within the caller's transaction and can be repeated.
 * Concurrent changes by users are preserved. In each lookup, `offset 0` makes the planner use an index. Without it, the
 * planner could choose a slow plan, because there are no statistics for rows that this transaction wrote.
 */
export async function updateVehiclesOfRows(write: Write, { upload_id, after, upto }: Range): Promise<void> {
  for (const [entity, { table, status, place, mileage, reading }] of Object.entries(VEHICLE_PARTS)) {
    await write.db.execute(sql`
      with stated as materialized (
        select e.changes, e.action, t.unit_number, ${status} as status, ${place} as place, ${reading} as reading,
          (e.changes -> ${mileage} ->> 'old')::int as old_reading, e.changes ? ${mileage} as reads
        from audit_entries e cross join lateral (select * from ${table} t where t.id = e.entity_id offset 0) t
        where e.upload_id = ${upload_id} and e.id > ${after} and e.id <= ${upto} and e.entity = ${entity}),
      units as materialized (
        select unit_number, bool_or(status) as status, bool_or(place) as place, bool_or(reads) as reads,
          max(reading) filter (where reads) as reading, array_agg(old_reading) as old_readings
        from stated group by unit_number having bool_or(status) or bool_or(place) or bool_or(reads)),
      found as materialized (
        select v.id, v.current_status, v.current_location, v.current_mileage,
          case when u.status or v.current_status is null then ${kinds('vehicles').statusByRecords(UNIT)}
          else v.current_status end as new_status,
          case when u.place then ${kinds('vehicles').placeByRecords(UNIT)} else v.current_location end as new_location,
          case when not u.reads then v.current_mileage
            when v.current_mileage is null or v.current_mileage = any(u.old_readings)
            then ${kinds('vehicles').mileageByRecords(UNIT)}
            else greatest(v.current_mileage, u.reading) end as new_mileage
        from units u cross join lateral (select * from ${vehicles} v where v.unit_number = u.unit_number offset 0) v),
      changed as materialized (
        select * from found where (current_status, current_location, current_mileage) is distinct
        from (new_status, new_location, new_mileage)),
      updated as (
        update ${vehicles} v set current_status = c.new_status, current_location = c.new_location,
        current_mileage = c.new_mileage,
          version = v.version + 1, updated_at = ${write.actor.now.toISOString()}::timestamptz,
          updated_by = ${write.actor.username}
        from changed c where c.id = v.id and (v.current_status, v.current_location, v.current_mileage)
          is not distinct from (c.current_status, c.current_location, c.current_mileage)
        returning c.*)
      insert into audit_entries (${AUDIT_COLUMNS})
      select ${auditHead(write.actor, upload_id)}, 'update', 'vehicles', id, (
        select jsonb_object_agg(field, jsonb_build_object('old', old, 'new', new)) from (values
          ('current_status', to_jsonb(current_status), to_jsonb(new_status)),
          ('current_location', to_jsonb(current_location), to_jsonb(new_location)),
          ('current_mileage', to_jsonb(current_mileage), to_jsonb(new_mileage))) part (field, old, new)
          where old is distinct from new)
      from updated`)
  }
}

export type WriteCounts = { created: number; updated: number; unchanged: number; failed: number }

/**
 * Writes the records of a range of staged rows, with audit entries. Deletes the staged rows. Must run within a
 * transaction.
 */
export async function writeRows(write: Write, dataType: DataType, range: Range): Promise<WriteCounts> {
  const kind = importKind(dataType)
  const today = write.clock.today()
  const rematched = await rows<{ outcome: RowOutcome }>(write.db, rematch(kind, range))
  const skipped = await skipFullUnits(write.db, kind, range)
  await addVehicles(write, range)
  type Count = { staged: number; written: number }
  const [created] = await rows<Count>(write.db, insertCreated(kind, write.actor, range, today))
  const [updated] = await rows<Count>(write.db, applyUpdated(kind, write.actor, range, today))
  const [c, u] = [created as Count, updated as Count]
  return {
    created: c.written,
    updated: u.written,
    unchanged: skipped + c.staged - c.written + u.staged - u.written,
    failed: rematched.filter(({ outcome }) => outcome === 'error').length,
  }
}
