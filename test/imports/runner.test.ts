import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { UploadStatus } from '../../db/vocabulary'
import { importRunner } from '../../src/imports/job/runner'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

/** A runner of its own, as another instance has one. */
const another = () => importRunner({ ...h.ctx, database: { ...h.ctx.database } })
const status = async (id: number) => (await h.cast.ben.get(`/files/${id}`)).body.data as { status: UploadStatus }
const silent = (id: number) =>
  h.ctx.db.execute(sql`update uploads set runner_seen_at = now() - interval '1 minute' where id = ${id}`)
/** An import whose runner died a while ago in the middle of a stage. */
async function orphaned(stage: UploadStatus): Promise<number> {
  const { id } = await h.cast.ben.begin('titles', 'titles.csv', 'unit_number,location\n100300,Phoenix\n')
  await h.ctx.db.execute(sql`update uploads set status = ${stage}, imported = 0, commits = true where id = ${id}`)
  await silent(id)
  return id
}

test('an import that nobody works on is gone on with; a runner that was stopped leaves it to the next', async () => {
  const id = await orphaned('checking')
  const stopped = another()
  await stopped.stop()
  await stopped.resume()
  expect(await status(id)).toMatchObject({ status: 'checking' })
  await another().resume()
  expect(await status(id)).toMatchObject({ status: 'done', imported: 1 })
})

test('a runner that is stopped within a stage leaves the import there, and the next one finishes it', async () => {
  const id = await orphaned('writing')
  const stopped = another()
  await stopped.stop()
  // Begun all the same: it stops at the first piece of work that it reports.
  await stopped.begin(id)
  expect(['writing', 'done']).toContain((await status(id)).status)
  // On a server the sign of life of the first must be old before another takes over.
  await silent(id)
  await another().resume()
  expect(await status(id)).toMatchObject({ status: 'done', imported: 1 })
  expect((await h.cast.ben.get('/titles')).body.meta).toMatchObject({ total: 1 })
})
