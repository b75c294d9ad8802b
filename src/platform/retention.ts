import { and, asc, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { companySettings, documents, signIns, uploads } from '../../db/schema'
import type { UploadStatus } from '../../db/vocabulary'
import type { AppContext } from './context'
import { dropFile } from './file-store'
import { discard } from './imports/job/discard'
import { restorableEntities } from './records/kind'
import { scheduleWrite } from './records/transactions'

const DAY_MS = 86_400_000
/**
 * Number of audit entries or records that one statement deletes. The number is lower for the embedded database, because
 * all users wait while a statement runs.
 */
const BATCH = { embedded: 500, server: 5000 }

/**
 * Imports with these statuses are deleted after the configured time.
 * `sweepImports` also deletes `ready` and `refused` imports after a week, whatever the settings are.
 */
const FINISHED: UploadStatus[] = ['done', 'undone', 'cancelled', 'refused']

/** An empty setting keeps its data forever. */
export async function applyRetention(ctx: AppContext): Promise<void> {
  const [settings] = await ctx.db.select().from(companySettings).orderBy(asc(companySettings.id)).limit(1)
  if (!settings) return
  const before = (days: number | null) => (days === null ? null : new Date(ctx.clock.now().getTime() - days * DAY_MS))
  const [audit, deleted, upload, signIn] = [
    before(settings.audit_kept_days),
    before(settings.deleted_kept_days),
    before(settings.upload_kept_days),
    before(settings.sign_in_kept_days),
  ]
  if (upload) await deleteUploads(ctx, upload)
  const counts = {
    audit_entries: audit ? await deleteAuditEntries(ctx, oldEntries(audit)) : 0,
    entries_of_deleted_records: deleted ? await deleteAuditEntries(ctx, entriesOfDeleted(deleted)) : 0,
  }
  if (counts.entries_of_deleted_records) await deleteDocuments(ctx)
  if (signIn) await ctx.db.delete(signIns).where(lt(signIns.at, signIn))
  if (counts.audit_entries || counts.entries_of_deleted_records) ctx.log('info', 'old data was deleted', counts)
}

type Selection = (limit: number) => SQL

/** SQL condition: the audit entry `e` is a last copy. It is the only copy of a deleted record that can be restored. */
const isLastCopy = (): SQL => sql`(e.action = 'delete' and e.entity in ${restorableEntities()} and not exists (
  select from audit_entries later where later.entity = e.entity and later.entity_id = e.entity_id and later.id > e.id))`

const oldEntries =
  (until: Date): Selection =>
  (limit) =>
    sql`select e.id from audit_entries e
      where e.at < ${until.toISOString()}::timestamptz and not ${isLastCopy()} order by e.at limit ${limit}`

/**
 * Selects the ids of all audit entries of deleted records. The records were deleted before `until` and can still be
 * restored.
 */
const entriesOfDeleted =
  (until: Date): Selection =>
  (limit) =>
    sql`select other.id from (
        select e.entity, e.entity_id from audit_entries e
        where e.at < ${until.toISOString()}::timestamptz and ${isLastCopy()} limit ${limit}) deleted
      join audit_entries other on other.entity = deleted.entity and other.entity_id = deleted.entity_id`

/** Deletes documents whose records no longer exist and cannot be restored. */
async function deleteDocuments(ctx: AppContext): Promise<void> {
  for (const entity of restorableEntities()) {
    const deletedDocuments = await rows<{ stored_as: string | null }>(
      ctx.db,
      sql`delete from ${documents} d where d.entity = ${entity}
          and not exists (select from ${sql.identifier(entity)} t where t.id = d.record_id)
          and not exists (select from audit_entries e where e.entity = d.entity and e.entity_id = d.record_id)
        returning d.stored_as`,
    )
    for (const { stored_as } of deletedDocuments) await dropFile(ctx, stored_as)
  }
}

/** A trigger prevents deletions unless the transaction sets `yardmaster.retention`. */
async function deleteAuditEntries({ db, database }: AppContext, selection: Selection): Promise<number> {
  for (let total = 0; ; ) {
    const deletedCount = await db.transaction(async (tx) => {
      await tx.execute(sql`set local yardmaster.retention = 'on'`)
      const [result] = await rows<{ n: number }>(
        tx,
        sql`with gone as (delete from audit_entries where id in (${selection(BATCH[database.engine])}) returning 1)
          select count(*)::int as n from gone`,
      )
      return result?.n ?? 0
    })
    if (deletedCount === 0) return total
    total += deletedCount
  }
}

async function deleteUploads(ctx: AppContext, until: Date): Promise<void> {
  const { db, clock } = ctx
  const old = await db
    .select({ id: uploads.id, stored_as: uploads.stored_as })
    .from(uploads)
    .where(and(inArray(uploads.status, FINISHED), lt(uploads.created_at, until)))
  for (const { id, stored_as } of old)
    if (await discard(scheduleWrite(db, clock), id, FINISHED)) await dropFile(ctx, stored_as)
}
