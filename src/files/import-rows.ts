import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../db/client'
import { auditEntries, locations, oslEntries, registrations, titles, transports, vehicles } from '../../db/schema'
import type { DataType } from '../../db/vocabulary'
import type { Actor } from '../audit/actor'
import type { JudgedRow } from './judge'

/** Imports of one kind wait for each other, so that the same file dropped twice at once is imported once. */
const IMPORT_LOCK = 7_205_010
const BATCH = 5000

type Row = Record<string, unknown>

type Kind = {
  /** Two rows with the same key are the same record. */
  key: (values: Row) => string
  /** Which of the rows (numbered `n`) the database has already. */
  existing: (batch: string) => ReturnType<typeof sql>
  insert: (tx: Db, actor: Actor, batch: string, today: string) => Promise<unknown>
  /** What follows from the new rows, once all are in. */
  after?: (tx: Db, actor: Actor, accepted: JudgedRow[]) => Promise<unknown>
}

const stampsOf = (actor: Actor) => sql`${actor.now.toISOString()}::timestamptz, ${actor.username}, ${actor.now.toISOString()}::timestamptz, ${actor.username}`

/** One audit entry for each row of `inserted`, which must hold whole rows. */
const auditInserted = (actor: Actor, entity: string) => sql`
  insert into ${auditEntries} (at, actor, source, address, action, entity, entity_id, changes)
  select ${actor.now.toISOString()}::timestamptz, ${actor.username}, ${actor.source}, ${actor.address}, 'create', ${entity}, inserted.id,
    (select coalesce(jsonb_object_agg(key, jsonb_build_object('old', null, 'new', value)), '{}')
     from jsonb_each(to_jsonb(inserted) - '{id,version,created_at,created_by,updated_at,updated_by}'::text[]) where value <> 'null'::jsonb)
  from inserted`

/** Adds the vehicles that the list does not have yet. */
const addVehicles = (tx: Db, actor: Actor, units: string) =>
  tx.execute(sql`
    with inserted as (
      insert into ${vehicles} (unit_number, created_at, created_by, updated_at, updated_by)
      select distinct unit, ${stampsOf(actor)} from jsonb_array_elements_text(${units}::jsonb) unit
      on conflict (unit_number) do nothing returning *)
    ${auditInserted(actor, 'vehicles')}`)

const KINDS: Record<DataType, Kind> = {
  transports: {
    key: (row) => [row.unit_number, row.move_date, row.location_out, row.location_in].join('|'),
    existing: (batch) => sql`
      select i.n from jsonb_to_recordset(${batch}::jsonb) as i(n int, unit_number text, move_date date, location_out int, location_in int)
      where exists (select 1 from ${transports} t where t.unit_number = i.unit_number and t.move_date = i.move_date
        and t.location_out_id = i.location_out and t.location_in_id = i.location_in)`,
    insert: (tx, actor, batch) =>
      tx.execute(sql`
        with inserted as (
          insert into ${transports} (unit_number, ra_number, location_out_id, location_in_id, move_date, estimated_arrival_date, actual_arrival_date,
            mileage, move_type, transport_company_id, status, estimated_cost, final_cost, created_at, created_by, updated_at, updated_by)
          select unit_number, ra_number, location_out, location_in, move_date, estimated_arrival_date, actual_arrival_date,
            mileage, move_type, transport_company, status, estimated_cost, final_cost, ${stampsOf(actor)}
          from jsonb_to_recordset(${batch}::jsonb) as i(unit_number text, ra_number text, location_out int, location_in int, move_date date,
            estimated_arrival_date date, actual_arrival_date date, mileage int, move_type text, transport_company int, status text, estimated_cost numeric, final_cost numeric)
          returning *)
        ${auditInserted(actor, 'transports')}`),
    // A delivered vehicle stands where its latest transport ended.
    after: (tx, actor, accepted) => {
      const delivered = accepted.filter(({ values }) => values.status === 'Delivered').map(({ values }) => values.unit_number)
      if (delivered.length === 0) return Promise.resolve()
      return tx.execute(sql`
        with latest as (
          select distinct on (t.unit_number) t.unit_number, l.location_name
          from ${transports} t join ${locations} l on l.id = t.location_in_id
          where t.status = 'Delivered' and t.unit_number in (select jsonb_array_elements_text(${JSON.stringify(delivered)}::jsonb))
          order by t.unit_number, t.move_date desc, t.id desc),
        moved as (
          select v.id, v.current_location as old, latest.location_name as new
          from ${vehicles} v join latest on latest.unit_number = v.unit_number
          where v.current_location is distinct from latest.location_name),
        updated as (
          update ${vehicles} v set current_location = moved.new, version = v.version + 1,
            updated_at = ${actor.now.toISOString()}::timestamptz, updated_by = ${actor.username}
          from moved where moved.id = v.id returning v.id, moved.old, moved.new)
        insert into ${auditEntries} (at, actor, source, address, action, entity, entity_id, changes)
        select ${actor.now.toISOString()}::timestamptz, ${actor.username}, ${actor.source}, ${actor.address}, 'update', 'vehicles', id,
          jsonb_build_object('current_location', jsonb_build_object('old', old, 'new', new)) from updated`)
    },
  },
  osl: {
    key: (row) => [row.unit_number, row.osl_date].join('|'),
    existing: (batch) => sql`
      select i.n from jsonb_to_recordset(${batch}::jsonb) as i(n int, unit_number text, osl_date date)
      where exists (select 1 from ${oslEntries} e where e.unit_number = i.unit_number and e.osl_date = i.osl_date)`,
    insert: (tx, actor, batch) =>
      tx.execute(sql`
        with inserted as (
          insert into ${oslEntries} (unit_number, ra_number, osl_date, osl_mileage, location_id, key_location, problem, contact_phone, fuel_level,
            storage_fees_applicable, storage_fee_daily_rate, created_at, created_by, updated_at, updated_by)
          select unit_number, ra_number, osl_date, osl_mileage, location, key_location, problem, contact_phone, fuel_level,
            storage_fee_daily_rate is not null, storage_fee_daily_rate, ${stampsOf(actor)}
          from jsonb_to_recordset(${batch}::jsonb) as i(unit_number text, ra_number text, osl_date date, osl_mileage int, location int, key_location text,
            problem text, contact_phone text, fuel_level text, storage_fee_daily_rate numeric)
          returning *)
        ${auditInserted(actor, 'osl_entries')}`),
  },
  registrations: {
    key: (row) => [row.unit_number, String(row.plate_number).toLowerCase(), row.state_province, row.date_issued].join('|'),
    existing: (batch) => sql`
      select i.n from jsonb_to_recordset(${batch}::jsonb) as i(n int, unit_number text, plate_number text, state_province text, date_issued date)
      where exists (select 1 from ${registrations} r where r.unit_number = i.unit_number and lower(r.plate_number) = lower(i.plate_number)
        and r.state_province = i.state_province and r.date_issued = i.date_issued)`,
    insert: (tx, actor, batch) =>
      tx.execute(sql`
        with inserted as (
          insert into ${registrations} (unit_number, location_id, plate_number, state_province, date_issued, date_expires, registration_type, cost, vlt, notes,
            created_at, created_by, updated_at, updated_by)
          select unit_number, location, plate_number, state_province, date_issued, date_expires, registration_type, cost, vlt, notes, ${stampsOf(actor)}
          from jsonb_to_recordset(${batch}::jsonb) as i(unit_number text, location int, plate_number text, state_province text, date_issued date,
            date_expires date, registration_type text, cost numeric, vlt numeric, notes text)
          returning *)
        ${auditInserted(actor, 'registrations')}`),
  },
  titles: {
    key: (row) => String(row.unit_number),
    existing: (batch) => sql`
      select i.n from jsonb_to_recordset(${batch}::jsonb) as i(n int, unit_number text)
      where exists (select 1 from ${titles} t where t.unit_number = i.unit_number and t.transferred_date is null)`,
    insert: (tx, actor, batch, today) =>
      tx.execute(sql`
        with inserted as (
          insert into ${titles} (unit_number, location_id, dealer_name, dealer_contact, submitted_date, notes, created_at, created_by, updated_at, updated_by)
          select unit_number, location, dealer_name, dealer_contact, ${today}::date, notes, ${stampsOf(actor)}
          from jsonb_to_recordset(${batch}::jsonb) as i(unit_number text, location int, dealer_name text, dealer_contact text, notes text)
          returning *)
        ${auditInserted(actor, 'titles')}`),
  },
}

export type Written = { imported: number; duplicates: number }

function* batches<Item>(items: Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += BATCH) yield items.slice(at, at + BATCH)
}

/** Leaves out the rows that repeat an earlier one of the file. */
function withoutRepeats(accepted: JudgedRow[], key: Kind['key']): JudgedRow[] {
  const seen = new Set<string>()
  return accepted.filter(({ values }) => {
    const own = key(values)
    if (seen.has(own)) return false
    seen.add(own)
    return true
  })
}

/** Writes the accepted rows and their audit entries, all or none; duplicates are skipped. Runs within `tx`. */
export async function importRows(tx: Db, actor: Actor, dataType: DataType, accepted: JudgedRow[], today: string): Promise<Written> {
  const kind = KINDS[dataType]
  await tx.execute(sql`select pg_advisory_xact_lock(${IMPORT_LOCK})`)
  const distinct = withoutRepeats(accepted, kind.key)
  const fresh: JudgedRow[] = []
  for (const batch of batches(distinct)) {
    const numbered = JSON.stringify(batch.map(({ values }, n) => ({ n, ...values })))
    const known = new Set((await rows<{ n: number }>(tx, kind.existing(numbered))).map(({ n }) => n))
    fresh.push(...batch.filter((_, n) => !known.has(n)))
  }
  for (const batch of batches(fresh)) {
    const values = batch.map((row) => row.values)
    await addVehicles(tx, actor, JSON.stringify(values.map((row) => row.unit_number)))
    await kind.insert(tx, actor, JSON.stringify(values), today)
  }
  await kind.after?.(tx, actor, fresh)
  return { imported: fresh.length, duplicates: accepted.length - fresh.length }
}
