import { expect, test } from 'bun:test'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Bulk, type Database, isDatabaseAway, rows } from '../../db/client'
import { openEmbedded } from '../../db/embedded/open'
import { migrate, migrations } from '../../db/migrate'
import { seedDemo } from '../../db/seed'
import { openServer } from '../../db/server'
import { readConfig } from '../../src/app/config'
import { openMigrated, openUnmigrated } from '../../src/app/open'
import { copyTo, refuseOtherPrograms } from '../../src/platform/backup/copy-to'
import { exportAll } from '../../src/platform/backup/export'
import { loadExport } from '../../src/platform/backup/load-export'
import { copyFiles, keepFile, readStored, storeRestoredFiles, uploadsFolder } from '../../src/platform/file-store'
import { NOON, SERVER_URL, testContext } from '../support/context'
import { killImports } from '../support/killed-imports'

const url = SERVER_URL as string

test('four concurrent instances migrate an empty database once', async () => {
  const admin = openServer(url)
  const name = `race_${crypto.randomUUID().slice(0, 8)}`
  await admin.db.execute(sql.raw(`create database ${name}`))
  const address = new URL(url)
  address.pathname = `/${name}`
  const instances = Array.from({ length: 4 }, () => openServer(address.href))
  const ran = await Promise.all(instances.map(({ db }) => migrate(db)))
  expect(ran.map((names) => names.length).sort()).toEqual([0, 0, 0, migrations.length])
  await Promise.all(instances.map((instance) => instance.close()))
  await admin.db.execute(sql.raw(`drop database ${name}`))
  await admin.close()
})

test('a migration changed after it ran is rejected', async () => {
  const { ctx } = await testContext()
  const outcome = await ctx.db
    .transaction(async (tx) => {
      await tx.execute(sql`update schema_migrations set fingerprint = 'other' where name = '0000_first'`)
      await migrate(tx)
    })
    .catch((error) => error.message)
  expect(outcome).toContain('was changed after it ran')
})

test('statements are prepared on the server', async () => {
  const { database, cast } = await testContext()
  for (let n = 0; n < 30; n++) await cast.ben.get('/transports/active')
  const perConnection = await Promise.all(
    Array.from({ length: 10 }, () =>
      rows<{ statement: string }>(
        database.db,
        sql`select statement from pg_prepared_statements where statement like '%"transports"%'`,
      ),
    ),
  )
  expect(perConnection.flat().length).toBeGreaterThan(0)
})

test('repeated exports of a growing list prepare no further statements', async () => {
  const { database, cast } = await testContext()
  const move = {
    move_date: '2026-03-01',
    location_out_id: cast.phoenix,
    location_in_id: cast.tempe,
    transport_company_id: cast.desert,
  }
  const prepared = async () => {
    const perConnection = await Promise.all(
      Array.from({ length: 10 }, () =>
        rows<{ statement: string }>(database.db, sql`select statement from pg_prepared_statements`),
      ),
    )
    return new Set(perConnection.flat().map(({ statement }) => statement))
  }
  const grow = async (round: number) => {
    await cast.ben.post('/transports', { unit_number: String(100_000 + round), ...move })
    const file = await cast.ben.request('/api/exports/transports-active?format=csv', {
      headers: { authorization: `Bearer ${await cast.ben.token()}` },
    })
    expect((await file.text()).trim().split('\n')).toHaveLength(round + 2)
  }
  for (let round = 0; round < 20; round++) await grow(round)
  const before = await prepared()
  for (let round = 20; round < 40; round++) await grow(round)
  // A change that takes longer than 100 ms, as on a busy machine, checks the session again with other statements.
  const isAccessCheck = (statement: string) => /from "(?:sessions|users)" where/.test(statement)
  const news = [...(await prepared())].filter((statement) => !before.has(statement) && !isAccessCheck(statement))
  expect(news).toEqual([])
})

test(
  'two imports of a full export at once load it once, and the other one is told that there ' + 'are records',
  async () => {
    const { ctx } = await testContext()
    const folder = mkdtempSync(join(tmpdir(), 'yardmaster-export-'))
    const path = join(folder, 'all.zip')
    await exportAll(ctx, path, NOON)
    const name = `load_${crypto.randomUUID().slice(0, 8)}`
    await ctx.db.execute(sql.raw(`create database ${name}`))
    const address = new URL(url)
    address.pathname = `/${name}`
    const target = openServer(address.href)
    await migrate(target.db)
    const storage = { config: { ...ctx.config, dataDir: folder, s3Url: null }, database: target, db: target.db }
    const results = await Promise.allSettled([loadExport(storage, path), loadExport(storage, path)])
    const messages = results.map((result) => (result.status === 'fulfilled' ? 'loaded' : result.reason.message))
    expect(messages.toSorted()).toEqual([expect.stringMatching(/^There are records/), 'loaded'])
    await target.close()
    await ctx.db.execute(sql.raw(`drop database ${name}`))
    rmSync(folder, { recursive: true })
  },
)

test('copying an embedded database resumes after a failure and never overwrites other records', async () => {
  const admin = openServer(url)
  const name = `copy_${crypto.randomUUID().slice(0, 8)}`
  await admin.db.execute(sql.raw(`create database ${name}`))
  const address = new URL(url)
  address.pathname = `/${name}`
  const [from, to] = [await openEmbedded(), openServer(address.href)]
  await seedDemo(from.db, '2026-03-14')
  await from.db.execute(sql`insert into users (username, password_hash) values ('ada', 'x')`)
  await migrate(to.db)

  const outputLines: string[] = []
  const cutOff = {
    ...to,
    bulk: <T>(mode: 'read' | 'write', work: (bulk: Bulk) => Promise<T>) =>
      to.bulk(mode, (bulk) =>
        work({
          ...bulk,
          copyIn: (statement, pieces) =>
            statement.includes('"registrations"')
              ? Promise.reject(new Error('the line broke'))
              : bulk.copyIn(statement, pieces),
        }),
      ),
  }
  expect(await copyTo(from, cutOff, (line) => outputLines.push(line)).catch((error) => error.message)).toBe(
    'the line broke',
  )
  expect(outputLines.some((line) => /^vehicles: \d+ rows copied$/.test(line))).toBe(true)

  const again: string[] = []
  const summary = await copyTo(from, to, (line) => again.push(line))
  expect(summary.rows).toBeGreaterThan(3000)
  expect(again.find((line) => line.startsWith('vehicles'))).toMatch(/were already there$/)
  expect(again.find((line) => line.startsWith('registrations'))).toMatch(/copied$/)
  const all = (database: Database) =>
    rows(database.db, sql`select to_jsonb(t)::text as row from transports t order by id`)
  expect(await all(to)).toEqual(await all(from))
  const next = (database: Database) => rows(database.db, sql`select nextval('titles_id_seq')::text as id`)
  expect(await next(to)).toEqual(await next(from))

  const storageOf = (database: Database) => ({
    config: readConfig({ DATA_DIR: mkdtempSync(join(tmpdir(), 'yardmaster-copy-')) }),
    database,
    db: database.db,
  })
  const [source, target] = [storageOf(from), storageOf(to)]
  const stored = await keepFile(source, new Uint8Array([1, 2, 255]))
  expect([await copyFiles(source, target), await copyFiles(source, target)]).toEqual([1, 1])
  expect(await readStored(target, stored)).toEqual(new Uint8Array([1, 2, 255]))
  const restored = await keepFile({ ...source, config: target.config }, new Uint8Array([7]))
  await Bun.write(join(uploadsFolder(target.config), 'of-another-program.bak'), 'x')
  const foreign = await keepFile({ ...source, config: target.config }, new Uint8Array([8]))
  // The folder already had `foreign`, which can belong to an embedded database in the same folder.
  await storeRestoredFiles(target, [restored, foreign], [restored])
  expect((await readdir(uploadsFolder(target.config))).sort()).toEqual([foreign, 'of-another-program.bak'].sort())
  expect(await readStored(target, foreign)).toEqual(new Uint8Array([8]))
  expect(await readStored(target, restored)).toEqual(new Uint8Array([7]))

  await to.db.execute(sql`update vehicles set current_mileage = 1 where id = 1`)
  expect(await copyTo(from, to, () => {}).catch((error) => error.message)).toContain(
    'vehicles: the target database already has',
  )
  await Promise.all([from.close(), to.close()])
  await admin.db.execute(sql.raw(`drop database ${name}`))
  await admin.close()
})

test('a database with tables of another program is refused by a start and by copy-to', async () => {
  const admin = openServer(url)
  const name = `other_${crypto.randomUUID().slice(0, 8)}`
  await admin.db.execute(sql.raw(`create database ${name}`))
  const address = new URL(url)
  address.pathname = `/${name}`
  const other = openServer(address.href)
  const tables = async () =>
    rows(other.db, sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace order by 1`)
  await refuseOtherPrograms(other)
  await other.db.execute(sql`create table shop_orders (id int)`)
  const message = await refuseOtherPrograms(other).catch((error) => error.message)
  expect(message).toBe(
    'The target database has tables of another program, such as shop_orders; choose an empty database',
  )
  await other.db.execute(sql`create view users as select 1 as id`)
  const refused = await openMigrated({ ...readConfig({ DATABASE_URL: address.href }) }).catch((error) => error.message)
  expect(refused).toBe('The database has tables of another program (users); choose an empty database')
  expect(await tables()).toEqual([{ name: 'shop_orders' }, { name: 'users' }])
  await other.close()
  await admin.db.execute(sql.raw(`drop database ${name} with (force)`))
  await admin.close()
})

test('a database without UTF-8 encoding is rejected at startup', async () => {
  const admin = openServer(url)
  const name = `latin_${crypto.randomUUID().slice(0, 8)}`
  await admin.db.execute(sql.raw(`create database ${name} encoding 'LATIN1' template template0 locale 'C'`))
  const address = new URL(url)
  address.pathname = `/${name}`
  const refused = await openMigrated({ ...readConfig({ DATABASE_URL: address.href }) }).catch((error) => error.message)
  expect(refused).toBe('DATABASE_URL: the database encoding is LATIN1; recreate the database with the encoding UTF8')
  await admin.db.execute(sql.raw(`drop database ${name} with (force)`))
  await admin.close()
})

test('the next server finishes the import of a killed server, with every row once', async () => {
  const admin = openServer(url)
  const name = `killed_${crypto.randomUUID().slice(0, 8)}`
  await admin.db.execute(sql.raw(`create database ${name}`))
  const address = new URL(url)
  address.pathname = `/${name}`
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'yardmaster-killed-'))
  expect((await killImports({ DATABASE_URL: address.href, DATA_DIR }, 2)).length).toBe(2)
  rmSync(DATA_DIR, { recursive: true })
  await admin.db.execute(sql.raw(`drop database ${name} with (force)`))
  await admin.close()
}, 600_000)

test('a new connection uses the password that the file of the address contains', async () => {
  const admin = openServer(url)
  const role = `rotated_${crypto.randomUUID().slice(0, 8)}`
  const folder = mkdtempSync(join(tmpdir(), 'yardmaster-rotated-'))
  const DATABASE_URL_FILE = join(folder, 'database-url')
  const address = new URL(url)
  address.username = role
  const setPassword = (password: string) => {
    address.password = password
    writeFileSync(DATABASE_URL_FILE, `${address.href}\n`)
  }
  const endConnections = () =>
    admin.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${role}`)
  await admin.db.execute(sql.raw(`create role ${role} login password 'first#1'`))
  setPassword('first#1')
  const { databaseUrl, databaseUrlFile } = readConfig({ DATABASE_URL_FILE })
  const database = openServer(databaseUrl as string, { urlFile: databaseUrlFile })
  expect(await database.raw('select 1 as one', [])).toEqual([{ one: 1 }])

  await admin.db.execute(sql.raw(`alter role ${role} password 'second/2'`))
  await endConnections()
  // Until the file has the new password, the database counts as unavailable.
  await Bun.sleep(50)
  const failure = await database.raw('select 1', []).catch((error) => error)
  expect(isDatabaseAway(failure)).toBe(true)
  setPassword('second/2')
  expect(await database.raw('select 2 as two', [])).toEqual([{ two: 2 }])

  // A missing file does not interrupt the program.
  rmSync(folder, { recursive: true })
  await endConnections()
  await Bun.sleep(50)
  expect(await database.raw('select 3 as three', []).catch(() => database.raw('select 3 as three', []))).toEqual([
    { three: 3 },
  ])
  await database.close()
  await admin.db.execute(sql.raw(`drop role ${role}`))
  await admin.close()
})

test('a query fails at once if none of several hosts accepts a connection', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  await once(closed, 'close')
  const database = openServer(`postgres://postgres@127.0.0.1:${port},localhost:${port}/none`)
  // The second query shows that the hosts are tried again.
  for (let at = 0; at < 2; at++) {
    const failure = await database.raw('select 1', []).catch((error) => error)
    expect(isDatabaseAway(failure)).toBe(true)
  }
  await database.close()
})

test('a start waits for a database server that is still starting', async () => {
  const refusals = 2
  const body = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0')
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  const refusal = Buffer.concat([Buffer.from('E'), length, body])
  const target = new URL(url)
  let connections = 0
  const proxy = createServer((socket) => {
    socket.on('error', () => {})
    if (++connections <= refusals) return socket.once('data', () => socket.end(refusal))
    const upstream = connect(Number(target.port), target.hostname)
    upstream.on('error', () => socket.destroy())
    return socket.pipe(upstream).pipe(socket)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const address = new URL(url)
  address.hostname = '127.0.0.1'
  address.port = String((proxy.address() as AddressInfo).port)
  const database = await openUnmigrated(readConfig({ DATABASE_URL: address.href }))
  expect(connections).toBeGreaterThan(refusals)
  await database.close()
  proxy.close()
})

test('a connection that is reset while it is being opened does not end the process', async () => {
  const target = new URL(url)
  let resets = 0
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    for (const socket of [client, server]) socket.on('error', () => {})
    client.on('data', (bytes) => {
      // The driver asks for the types of arrays and for the role of the server before the first query.
      if (resets >= 6 || !/typarray|pg_is_in_recovery/.test(bytes.toString('latin1'))) return server.write(bytes)
      resets++
      server.destroy()
      return client.resetAndDestroy()
    })
    server.pipe(client)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = new URL(url)
  address.hostname = '127.0.0.1'
  address.port = String((proxy.address() as AddressInfo).port)
  const rejections: unknown[] = []
  const notice = (error: unknown) => rejections.push(error)
  process.on('unhandledRejection', notice)
  const database = openServer(address.href)
  for (let at = 0; at < 12; at++) await database.raw('select 1', []).catch(() => {})
  // The types of arrays are loaded, although the first attempts to load them failed.
  expect(await database.raw('select array[1, 2] as ids', [])).toEqual([{ ids: [1, 2] }])
  await database.close()
  process.off('unhandledRejection', notice)
  proxy.close()
  expect([resets, rejections]).toEqual([6, []])
})
