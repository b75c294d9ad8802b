import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../db/client'
import { auditEntries } from '../../db/schema'
import type { Clock } from '../clock'
import type { Page } from '../http/answers'
import type { auditFilters } from './rules'

export type AuditEntry = typeof auditEntries.$inferSelect

/** Who changed what, newest first unless asked otherwise. Days are those of the business time zone. */
export async function listAudit(db: Db, clock: Pick<Clock, 'timeZone'>, query: z.output<typeof auditFilters>): Promise<Page<AuditEntry>> {
  const where: SQL | undefined = and(
    query.entity ? eq(auditEntries.entity, query.entity) : undefined,
    query.entity_id ? eq(auditEntries.entity_id, query.entity_id) : undefined,
    query.actor ? eq(auditEntries.actor, query.actor) : undefined,
    query.action ? eq(auditEntries.action, query.action) : undefined,
    query.source ? eq(auditEntries.source, query.source) : undefined,
    query.start_date ? sql`${auditEntries.at} >= ${query.start_date}::date::timestamp at time zone ${clock.timeZone}` : undefined,
    query.end_date ? sql`${auditEntries.at} < (${query.end_date}::date + 1)::timestamp at time zone ${clock.timeZone}` : undefined,
  )
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
