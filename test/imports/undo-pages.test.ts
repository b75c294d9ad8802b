import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { SERVER_URL, testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const HEADER = 'unit_number,location_out,location_in,move_date,transport_company,status'
const csv = (...lines: string[]) => `${[HEADER, ...lines].join('\n')}\n`
const move = (unit: string, from = 'Phoenix', date = '2026-03-01') =>
  `${unit},${from},Tempe,${date},Desert Auto Haul,In Transit`
const begin = (content: string | Uint8Array, more: Record<string, unknown> = {}) =>
  h.cast.ben.begin('transports', 'moves.csv', content, more)

const count = async (table: string) =>
  (await rows<{ n: number }>(h.ctx.db, sql.raw(`select count(*)::int as n from ${table}`)))[0]?.n

describe('an undo', () => {
  test('keeps and lists records that were changed or have notes', async () => {
    const upload = await h.cast.ben.upload(
      'osl',
      'osl.csv',
      `unit_number,osl_date,location,problem\n${['100001', '100002', '100003']
        .map((unit) => `${unit},2026-03-01,Phoenix,Transmission slips in third`)
        .join('\n')}\n`,
    )
    const { id } = upload.body.data as { id: number }
    const entries = (await h.cast.ben.get('/osl?sort=unit_number&order=asc')).body.data as {
      id: number
      unit_number: string
    }[]
    await h.cast.ben.put(`/osl/${entries[0]?.id}`, { key_location: 'Front office' })
    await h.cast.ben.post(`/osl/${entries[1]?.id}/notes`, { note_text: 'Parts ordered' })
    await h.cast.ben.post(`/files/${id}/undo`)
    const undone = await h.cast.ben.settled(id)
    expect(undone.undo).toMatchObject({ removed: 1, restored: 0 })
    expect(undone.undo?.kept.map(({ label }) => label).sort()).toEqual(['100001', '100002'])
    expect((await h.cast.ben.get('/osl?sort=unit_number&order=asc')).body.data).toMatchObject([
      { unit_number: '100001' },
      { unit_number: '100002' },
    ])
    expect((await h.cast.ben.get('/vehicles')).body.meta).toMatchObject({ total: 2 })
    expect((await h.cast.ben.get('/files/stats')).body.data).toEqual([] as never)
  })

  test('loses no concurrent change that was confirmed', async () => {
    const units = Array.from({ length: 400 }, (_, n) => String(100_000 + n))
    const added = { location_out_id: h.cast.phoenix, location_in_id: h.cast.tempe, transport_company_id: h.cast.desert }
    for (let round = 0; round < 3; round++) {
      const upload = await h.cast.ben.upload(
        'transports',
        'moves.csv',
        csv(...units.map((unit) => move(unit, 'Phoenix', `2026-02-0${round + 1}`))),
      )
      const { id } = upload.body.data as { id: number }
      const undoing = h.cast.ben.post(`/files/${id}/undo`)
      const imported = (
        await rows<{ id: number }>(
          h.ctx.db,
          sql`select entity_id as id from audit_entries where upload_id = ${id} and entity = 'transports'`,
        )
      ).map((entry) => entry.id)
      const created: number[] = []
      const changed: number[] = []
      const adds = async () => {
        for (let n = 0; n < 40; n++) {
          const { status, body } = await h.cast.ada.post('/transports', {
            unit_number: units[400 - 1 - n * 10],
            move_date: '2026-03-01',
            ...added,
          })
          expect(status).toBe(201)
          created.push((body.data as { id: number }).id)
        }
      }
      const edits = async () => {
        for (let n = 0; n < 40; n++) {
          const { status } = await h.cast.ada.put(`/transports/${imported[400 - 5 - n * 10]}`, { mileage: 7 })
          if (status === 200) changed.push(imported[400 - 5 - n * 10] as number)
          else expect(status).toBe(404)
        }
      }
      await Promise.all([undoing, adds(), edits()])
      expect(await h.cast.ben.settled(id)).toMatchObject({ status: 'undone' })
      for (const transportId of created) expect((await h.cast.ben.get(`/transports/${transportId}`)).status).toBe(200)
      for (const transportId of changed)
        expect((await h.cast.ben.get(`/transports/${transportId}`)).body.data).toMatchObject({ mileage: 7 })
      for (const transportId of [...created, ...changed]) await h.cast.ada.delete(`/transports/${transportId}`)
    }
  })

  test('adds one audit entry for each change', async () => {
    const upload = await h.cast.ben.upload('titles', 'titles.csv', 'unit_number,location\n100001,PHX\n')
    await h.cast.ada.post(`/files/${(upload.body.data as { id: number }).id}/undo`)
    await h.cast.ben.settled((upload.body.data as { id: number }).id)
    const trail = (await h.cast.ada.get('/audit?sort=at&order=asc')).body.data as {
      actor: string
      source: string
      action: string
      entity: string
      changes: Record<string, unknown>
    }[]
    const ours = trail
      .filter(({ source }) => source === 'import')
      .map(({ actor, action, entity }) => `${actor} ${action} ${entity}`)
    expect(ours.sort()).toEqual([
      'ada delete titles',
      'ada delete vehicles',
      'ben create titles',
      'ben create vehicles',
    ])
  })
})

describe('concurrent requests', () => {
  test('import the same file once', async () => {
    const file = csv(...Array.from({ length: 300 }, (_, n) => move(String(100_000 + n))))
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => h.cast.ben.upload('transports', 'same.csv', file)),
    )
    expect(answers.map(({ body }) => body.imported).sort()).toEqual([0, 0, 0, 0, 300])
    expect(answers.map(({ body }) => body.duplicates).sort()).toEqual([0, 300, 300, 300, 300])
    expect(await count('transports')).toBe(300)
  })

  test('to commit and cancel leave nothing behind', async () => {
    const { id } = await begin(csv(...Array.from({ length: 4000 }, (_, n) => move(String(100_000 + n)))))
    const commitAndCancel = async () => {
      await h.cast.ben.post(`/files/${id}/commit`)
      expect((await h.cast.ben.post(`/files/${id}/cancel`)).status).toBe(200)
    }
    // On a server, a lock makes the import wait. On the embedded engine, the cancellation is read between two steps.
    if (SERVER_URL)
      await h.ctx.db.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(7205010, 1)`)
        await commitAndCancel()
      })
    else await commitAndCancel()
    expect(await h.cast.ben.settled(id)).toMatchObject({ status: 'cancelled', imported: 0 })
    expect([await count('transports'), await count('vehicles'), await count('upload_rows')]).toEqual([0, 0, 0])
  })
})

describe('the import pages', () => {
  test('support preview, questions, commit and undo without scripts', async () => {
    const shown = await begin(csv(move('100001', 'Phx Yard'), move('100002', 'Phoenix', '3/4/2026')))
    const path = `/files/imports/${shown.id}`
    const page = await h.cast.ben.open(path)
    expect(page.text).toContain('Nothing is saved yet. Of 2 rows, 1 will be created and 1 cannot be imported.')
    expect(page.find('tbody tr').length).toBeGreaterThan(2)
    const settled = await h.cast.ben.submit(`${path}/settle`, {
      existing: 'skip',
      'name.0': 'Phx Yard',
      'kind.0': 'location',
      'choice.0': h.cast.mesa,
      'date.move_date': 'day',
    })
    expect([settled.status, settled.location]).toEqual([303, path])
    expect(await h.cast.ben.settled(shown.id)).toMatchObject({ imported: 2, failed: 0 })
    expect((await h.cast.ben.submit(`${path}/commit`, {})).location).toBe(path)
    await h.cast.ben.settled(shown.id)
    const done = await h.cast.ben.open(path)
    expect(done.find('.result-count')).toEqual(['Records Imported2'])
    await h.cast.ben.submit(`${path}/undo`, {})
    await h.cast.ben.settled(shown.id)
    expect((await h.cast.ben.open(path)).text).toContain('2 records removed, 0 records restored.')
    expect((await h.cast.ben.submit(`${path}/undo`, {})).text).toContain('This import has already been undone')
    const remembered = await h.cast.ben.open('/files/remembered')
    expect(remembered.text).toContain('Phx Yard')
    await h.cast.ben.submit('/files/remembered/1/forget', {})
    expect((await h.cast.ben.open('/files/remembered')).text).toContain('No remembered names yet')
  })

  test('lead from the upload form to the preview without scripts', async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ data_type: 'titles', after: 'preview', existing: 'skip' }))
      form.set(name, value)
    form.set('file', new File(['unit_number,location\n100001,PHX\n'], 'titles.csv'))
    const answer = await h.cast.ben.request('/files/upload', {
      method: 'POST',
      body: form,
      headers: { origin: 'http://localhost', ...(await h.cast.ben.cookieHeaders()) },
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/files/imports/1'])
    await h.cast.ben.settled(1)
    expect((await h.cast.ben.open('/files/upload')).text).toContain('Not imported yet')
  })
})

test('the import button applies pending answers before it imports', async () => {
  const shown = await h.cast.ben.begin('titles', 'names.csv', 'unit_number,location\n150001,Phoenix\n150002,Fenix\n')
  const page = await h.cast.ben.open(`/files/imports/${shown.id}`)
  expect(page.html).toMatch(
    new RegExp(`<button[^>]*form="questions"[^>]*formAction="/files/imports/${shown.id}/commit"`, 'i'),
  )
  const form = { existing: 'skip', 'name.0': 'Fenix', 'kind.0': 'location', 'choice.0': String(h.cast.phoenix) }
  const first = await h.cast.ben.submit(`/files/imports/${shown.id}/commit`, form)
  expect(first.location).toEndWith('?applied=1')
  expect(await h.cast.ben.settled(shown.id)).toMatchObject({ status: 'ready', imported: 2, failed: 0 })
  const second = await h.cast.ben.submit(`/files/imports/${shown.id}/commit`, { existing: 'skip' })
  expect(second.status).toBe(303)
  expect(await h.cast.ben.settled(shown.id)).toMatchObject({ status: 'done', imported: 2 })
  expect((await h.cast.ben.begin('titles', 'again.csv', 'unit_number,location\n150003,fenix\n')).imported).toBe(1)
})
