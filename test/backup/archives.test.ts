import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { applyMigrations, migrate, migrations } from '../../db/migrate'
import { backUp } from '../../src/platform/backup/backup'
import { restore } from '../../src/platform/backup/restore'
import { tableText } from '../../src/platform/backup/tables'
import { NOON, testContext } from '../support/context'
import { refusal, withEmbedded } from '../support/embedded'

const folder = mkdtempSync(join(tmpdir(), 'yardmaster-backup-'))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function* noFiles() {}

describe('a backup file', () => {
  test('that is truncated, damaged or from a newer version changes nothing', async () => {
    const h = await testContext()
    const { body } = await h.cast.ben.post('/titles', { unit_number: '100200', location_id: h.cast.phoenix })
    await h.cast.ben.put(`/titles/${(body.data as { id: number }).id}`, { dealer_name: 'Valley' })
    await backUp(h.database, noFiles(), at('whole.gz'), NOON)
    const whole = readFileSync(at('whole.gz'))
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
        /does not match|not a backup|not whole/,
      ],
      ['text.gz', Bun.gzipSync(Buffer.from('hello\n')), /not a backup/],
      ['raw.gz', Buffer.from('not even gzip'), /not a complete backup/],
      [
        'newer.gz',
        Bun.gzipSync(
          Buffer.from(
            `${JSON.stringify({
              kind: 'head',
              format: 1,
              made_at: NOON.toISOString(),
              yardmaster: '9',
              migrations: ['9999_future'],
            })}\n`,
          ),
        ),
        /newer version/,
      ],
    ]
    await withEmbedded(async (database) => {
      await migrate(database.db)
      await database.db.execute(sql`update company_settings set company_name = 'Unchanged'`)
      const refuse = async ([name, bytes, why]: (typeof files)[number]) => {
        writeFileSync(at(name), bytes)
        expect([name, await refusal(restore(database, at('untouched'), at(name), { overwrite: true }))]).toEqual([
          name,
          expect.stringMatching(why),
        ])
        expect([name, await rows(database.db, sql`select company_name from company_settings`)]).toEqual([
          name,
          [{ company_name: 'Unchanged' }],
        ])
        expect([name, existsSync(at('untouched'))]).toEqual([name, false])
      }
      for (const file of files) await refuse(file)
      // Only one file is tried on a database with records, because a restore drops its tables, which takes seconds.
      await database.db.execute(sql`insert into vehicles (unit_number) values ('999999')`)
      await refuse(files.find(([name]) => name === 'forged.gz')!)
      expect(await rows(database.db, sql`select unit_number from vehicles`)).toEqual([{ unit_number: '999999' }])
    })
  })

  test('of an older version is migrated on restore', async () => {
    const older = migrations.slice(0, 5).map(({ name }) => name)
    await withEmbedded(async (old) => {
      await old.db.execute(sql`drop schema public cascade`)
      await old.db.execute(sql`create schema public`)
      await old.bulk('write', (bulk) => applyMigrations(bulk.run, older))
      await old.db.execute(sql`insert into users (username, password_hash, role) values ('admin', 'x', 'admin')`)
      await old.db.execute(sql`insert into vehicles (unit_number, current_mileage) values ('100200', 5)`)
      const tables = (
        await rows<{ name: string }>(old.db, sql`select tablename as name from pg_tables where schemaname = 'public'`)
      ).map(({ name }) => name)
      expect(tables).not.toContain('api_tokens')
      await backUp(old, noFiles(), at('old.backup.gz'), NOON)
    })
    await withEmbedded(async (database) => {
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
    return withEmbedded((empty) =>
      refusal(restore(empty, at('hostile-uploads'), archive(...lines), { overwrite: true })),
    )
  }
  const head = { kind: 'head', format: 1, migrations: [], made_at: NOON.toISOString(), yardmaster: '1' }

  test('cannot inject SQL through a table name', async () => {
    const table = "x'; create table pwned (n int) --"
    expect(await restored(head, { kind: 'table', table, columns: ['id'], last_id: null })).toContain(
      'that does not match this version',
    )
  })
  test('is rejected without migrations or tables', async () => {
    expect(await restored({ kind: 'head', format: 1 })).toContain('is not a backup of Yardmaster')
    const end = { kind: 'end', tables: 0, files: 0 }
    expect(await restored(head, end, end)).toContain('is incomplete')
  })
})

test('file contents are read in queries of limited size, and none is missing', async () => {
  await withEmbedded(async (database) => {
    await migrate(database.db)
    const megabytes = [9, 9, 1, 20, 2, 2]
    for (const [at, size] of megabytes.entries())
      await database.db.execute(
        sql`insert into upload_files (name, content)
          values (${`file-${at}`}, decode(repeat('ab', ${size * 1024 * 1024}), 'hex'))`,
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
