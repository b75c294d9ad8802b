import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedDatabase } from '../../db/embedded/database'
import { openEmbedded } from '../../db/embedded/open'

const folder = () => mkdtempSync(join(tmpdir(), 'yardmaster-embedded-'))

/** Starts a process that prints the number of rows it finds, then writes rows and prints each after its commit. */
function writer(at: string, first: number) {
  const code = `
    import { EmbeddedDatabase } from '${join(import.meta.dir, '../../db/embedded/database')}'
    const database = await EmbeddedDatabase.open({ folder: ${JSON.stringify(at)}, queryLimitMs: 25_000 })
    await database.query('create table if not exists kept (n int primary key)')
    const kept = await database.query('select n from kept order by n')
    console.log(JSON.stringify(kept.rows.map(({ n }) => n)))
    for (let n = ${first}; ; n++) { await database.query('insert into kept values ($1)', [n]); console.log(n) }`
  return Bun.spawn([process.execPath, '-e', code], {
    cwd: join(import.meta.dir, '../..'),
    stdout: 'pipe',
    stderr: 'inherit',
  })
}

test('every commit is synced to disk', async () => {
  const at = folder()
  const database = await openEmbedded(at)
  await database.raw('create table kept (n int)', [])
  const before = await database.fsyncs()
  for (let n = 0; n < 50; n++) await database.raw('insert into kept values ($1)', [n])
  expect(await database.fsyncs()).toBeGreaterThanOrEqual(before + 50)
  await database.close()
  expect(statSync(at).mode & 0o777).toBe(0o700)
  rmSync(at, { recursive: true })
})

test('a repeatedly killed writer loses no acknowledged row, and its database opens', async () => {
  const at = folder()
  const acknowledged: number[] = []
  for (let round = 0; round <= 12; round++) {
    const child = writer(at, round * 100_000)
    // Each round kills the writer at a different time after its first line, which can arrive in several chunks.
    let output = ''
    let isCounting = false
    for await (const chunk of child.stdout) {
      output += new TextDecoder().decode(chunk)
      if (isCounting || !output.includes('\n')) continue
      isCounting = true
      setTimeout(() => child.kill('SIGKILL'), ((round * 157) % 12) * 34)
    }
    await child.exited
    // The kill may have cut off the last line.
    const [found = '', ...written] = output.split('\n').slice(0, -1)
    const storedRows = new Set(JSON.parse(found) as number[])
    expect(acknowledged.filter((n) => !storedRows.has(n))).toEqual([])
    acknowledged.push(...written.map(Number))
  }
  expect(acknowledged.length).toBeGreaterThan(0)
  rmSync(at, { recursive: true })
}, 600_000)

test('only one of eight concurrent processes can lock the folder', async () => {
  const at = folder()
  writeFileSync(join(at, 'yardmaster.lock'), JSON.stringify({ pid: 999_999, started: '1', boot: 'x', host: 'gone' }))
  const code = `
    import { lockFolder } from '${join(import.meta.dir, '../../db/embedded/lock')}'
    try { lockFolder(${JSON.stringify(at)}); console.log('won'); for await (const _ of Bun.stdin.stream()); } catch
    (error) { console.log(error.message) }`
  const children = Array.from({ length: 8 }, () =>
    Bun.spawn([process.execPath, '-e', code], { stdin: 'pipe', stdout: 'pipe' }),
  )
  // The winner holds the folder until all have answered.
  const outcomes = await Promise.all(
    children.map(async ({ stdout }) => new TextDecoder().decode((await stdout.getReader().read()).value).trim()),
  )
  for (const { stdin } of children) stdin.end()
  expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome.includes('already in use'))).toHaveLength(7)
  rmSync(at, { recursive: true })
})

test.each([
  ['in time', 60_000],
  ['late', 1],
])(
  'a statement over the time limit is cancelled, and calls work again after the worker stops %s',
  async (_, stopLimitMs) => {
    const at = folder()
    const database = await EmbeddedDatabase.open({ folder: at, queryLimitMs: 4000, stopLimitMs })
    await database.query('create table kept as select 7 as n')
    const slow = await database
      .query('select count(*) from generate_series(1, 100000000000)')
      .catch((error) => error.code)
    expect(slow).toBe('57014')
    const retry = async (): Promise<unknown> =>
      database.query('select n from kept').then(
        ({ rows }) => rows,
        () => Bun.sleep(100).then(retry),
      )
    expect(await retry()).toEqual([{ n: 7 }])
    // The short limit also applies to the worker that is closed here.
    await database.close().catch(() => {})
    rmSync(at, { recursive: true })
  },
)
