import { beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { uploads, users } from '../../db/schema'
import type { UploadStatus } from '../../db/vocabulary'
import { dropFile, readStored } from '../../src/platform/file-store'
import { discard, sweepImports } from '../../src/platform/imports/job/discard'
import { importRunner } from '../../src/platform/imports/job/runner'
import { WORK } from '../../src/platform/imports/job/stages'
import { Interrupted, type JobContext } from '../../src/platform/imports/job/steps'
import type { Log } from '../../src/platform/log'
import { commandWrite } from '../../src/platform/records/transactions'
import { SERVER_URL, testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

/** A second runner, like that of another instance. */
const another = (log: Log = h.ctx.log) => importRunner({ ...h.ctx, log, database: { ...h.ctx.database } })
const status = async (id: number) => (await h.cast.ben.get(`/files/${id}`)).body.data as { status: UploadStatus }
const silent = (id: number) =>
  h.ctx.db.execute(sql`update uploads set runner_seen_at = now() - interval '10.5 seconds' where id = ${id}`)
const stored = async (id: number) =>
  (await h.ctx.db.select().from(uploads).where(eq(uploads.id, id)))[0] as typeof uploads.$inferSelect
const isFileStored = ({ stored_as }: { stored_as: string | null }) =>
  readStored(h.ctx, stored_as).then(
    () => true,
    () => false,
  )
/** Another instance on the same database, with a data folder of its own. */
const elsewhere = () => ({ ...h.ctx, config: { ...h.ctx.config, dataDir: `${h.ctx.config.dataDir}-other` } })
const titles = async () => (await h.cast.ben.get('/titles')).body.meta?.total
const begin = (count = 1) => {
  const units = Array.from({ length: count }, (_, n) => `${100_300 + n},Phoenix`)
  return h.cast.ben.begin('titles', 'titles.csv', `unit_number,location\n${units.join('\n')}\n`)
}
/** Creates an import whose runner has died in the middle of a stage. */
async function orphaned(stage: UploadStatus, count = 1): Promise<number> {
  const { id } = await begin(count)
  // Wait until the first runner ends. Otherwise, it could see the new status and continue.
  await importRunner(h.ctx).run(id)
  await h.ctx.db.execute(sql`update uploads set status = ${stage}, imported = 0, commits = true where id = ${id}`)
  await silent(id)
  return id
}

test('an abandoned import is resumed, but not by a stopped runner', async () => {
  const id = await orphaned('checking')
  const stopped = another()
  await stopped.stop()
  await stopped.resume()
  expect(await status(id)).toMatchObject({ status: 'checking' })
  await another().resume()
  expect(await status(id)).toMatchObject({ status: 'done', imported: 1 })
})

test('a file that ended three instances is refused instead of ending another one', async () => {
  const id = await orphaned('reading')
  await h.ctx.db.execute(sql`update uploads set crashes = 3 where id = ${id}`)
  await another().resume()
  expect(await status(id)).toMatchObject({ status: 'refused' })
  expect((await stored(id)).message).toStartWith('The server stopped unexpectedly each time it read this file.')
})

test('a file that this instance is reading is not refused', async () => {
  const id = await orphaned('reading')
  await h.ctx.db.execute(sql`update uploads set crashes = 3 where id = ${id}`)
  const runner = another()
  const running = runner.run(id)
  await runner.resumeInBackground()
  await running
  expect(await status(id)).toMatchObject({ status: 'done' })
})

test('a planned stop does not count as a crash', async () => {
  const id = await orphaned('reading')
  await h.ctx.db.execute(sql`update uploads set crashes = 2 where id = ${id}`)
  const stopped = another()
  await stopped.stop()
  await stopped.run(id).catch(() => {})
  expect(await stored(id)).toMatchObject({ status: 'reading', crashes: 0 })
  await silent(id)
  await another().resume()
  expect(await stored(id)).toMatchObject({ status: 'done', crashes: 0 })
})

test('a runner stopped during a stage leaves the import for the next one', async () => {
  const id = await orphaned('writing', 150)
  const logMessages: string[] = []
  const stopped = another((_, message) => logMessages.push(message))
  await stopped.stop()
  // A stopped runner stops at the first progress report of a stage.
  await stopped.begin(id)
  expect([await status(id), logMessages]).toMatchObject([{ status: 'writing' }, []])
  // On a server, all rows are one transaction. On the embedded engine, each step is one.
  expect(await titles()).toBe(SERVER_URL ? 0 : 100)
  // On a server, another runner takes over only when the first one has been silent for some time.
  await silent(id)
  await another().resume()
  expect(await status(id)).toMatchObject({ status: 'done', imported: 150 })
  expect(await titles()).toBe(150)
})

test('an import with a live runner is left to that runner on a server', async () => {
  const id = await orphaned('checking')
  await h.ctx.db.execute(sql`update uploads set runner_seen_at = now()`)
  await another().resume()
  expect(await status(id)).toMatchObject({ status: SERVER_URL ? 'checking' : 'done' })
  await h.ctx.db.execute(sql`update uploads set runner_seen_at = null`)
  await another().run(id)
  expect((await stored(id)).runner_seen_at !== null).toBe(SERVER_URL !== undefined)
})

test('concurrent requests for one import run it once', async () => {
  const id = await orphaned('checking')
  const runner = another()
  const first = runner.run(id)
  expect(runner.run(id)).toBe(first)
  await first
  expect(runner.run(id)).not.toBe(first)
  expect(await status(id)).toMatchObject({ status: 'done', imported: 1 })
})

test('an undo runs to completion', async () => {
  const id = await orphaned('writing')
  await another().run(id)
  await h.ctx.db.execute(sql`update uploads set status = 'undoing'`)
  await another().run(id)
  expect(await status(id)).toMatchObject({ status: 'undone', undo: { removed: 1 } })
})

test('a missing file or an unwritable row ends an import with a reason', async () => {
  const logMessages: string[] = []
  const run = (id: number) => another((level, message) => logMessages.push(`${level}: ${message}`)).run(id)
  const unread = await orphaned('reading')
  await dropFile(h.ctx, (await stored(unread)).stored_as)
  await run(unread)
  expect([await status(unread), logMessages]).toMatchObject([
    { status: 'refused', message: 'The original file no longer exists; please upload it again' },
    [],
  ])
  const broken = await orphaned('writing')
  await h.ctx.db.execute(sql`update upload_rows set cells[2] = 'x' where upload_id = ${broken}`)
  await run(broken)
  expect([await status(broken), logMessages]).toMatchObject([
    { status: 'cancelled', message: 'The import could not be finished; nothing was imported' },
    ['error: an import failed'],
  ])
  expect(await titles()).toBe(0)
})

test('an import stops and is undone if its account is deactivated or its API token is revoked', async () => {
  const byAccount = await orphaned('writing')
  await h.ctx.db.update(users).set({ is_active: false }).where(eq(users.username, 'ben'))
  await another().run(byAccount)
  await h.ctx.db.update(users).set({ is_active: true }).where(eq(users.username, 'ben'))
  const byToken = await orphaned('writing')
  await h.ctx.db.update(uploads).set({ started_token: 'revoked' }).where(eq(uploads.id, byToken))
  await another().run(byToken)
  const message = 'The account was deactivated or the API token was revoked; nothing was imported'
  const cancelled = { status: 'cancelled', message }
  expect([await status(byAccount), await status(byToken)]).toMatchObject([cancelled, cancelled])
  expect(await titles()).toBe(0)
})

test('an import of a deactivated account can be finished by an administrator', async () => {
  const { id } = await begin()
  await h.cast.ada.post('/users/2/deactivate', {})
  expect((await h.cast.ada.post(`/files/${id}/commit`)).status).toBe(202)
  expect(await h.cast.ada.settled(id)).toMatchObject({ status: 'done', imported: 1 })
})

test('an import that is read by a deactivated account is deleted with an audit entry', async () => {
  const id = await orphaned('checking')
  await h.ctx.db.update(users).set({ is_active: false }).where(eq(users.username, 'ben'))
  await another().run(id)
  const [entry] = await rows<{ action: string }>(
    h.ctx.db,
    sql`select action from audit_entries where entity = 'uploads' and entity_id = ${id} order by id desc limit 1`,
  )
  expect([await h.ctx.db.$count(uploads), entry?.action]).toEqual([0, 'delete'])
})

describe('a discarded import', () => {
  const deleted = async () =>
    rows(h.ctx.db, sql`select entity_id as id, actor from audit_entries where action = 'delete' order by id`)

  test('leaves neither row nor file when cancelled during a stage', async () => {
    const id = await orphaned('checking')
    const upload = await stored(id)
    await h.ctx.db.execute(sql`update uploads set is_cancelled = true`)
    expect(await isFileStored(upload)).toBe(true)
    await another().run(id)
    expect([(await h.cast.ben.get(`/files/${id}`)).status, await isFileStored(upload), await deleted()]).toEqual([
      404,
      false,
      [],
    ])
    expect(await rows(h.ctx.db, sql`select 1 from upload_rows`)).toEqual([])
  })

  test('leaves neither row nor file after its preview, unless its status changed', async () => {
    const { id } = await begin()
    const upload = await stored(id)
    expect(await discard(commandWrite(h.ctx.db), id, ['refused'])).toBe(false)
    expect((await stored(id)).status).toBe('ready')
    await h.cast.ben.post(`/files/${id}/cancel`)
    expect([(await h.cast.ben.get(`/files/${id}`)).status, await isFileStored(upload)]).toEqual([404, false])
    expect(await deleted()).toEqual([{ id, actor: 'ben' }])
  })

  test('is removed with its file when its preview is over a week old', async () => {
    const ids = [(await begin()).id, (await begin()).id, (await begin()).id]
    const [week, older, done] = (await Promise.all(ids.map(stored))) as [
      typeof uploads.$inferSelect,
      ...(typeof uploads.$inferSelect)[],
    ]
    const at = new Date(h.clock.now().getTime() - 7 * 86_400_000).toISOString()
    await h.ctx.db.execute(
      sql`update uploads set created_at = ${at}::timestamptz - make_interval(secs =>
        case id when ${week.id} then 0 else 1 end)`,
    )
    await h.ctx.db.execute(sql`update uploads set status = 'done' where id = ${done?.id}`)
    await sweepImports(h.ctx)
    expect(await Promise.all([week, older, done].map((upload) => isFileStored(upload as never)))).toEqual([
      true,
      false,
      true,
    ])
    expect(await rows(h.ctx.db, sql`select id from uploads order by id`)).toEqual([{ id: week.id }, { id: done?.id }])
    expect((await deleted()).map(({ id }) => id)).toEqual([older?.id])
  })
})

describe('an import stage', () => {
  /** The context of a stage. `reportProgress` receives its progress. */
  const job = (reportProgress: (done: number) => void = () => {}): JobContext => ({
    ctx: h.ctx,
    reportProgress: async (done) => reportProgress(done),
    inTurn: (work) => work(),
    signal: new AbortController().signal,
  })

  test('reports its progress from start to end', async () => {
    const units = Array.from({ length: 150 }, (_, n) => `${100_300 + n},PHX,TMP,2026-03-01,Desert Auto Haul,Delivered`)
    const header = 'unit_number,location_out,location_in,move_date,transport_company,status'
    const { id } = await h.cast.ben.begin('transports', 'a.csv', `${header}\n${units.join('\n')}`)
    await h.ctx.db.execute(sql`update uploads set status = 'reading', commits = true`)
    const last: [stage: string, done: number][] = []
    for (const stage of ['reading', 'checking', 'writing'] as const) {
      const progressReports: number[] = []
      await WORK[stage]?.(
        await stored(id),
        job((done) => progressReports.push(done)),
      )
      expect(progressReports).toEqual(progressReports.toSorted((a, b) => a - b))
      last.push([stage, progressReports.at(-1) as number])
    }
    // On a server, the progress within the single transaction is not reported to its end.
    expect(last).toEqual([
      ['reading', 1],
      ['checking', 1],
      ['writing', SERVER_URL ? 0.9 : 1],
    ])
    expect(await stored(id)).toMatchObject({
      ...{ status: 'done', progress: 1000, message: '150 records imported' },
      ...{ imported: 150, updated: 0, duplicates: 0, failed: 0 },
    })
  })

  test('leaves an import that another runner moved on', async () => {
    const stale = await stored(await orphaned('reading'))
    await h.ctx.db.execute(sql`update uploads set status = 'ready'`)
    await h.ctx.db.execute(sql`update upload_rows set notes = '{theirs}'`)
    expect(await WORK.reading?.(stale, job()).catch((error) => error)).toBeInstanceOf(Interrupted)
    expect(await rows(h.ctx.db, sql`select row, notes from upload_rows`)).toEqual([{ row: 2, notes: ['theirs'] }])
  })

  test.if(SERVER_URL !== undefined)('waits for its turn to write, and does not write twice', async () => {
    const upload = await stored(await orphaned('writing'))
    const progressReports: number[] = []
    const waits = Promise.withResolvers<void>()
    const report = (done: number) => {
      progressReports.push(done)
      waits.resolve()
    }
    let written: Promise<void> | undefined
    await h.ctx.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(7205010, 4)`)
      written = WORK.writing?.(upload, job(report))
      await Promise.race([waits.promise, written])
      expect([progressReports[0], await titles()]).toEqual([0, 0])
    })
    await written
    expect([await stored(upload.id), await titles()]).toMatchObject([{ status: 'done', imported: 1 }, 1])
    await h.ctx.db.execute(sql`delete from titles`)
    await WORK.writing?.(upload, job())
    expect(await titles()).toBe(0)
  })
})

test('a server database stores uploaded files, so that another instance can read them', async () => {
  const { id } = await begin()
  await h.cast.ben.settled(id)
  const read = readStored(elsewhere(), (await stored(id)).stored_as).then(
    ({ length }) => length > 0,
    () => false,
  )
  // The embedded database has only one instance.
  expect(await read).toBe(SERVER_URL !== undefined)
})
