import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PGlite } from '@electric-sql/pglite'
import { EmbeddedDatabase } from '../../db/embedded/database'
import { Statements } from '../../db/embedded/statements'

/** Repeated statements are parsed once, and return the same rows as unprepared ones. */

let pg: PGlite
let sent: string[] = []
let statements: Statements
beforeAll(async () => {
  pg = await PGlite.create()
  const send = pg.execProtocolStream.bind(pg)
  // The first letter of a message says what it is: P parses, B binds, C closes.
  pg.execProtocolStream = (message, options) => {
    sent.push(String.fromCharCode(message[0] as number))
    return send(message, options)
  }
})
afterAll(() => pg.close())

const ask = async (text: string, values: unknown[] = []) => (await statements.query(text, values, {}))?.rows
const parsed = () => sent.filter((kind) => kind === 'P').length
const fresh = async () => {
  sent = []
  await pg.exec('deallocate all')
  statements = new Statements(pg)
}

test('a statement is prepared on its second use and returns the same values', async () => {
  await fresh()
  const text = `select $1::int as n, $2::text as t, $3::numeric as money, $4::date as day, $5::timestamptz as at,
    $6::boolean as yes,
    $7::int[] as ids, $8::jsonb as more, $9::text as nothing`
  const values = [7, "it's", '12.50', '2026-03-01', new Date(0), true, [1, 2], { a: [1] }, null]
  const plain = (await pg.query<object>(text, values)).rows as never
  sent = []
  for (let time = 0; time < 4; time++) expect(await ask(text, values)).toEqual(plain)
  // PGlite itself parses the first call. The second call prepares the statement for all later ones.
  expect(parsed()).toBe(2)
  const other = [8, '', '0', '2026-12-31', new Date(86_400_000), false, [], [], 'x']
  const [again] = (await ask(text, other)) ?? []
  expect(again).toEqual((await pg.query<object>(text, other)).rows[0])
  const arrays = await statements.query(text, values, { rowMode: 'array' })
  expect(arrays?.rows[0]).toHaveLength(9)
})

test('errors do not break prepared statements, even in rolled back transactions', async () => {
  await fresh()
  await pg.exec('create table units (number text primary key, mileage int check (mileage >= 0))')
  const insert = 'insert into units values ($1, $2)'
  for (const number of ['100200', '100201', '100202']) await ask(insert, [number, 5])
  await expect(ask(insert, ['100200', 5])).rejects.toMatchObject({ code: '23505', constraint: 'units_pkey' })
  await expect(ask(insert, ['100203', 'many'])).rejects.toMatchObject({ code: '22P02' })
  await expect(ask('selec 1')).rejects.toMatchObject({ code: '42601' })
  await expect(ask('selec 1')).rejects.toMatchObject({ code: '42601' })
  for (let time = 0; time < 3; time++) {
    await ask('begin')
    await ask(insert, ['100204', 5])
    await expect(ask(insert, ['100200', 5])).rejects.toMatchObject({ code: '23505' })
    await expect(ask(insert, ['100205', 5])).rejects.toMatchObject({ code: '25P02' })
    await ask('rollback')
  }
  await ask(insert, ['100203', 5])
  expect(await ask('select number from units order by number')).toHaveLength(4)
})

test('after a schema change, one call fails and the statement is prepared again', async () => {
  await fresh()
  await pg.exec('create table places (code text)')
  const all = () => ask('select * from places')
  await all()
  await all()
  await pg.exec(`alter table places add column name text; insert into places values ('PHX', 'Phoenix')`)
  await expect(all()).rejects.toMatchObject({ code: '0A000' })
  expect(await all()).toEqual([{ code: 'PHX', name: 'Phoenix' }])
})

test('prepared statements are limited, and the least recently used is dropped', async () => {
  await fresh()
  const text = (n: number) => `select ${n} as n`
  for (let n = 0; n < 501; n++) {
    await ask(text(n))
    await ask(text(n))
  }
  const countPrepared = async () =>
    (await pg.query<{ n: number }>('select count(*)::int as n from pg_prepared_statements')).rows[0]?.n
  expect(await countPrepared()).toBeLessThanOrEqual(503)
  sent = []
  expect(await ask(text(500))).toEqual([{ n: 500 }])
  expect(await ask(text(1))).toEqual([{ n: 1 }])
  expect(parsed()).toBe(0)
  expect(await ask(text(0))).toEqual([{ n: 0 }])
})

test('statements that are sent together run one after another, with a time limit for each', async () => {
  const watched: string[] = []
  const database = await EmbeddedDatabase.open({
    queryLimitMs: 3000,
    watch: (text, ms) => watched.push(`${text} ${ms < 3000}`),
  })
  const wait = (ms: number) => `select ${ms} as ms from pg_sleep(${ms / 1000})`
  const results = await database.transaction((tx) =>
    Promise.allSettled([
      ...Array.from({ length: 5 }, () => tx.query<{ ms: number }>(wait(800))),
      tx.query('select missing'),
      tx.query('select 1 as ms'),
    ]).then(async (settled) => {
      await tx.exec('rollback; begin')
      return settled.map((one) =>
        one.status === 'fulfilled' ? Object.values(one.value.rows[0] ?? {})[0] : one.reason.code,
      )
    }),
  )
  expect(results).toEqual([800, 800, 800, 800, 800, '42703', '25P02'])
  expect(watched.slice(1, 6)).toEqual(Array.from({ length: 5 }, () => `${wait(800)} true`))
  await database.close()
})
