import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { BlobReader, BlobWriter, type Entry, TextReader, TextWriter, ZipReader, ZipWriter } from '@zip.js/zip.js'
import { eq, sql } from 'drizzle-orm'
import { type Database, rows } from '../../db/client'
import { migrate } from '../../db/migrate'
import { externalIdentities, users } from '../../db/schema'
import { seedDemo } from '../../db/seed'
import { exportAll } from '../../src/platform/backup/export'
import { EXPORTED_ROWS, EXPORTED_TABLES, NOT_EXPORTED } from '../../src/platform/backup/export-tables'
import { loadExport } from '../../src/platform/backup/load-export'
import { BACKUP_TABLES } from '../../src/platform/backup/tables'
import { dropFile, readStored, uploadsFolder } from '../../src/platform/file-store'
import { openStored } from '../../src/platform/stored-download'
import { PASSWORD } from '../support/cast'
import { NOON, testContext } from '../support/context'
import { refusal, withEmbedded } from '../support/embedded'
import type { Visitor } from '../support/visitor'

const folder = mkdtempSync(join(tmpdir(), 'yardmaster-export-'))
const at = (name: string) => join(folder, name)
let h: Awaited<ReturnType<typeof testContext>>

const PDF = '%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n'
const NOTES = 'Tab\there, \\N and "quotes"\r\nsecond line, ünï → 🚚; \'apostrophe'

const signed = async (user: Visitor, path: string, init: RequestInit = {}) =>
  user.request(path, { ...init, headers: { authorization: `Bearer ${await user.token()}` } })

const attachBill = async (path: string) => {
  const form = new FormData()
  form.set('file', new File([PDF], 'bill: "May".pdf'))
  form.set('title', '@home')
  await signed(h.cast.ben, `/api/${path}/documents`, { method: 'POST', body: form })
}

beforeAll(async () => {
  h = await testContext()
  await h.cast.ben.post('/titles', { unit_number: '100200', location_id: 1, notes: "'=2" })
  await attachBill('titles/1')
  const [ben] = await h.ctx.db.update(users).set({ single_sign_on: true }).where(eq(users.username, 'ben')).returning()
  await h.ctx.db
    .insert(externalIdentities)
    .values({ user_id: Number(ben?.id), issuer: 'https://a.test', subject: 'u-1' })
  await exportAll(h.ctx, at('small.zip'), NOON)
  h = await testContext()
  await h.ctx.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql`truncate locations, transport_companies restart identity cascade`)
  })
  await seedDemo(h.ctx.db, '2026-03-14')
  await h.cast.ben.put('/transports/5', { notes: NOTES })
  // Longer than a chunk of the file, so that a chunk begins within a multi-byte character.
  await h.ctx.db.execute(sql`update titles set notes = repeat('é🚚＝"x", ', 200)`)
  await h.cast.ben.put('/transports/6', { notes: '=1+1', external_id: '-7' })
  await h.cast.ben.delete('/transports/7')
  await h.cast.ben.post('/titles', { unit_number: '100200', location_id: 1, notes: "'=2" })
  await h.cast.ben.upload('titles', 'titles.csv', 'unit_number,location\n100301,PHX\n')
  await h.cast.ada.post('/auth/tokens', { current_password: PASSWORD, name: 'Nightly', scope: 'read' })
  await h.cast.ada.post('/locations/2/merge', { into_id: 3 })
  await h.cast.ada.post('/webhooks', { url: 'https://example.com/hook?key=HOOKKEY', events: ['*'] })
  await attachBill('transports/5')
  await exportAll(h.ctx, at('whole.zip'), NOON)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function entriesOf(path: string): Promise<Extract<Entry, { directory: false }>[]> {
  const entries = await new ZipReader(new BlobReader(new Blob([readFileSync(path)]))).getEntries()
  return entries.filter((entry) => !entry.directory) as Extract<Entry, { directory: false }>[]
}

const DOCUMENT = 'documents/1-bill_ %22May%22.pdf'

/**
 * Writes a copy of the small export with one part changed. Returns its path.
 * `change` returns the new text of the part, or null to leave the part out.
 */
async function changed(name: string, part: string, change: (text: string) => string | null): Promise<string> {
  const zip = new ZipWriter(new BlobWriter())
  for (const entry of await entriesOf(at('small.zip'))) {
    const text = await entry.getData(new TextWriter())
    const content = entry.filename === part ? change(text) : text
    if (content !== null) await zip.add(entry.filename, new TextReader(content))
  }
  writeFileSync(at(name), new Uint8Array(await (await zip.close()).arrayBuffer()))
  return at(name)
}

/** Every row of the exported tables, without the columns that an export leaves out. */
async function contents(database: Database) {
  const all: Record<string, string[]> = {}
  for (const [table, leftOut] of Object.entries(EXPORTED_TABLES)) {
    const found = await rows<{ row: Record<string, unknown> }>(
      database.db,
      sql`select to_jsonb(t) as row from ${sql.identifier(table)} t where ${sql.raw(EXPORTED_ROWS[table] ?? 'true')}`,
    )
    for (const { row } of found) for (const column of leftOut) delete row[column]
    all[table] = found.map(({ row }) => JSON.stringify(row)).sort()
  }
  return all
}

const storageOf = (database: Database) => ({
  config: { ...h.ctx.config, dataDir: at('other'), s3Url: null },
  database,
  db: database.db,
})

test('a stored name that leads out of the uploads folder is not read and not deleted', async () => {
  const storage = storageOf(h.database)
  const outside = join(folder, 'outside.txt')
  writeFileSync(outside, 'private')
  const name = relative(uploadsFolder(storage.config), outside)
  for (const read of [readStored(storage, name), openStored(storage, name)])
    expect(await refusal(read)).toBe('Original file not found')
  await dropFile(storage, name)
  expect(existsSync(outside)).toBe(true)
})

test.each(['with links', 'without links'])(
  'after an export %s, an account has single sign-on only with its link',
  async (kind) => {
    const hasLinks = kind === 'with links'
    const path = hasLinks
      ? at('small.zip')
      : await changed('unlinked.zip', 'export.json', (text) => {
          const head = JSON.parse(text)
          head.tables = head.tables.filter(({ table }: { table: string }) => table !== 'external_identities')
          return JSON.stringify(head)
        })
    await withEmbedded(async (database) => {
      await loadExport(storageOf(database), path)
      const [found] = await rows<Record<string, unknown>>(
        database.db,
        sql`select u.single_sign_on, i.subject from users u left join external_identities i on i.user_id = u.id
        where u.username = 'ben'`,
      )
      expect(found).toEqual({ single_sign_on: hasLinks, subject: hasLinks ? 'u-1' : null })
    })
  },
)

describe('a full export', () => {
  test('covers every table of a backup', () => {
    const tableNames = [...Object.keys(EXPORTED_TABLES), ...Object.values(NOT_EXPORTED).flat()]
    expect(tableNames.sort()).toEqual(BACKUP_TABLES.toSorted())
  })

  test('contains CSV files, documents and no secrets', async () => {
    const entries = await entriesOf(at('whole.zip'))
    const texts = Object.fromEntries(
      await Promise.all(entries.map(async (entry) => [entry.filename, await entry.getData(new TextWriter())])),
    )
    expect(Object.keys(texts)).toContain(DOCUMENT)
    expect(texts[DOCUMENT]).toBe(PDF)
    expect(texts['tables/locations.csv']).toStartWith('id,location_code,location_name')
    expect(texts['tables/transports.csv']).toContain("'=1+1")
    const [{ hash }] = (await rows<{ hash: string }>(
      h.ctx.db,
      sql`select password_hash as hash from users where username = 'ada'`,
    )) as [{ hash: string }]
    expect(Object.values(texts).join('\n')).not.toContain(hash)
    for (const secret of ['Nightly,', 'HOOKKEY']) expect(Object.values(texts).join('\n')).not.toContain(secret)
  })

  test('loads into an empty installation with every row, id and document', async () => {
    await withEmbedded(async (database) => {
      await migrate(database.db)
      const loaded = await loadExport(storageOf(database), at('whole.zip'))
      expect(loaded).toMatchObject({ tables: Object.keys(EXPORTED_TABLES).length, documents: 1 })
      expect(await contents(database)).toEqual(await contents(h.database))
      const [document] = await rows<{ stored_as: string }>(database.db, sql`select stored_as from documents`)
      expect(new TextDecoder().decode(await readStored(storageOf(database), document?.stored_as ?? null))).toBe(PDF)
      const [next] = await rows<{ id: number }>(
        database.db,
        sql`insert into transport_companies (company_name) values ('New') returning id`,
      )
      const [last] = await rows<{ id: number }>(
        h.ctx.db,
        sql`select last_value::int as id from transport_companies_id_seq`,
      )
      expect(next?.id).toBe(Number(last?.id) + 1)
      expect(await refusal(loadExport(storageOf(database), at('whole.zip')))).toMatch(/There are records/)
    })
  })

  test('that was changed or is damaged changes nothing', async () => {
    const files: [string, RegExp][] = [
      [await changed('forged.zip', 'tables/titles.csv', (text) => text.replace("''=2", "''=3")), /was changed: the/],
      [
        await changed('short.zip', 'tables/titles.csv', (text) => text.split('\r\n').slice(0, 1).join('\r\n')),
        /was changed/,
      ],
      [await changed('junk.zip', 'tables/titles.csv', () => 'a,b\r\n1,2\r\n'), /was changed/],
      [
        await changed('headings.zip', 'tables/locations.csv', (text) => text.replace('location_code', 'location_name')),
        /the headings of tables\/locations.csv differ/,
      ],
      [await changed('paper.zip', DOCUMENT, () => 'something else'), /is missing or different/],
      [await changed('lost.zip', DOCUMENT, () => null), /is missing or different/],
      [
        await changed('twice.zip', 'export.json', (text) => text.replace(/"table": "users"/, '"table": "titles"')),
        /is not an export/,
      ],
      [
        await changed('negative.zip', 'export.json', (text) => text.replace(/"last_id": \d+/, '"last_id": -5')),
        /is not an export/,
      ],
      [
        await changed('fewer.zip', 'export.json', (text) => {
          const head = JSON.parse(text)
          head.tables = head.tables.filter(({ table }: { table: string }) => table !== 'users')
          return JSON.stringify(head)
        }),
        /the table users is missing/,
      ],
      [
        await changed('unlisted.zip', 'export.json', (text) => JSON.stringify({ ...JSON.parse(text), files: {} })),
        /documents\/1-.* is missing/,
      ],
      [await changed('headless.zip', 'export.json', () => '{}'), /is not an export/],
      [
        await changed('names.zip', 'export.json', (text) =>
          text.replace('"dealer_name"', '"dealer_name\\" from x; --"'),
        ),
        /does not match/,
      ],
      [
        await changed('foreign.zip', 'export.json', (text) => {
          const head = JSON.parse(text)
          return JSON.stringify({ ...head, tables: [...head.tables, { ...head.tables[0], table: 'pg_class' }] })
        }),
        /does not match/,
      ],
      [
        // An import must refuse `stored_as`, which could name a file outside the data folder.
        await changed('stored.zip', 'export.json', (text) => {
          const head = JSON.parse(text)
          const documents = head.tables.find(({ table }: { table: string }) => table === 'documents')
          documents.columns.push('stored_as')
          return JSON.stringify(head)
        }),
        /a table documents that does not match/,
      ],
      [at('text.zip'), /is not an export/],
      [at('cut.zip'), /is not an export/],
      [at('flipped.zip'), /is damaged or was changed/],
      [at('crc.zip'), /is damaged or was changed/],
    ]
    writeFileSync(at('text.zip'), 'hello')
    writeFileSync(at('cut.zip'), readFileSync(at('small.zip')).subarray(0, 5000))
    const bytes = readFileSync(at('small.zip'))
    const table = (await entriesOf(at('small.zip'))).find(({ filename }) => filename === 'tables/locations.csv')
    const start = table?.offset ?? 0
    // The data of a part follow a header of 30 bytes, the file name and an extra field.
    const headerLength = 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28)
    const middle = start + headerLength + Math.round((table?.compressedSize ?? 0) / 2)
    bytes[middle] = (bytes[middle] ?? 0) ^ 0xff
    writeFileSync(at('flipped.zip'), bytes)
    // In the directory of the file, the CRC-32 of a part stands 30 bytes before its name.
    const withWrongCrc = readFileSync(at('small.zip'))
    const crc = withWrongCrc.lastIndexOf('tables/locations.csv') - 30
    withWrongCrc.writeUInt32LE(1, crc)
    writeFileSync(at('crc.zip'), withWrongCrc)
    await withEmbedded(async (database) => {
      await migrate(database.db)
      const before = await contents(database)
      for (const [path, reason] of files) expect(await refusal(loadExport(storageOf(database), path))).toMatch(reason)
      expect(await contents(database)).toEqual(before)
    })
  })

  test('of a version without the stays of invoice lines gets them when it is loaded', async () => {
    await h.ctx.db.execute(sql`insert into vendors (vendor_name) values ('Old Yard')`)
    await h.ctx.db.execute(sql`insert into osl_entries (unit_number, osl_date, location_id, problem, status)
      values ('100200', '2026-02-01', 1, 'Transmission slips', 'Completed')`)
    await h.ctx.db.execute(sql`insert into vendor_invoices (vendor_id, number, start_date, end_date)
      select max(id), 'OLD-1', '2026-02-01', '2026-02-28' from vendors`)
    await h.ctx.db.execute(sql`insert into vendor_invoice_lines (invoice_id, unit_number, osl_id, amount, expected,
      status)
      select (select max(id) from vendor_invoices), '100200', max(id), 10, 10, 'matched' from osl_entries`)
    const columns = EXPORTED_TABLES.vendor_invoice_lines as string[]
    columns.push('osl_ids', 'billed_on', 'billed_days')
    await exportAll(h.ctx, at('older.zip'), NOON)
    columns.length = 0
    await withEmbedded(async (database) => {
      await migrate(database.db)
      await loadExport(storageOf(database), at('older.zip'))
      const lines = await rows(
        database.db,
        sql`select osl_ids = array[osl_id] as is_filled from vendor_invoice_lines
        where osl_id is not null`,
      )
      expect(lines.length).toBeGreaterThan(0)
      expect(lines).toEqual(lines.map(() => ({ is_filled: true })))
    })
  })

  test('with a last id that is too low is loaded, and new records get new ids', async () => {
    const path = await changed('low.zip', 'export.json', (text) => text.replace(/"last_id": \d+/g, '"last_id": 0'))
    await withEmbedded(async (database) => {
      await migrate(database.db)
      await loadExport(storageOf(database), path)
      const [highest] = await rows<{ id: number }>(database.db, sql`select max(id) as id from locations`)
      const [next] = await rows<{ id: number }>(database.db, sql`select nextval('locations_id_seq')::int as id`)
      expect(next?.id).toBe(Number(highest?.id) + 1)
    })
  })

  test('names documents whose content is missing, and can be loaded without them', async () => {
    const [{ stored_as }] = (await rows(h.ctx.db, sql`select stored_as from documents`)) as [{ stored_as: string }]
    await h.ctx.db.execute(sql`update documents set stored_as = 'gone'`)
    const { missing, documents } = await exportAll(h.ctx, at('gone.zip'), NOON)
    await h.ctx.db.execute(sql`update documents set stored_as = ${stored_as}`)
    expect([missing, documents]).toEqual([[DOCUMENT], 0])
    await withEmbedded(async (database) => {
      await migrate(database.db)
      expect(await loadExport(storageOf(database), at('gone.zip'))).toMatchObject({ documents: 0 })
    })
  })

  test('is a download for administrators that leaves no file behind', async () => {
    const unfinished = join(h.ctx.config.dataDir, 'exports')
    const files = () => (existsSync(unfinished) ? readdirSync(unfinished).sort() : [])
    // Other tests of this process may have left downloads that they did not read.
    const earlier = files()
    expect((await h.cast.ben.get('/export')).status).toBe(403)
    const response = await signed(h.cast.ada, '/api/export')
    expect(response.headers.get('content-disposition')).toMatch(/yardmaster_\d{4}-\d\d-\d\d\.zip/)
    writeFileSync(at('downloaded.zip'), new Uint8Array(await response.arrayBuffer()))
    expect((await entriesOf(at('downloaded.zip'))).length).toBe((await entriesOf(at('whole.zip'))).length)
    const abandoned = await signed(h.cast.ada, '/api/export')
    await abandoned.body?.cancel()
    expect(files()).toEqual(earlier)
  })

  test('ends when the client has left, and leaves no file behind', async () => {
    const left = new AbortController()
    const { database } = h
    const bulk: typeof database.bulk = (mode, work) =>
      database.bulk(mode, (bulk) => {
        left.abort(new Error('The client has left'))
        return work(bulk)
      })
    const end = await exportAll({ ...h.ctx, database: { ...database, bulk } }, at('left.zip'), NOON, left.signal).then(
      () => 'finished',
      (error) => error.message,
    )
    expect(end).toBe('The client has left')
    expect([existsSync(at('left.zip')), existsSync(at('left.zip.partial'))]).toEqual([false, false])
    expect((await h.cast.ben.get('/locations')).status).toBe(200)
  })

  test('can be loaded if a document was deleted while it was made', async () => {
    const { database } = h
    const bulk: typeof database.bulk = async (mode, work) => {
      const result = await database.bulk(mode, work)
      const deleted = await rows<{ stored_as: string | null }>(h.ctx.db, sql`delete from documents returning stored_as`)
      for (const { stored_as } of deleted) if (stored_as) await dropFile(h.ctx, stored_as)
      return result
    }
    const { missing } = await exportAll({ ...h.ctx, database: { ...database, bulk } }, at('retained.zip'), NOON)
    expect(missing).toEqual([DOCUMENT])
    await withEmbedded(async (database) => {
      await migrate(database.db)
      expect(await loadExport(storageOf(database), at('retained.zip'))).toMatchObject({ documents: 0 })
    })
  })
})
