import { and, desc, eq, gt, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../db/client'
import { auditEntries, locations, transportCompanies } from '../../db/schema'
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
const LOCATION_FIELDS = ['location_id', 'location_out_id', 'location_in_id']
const COMPANY_FIELDS = ['transport_company_id']

/** The names of the locations and companies that entries speak of, by field and id; one query for each of the two. */
export async function namesIn(db: Db, entries: Pick<AuditEntry, 'changes'>[]): Promise<(field: string, id: unknown) => string | undefined> {
  const ids = (fields: string[]) => {
    const values = entries.flatMap(({ changes }) => fields.flatMap((field) => [changes[field]?.old, changes[field]?.new]))
    return [...new Set(values.filter((value) => typeof value === 'number'))]
  }
  const [places, companies] = [ids(LOCATION_FIELDS), ids(COMPANY_FIELDS)]
  const [foundPlaces, foundCompanies] = await Promise.all([
    places.length ? db.select({ id: locations.id, name: locations.location_name }).from(locations).where(inArray(locations.id, places)) : [],
    companies.length
      ? db
          .select({ id: transportCompanies.id, name: transportCompanies.company_name })
          .from(transportCompanies)
          .where(inArray(transportCompanies.id, companies))
      : [],
  ])
  const placeNames = new Map(foundPlaces.map(({ id, name }) => [id, name]))
  const companyNames = new Map(foundCompanies.map(({ id, name }) => [id, name]))
  return (field, id) =>
    typeof id !== 'number'
      ? undefined
      : LOCATION_FIELDS.includes(field)
        ? placeNames.get(id)
        : COMPANY_FIELDS.includes(field)
          ? companyNames.get(id)
          : undefined
}
