import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Database, rows } from '../../db/client'
import { openEmbedded } from '../../db/embedded/open'
import { applyMigrations, migrate, migrations } from '../../db/migrate'
import { seedDemo } from '../../db/seed'
import { backUp } from '../../src/platform/backup/backup'
import { restore } from '../../src/platform/backup/restore'
import { BACKUP_TABLES, tableText } from '../../src/platform/backup/tables'
import { filesOutsideTables } from '../../src/platform/file-store'
import { PASSWORD } from '../support/cast'
import { NOON, testContext } from '../support/context'

const folder = mkdtempSync(join(tmpdir(), 'yardmaster-backup-'))
const at = (name: string) => join(folder, name)
let h: Awaited<ReturnType<typeof testContext>>

beforeAll(async () => {
  h = await testContext()
  await h.ctx.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql`truncate locations, transport_companies restart identity cascade`)
  })
  await seedDemo(h.ctx.db, '2026-03-14')
  // Text that a file format could trip over, deleted records whose ids are not given again, an import with its
  // original.
  await h.cast.ben.put('/transports/5', { notes: 'Tab\there, \\N and "quotes"\nsecond line, ünï → 🚚' })
  await h.cast.ben.delete('/transports/7')
  const last = await h.cast.ben.post('/titles', { unit_number: '100200', location_id: 1 })
  await h.cast.ada.put(`/titles/${(last.body.data as { id: number }).id}`, { dealer_name: 'Valley' })
  await h.cast.ben.upload('titles', 'titles.csv', 'unit_number,location\n100301,PHX\n')
  await h.cast.ada.post('/auth/tokens', { current_password: PASSWORD, name: 'Nightly', scope: 'read' })
  mkdirSync(at('uploads'))
  writeFileSync(at('uploads/.DS_Store'), 'does not belong to the program')
  writeFileSync(at('uploads/3b9f0e5c-original'), 'unit_number,location\n100301,PHX\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Every row of every table that a backup keeps, as text. */
async function contents(database: Database) {
  const all: Record<string, string[]> = {}
  for (const table of BACKUP_TABLES) {
    all[table] = (
      await rows<{ row: string }>(database.db, sql`select to_jsonb(t)::text as row from ${sql.identifier(table)} t`)
    )
      .map(({ row }) => row)
      .sort()
  }
  return all
}

const filesIn = (dataDir: string) => filesOutsideTables({ ...h.ctx.config, dataDir: at(dataDir) }, h.database)

const saved = async (name = 'whole.backup.gz') => {
  if (!existsSync(at(name))) await backUp(h.database, filesIn('.'), at(name), NOON)
  return at(name)
}

async function fresh<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openEmbedded()
  return work(database).finally(() => database.close())
}

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'went through',
    (error: Error) => error.message,
  )

describe('a backup', () => {
  test('restores every row and the uploaded originals', async () => {
    const path = await saved()
    await fresh(async (database) => {
      const summary = await restore(database, at('restored'), path, { overwrite: false })
      expect(summary).toMatchObject({
        made_at: NOON.toISOString(),
        tables: BACKUP_TABLES.length,
        files: ['3b9f0e5c-original'],
      })
      const [before, after] = [await contents(h.database), await contents(database)]
      for (const table of BACKUP_TABLES) expect([table, after[table]]).toEqual([table, before[table] as string[]])
      expect(before.transports?.length).toBeGreaterThan(500)
      expect(readFileSync(at('restored/3b9f0e5c-original'), 'utf8')).toBe(
        readFileSync(at('uploads/3b9f0e5c-original'), 'utf8'),
      )
    })
  })

  test('restores ID sequences so that IDs are never reused', async () => {
    const path = await saved()
    await fresh(async (database) => {
      await restore(database, at('restored'), path, { overwrite: false })
      const next = (db: Database) => rows<{ id: string }>(db.db, sql`select nextval('transports_id_seq')::text as id`)
      expect(await next(database)).toEqual(await next(h.database))
    })
  })

  test('keeps the audit trail append-only and excludes sessions', async () => {
    const path = await saved()
    await fresh(async (database) => {
      await restore(database, at('restored'), path, { overwrite: false })
      expect(await rows(database.db, sql`select count(*)::int as n from sessions`)).toEqual([{ n: 0 }])
      expect(await refusal(database.db.execute(sql`delete from audit_entries`).then(() => {}))).not.toBe('went through')
    })
  })

  test('is consistent during concurrent writes', async () => {
    let isOver = false
    const writing = (async () => {
      for (let n = 0; !isOver; n++)
        await h.cast.ben.post('/titles', { unit_number: String(200_000 + n), location_id: 1 })
    })()
    await backUp(h.database, filesIn('.'), at('busy.backup.gz'), NOON)
    isOver = true
    await writing
    await fresh(async (database) => {
      await restore(database, at('restored'), at('busy.backup.gz'), { overwrite: false })
      const [counts] = await rows(
        database.db,
        sql`select (select count(*)::int from titles t where not exists (select 1 from vehicles v where v.unit_number = t.unit_number)) as strays,
          (select count(*)::int from titles where unit_number like '2%') - (select count(*)::int from audit_entries where entity = 'titles' and changes->'unit_number'->>'new' like '2%') as unlogged`,
      )
      expect(counts).toEqual({ strays: 0, unlogged: 0 })
    })
  })

  test('replaces existing records only with the overwrite option', async () => {
    const path = await saved()
    await fresh(async (database) => {
      await migrate(database.db)
      await database.db.execute(sql`insert into vehicles (unit_number) values ('999999')`)
      expect(await refusal(restore(database, at('restored'), path, { overwrite: false }))).toContain('add --overwrite')
      expect(await rows(database.db, sql`select unit_number from vehicles`)).toEqual([{ unit_number: '999999' }])
      await restore(database, at('restored'), path, { overwrite: true })
      expect(await rows(database.db, sql`select 1 from vehicles where unit_number = '999999'`)).toEqual([])
    })
  })

  test('that is truncated, damaged or from a newer version changes nothing', async () => {
    const whole = readFileSync(await saved())
    const plain = Buffer.from(Bun.gunzipSync(whole))
    const forged = Buffer.from(plain)
    const place = forged.indexOf('Valley')
    forged.write('Galley', place)
    const files: [string, Uint8Array, RegExp][] = [
      ['cut.gz', whole.subarray(0, Math.floor(whole.length * 0.6)), /not a complete backup|cut off/],
      ['short.gz', Bun.gzipSync(plain.subarray(0, plain.length - 40)), /cut off|not whole/],
      ['forged.gz', Bun.gzipSync(forged), /a different checksum/],
      [
        'ids.gz',
        Bun.gzipSync(Buffer.from(plain.toString().replace(/"last_id":\d+/, '"last_id":"1); drop table users; --"'))),
        /is incomplete/,
      ],
      [
        'negative.gz',
        Bun.gzipSync(Buffer.from(plain.toString().replace(/"last_id":\d+/, '"last_id":-5'))),
        /is incomplete/,
      ],
      [
        'line.gz',
        Bun.gzipSync(Buffer.from(plain.toString().replace('Phoenix\t', 'Phoenix\n'))),
        /does not fit|not a backup|not whole/,
      ],
      ['text.gz', Bun.gzipSync(Buffer.from('hello\n')), /not a backup/],
      ['raw.gz', Buffer.from('not even gzip'), /not a complete backup/],
      [
        'newer.gz',
        Bun.gzipSync(
          Buffer.from(
            `${JSON.stringify({ kind: 'head', format: 1, made_at: NOON.toISOString(), yardmaster: '9', migrations: ['9999_future'] })}\n`,
          ),
        ),
        /newer version/,
      ],
    ]
    await fresh(async (database) => {
      await migrate(database.db)
      await database.db.execute(sql`insert into vehicles (unit_number) values ('999999')`)
      for (const [name, bytes, why] of files) {
        writeFileSync(at(name), bytes)
        expect([name, await refusal(restore(database, at('untouched'), at(name), { overwrite: true }))]).toEqual([
          name,
          expect.stringMatching(why),
        ])
        expect([name, await rows(database.db, sql`select unit_number from vehicles`)]).toEqual([
          name,
          [{ unit_number: '999999' }],
        ])
        expect([name, existsSync(at('untouched'))]).toEqual([name, false])
      }
    })
  })

  test('of an older version is migrated on restore', async () => {
    const older = migrations.slice(0, 5).map(({ name }) => name)
    await fresh(async (old) => {
      await old.db.execute(sql`drop schema public cascade`)
      await old.db.execute(sql`create schema public`)
      await old.bulk('write', (bulk) => applyMigrations(bulk.run, older))
      await old.db.execute(sql`insert into users (username, password_hash, role) values ('admin', 'x', 'admin')`)
      await old.db.execute(sql`insert into vehicles (unit_number, current_mileage) values ('100200', 5)`)
      const tables = (
        await rows<{ name: string }>(old.db, sql`select tablename as name from pg_tables where schemaname = 'public'`)
      ).map(({ name }) => name)
      expect(tables).not.toContain('api_tokens')
      await backUp(old, filesIn('none'), at('old.backup.gz'), NOON)
    })
    await fresh(async (database) => {
      await restore(database, at('restored'), at('old.backup.gz'), { overwrite: false })
      expect(await rows(database.db, sql`select unit_number, current_mileage from vehicles`)).toEqual([
        { unit_number: '100200', current_mileage: 5 },
      ])
      expect(await rows(database.db, sql`select count(*)::int as n from api_tokens`)).toEqual([{ n: 0 }])
      expect(await rows(database.db, sql`select count(*)::int as n from schema_migrations`)).toEqual([
        { n: migrations.length },
      ])
    })
  })
})

describe('an untrusted archive', () => {
  const archive = (...lines: object[]) => {
    const path = at('hostile.gz')
    writeFileSync(path, Bun.gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
    return path
  }
  const restored = async (...lines: object[]) => {
    const empty = await openEmbedded(join(folder, `hostile-${lines.length}`))
    try {
      return await restore(empty, at('hostile-uploads'), archive(...lines), { overwrite: true }).then(
        () => 'restored',
        (error) => error.message as string,
      )
    } finally {
      await empty.close()
    }
  }
  const head = { kind: 'head', format: 1, migrations: [], made_at: NOON.toISOString(), yardmaster: '1' }

  test('cannot inject SQL through a table name', async () => {
    const table = "x'; create table pwned (n int) --"
    expect(await restored(head, { kind: 'table', table, columns: ['id'], last_id: null })).toContain(
      'that does not fit this version',
    )
  })
  test('is rejected without migrations or tables', async () => {
    expect(await restored({ kind: 'head', format: 1 })).toContain('is not a backup of Yardmaster')
    const end = { kind: 'end', tables: 0, files: 0 }
    expect(await restored(head, end, end)).toContain('is incomplete')
  })
})

test('file contents are read in queries of limited size, and none is missing', async () => {
  await fresh(async (database) => {
    await migrate(database.db)
    const megabytes = [9, 9, 1, 20, 2, 2]
    for (const [at, size] of megabytes.entries())
      await database.db.execute(
        sql`insert into upload_files (name, content) values (${`file-${at}`}, decode(repeat('ab', ${size * 1024 * 1024}), 'hex'))`,
      )
    const linesPerQuery = await database.bulk('read', async (bulk) => {
      const counts: number[] = []
      for await (const piece of tableText(bulk, 'upload_files'))
        counts.push(piece.reduce((lines, byte) => lines + Number(byte === 10), 0))
      return counts
    })
    expect(linesPerQuery).toEqual([1, 2, 1, 2])
  })
})
