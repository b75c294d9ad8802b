import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentContents, documents, uploadFiles } from '../../db/schema'
import { readConfig } from '../../src/app/config'
import { filesOutsideTables, keepFile, readStored } from '../../src/platform/file-store'
import { testContext } from '../support/context'
import { startS3 } from '../support/s3-server'

const PDF = '%PDF-1.4\n%a title\n'
let s3: Awaited<ReturnType<typeof startS3>>
let h: Awaited<ReturnType<typeof testContext>>
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(() => s3.stop())
beforeEach(async () => {
  // Each instance has a folder of its own, which stays empty.
  h = await testContext({ s3Url: s3.url, dataDir: mkdtempSync(join(tmpdir(), 'yardmaster-own-')) })
  await h.cast.ben.post('/titles', { unit_number: '100200', location_id: h.cast.phoenix })
})

async function addDocument() {
  const body = new FormData()
  body.set('file', new File([PDF], 'title.pdf'))
  const headers = { authorization: `Bearer ${await h.cast.ben.token()}` }
  return h.cast.ben.request('/api/titles/1/documents', { method: 'POST', body, headers })
}
const download = async () =>
  (
    await h.cast.ben.request('/api/documents/1', { headers: { authorization: `Bearer ${await h.cast.ben.token()}` } })
  ).text()

test('documents and uploaded files are stored in the bucket instead of the database', async () => {
  const made = await addDocument()
  expect(made.status).toBe(201)
  expect(Object.keys(((await made.json()) as { data: object }).data)).not.toContain('stored_as')
  expect(await download()).toBe(PDF)
  const name = await keepFile(h.ctx, new TextEncoder().encode('unit_number,location\n100300,PHX\n'))
  expect([await h.ctx.db.$count(documentContents), await h.ctx.db.$count(uploadFiles)]).toEqual([0, 0])
  expect(new TextDecoder().decode(await readStored(h.ctx, name))).toContain('100300')
})

test('a bucket that is away gives 503, and no document', async () => {
  h = await testContext({ s3Url: 'http://key:secret@127.0.0.1:9/yard' })
  await h.cast.ben.post('/titles', { unit_number: '100200', location_id: h.cast.phoenix })
  const { status } = await addDocument()
  expect([status, await h.ctx.db.$count(documents)]).toEqual([503, 0])
})

test('a backup contains the files of the bucket, and they are read from the folder after a restore', async () => {
  await addDocument()
  const files = await Array.fromAsync(filesOutsideTables(h.ctx.config, h.database))
  const [document] = await h.ctx.db.select({ as: documents.stored_as }).from(documents)
  expect(files.map(({ name, content }) => [name, new TextDecoder().decode(content)])).toEqual([
    [document?.as as string, PDF],
  ])
  const dataDir = mkdtempSync(join(tmpdir(), 'yardmaster-restored-'))
  await Bun.write(join(dataDir, 'uploads', document?.as as string), files[0]?.content as Uint8Array)
  const restored = { ...h.ctx, config: { ...h.ctx.config, s3Url: null, dataDir } }
  expect(new TextDecoder().decode(await readStored(restored, document?.as ?? null))).toBe(PDF)
})

test('an address of a bucket needs keys, a bucket and encryption', () => {
  const read = (S3_URL: string) => {
    try {
      return readConfig({ S3_URL }).s3Url
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(read('https://key:secret@s3.example.com/bucket?region=eu-central-1')).toContain('bucket')
  for (const url of [
    'https://s3.example.com/bucket',
    'https://key:secret@s3.example.com/',
    'http://k:s@s3.example.com/b',
  ])
    expect(read(url)).toBe('S3_URL must be https://KEY:SECRET@HOST/BUCKET (http:// only on this machine)')
})
