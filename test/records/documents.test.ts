import { beforeEach, describe, expect, test } from 'bun:test'
import { documentContents, documents, uploadFiles } from '../../db/schema'
import { openStored } from '../../src/platform/stored-download'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const PDF = Buffer.from(
  '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
  'latin1',
)

type Document = {
  id: number
  title: string | null
  file_name: string
  media_type: string
  size: number
  version: number
}

async function add(path: string, content: Uint8Array | string, name = 'photo.png', title?: string) {
  const body = new FormData()
  body.set('file', new File([content as BlobPart], name))
  if (title !== undefined) body.set('title', title)
  const response = await h.cast.ben.request(`/api${path}/documents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await h.cast.ben.token()}` },
    body,
  })
  return { status: response.status, body: (await response.json()) as { data: Document; errors?: { field: string }[] } }
}
const download = async (id: number, query = '') =>
  h.cast.ben.request(`/api/documents/${id}${query}`, {
    headers: { authorization: `Bearer ${await h.cast.ben.token()}` },
  })
const title = async () =>
  (await h.cast.ben.post('/titles', { unit_number: '100200', location_id: h.cast.mesa })).body.data as { id: number }
/** Creates an invoice of a new vendor. */
async function invoice() {
  const vendor = (await h.cast.ada.post('/vendors', { vendor_name: 'Yard', vendor_type: 'Towing' })).body.data
  const period = { number: 'A1', start_date: '2026-03-01', end_date: '2026-03-10' }
  const lines = [{ unit_number: '100200', amount: 35 }]
  const made = await h.cast.ada.post(`/vendors/${(vendor as { id: number }).id}/invoices`, { ...period, lines })
  return (made.body.data as { id: number }).id
}
const listed = async (path: string) => (await h.cast.ben.get(`${path}/documents`)).body.data as Document[]

describe('Documents', () => {
  test('are added to a record, listed and downloaded as they were', async () => {
    const { id } = await title()
    const photo = await add(`/titles/${id}`, PNG, 'front “left”.png', 'Front')
    expect([photo.status, photo.body.data]).toMatchObject([
      201,
      { title: 'Front', file_name: 'front “left”.png', media_type: 'image/png', size: PNG.length },
    ])
    await add(`/titles/${id}`, PDF, 'title.pdf')
    expect((await listed(`/titles/${id}`)).map(({ media_type }) => media_type)).toEqual([
      'application/pdf',
      'image/png',
    ])
    const file = await download(photo.body.data.id)
    expect(Buffer.from(await file.arrayBuffer()).equals(PNG)).toBe(true)
    expect([file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      'image/png',
      `attachment; filename="front _left_.png"; filename*=UTF-8''front%20%E2%80%9Cleft%E2%80%9D.png`,
    ])
    expect((await download(photo.body.data.id, '?inline=1')).headers.get('content-disposition')).toStartWith('inline;')
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('have a name that can be stored', async () => {
    const { id } = await title()
    const long = (await add(`/titles/${id}`, PNG, `${'😀'.repeat(300)}.png`)).body.data.file_name
    expect([[...long].length, long.isWellFormed(), long.endsWith('😀.png')]).toEqual([255, true, true])
    const response = await h.cast.ben.request(`/api/titles/${id}/documents`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await h.cast.ben.token()}`,
        'content-type': 'multipart/form-data; boundary=BB',
      },
      body: '--BB\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n%PDF-1.4\r\n--BB--\r\n',
    })
    expect([201, 422]).toContain(response.status)
  })

  test('have a name with the extension of their type', async () => {
    const { id } = await title()
    const nameOf = async (content: Uint8Array, name: string) =>
      (await add(`/titles/${id}`, content, name)).body.data.file_name
    expect(await nameOf(PDF, 'Signed title.bat')).toBe('Signed title.bat.pdf')
    expect(await nameOf(PDF, 'title\u202Efdp.exe')).toBe('titlefdp.exe.pdf')
    expect(await nameOf(PDF, 'Signed.PDF')).toBe('Signed.PDF')
    expect(await nameOf(PNG, 'photo')).toBe('photo.png')
  })

  test('are stored as files, so that a large one does not block the embedded database', async () => {
    const { id } = await title()
    const content = Buffer.concat([PDF, crypto.getRandomValues(Buffer.alloc(60_000))])
    const { body } = await add(`/titles/${id}`, content, 'scan.pdf')
    expect(await h.ctx.db.$count(documentContents)).toBe(0)
    expect(Buffer.from(await (await download(body.data.id)).arrayBuffer()).equals(content)).toBe(true)
    // Documents of earlier versions are in a table.
    await h.ctx.db.insert(documentContents).values({ document_id: body.data.id, content: PDF })
    await h.ctx.db.update(documents).set({ stored_as: null })
    expect(Buffer.from(await (await download(body.data.id)).arrayBuffer()).equals(PDF)).toBe(true)
  })

  test('are read in pieces while they are sent, and a large one arrives unchanged', async () => {
    const content = Buffer.concat([PDF, crypto.getRandomValues(Buffer.alloc(60_000)), Buffer.alloc(540_000, 7)])
    await h.ctx.db.insert(uploadFiles).values({ name: 'large', content })
    const { body, size } = await openStored(h.ctx, 'large')
    const pieces: Uint8Array[] = []
    for await (const piece of body as ReadableStream<Uint8Array>) pieces.push(piece)
    expect([size, pieces.map(({ length }) => length)]).toEqual([
      content.length,
      [262_144, 262_144, content.length - 524_288],
    ])
    expect(Buffer.concat(pieces).equals(content)).toBe(true)
    const { id } = await title()
    const added = await add(`/titles/${id}`, content, 'scan.pdf')
    const answer = await download(added.body.data.id)
    expect(answer.headers.get('content-length')).toBe(String(content.length))
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true)
    const missing = await openStored(h.ctx, 'none').catch((error) => error)
    expect(missing.message).toBe('Original file not found')
  })

  test('of an invoice are closed to users without cost access', async () => {
    const id = await invoice()
    const { body } = await add(`/invoices/${id}`, PDF, 'invoice.pdf', 'Invoice of March')
    const page = await h.cast.ben.open(`/records/invoices/${id}/documents`)
    expect([page.status, page.text.includes('Invoice A1')]).toEqual([200, true])
    await h.cast.ada.put('/settings', { cost_viewers: 'Administrators' })
    const document = body.data.id
    const { ben } = h.cast
    const answers = [
      (await ben.get(`/invoices/${id}/documents`)).status,
      (await add(`/invoices/${id}`, PDF)).status,
      (await download(document)).status,
      (await ben.get(`/documents/${document}/thumbnail`)).status,
      (await ben.delete(`/documents/${document}`)).status,
      (await ben.post(`/documents/${document}/restore`)).status,
      (await ben.open(`/records/invoices/${id}/documents`)).status,
    ]
    expect(answers).toEqual(answers.map(() => 403))
    const removed = await ben.submit(`/documents/${document}/delete`, {})
    expect([removed.status, (await h.cast.ada.get(`/invoices/${id}/documents`)).body.data]).toMatchObject([
      403,
      [{ id: document }],
    ])
  })

  test('appear in the timeline of the vehicle and on printable pages', async () => {
    const { id } = await title()
    const { body } = await add(`/titles/${id}`, PNG, 'front.png', 'Front')
    await h.cast.ben.delete(`/documents/${body.data.id}`)
    const timeline = (await h.cast.ben.get('/vehicles/100200/timeline')).body.data as { entity: string; text: string }[]
    const [deleted, added, ...others] = timeline.filter(({ entity }) => entity === 'documents')
    expect([added?.text, deleted?.text.startsWith('deleted at: – →'), others]).toEqual([
      'title: – → Front\nfile name: – → front.png',
      true,
      [],
    ])
    const move = { unit_number: '100200', move_date: '2026-03-10', transport_company_id: h.cast.desert }
    const places = { location_out_id: h.cast.phoenix, location_in_id: h.cast.tempe }
    const made = (await h.cast.ben.post('/transports', { ...move, ...places })).body.data as { id: number }
    await add(`/transports/${made.id}`, PDF, 'bill.pdf', 'Bill of lading')
    const invoiceId = await invoice()
    await add(`/invoices/${invoiceId}`, PDF, 'invoice.pdf')
    expect((await h.cast.ben.open(`/transports/${made.id}/order`)).text).toContain('Bill of lading')
    expect((await h.cast.ben.open(`/invoices/${invoiceId}`)).text).toContain('invoice.pdf')
  })

  test('belong to each kind of record', async () => {
    await title()
    const place = { unit_number: '100200', location_id: h.cast.mesa }
    await h.cast.ben.post('/osl', { ...place, osl_date: '2026-03-10', problem: 'Two flat tires' })
    await h.cast.ben.post('/registrations', {
      ...place,
      plate_number: 'ABC1',
      state_province: 'AZ',
      date_issued: '2026-01-01',
      date_expires: '2027-01-01',
    })
    await h.cast.ben.post('/transports', {
      unit_number: '100200',
      location_out_id: h.cast.phoenix,
      location_in_id: h.cast.tempe,
      transport_company_id: h.cast.desert,
      move_date: '2026-03-10',
    })
    await invoice()
    for (const owner of ['titles', 'osl', 'registrations', 'transports', 'vehicles', 'invoices']) {
      expect([owner, (await add(`/${owner}/1`, PNG)).status]).toEqual([owner, 201])
      expect([owner, (await listed(`/${owner}/1`)).length]).toEqual([owner, 1])
      expect([owner, (await add(`/${owner}/99`, PNG)).status]).toEqual([owner, 404])
      expect([owner, (await h.cast.ben.get(`/${owner}/99/documents`)).status]).toEqual([owner, 404])
      const page = await h.cast.ben.open(`/records/${owner}/1/documents`)
      expect([owner, page.text.includes('photo.png')]).toEqual([owner, true])
    }
  })

  test('are judged by content, not by name', async () => {
    const { id } = await title()
    for (const [content, name] of [
      ['<script>alert(1)</script>', 'photo.png'],
      ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'photo.svg'],
      [Buffer.from('PK\x03\x04', 'latin1'), 'title.pdf'],
    ] as const) {
      const { status, body } = await add(`/titles/${id}`, content, name)
      expect([name, status, body.errors?.[0]?.field]).toEqual([name, 415, 'file'])
    }
    const empty = await add(`/titles/${id}`, '', 'photo.png')
    expect([empty.status, empty.body.errors?.[0]?.field]).toEqual([422, 'file'])
    expect((await add(`/titles/${id}`, PNG, 'x.png', 'x'.repeat(201))).body.errors?.[0]?.field).toBe('title')
    expect(await listed(`/titles/${id}`)).toEqual([])
  })

  test('are deleted and restored, and each change is audited', async () => {
    const { id } = await title()
    const made = (await add(`/titles/${id}`, PNG)).body.data
    expect((await h.cast.ben.delete(`/documents/${made.id}`)).status).toBe(200)
    expect([(await download(made.id)).status, (await listed(`/titles/${id}`)).length]).toEqual([404, 0])
    expect((await h.cast.ben.delete(`/documents/${made.id}`)).status).toBe(404)
    expect((await h.cast.ben.post(`/documents/${made.id}/restore`)).status).toBe(200)
    const again = await h.cast.ben.post(`/documents/${made.id}/restore`)
    expect([again.status, again.body.message]).toEqual([409, 'Document is not deleted'])
    expect([(await download(made.id)).status, (await listed(`/titles/${id}`)).length]).toEqual([200, 1])
    const { data } = (await h.cast.ada.get('/audit?entity=documents')).body
    expect((data as { action: string }[]).map(({ action }) => action)).toEqual(['update', 'update', 'create'])
  })

  test('need a session, and stay within the upload limit', async () => {
    expect((await h.cast.stranger.get('/documents/1')).status).toBe(401)
    h = await testContext({ maxUploadBytes: 1024 })
    const { id } = await title()
    const ofSize = (size: number) => add(`/titles/${id}`, Buffer.concat([PNG, Buffer.alloc(size - PNG.length)]))
    const statuses = [await ofSize(1024), await ofSize(1025), await ofSize(2 * 1024 * 1024)]
    expect(statuses.map(({ status }) => status)).toEqual([201, 413, 413])
  })

  test('are managed on their page without scripts', async () => {
    const { id } = await title()
    const at = `/records/titles/${id}/documents`
    const none = await h.cast.ben.submit(at, {})
    expect(none.status).toBe(422)
    await add(`/titles/${id}`, PNG, 'photo.png', 'Front')
    const page = await h.cast.ben.open(at)
    expect(page.text).toContain('Front')
    const deleted = await h.cast.ben.submit('/documents/1/delete', {})
    expect([deleted.location, deleted.toast]).toEqual([at, 'Document deleted'])
    expect((await h.cast.ben.open(at)).text).toContain('No documents yet')
    expect((await h.cast.ben.submit('/documents/1/restore', {})).toast).toBe('Document restored')
  })
})

test('several files of one form are stored, and a thumbnail must be a small JPEG', async () => {
  const { id } = await title()
  const origin = (name: string, content: Uint8Array) => new File([content as BlobPart], name)
  const page = `/records/titles/${id}/documents`
  const headers = { ...(await h.cast.ben.cookieHeaders()), origin: 'http://localhost' }
  const body = new FormData()
  for (const name of ['a.png', 'b.png']) body.append('file', origin(name, PNG))
  const both = await h.cast.ben.request(page, { method: 'POST', headers, body })
  expect([both.status, (await listed(`/titles/${id}`)).length]).toEqual([303, 2])
  const token = { authorization: `Bearer ${await h.cast.ben.token()}` }
  const withThumbnail = new FormData()
  withThumbnail.append('file', origin('c.png', PNG))
  withThumbnail.append('thumbnail', origin('c.jpg', PNG))
  const wrong = await h.cast.ben.request(`/api/titles/${id}/documents`, {
    method: 'POST',
    headers: token,
    body: withThumbnail,
  })
  expect(wrong.status).toBe(422)
  expect((await h.cast.ben.get(`/documents/${(await listed(`/titles/${id}`))[0]?.id}/thumbnail`)).status).toBe(404)
})
