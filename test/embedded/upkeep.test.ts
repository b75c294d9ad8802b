import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../../db/embedded/open'

const folders = ['log', 'staged'].map((name) => mkdtempSync(join(tmpdir(), `yardmaster-${name}-`)))
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

test('maintenance keeps the log and dead rows of an open database small', async () => {
  const { raw, keepUp, close } = await openEmbedded(folders[0] as string)
  await raw('create table churn (n int, filler text)', [])
  let steps: string[] = []
  for (let round = 0; round < 12; round++) {
    await raw(`insert into churn select n, repeat(md5(n::text), 8) from generate_series(1, 40000) n`, [])
    // Flushes the statistics at once. Otherwise, Postgres updates them once a second.
    await raw('with gone as (delete from churn) select pg_stat_force_next_flush()', [])
    steps = [...steps, ...((await keepUp?.()) ?? [])]
  }
  const logFiles = readdirSync(join(folders[0] as string, 'pgdata/pg_wal')).filter((name) =>
    /^[0-9A-F]{24}$/.test(name),
  )
  const [churn] = await raw(`select pg_relation_size('churn')::int as bytes`, [])
  expect(steps).toContain('checkpoint')
  expect(steps).toContain('vacuum (analyze) "churn"')
  // Twelve rounds write about 190 MB of log and 140 MB of rows.
  expect(logFiles.length).toBeLessThan(12)
  expect(Number(churn?.bytes)).toBeLessThan(30_000_000)
  expect(await keepUp?.()).toEqual([])
  await close()
})

test('staged rows of imports are truncated when none are left, and are not vacuumed before', async () => {
  const { raw, keepUp, close } = await openEmbedded(folders[1] as string)
  const steps = async (statement: string) => {
    await raw(`with changed as (${statement} returning 1) select pg_stat_force_next_flush()`, [])
    return (await keepUp?.())?.filter((step) => step !== 'checkpoint')
  }
  const insert = `insert into upload_rows (upload_id, row, outcome, cells)
    select 1, n, 'create', '{}' from generate_series(1, 250000) n`
  expect(await steps(insert)).toEqual(['analyze "upload_rows"'])
  expect(await steps('delete from upload_rows where row > 100000')).toEqual(['analyze "upload_rows"'])
  expect(await steps('delete from upload_rows')).toEqual(['truncate "upload_rows"'])
  await close()
})
