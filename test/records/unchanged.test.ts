import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { locations } from '../../db/schema'
import { whileUnchanged } from '../../src/platform/records/query-cache'
import { testContext } from '../support/context'

/** Creates a cached query, and counts how often it runs. */
function question(db: Awaited<ReturnType<typeof testContext>>['ctx']['db'], name = 'how many locations') {
  let runCount = 0
  const look = () =>
    whileUnchanged(db, name, async () => {
      runCount++
      return db.$count(locations)
    })
  return { look, countRuns: () => runCount }
}

test('concurrent callers share one computation while nothing is written', async () => {
  const { ctx } = await testContext()
  const { look, countRuns } = question(ctx.db)
  const before = await ctx.db.$count(locations)
  expect(await Promise.all([look(), look(), look()])).toEqual([before, before, before])
  expect([await look(), countRuns()]).toEqual([before, 1])
})

test('a committed write to any table invalidates the cached result', async () => {
  const { ctx } = await testContext()
  const { look, countRuns } = question(ctx.db)
  const before = await look()
  await ctx.database.raw(`insert into locations (location_name, location_code) values ('Unchanged', 'UNC')`, [])
  expect([await look(), countRuns()]).toEqual([before + 1, 2])
  await ctx.db.execute(sql`update company_settings set phone = '555-0199'`)
  expect([await look(), countRuns()]).toEqual([before + 1, 3])
})

test('a rolled-back write is not visible, and a committed write is visible at once', async () => {
  const { ctx } = await testContext()
  const { look } = question(ctx.db)
  const before = await look()
  const undone = ctx.db.transaction(async (tx) => {
    await tx.execute(sql`insert into locations (location_name, location_code) values ('Undone', 'UND')`)
    throw new Error('undone')
  })
  expect(await undone.catch((error: Error) => error.message)).toBe('undone')
  expect(await look()).toBe(before)
  await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`insert into locations (location_name, location_code) values ('Done', 'DON')`)
  })
  expect(await look()).toBe(before + 1)
})

test('each query has its own result, and a failed query is run again', async () => {
  const { ctx } = await testContext()
  const first = question(ctx.db, 'first')
  const second = question(ctx.db, 'second')
  await Promise.all([first.look(), second.look()])
  expect([first.countRuns(), second.countRuns()]).toEqual([1, 1])
  let runCount = 0
  const failing = () =>
    whileUnchanged(ctx.db, 'failing', async () => {
      runCount++
      if (runCount === 1) throw new Error('not now')
      return runCount
    })
  expect(await failing().catch((error: Error) => error.message)).toBe('not now')
  expect(await failing()).toBe(2)
})

test('only the latest 50 queries are cached', async () => {
  const { ctx } = await testContext()
  const eldest = question(ctx.db, 'the eldest')
  await eldest.look()
  for (let n = 0; n < 49; n++) await question(ctx.db, `question ${n}`).look()
  await eldest.look()
  expect(eldest.countRuns()).toBe(1)
  await question(ctx.db, 'one more').look()
  await eldest.look()
  expect(eldest.countRuns()).toBe(2)
})
