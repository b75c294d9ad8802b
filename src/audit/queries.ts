import { and, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../db/client'
import { auditEntries } from '../../db/schema'
import { type Names, namesOf } from '../admin/names'
import type { Clock } from '../clock'
import type { Page } from '../http/answers'
import type { auditFilters } from './rules'

export type AuditEntry = typeof auditEntries.$inferSelect
type Filters = z.output<typeof auditFilters>

/** Days are those of the business time zone. */
const matching = (query: Filters, { timeZone }: Pick<Clock, 'timeZone'>): SQL | undefined =>
  and(
    query.entity ? eq(auditEntries.entity, query.entity) : undefined,
    query.entity_id ? eq(auditEntries.entity_id, query.entity_id) : undefined,
    query.actor ? eq(auditEntries.actor, query.actor) : undefined,
    query.action ? eq(auditEntries.action, query.action) : undefined,
    query.source ? eq(auditEntries.source, query.source) : undefined,
    query.start_date ? sql`${auditEntries.at} >= ${query.start_date}::date::timestamp at time zone ${timeZone}` : undefined,
    query.end_date ? sql`${auditEntries.at} < (${query.end_date}::date + 1)::timestamp at time zone ${timeZone}` : undefined,
  )

/** Who changed what, newest first unless asked otherwise. */
export async function listAudit(db: Db, clock: Pick<Clock, 'timeZone'>, query: Filters): Promise<Page<AuditEntry>> {
  const where = matching(query, clock)
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(auditEntries)
      .where(where)
      .orderBy(query.order === 'asc' ? auditEntries.id : desc(auditEntries.id))
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page),
    db.$count(auditEntries, where),
  ])
  return { rows, total }
}

const BATCH = 1000

/** Every entry that the filters let through, some at a time; nothing is locked meanwhile. */
export async function* eachAuditEntry(db: Db, clock: Pick<Clock, 'timeZone'>, query: Filters): AsyncGenerator<AuditEntry[]> {
  const where = matching(query, clock)
  const isUp = query.order === 'asc'
  for (let last: number | undefined; ; ) {
    const beyond = last === undefined ? undefined : isUp ? gt(auditEntries.id, last) : lt(auditEntries.id, last)
    const batch = await db
      .select()
      .from(auditEntries)
      .where(and(where, beyond))
      .orderBy(isUp ? auditEntries.id : desc(auditEntries.id))
      .limit(BATCH)
    yield batch
    last = batch.at(-1)?.id
    if (batch.length < BATCH) return
  }
}

/** Fields that hold the id of a location or company, which people know by name. */
const NAMED_FIELDS: Record<string, keyof Names> = {
  location_id: 'location',
  location_out_id: 'location',
  location_in_id: 'location',
  transport_company_id: 'company',
}

/** The names of the locations and companies that entries speak of, by field and id. */
export async function namesIn(db: Db, entries: Pick<AuditEntry, 'changes'>[]): Promise<(field: string, id: unknown) => string | undefined> {
  const idsOf = (kind: keyof Names) =>
    entries
      .flatMap(({ changes }) => Object.entries(changes).flatMap(([field, { old, new: now }]) => (NAMED_FIELDS[field] === kind ? [old, now] : [])))
      .filter((value) => typeof value === 'number')
  const names = await namesOf(db, { location: idsOf('location'), company: idsOf('company') })
  return (field, id) => {
    const kind = NAMED_FIELDS[field]
    return kind && typeof id === 'number' ? names[kind].get(id) : undefined
  }
}
