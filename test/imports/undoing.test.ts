import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { undoProgress } from '../../src/platform/imports/sql/undo-rows'
import { testContext } from '../support/context'

/** What an undo reverts and keeps, and which later changes protect a record. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type StoredRecord = Record<string, unknown>
const upload = async (dataType: string, text: string, existing = 'skip') => {
  const { body } = await h.cast.ben.upload(dataType, 'a.csv', text, { existing })
  expect(body).toMatchObject({ success: true, failed: 0 })
  return (body.data as { id: number }).id
}
const undo = async (id: number) => {
  expect((await h.cast.ben.post(`/files/${id}/undo`)).status).toBe(202)
  return h.cast.ben.settled(id)
}
const records = async (path: string) =>
  (await h.cast.ben.get(`${path}?sort=unit_number&order=asc`)).body.data as unknown as StoredRecord[]
const PLATES = 'unit_number,location,plate_number,state_province,date_issued,date_expires,cost'
const plate = (unit: number, cost: number, location = 'Phoenix') =>
  `${unit},${location},CDA4821,AZ,2026-01-01,2026-12-31,${cost}`
const plates = (...lines: string[]) => [PLATES, ...lines].join('\n')
const label = (unit: number) => ({ entity: 'registrations', id: expect.any(Number), label: String(unit) })

test('undoing an update restores the old values as a new change', async () => {
  await upload('registrations', plates(plate(100_001, 10), plate(100_002, 10)))
  const second = await upload('registrations', plates(plate(100_001, 20, 'Tempe'), plate(100_003, 30)), 'update')
  expect(await undo(second)).toMatchObject({
    status: 'undone',
    progress: 1000,
    imported: 1,
    updated: 1,
    undo: { removed: 1, restored: 1, kept: [] },
  } as never)
  expect(
    (await records('/registrations')).map(({ unit_number, cost, location_name, version }) => [
      unit_number,
      cost,
      location_name,
      version,
    ]),
  ).toEqual([
    ['100001', 10, 'Phoenix', 3],
    ['100002', 10, 'Phoenix', 1],
  ])
  const entries = await rows<StoredRecord>(
    h.ctx.db,
    sql`select action, entity, changes from audit_entries where upload_id = ${second} order by id desc limit 3`,
  )
  expect(entries[2]).toEqual({
    action: 'update',
    entity: 'registrations',
    changes: { cost: { old: 20, new: 10 }, location_id: { old: h.cast.tempe, new: h.cast.phoenix } },
  })
  expect(entries.slice(0, 2).map(({ action, entity }) => `${action} ${entity}`)).toEqual([
    'delete vehicles',
    'delete registrations',
  ])
})

test('undo keeps a record with a later update, unless that was undone too', async () => {
  const first = await upload('registrations', plates(plate(100_001, 10), plate(100_002, 10), plate(100_003, 10)))
  const undone = await upload('registrations', plates(plate(100_002, 20)), 'update')
  const standing = await upload('registrations', plates(plate(100_001, 20)), 'update')
  await undo(undone)
  // Changes of other records do not affect the undo.
  await h.cast.ben.post('/vehicles', { unit_number: '100009' })
  expect((await undo(first)).undo).toEqual({ removed: 2, restored: 0, kept: [label(100_001)] })
  expect(await records('/registrations')).toMatchObject([{ unit_number: '100001', cost: 20 }])
  expect((await records('/vehicles')).map(({ unit_number }) => unit_number)).toEqual(['100001', '100009'])
  expect((await undo(standing)).undo).toEqual({ removed: 0, restored: 1, kept: [] })
})

test('undo keeps and lists a record that someone changed after the import', async () => {
  await upload('registrations', plates(plate(100_001, 10), plate(100_002, 10)))
  const second = await upload('registrations', plates(plate(100_001, 20), plate(100_002, 20)), 'update')
  for (const notes of ['Called the office', 'Called again']) await h.cast.ben.put('/registrations/1', { notes })
  expect((await undo(second)).undo).toEqual({ removed: 0, restored: 1, kept: [label(100_001)] })
  expect((await records('/registrations')).map(({ cost }) => cost)).toEqual([20, 10])
})

test('undo returns a vehicle to its previous location and mileage', async () => {
  const move = (day: number, to: string, mileage: number) =>
    `unit_number,location_out,location_in,move_date,transport_company,status,mileage\n` +
    `100001,Phoenix,${to},2026-03-0${day},Desert Auto Haul,Delivered,${mileage}`
  await upload('transports', move(1, 'Tempe', 1000))
  const second = await upload('transports', move(2, 'Mesa', 2000))
  const place = async () => (await records('/vehicles'))[0]
  expect(await place()).toMatchObject({ current_location: 'Mesa', current_mileage: 2000, version: 3 })
  expect((await undo(second)).undo).toEqual({ removed: 1, restored: 0, kept: [] })
  expect(await place()).toMatchObject({ current_location: 'Tempe', current_mileage: 1000, version: 4 })
})

test('undoing an import that wrote nothing removes nothing', async () => {
  const titles = 'unit_number,location\n100001,PHX\n'
  await upload('titles', titles)
  const { body } = await h.cast.ben.upload('titles', 'again.csv', titles)
  expect(await undo((body.data as { id: number }).id)).toMatchObject({
    status: 'undone',
    progress: 1000,
    undo: { removed: 0, restored: 0, kept: [] },
  } as never)
  expect((await records('/titles')).length).toBe(1)
})

test('undo lists at most 1,000 kept records, each once', async () => {
  const units = Array.from({ length: 1001 }, (_, n) => 100_001 + n)
  const id = await upload(
    'osl',
    `unit_number,osl_date,location,problem\n${units
      .map((unit) => `${unit},2026-03-01,PHX,Windshield is cracked`)
      .join('\n')}`,
  )
  await h.ctx.db.execute(sql`insert into osl_notes (osl_id, note_text) select id, 'Parts ordered' from osl_entries`)
  const { undo: undoResult } = await undo(id)
  expect([undoResult?.removed, undoResult?.restored]).toEqual([0, 0])
  const labels = undoResult?.kept.map(({ label }) => Number(label)).sort() ?? []
  expect([labels.length, new Set(labels).size, units.includes(labels[0] as number)]).toEqual([1000, 1000, true])
})

describe('undo progress', () => {
  test('is the share of audit entries already undone', () => {
    const at = (oldest: number, newest: number, before: number) =>
      undoProgress({ oldest, newest, before, removed: 0, restored: 0, kept: [] })
    expect([at(5, 14, 15), at(5, 14, 10), at(5, 14, 5)]).toEqual([0, 0.5, 1])
    expect([at(5, 5, 6), at(5, 5, 5), at(0, -1, 0)]).toEqual([0, 1, 1])
  })
})

describe('the vehicle of an undone import', () => {
  const MOVES = 'unit_number,location_out,location_in,move_date,transport_company,status,mileage'
  const moveOf = (status: string, mileage: number) =>
    `${MOVES}\n100001,Phoenix,Tempe,2026-03-01,Desert Auto Haul,${status},${mileage}`
  const vehicle = async () => (await records('/vehicles'))[0]
  const byHand = (values: object) =>
    h.cast.ben.post('/transports', {
      unit_number: '100001',
      location_out_id: h.cast.phoenix,
      location_in_id: h.cast.mesa,
      transport_company_id: h.cast.desert,
      move_date: '2026-03-02',
      ...values,
    })

  test('keeps the status of a transport that the undo keeps', async () => {
    const id = await upload('transports', moveOf('In Transit', 1000))
    await h.cast.ben.put('/transports/1', { final_cost: 120 })
    await undo(id)
    expect(await vehicle()).toMatchObject({ current_status: 'In Transit', current_mileage: 1000 })
  })

  test('keeps the status of a transport that was added later', async () => {
    const id = await upload('transports', moveOf('In Transit', 1000))
    await byHand({ status: 'In Transit' })
    await undo(id)
    expect(await vehicle()).toMatchObject({ current_status: 'In Transit', current_mileage: null })
  })

  test('returns to a status that was set by hand before the import', async () => {
    await h.cast.ben.post('/vehicles', { unit_number: '100001', current_status: 'Sold' })
    const id = await upload('transports', moveOf('Delivered', 1000))
    expect(await vehicle()).toMatchObject({ current_status: 'Available', current_location: 'Tempe' })
    await undo(id)
    expect(await vehicle()).toMatchObject({ current_status: 'Sold', current_location: null, current_mileage: null })
  })

  const changeByHand = async (values: object) => {
    const { id } = (await vehicle()) as { id: number }
    expect((await h.cast.ben.patch(`/vehicles/${id}/status`, values)).status).toBe(200)
  }

  test('loses the status of removed transports if another value was changed since', async () => {
    const id = await upload('transports', moveOf('In Transit', 1000))
    await changeByHand({ mileage: 1500 })
    await undo(id)
    expect(await vehicle()).toMatchObject({ current_status: 'Available', current_mileage: 1500 })
  })

  test('loses the status of removed transports even if it was the same before the import', async () => {
    const { body } = await byHand({ status: 'In Transit' })
    const id = await upload('transports', moveOf('In Transit', 1000))
    await h.cast.ben.patch(`/transports/${(body.data as { id: number }).id}/status`, { status: 'Delivered' })
    expect(await vehicle()).toMatchObject({ current_status: 'In Transit', current_location: 'Mesa' })
    await undo(id)
    expect(await vehicle()).toMatchObject({ current_status: 'Available', current_location: 'Mesa' })
  })

  test('keeps a status that was set by hand since', async () => {
    const id = await upload('transports', moveOf('In Transit', 1000))
    await changeByHand({ status: 'Sold' })
    await undo(id)
    expect(await vehicle()).toMatchObject({ current_status: 'Sold', current_mileage: null })
  })

  test('ignores records of other vehicles that were added after the import', async () => {
    await h.cast.ben.post('/vehicles', { unit_number: '100001', current_status: 'Available', current_mileage: 500 })
    const id = await upload('transports', moveOf('In Transit', 1000))
    await byHand({ unit_number: '100002', status: 'Delivered', mileage: 9000 })
    expect((await undo(id)).undo).toMatchObject({ removed: 1, kept: [] })
    expect(await vehicle()).toMatchObject({
      unit_number: '100001',
      current_status: 'Available',
      current_location: null,
      current_mileage: 500,
    })
  })
})

test('records with a document or an invoice line are kept', async () => {
  const { copper } = h.cast
  const id = await upload(
    'transports',
    [
      'unit_number,location_out,location_in,transport_company,move_date,status,move_type,final_cost',
      `100001,Phoenix,Tempe,Copper State Transport,2026-03-02,Delivered,Fleet,140`,
      `100002,Phoenix,Tempe,Copper State Transport,2026-03-02,Delivered,Fleet,150`,
      `100003,Phoenix,Tempe,Copper State Transport,2026-02-20,Delivered,Fleet,160`,
    ].join('\n'),
  )
  const found = (await records('/transports')) as { id: number; unit_number: string }[]
  const invoice = await h.cast.ada.post(`/transport-companies/${copper}/invoices`, {
    number: 'K-1',
    start_date: '2026-03-01',
    end_date: '2026-03-10',
    lines: [{ unit_number: '100001', move_date: '2026-03-02', amount: 140 }],
  })
  expect(invoice.status).toBe(201)
  const form = new FormData()
  form.set('file', new File(['%PDF-1.4\n%%EOF\n'], 'bill.pdf'))
  await h.cast.ben.request(`/api/transports/${found[1]?.id}/documents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await h.cast.ben.token()}` },
    body: form,
  })
  const { undo: undone } = (await undo(id)) as unknown as { undo: { kept: { entity: string; label: string }[] } }
  expect(undone.kept.filter(({ entity }) => entity === 'transports').map(({ label }) => label)).toEqual([
    '100001',
    '100002',
  ])
  expect((await records('/transports')).map(({ unit_number }) => unit_number)).toEqual(['100001', '100002'])
})

test('OSL entries with a daily rate that a user added are kept', async () => {
  const lines = (unit: string) =>
    `Unit Number,OSL Date,Location,Problem,Storage Fee Daily Rate\n${unit},2026-03-01,PHX,Does not start at all,10\n`
  const rateOf = async (unit: string) => {
    const entries = (await records('/osl')) as unknown as { id: number; unit_number: string }[]
    const id = entries.find(({ unit_number }) => unit_number === unit)?.id
    expect((await h.cast.ben.post(`/osl/${id}/rates`, { from: '2026-03-05', daily_rate: 77.5 })).status).toBe(201)
    return { id, total: async () => (await h.cast.ben.get(`/osl/${id}/calculate-fees`)).body.data }
  }
  await h.cast.ben.post('/osl', { unit_number: '100002', osl_date: '2026-03-01', location_id: 1, problem: 'Flat tire' })
  for (const unit of ['100001', '100002']) {
    const id = await upload('osl', lines(unit), 'update')
    const entry = await rateOf(unit)
    const before = await entry.total()
    const { undo: undone } = await undo(id)
    expect(undone?.kept).toMatchObject([{ id: entry.id, label: unit }])
    expect(await entry.total()).toEqual(before)
  }
})

test('an undo removes records that a merge moved to another location', async () => {
  const id = await upload('registrations', plates(plate(100_001, 10), plate(100_002, 10, 'Tempe')))
  expect((await h.cast.ada.post(`/locations/${h.cast.phoenix}/merge`, { into_id: h.cast.tempe })).status).toBe(200)
  expect(await undo(id)).toMatchObject({ undo: { removed: 2, kept: [] } } as never)
  expect(await records('/registrations')).toEqual([])
})
