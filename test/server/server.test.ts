import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { migrate, migrations } from '../../db/migrate'
import { openServer } from '../../db/server'
import { house, SERVER_URL } from '../support/house'
import { killImports } from '../support/killed-imports'

const url = SERVER_URL as string

test('four instances that start at once migrate an empty database once', async () => {
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

test('a migration that was changed after it ran stops the start', async () => {
  const { office } = await house()
  const outcome = await office.db
    .transaction(async (tx) => {
      await tx.execute(sql`update schema_migrations set fingerprint = 'other' where name = '0000_first'`)
      await migrate(tx)
    })
    .catch((error) => error.message)
  expect(outcome).toContain('was changed after it ran')
})

test('statements are really prepared', async () => {
  const { database, cast } = await house()
  for (let n = 0; n < 30; n++) await cast.ben.get('/transports/active')
  const perConnection = await Promise.all(
    Array.from({ length: 10 }, () =>
      rows<{ statement: string }>(database.db, sql`select statement from pg_prepared_statements where statement like '%"transports"%'`),
    ),
  )
  expect(perConnection.flat().length).toBeGreaterThan(0)
})

test('an import whose server was killed is finished by the next one, every row once', async () => {
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
}, 240_000)
