import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Database, rows } from '../../db/client'
import { migrate } from '../../db/migrate'
import { seedDemo } from '../../db/seed'
import { backUp } from '../../src/platform/backup/backup'
import { restore } from '../../src/platform/backup/restore'
import { BACKUP_TABLES } from '../../src/platform/backup/tables'
import { filesOutsideTables } from '../../src/platform/file-store'
import { PASSWORD } from '../support/cast'
import { NOON, testContext } from '../support/context'
import { refusal, withEmbedded } from '../support/embedded'

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
  // Adds text that could break a file format, deleted records whose ids must not be reused, and an import with its
  // file.
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

/** Returns all rows of the tables in a backup, as JSON text by table. */
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

describe('a backup', () => {
  test('restores every row and the uploaded originals, but no sessions', async () => {
    const path = await saved()
    await withEmbedded(async (database) => {
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
      expect(await rows(database.db, sql`select count(*)::int as n from sessions`)).toEqual([{ n: 0 }])
      // Ids of deleted records are not reused, and audit entries still cannot be deleted.
      const next = (db: Database) => rows<{ id: string }>(db.db, sql`select nextval('transports_id_seq')::text as id`)
      expect(await next(database)).toEqual(await next(h.database))
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
    await withEmbedded(async (database) => {
      await restore(database, at('restored'), at('busy.backup.gz'), { overwrite: false })
      const [counts] = await rows(
        database.db,
        sql`select (select count(*)::int from titles t where not exists (select 1 from vehicles v
          where v.unit_number = t.unit_number)) as strays,
          (select count(*)::int from titles where unit_number like '2%') - (select count(*)::int from audit_entries
          where entity = 'titles' and changes->'unit_number'->>'new' like '2%') as unlogged`,
      )
      expect(counts).toEqual({ strays: 0, unlogged: 0 })
    })
  })

  test('replaces existing records only with the overwrite option', async () => {
    const path = await saved()
    await withEmbedded(async (database) => {
      await migrate(database.db)
      await database.db.execute(sql`insert into vehicles (unit_number) values ('999999')`)
      expect(await refusal(restore(database, at('restored'), path, { overwrite: false }))).toContain('add --overwrite')
      expect(await rows(database.db, sql`select unit_number from vehicles`)).toEqual([{ unit_number: '999999' }])
      await restore(database, at('restored'), path, { overwrite: true })
      expect(await rows(database.db, sql`select 1 from vehicles where unit_number = '999999'`)).toEqual([])
    })
  })
})
