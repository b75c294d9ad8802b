import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../../db/embedded/open'

const folder = mkdtempSync(join(tmpdir(), 'yardmaster-upkeep-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('maintenance keeps the log and dead rows of an open database small', async () => {
  const { raw, keepUp, close } = await openEmbedded(folder)
  await raw('create table churn (n int, filler text)', [])
  let steps: string[] = []
  for (let round = 0; round < 12; round++) {
    await raw(`insert into churn select n, repeat(md5(n::text), 8) from generate_series(1, 40000) n`, [])
    // Flushes the statistics at once. Otherwise, Postgres updates them once a second.
    await raw('with gone as (delete from churn) select pg_stat_force_next_flush()', [])
    steps = [...steps, ...((await keepUp?.()) ?? [])]
  }
  const logFiles = readdirSync(join(folder, 'pgdata/pg_wal')).filter((name) => /^[0-9A-F]{24}$/.test(name))
  const [churn] = await raw(`select pg_relation_size('churn')::int as bytes`, [])
  expect(steps).toContain('checkpoint')
  expect(steps).toContain('vacuum (analyze) "churn"')
  // Twelve rounds write about 190 MB of log and 140 MB of rows.
  expect(logFiles.length).toBeLessThan(12)
  expect(Number(churn?.bytes)).toBeLessThan(30_000_000)
  expect(await keepUp?.()).toEqual([])
  await close()
})
