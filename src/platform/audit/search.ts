import { and, eq, getTableName, ilike, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Db, oneOf, rows } from '../../../db/client'
import { auditEntries, users, vehicles } from '../../../db/schema'
import { kinds } from '../kinds'
import { entityOf, kindOf, type RecordKind } from '../records/kind'
import { containing, searchText } from '../records/search'

/**
 * Maximum number of matching records per kind of record. If more records match, the audit entries of the remaining
 * records are not found.
 */
const RECORDS_LIMIT = 1000

type IdTable = PgTable & { id: AnyPgColumn }

const selectIds = async (db: Db, { table }: RecordKind, where: SQL | undefined): Promise<number[]> => {
  const { id } = table as IdTable
  const found = await db.select({ id }).from(table).where(where).limit(RECORDS_LIMIT)
  return found.map((record) => record.id as number)
}

/**
 * Returns the ids of existing records of one kind that match. Records that belong to a vehicle match if their unit
 * number is in `units`. They also match by an identifier such as the VIN, plate, RA number or PO number. All other
 * records match by name or code. Parts, such as the daily rates of an OSL entry, match with the record they belong to.
 */
async function idsOf(db: Db, kind: RecordKind, q: string, units: string[]): Promise<number[]> {
  const { unit, calledBy, codes = [], search = [], partOf } = kind
  if (partOf) {
    const owners = await idsOf(db, partOf.kind, q, units)
    return owners.length ? selectIds(db, kind, inArray(partOf.key, owners)) : []
  }
  if (unit) {
    const text = searchText(q)
    const matches = search.map(({ where }) => where(text))
    const own = rows<{ id: number }>(
      db,
      sql`select x.id from ${kind.table} x where ${matches.length ? sql.join(matches, sql` or `) : sql`false`}
        limit ${RECORDS_LIMIT}`,
    )
    const [ofUnits, found] = await Promise.all([units.length ? selectIds(db, kind, inArray(unit, units)) : [], own])
    return [...ofUnits, ...found.map(({ id }) => id)]
  }
  const names = [calledBy, ...codes].filter((column) => column !== undefined)
  if (names.length === 0) return []
  return selectIds(db, kind, or(...names.map((column) => ilike(column, containing(q)))))
}

/**
 * Returns the unit numbers of vehicles that match a search text. Vehicles match by unit number or VIN. A search text of
 * six digits is always included, so that audit entries of a deleted vehicle are found too.
 */
async function unitsNamed(db: Db, q: string): Promise<string[]> {
  const text = searchText(q)
  const conditions = (kindOf(getTableName(vehicles))?.search ?? []).map(({ where }) => where(text))
  const found = await rows<{ unit_number: string }>(
    db,
    sql`select x.unit_number from ${vehicles} x where ${sql.join(conditions, sql` or `)} limit ${RECORDS_LIMIT}`,
  )
  const units = found.map(({ unit_number }) => unit_number)
  return /^\d{6}$/.test(q) && !units.includes(q) ? [...units, q] : units
}

/** Finds deleted records by unit number, name or code. Returns a map from table name (`entity`) to record ids. */
async function deletedIds(db: Db, q: string, units: string[]): Promise<Map<string, number[]>> {
  const { action, changes, entity, entity_id } = auditEntries
  const old = (field: string) => sql`(${changes} -> ${sql.raw(`'${field}'`)} ->> 'old')`
  const conditions = kinds('records').flatMap((kind) => {
    if (kind.unit || !kind.calledBy) return []
    const names = [kind.calledBy, ...(kind.codes ?? [])].map(({ name }) => sql`${old(name)} ilike ${containing(q)}`)
    return [and(eq(entity, entityOf(kind)), or(...names))]
  })
  if (units.length) conditions.push(sql`${old('unit_number')} = any(${sql.param(units)}::text[])`)
  const found = await db
    .select({ entity, entity_id })
    .from(auditEntries)
    .where(and(eq(action, 'delete'), or(...conditions)))
    .limit(RECORDS_LIMIT)
  const byEntity = Map.groupBy(found, (deleted) => deleted.entity)
  return new Map([...byEntity].map(([entity, records]) => [entity, records.map((record) => record.entity_id)]))
}

/** How many deleted records of each kind a search checks, latest first. */
const DELETIONS_LIMIT = 10_000

async function deletedByIdentifier(db: Db, q: string): Promise<[entity: string, id: number][]> {
  const text = searchText(q)
  const found = await Promise.all(
    kinds('records').map(async (kind) => {
      if (!kind.unit || !kind.search?.length) return []
      const entity = entityOf(kind)
      const matches = kind.search.map(({ where }) => where(text))
      const deletions = await rows<{ id: number }>(
        db,
        sql`select a.entity_id as id
          from (select entity_id, changes from ${auditEntries} where entity = ${entity} and action = 'delete'
            order by id desc limit ${DELETIONS_LIMIT}) a
          cross join lateral jsonb_populate_record(null::${kind.table},
            (select jsonb_object_agg(key, value -> 'old') from jsonb_each(a.changes))) x
          where ${sql.join(matches, sql` or `)} limit ${RECORDS_LIMIT}`,
      )
      return deletions.map(({ id }): [string, number] => [entity, id])
    }),
  )
  return found.flat()
}

/** Matches audit entries by user, table, record id or record name. */
export async function matchingText(db: Db, q: string): Promise<SQL | undefined> {
  const units = await unitsNamed(db, q)
  const deleted = await deletedIds(db, q, units)
  for (const [entity, id] of await deletedByIdentifier(db, q)) deleted.set(entity, [...(deleted.get(entity) ?? []), id])
  const byRecord = await Promise.all(
    kinds('records').map(async (kind) => {
      const ids = [...(await idsOf(db, kind, q, units)), ...(deleted.get(entityOf(kind)) ?? [])]
      return ids.length ? [and(eq(auditEntries.entity, entityOf(kind)), oneOf(auditEntries.entity_id, ids)) as SQL] : []
    }),
  )
  // Look up matching users and tables first. A pattern search on the audit entries would read the whole table.
  const actors = db
    .select({ name: users.username })
    .from(users)
    .where(ilike(users.username, containing(q)))
  const entities = kinds('records')
    .map(entityOf)
    .filter((entity) => entity.includes(q.toLowerCase()))
  return or(
    inArray(
      auditEntries.actor,
      (await actors).map(({ name }) => name),
    ),
    entities.length ? inArray(auditEntries.entity, entities) : undefined,
    /^\d{1,9}$/.test(q) ? eq(auditEntries.entity_id, Number(q)) : undefined,
    ...byRecord.flat(),
  )
}
