import { desc, eq, getTableName, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/client'
import { auditEntries } from '../../../../db/schema'
import { shownColumns } from '../../../platform/audit/queries'
import {
  changesAsTimeline,
  entriesOfDocuments,
  entriesOfParts,
  mergeTimelines,
  type TimelineEntry,
} from '../../../platform/audit/timeline'
import type { Clock } from '../../../platform/clock'
import { kinds } from '../../../platform/kinds'
import { entityOf, unitKinds } from '../../../platform/records/kind'
import { prepared } from '../../../platform/records/prepared-statements'
import { latestOsl } from '../../osl'
import { latestRegistrations } from '../../registrations'
import { latestTitles } from '../../titles'
import { latestTransports } from '../../transports'
import type { Vehicle } from '../find'

/** Loads a vehicle with its latest records, at most `HISTORY_LIMIT` of each kind. */
export async function vehicleHistory(db: Db, clock: Clock, vehicle: Vehicle) {
  const unit = vehicle.unit_number
  const [moves, osl_logs, registered, titleEntries] = await Promise.all([
    latestTransports(db, unit),
    latestOsl(db, clock, unit),
    latestRegistrations(db, clock, unit),
    latestTitles(db, clock, unit),
  ])
  return { vehicle, transports: moves, osl_logs, registrations: registered, titles: titleEntries }
}

const TIMELINE_LIMIT = 500

/**
 * The conditions compare with arrays of ids. With joins, Postgres might read all entries about one kind of record, if
 * its statistics are older than these entries.
 */
function changesOfUnit(db: Db) {
  const changes = unitKinds().flatMap(({ table }) => {
    const ids = db
      .select({ id: table.id })
      .from(table)
      .where(eq(table.unit_number, sql.placeholder('unit')))
    const entity = getTableName(table)
    return [
      sql`select e.id from ${auditEntries} e where e.entity = ${entity} and e.entity_id = any(array(${ids}))`,
      entriesOfDocuments(entity, sql`${ids}`),
      ...entriesOfParts(
        entity,
        sql`select r.id::text from ${table} r where r.unit_number = ${sql.placeholder('unit')}`,
      ),
    ]
  })
  const entities = unitKinds().map(({ table }) => sql`${getTableName(table)}`)
  // All changes of deleted records, not only their deletions.
  const ofDeleted = sql`select e.id from ${auditEntries} d
    join ${auditEntries} e on e.entity = d.entity and e.entity_id = d.entity_id
    where d.action = 'delete' and d.changes -> 'unit_number' ->> 'old' = ${sql.placeholder('unit')}
    and d.entity in (${sql.join(entities, sql`, `)})`
  return db
    .select(shownColumns)
    .from(auditEntries)
    .where(sql`${auditEntries.id} = any(array(${sql.join([...changes, ofDeleted], sql` union all `)}))`)
    .orderBy(desc(auditEntries.id))
    .limit(TIMELINE_LIMIT)
    .prepare('changes_of_vehicle')
}

function notesOfUnit(db: Db) {
  const notes = kinds('records').flatMap(({ table, partOf }) =>
    partOf?.isNote
      ? [
          sql`select n.created_at as at, ${entityOf(partOf.kind)}::text as entity, r.id, n.note_text as text,
            n.created_by as by from ${table} n join ${partOf.kind.table} r
            on r.id = n.${sql.identifier(partOf.key.name)}
            where r.unit_number = ${sql.placeholder('unit')}`,
        ]
      : [],
  )
  return db
    .select({
      at: sql`n.at`.mapWith((at: string | Date) => new Date(at)),
      entity: sql<string>`n.entity`,
      id: sql<number>`n.id`,
      text: sql<string>`n.text`,
      by: sql<string | null>`n.by`,
    })
    .from(sql`(${sql.join(notes, sql` union all `)}) n`)
    .orderBy(sql`n.at desc`)
    .limit(TIMELINE_LIMIT)
    .prepare('notes_of_vehicle')
}

export async function vehicleTimeline(
  db: Db,
  clock: Pick<Clock, 'timeZone'>,
  reader: { sees_costs: boolean },
  unit: string,
): Promise<TimelineEntry[]> {
  const [entries, notes] = await Promise.all([
    prepared(db, 'changes_of_vehicle', () => changesOfUnit(db)).execute({ unit }),
    prepared(db, 'notes_of_vehicle', () => notesOfUnit(db)).execute({ unit }),
  ])
  const changes = await changesAsTimeline(db, clock, reader, entries)
  const noteEntries = notes.map((note) => ({ ...note, kind: 'note', changes: [] }))
  return mergeTimelines(changes, noteEntries).slice(0, TIMELINE_LIMIT)
}

export type VehicleHistory = Awaited<ReturnType<typeof vehicleHistory>>
