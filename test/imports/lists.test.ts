import { beforeEach, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import * as XLSX from 'xlsx'
import { auditEntries, uploads } from '../../db/schema'
import type { UploadStatus } from '../../db/vocabulary'
import { dropFile } from '../../src/platform/file-store'
import { resultMessage } from '../../src/platform/imports/rules'
import { testContext } from '../support/context'

/** What the program shows about imports: rows, counts and lists. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const HEADER = 'unit_number,location,dealer_name'
const titles = (...lines: string[]) => `${[HEADER, ...lines].join('\n')}\n`
const upload = async (content: string, name = 'titles.csv') => (await h.cast.ben.upload('titles', name, content)).body

/** Stores imports of earlier days. */
const keep = (count: number, status: UploadStatus) =>
  h.ctx.db.insert(uploads).values(
    Array.from({ length: count }, (_, n) => ({
      data_type: 'titles' as const,
      file_name: `${status}${n + 1}.csv`,
      file_size: 1,
      status,
      imported: 0,
      failed: 0,
      duplicates: 0,
      message: '',
      validation_errors: [],
    })),
  )
const set = (id: number, values: Partial<typeof uploads.$inferInsert>) =>
  h.ctx.db.update(uploads).set(values).where(eq(uploads.id, id))

test('preview rows are paged in either order, and failed rows keep their original cells', async () => {
  const { id } = await h.cast.ben.begin(
    'titles',
    'titles.csv',
    'unit_number,colour,location,dealer_name\n100001,x,PHX,Valley\nbad,x,Nowhere,\n100003,x,Tempe,Valley\n',
  )
  const rows = async (query: string) =>
    (
      (await h.cast.ben.get(`/files/${id}/rows?${query}`)).body.data as unknown as { row: number; values: object }[]
    ).map(({ row }) => row)
  expect([await rows(''), await rows('order=desc'), await rows('per_page=2&page=2')]).toEqual([
    [2, 3, 4],
    [4, 3, 2],
    [4],
  ])
  expect([await rows('outcome=error'), await rows('outcome=create&order=desc')]).toEqual([[3], [4, 2]])
  const [failed] = (await h.cast.ben.get(`/files/${id}/rows?outcome=error`)).body.data as unknown as {
    values: object
  }[]
  expect(failed?.values).toEqual({ unit_number: 'bad', location: 'Nowhere', dealer_name: null })
})

test('the workbook contains every failed row in file order', async () => {
  const count = 1001
  const body = await upload(titles(...Array.from({ length: count }, (_, n) => `x${n},PHX,`)))
  expect(body).toMatchObject({ imported: 0, updated: 0, failed: count, duplicates: 0 })
  const { id } = body.data as { id: number }
  const headers = { authorization: `Bearer ${await h.cast.ben.token()}` }
  const answer = await h.cast.ben.request(`/api/files/${id}/failed.xlsx`, { headers })
  const lines = XLSX.utils.sheet_to_json<string[]>(
    Object.values(XLSX.read(await answer.arrayBuffer()).Sheets)[0] as XLSX.WorkSheet,
    { header: 1 },
  )
  expect(lines.slice(1).map(([unit]) => unit)).toEqual(Array.from({ length: count }, (_, n) => `x${n}`))
  const page = await h.cast.ben.open(`/files/imports/${id}`)
  expect(page.find('.errors-box li').length).toBe(500)
  expect(page.text).toContain('Showing the first 500 of 1,001')
})

test('the result message counts rows with correct plurals', () => {
  const message = (imported: number, updated: number, failed: number, duplicates: number) =>
    resultMessage({ imported, updated, failed, duplicates })
  expect(message(0, 0, 0, 0)).toBe('0 records imported')
  expect(message(1, 0, 0, 1)).toBe('1 record imported, 1 duplicate skipped')
  expect(message(2, 3, 4, 2)).toBe('2 records imported, 3 updated, 4 failed, 2 duplicates skipped')
})

test('open imports are limited to 100 and finished ones to ten, newest first', async () => {
  await keep(101, 'ready')
  await keep(11, 'done')
  const open = (await h.cast.ben.get('/files/imports')).body.data as unknown as { file_name: string }[]
  expect(open.map(({ file_name }) => file_name)).toEqual(Array.from({ length: 100 }, (_, n) => `ready${101 - n}.csv`))
  const page = await h.cast.ben.open('/files/upload')
  const done = [...page.html.matchAll(/>(done\d+\.csv)</g)].map(([, name]) => name)
  expect(done).toEqual(Array.from({ length: 10 }, (_, n) => `done${11 - n}.csv`))
  expect([page.text.includes('Page 1 of 2'), page.html.includes('page=2#upload-history')]).toEqual([true, true])
  const older = await h.cast.ben.open('/files/upload?page=2')
  expect([older.html.match(/done\d+\.csv(?=<)/g), older.text.includes('Newer uploads')]).toEqual([['done1.csv'], true])
  expect((await h.cast.ben.get('/files/stats')).body.data).toMatchObject([{ data_type: 'titles', uploads: 11 }])
})

test('the upload history shows finished imports and filters by kind', async () => {
  await keep(2, 'done')
  await keep(1, 'ready')
  await set(2, { data_type: 'osl' })
  const names = async (query: string) =>
    ((await h.cast.ben.get(`/files/history?${query}`)).body.data as unknown as { file_name: string }[]).map(
      ({ file_name }) => file_name,
    )
  expect([await names(''), await names('order=asc'), await names('data_type=osl'), await names('q=E1')]).toEqual([
    ['done2.csv', 'done1.csv'],
    ['done1.csv', 'done2.csv'],
    ['done2.csv'],
    ['done1.csv'],
  ])
  expect((await h.cast.ben.get('/files/history?data_type=cars')).status).toBe(422)
})

test('only administrators are offered ways to create missing names', async () => {
  const { ada, ben } = h.cast
  const words = async (who: typeof ada) => (await who.open('/files/upload')).text
  expect(await words(ada)).toContain('Copper State Transport. Add locations and companies under Manage Locations')
  expect(await words(ben)).toContain('Copper State Transport. An administrator can add locations and companies')
  const { id } = await ben.begin('titles', 'titles.csv', titles('100001,Yuma,'))
  const choices = async (who: typeof ada) =>
    (await who.open(`/files/imports/${id}`)).find('select[name="choice.0"] option')
  expect((await choices(ada))[1]).toBe('Create “Yuma” as a hub with the import')
  expect((await choices(ben)).join()).not.toContain('Create')
  const refused = await ben.submit('/files/upload', { data_type: 'osl' })
  expect([refused.status, refused.find('[role=alert]')]).toEqual([422, ['Please choose a file']])
  expect(refused.html).toContain('&quot;dataType&quot;:&quot;osl&quot;')
  for (const [query, type] of [
    ['?data_type=titles', 'titles'],
    ['?data_type=cars', ''],
  ])
    expect((await ben.open(`/files/upload${query}`)).html).toContain(`&quot;dataType&quot;:&quot;${type}&quot;`)
})

test('uploads are limited in size, and long file names are shortened', async () => {
  const content = titles('100001,PHX,Valley')
  h = await testContext({ maxUploadBytes: content.length })
  const long = `${'x'.repeat(252)}.csv`
  expect(await h.cast.ben.begin('titles', long.slice(1), content)).toMatchObject({
    imported: 1,
    file_name: long.slice(1),
  })
  expect(await h.cast.ben.begin('titles', long, content)).toMatchObject({ file_name: long.slice(1) })
  const { status } = await h.cast.ben.upload('titles', 'titles.csv', `${content} `)
  expect(status).toBe(413)
  h = await testContext({ maxUploadBytes: 3 * 1024 * 1024 })
  const large = await h.cast.ben.upload('titles', 'titles.csv', 'x'.repeat(3 * 1024 * 1024 + 1))
  expect([large.status, large.body.message]).toEqual([413, 'The file is larger than 3 MB'])
})

test('an unreadable import counts no rows, and a missing original returns 404', async () => {
  const refused = await h.cast.ben.begin('titles', 'titles.csv', '')
  expect(refused).toMatchObject({ status: 'refused', imported: 0, updated: 0, failed: 0, duplicates: 0 })
  expect((await h.cast.ben.get(`/files/${refused.id}/original`)).status).toBe(200)
  const [stored] = await h.ctx.db.select({ as: uploads.stored_as }).from(uploads)
  await dropFile(h.ctx, stored?.as ?? null)
  for (const [id, message] of [
    [refused.id, 'Original file not found'],
    [999, 'Upload not found'],
  ] as const) {
    const { status, body } = await h.cast.ben.get(`/files/${id}/original`)
    expect([status, body.message]).toEqual([404, message])
  }
})

test('undo and cancel depend on the status of the import', async () => {
  const { id } = await h.cast.ben.begin('titles', 'titles.csv', titles('100001,PHX,Valley'))
  const undo = async () => (await h.cast.ben.post(`/files/${id}/undo`)).body.message
  expect(await undo()).toBe('There is nothing to undo')
  for (const [status, message] of [
    ['undoing', 'This import has already been undone'],
    ['undone', 'This import has already been undone'],
    ['cancelled', 'There is nothing to undo'],
  ] as const) {
    await set(id, { status })
    expect([status, await undo()]).toEqual([status, message])
    expect((await h.cast.ben.post(`/files/${id}/cancel`)).status).toBe(409)
  }
  // No runner works on this import, so the cancellation is only stored, and only once.
  await set(id, { status: 'writing' })
  for (let time = 0; time < 2; time++) expect((await h.cast.ben.post(`/files/${id}/cancel`)).status).toBe(200)
  const [cancelled] = await h.ctx.db.select().from(uploads)
  const trail = await h.ctx.db
    .select({ changes: auditEntries.changes })
    .from(auditEntries)
    .where(sql`entity = 'uploads' and action = 'update'`)
  expect([cancelled?.is_cancelled, trail]).toEqual([true, [{ changes: { is_cancelled: { old: false, new: true } } }]])
})

test('the own unfinished imports come first, so that other users cannot hide them', async () => {
  const { id } = await h.cast.ben.begin('titles', 'own.csv', 'unit_number,location\n100200,Phoenix\n')
  await h.ctx.db.execute(sql`insert into uploads (data_type, file_name, file_size, status, created_by, imported, failed,
    duplicates, message, validation_errors) select 'titles', 'x.csv', 1, 'ready', 'ada', 0, 0, 0, '', '[]'
    from generate_series(1, 120)`)
  const { data, meta } = (await h.cast.ben.get('/files/imports')).body
  expect([(data as unknown as { id: number }[])[0]?.id, (data as unknown as unknown[]).length]).toEqual([id, 100])
  expect(meta).toMatchObject({ total: 121, per_page: 100 })
  const second = (await h.cast.ben.get('/files/imports?page=2')).body
  expect(second.meta).toMatchObject({ total: 121, page: 2 })
})
