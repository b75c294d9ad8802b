import { and, asc, desc, eq, getTableColumns, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client'
import { auditEntries, type Changes } from '../../../db/schema'
import type { Clock } from '../clock'
import type { Page } from '../http/answers'
import { kindOf } from '../records/kind'
import { listing } from '../records/listing'
import { loadNames, loadNamesByKind, type RecordNames } from '../records/master-data/names'
import type { auditFilters } from './rules'
import { matchingText } from './search'

export type AuditEntry = typeof auditEntries.$inferSelect

/**
 * Columns of the audit entries for lists, timelines and exports. The notes, rates and lines of a deleted record are
 * left out. They are needed only to restore the record, and can have megabytes.
 */
export const shownColumns = {
  ...getTableColumns(auditEntries),
  changes: sql<Changes>`${auditEntries.changes} - '{notes_written,rates,lines}'::text[]`,
}
type Filters = z.output<typeof auditFilters>

/** Date filters are days in the business time zone. */
const matching = async (db: Db, query: Filters, { timeZone }: Pick<Clock, 'timeZone'>): Promise<SQL | undefined> =>
  and(
    query.q ? await matchingText(db, query.q) : undefined,
    query.entity ? eq(auditEntries.entity, query.entity) : undefined,
    query.entity_id ? eq(auditEntries.entity_id, query.entity_id) : undefined,
    query.actor ? eq(auditEntries.actor, query.actor) : undefined,
    query.action ? eq(auditEntries.action, query.action) : undefined,
    query.source ? eq(auditEntries.source, query.source) : undefined,
    query.start_date
      ? sql`${auditEntries.at} >= ${query.start_date}::date::timestamp at time zone ${timeZone}`
      : undefined,
    query.end_date
      ? sql`${auditEntries.at} < (${query.end_date}::date + 1)::timestamp at time zone ${timeZone}`
      : undefined,
  )

export async function listAudit(db: Db, clock: Pick<Clock, 'timeZone'>, query: Filters): Promise<Page<AuditEntry>> {
  const where = await matching(db, query, clock)
  const order = [query.order === 'asc' ? asc(auditEntries.id) : desc(auditEntries.id)]
  return listing<AuditEntry>(db, {
    select: () => db.select(shownColumns).from(auditEntries).$dynamic(),
    from: { of: auditEntries },
    table: auditEntries,
    where,
    order,
    query,
  }).page()
}

export async function isStored(db: Db, { entity, id }: { entity: string; id: number }): Promise<boolean> {
  const table = kindOf(entity)?.table
  return table !== undefined && (await db.$count(table, sql`id = ${id}`)) > 0
}

const BATCH = 1000

/**
 * Yields all audit entries that match the filters, in batches. Each batch is loaded by a separate query, so that no
 * lock is held between batches.
 */
export async function* eachAuditEntry(
  db: Db,
  clock: Pick<Clock, 'timeZone'>,
  query: Filters,
): AsyncGenerator<AuditEntry[]> {
  const where = await matching(db, query, clock)
  const isUp = query.order === 'asc'
  for (let last: number | undefined; ; ) {
    const afterLast = last === undefined ? undefined : isUp ? gt(auditEntries.id, last) : lt(auditEntries.id, last)
    const batch = await db
      .select(shownColumns)
      .from(auditEntries)
      .where(and(where, afterLast))
      .orderBy(isUp ? auditEntries.id : desc(auditEntries.id))
      .limit(BATCH)
    yield batch
    last = batch.at(-1)?.id
    if (batch.length < BATCH) return
  }
}

const NAMED_FIELDS: Record<string, keyof RecordNames> = {
  location_id: 'location',
  location_out_id: 'location',
  location_in_id: 'location',
  transport_company_id: 'company',
  vendor_id: 'vendor',
}

export async function loadChangeNames(
  db: Db,
  entries: Pick<AuditEntry, 'changes'>[],
): Promise<(field: string, id: unknown) => string | undefined> {
  const idsOf = (kind: keyof RecordNames) =>
    entries
      .flatMap(({ changes }) =>
        Object.entries(changes).flatMap(([field, { old, new: now }]) =>
          NAMED_FIELDS[field] === kind ? [old, now] : [],
        ),
      )
      .filter((value) => typeof value === 'number')
  const names = await loadNamesByKind(db, {
    location: idsOf('location'),
    company: idsOf('company'),
    vendor: idsOf('vendor'),
  })
  return (field, id) => {
    const kind = NAMED_FIELDS[field]
    return kind && typeof id === 'number' ? names[kind].get(id) : undefined
  }
}

/**
 * Loads the names of the records that audit entries describe. The name of a deleted record is read from the changes in
 * its audit entry.
 * @returns a function that returns the name for an audit entry, or null
 */
export async function subjectsIn(
  db: Db,
  entries: Pick<AuditEntry, 'entity' | 'entity_id' | 'changes'>[],
): Promise<(entry: AuditEntry) => string | null> {
  const kinds = [...new Set(entries.map(({ entity }) => entity))]
  const names = new Map(
    await Promise.all(
      kinds.map(async (entity): Promise<[string, Map<number, string>]> => {
        const kind = kindOf(entity)
        const ids = entries.filter((entry) => entry.entity === entity).map(({ entity_id }) => entity_id)
        return [entity, kind?.calledBy ? await loadNames(db, kind.table as never, kind.calledBy, ids) : new Map()]
      }),
    ),
  )
  return ({ entity, entity_id, changes }) => {
    const change = changes[kindOf(entity)?.calledBy?.name ?? '']
    return names.get(entity)?.get(entity_id) ?? (change ? String(change.new ?? change.old) : null)
  }
}
