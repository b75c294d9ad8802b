import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { uploads, users } from '../../../db/schema'
import { accept } from '../accept'
import type { AppContext } from '../context'
import { checkFileSize, dropFile, keepFile } from '../file-store'
import { audit, changesBetween } from '../records/audit-entry'
import { inTransaction, type Write } from '../records/transactions'
import { Conflict } from '../refusals'
import { checkFixable } from './fixes'
import { AT_WORK } from './job/stages'
import { mustReadImport } from './readers'
import { checkDefaults, upload } from './rules'

type StoredUpload = { id: number }

/**
 * Highest expected number of written bytes per byte of the file. The number includes records, audit entries, indexes
 * and the write-ahead log. It is used to check the free disk space.
 */
const WRITTEN_PER_BYTE = 40

const NAME_LIMIT = 255

function shortenFileName(name: string): string {
  const [ending = ''] = /\.[a-z]{1,4}$/i.exec(name) ?? []
  const stem = name.slice(0, name.length - ending.length)
  return (stem.slice(0, NAME_LIMIT - ending.length) + ending).toWellFormed()
}

/**
 * Maximum total size of an account's unfinished imports. The unit is the maximum size of an upload. The total is
 * limited because the original files stay on disk for a week.
 */
const UNFINISHED_LIMIT = 40

/** Maximum number of an account's imports in progress. Previews that wait for a user are not in progress. */
const WORKING_LIMIT = 20

/**
 * Checks whether a user may start more work. An undo by another user does not count for the user who uploaded the file.
 * Call this function in the transaction that starts the work: it locks the account, so that concurrent requests of the
 * account cannot pass the check together.
 * @throws Conflict when too many of the user's imports are in progress
 */
export async function checkInProgress({ db, actor }: Write): Promise<void> {
  const username = actor.username ?? ''
  await db.select({ id: users.id }).from(users).where(eq(users.username, username)).for('no key update')
  const isOwn = eq(sql`coalesce(${uploads.started_by}, ${uploads.created_by})`, username)
  if ((await db.$count(uploads, and(inArray(uploads.status, AT_WORK), isOwn))) >= WORKING_LIMIT)
    throw new Conflict(`${WORKING_LIMIT} of your imports are in progress. Wait until one of them is finished.`)
}

/** @throws Conflict when the account has too many unfinished imports */
async function checkUnfinished({ config }: AppContext, write: Write): Promise<void> {
  await checkInProgress(write)
  const isOwn = eq(uploads.created_by, write.actor.username ?? '')
  const [unfinished] = await write.db
    .select({ bytes: sql<number>`coalesce(sum(${uploads.file_size}), 0)::float8` })
    .from(uploads)
    .where(and(isOwn, notInArray(uploads.status, ['done', 'undone', 'cancelled'])))
  if ((unfinished?.bytes ?? 0) > UNFINISHED_LIMIT * config.maxUploadBytes)
    throw new Conflict('You have too many unfinished imports. Finish or discard some in the upload history.')
}

/**
 * Stores an uploaded spreadsheet and its import settings. `mode` overrides the fields `commit`, `ask` and
 * `mends` of the form.
 * @throws Refused when the form is invalid, Refusal (413) when the file is too large, Conflict when the account has too
 * many unfinished imports
 */
export async function receive(
  ctx: AppContext,
  write: Write,
  form: unknown,
  mode?: Pick<typeof uploads.$inferInsert, 'commits' | 'asks' | 'mends'>,
): Promise<StoredUpload> {
  const { db } = ctx
  const { file, data_type, existing, commit, ask, mends, defaults, sheet } = accept(upload, form ?? {})
  checkFileSize(ctx, file)
  if (mends !== undefined) {
    const { username, hides_costs } = write.actor
    await mustReadImport(db, mends, { username, sees_costs: !hides_costs })
    await checkFixable(db, mends, data_type)
  }
  await checkUnfinished(ctx, write)
  ctx.disk.mustHaveRoom(file.size * WRITTEN_PER_BYTE)
  const stored_as = await keepFile(ctx, new Uint8Array(await file.arrayBuffer()))
  const file_name = shortenFileName(file.name.replaceAll('\0', ''))
  const keep = async (write: Write) => {
    // Other uploads of the account can have started while this file was stored.
    await checkUnfinished(ctx, write)
    const [saved] = await write.db
      .insert(uploads)
      .values({
        data_type,
        existing,
        mends,
        sheet,
        defaults: checkDefaults(data_type, defaults, ctx.clock.today()),
        commits: commit,
        asks: ask,
        ...mode,
        file_name,
        file_size: file.size,
        stored_as,
        status: 'reading',
        imported: 0,
        failed: 0,
        duplicates: 0,
        message: '',
        validation_errors: [],
        runner_seen_at: sql`now()`,
        address: write.actor.address,
        token_name: write.actor.token_name ?? null,
        started_by: write.actor.username,
        started_token: write.actor.token_name ?? null,
        started_address: write.actor.address ?? null,
        hides_costs: write.actor.hides_costs ?? false,
        created_at: write.actor.now,
        created_by: write.actor.username,
      })
      .returning({ id: uploads.id })
    if (write.attempt) write.attempt.record ??= saved!.id
    await audit(
      write,
      'create',
      'uploads',
      saved!.id,
      changesBetween(null, { file_name, file_size: file.size, data_type, existing, mends }),
    )
    return { id: saved!.id }
  }
  return inTransaction(write, keep).catch(async (error) => {
    await dropFile(ctx, stored_as)
    throw error
  })
}
