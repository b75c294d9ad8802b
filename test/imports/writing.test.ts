import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { testContext } from '../support/context'
import type { ImportResponse } from '../support/visitor'

/** What an import writes and leaves unchanged, and what its preview says about this. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Row = { row: number; outcome: string; notes: string[]; message: string | null }
type StoredRecord = Record<string, unknown>
const MOVES = 'unit_number,location_out,location_in,move_date,transport_company,status'
const PLATES = 'unit_number,location,plate_number,state_province,date_issued,date_expires'
const begin = (dataType: string, text: string, existing = 'skip') =>
  h.cast.ben.begin(dataType, 'a.csv', text, { existing })
const listed = async ({ id }: { id: number }) =>
  (await h.cast.ben.get(`/files/${id}/rows`)).body.data as unknown as Row[]
const listOutcomes = async (shown: ImportResponse) =>
  (await listed(shown)).map(({ outcome, message }) => [outcome, message])
const commit = async ({ id }: { id: number }) => {
  expect((await h.cast.ben.post(`/files/${id}/commit`)).status).toBe(202)
  return h.cast.ben.settled(id)
}
const records = async (path: string) =>
  (await h.cast.ben.get(`${path}?sort=unit_number&order=asc`)).body.data as unknown as StoredRecord[]
const vehicle = async (unit: string) =>
  (await records('/vehicles')).find(({ unit_number }) => unit_number === unit) as StoredRecord
const trail = async (entity: string) =>
  rows<StoredRecord>(
    h.ctx.db,
    sql`select action, entity_id, changes from audit_entries where entity = ${entity} order by id`,
  )

describe('an update by import', () => {
  const stored = '100001,Phoenix,Tempe,2026-03-01,Desert Auto Haul'

  test('keeps stored values where required cells are blank, and fails such a row if it matches no record', async () => {
    await h.cast.ben.upload('transports', 'a.csv', `${MOVES}\n${stored},In Transit`)
    const text =
      `${MOVES},po_number\n100001,Phoenix,Tempe,2026-03-01,,N/A,PO-7\n` +
      `100002,Phoenix,Tempe,2026-03-01,,,PO-8\n,Phoenix,Tempe,2026-03-01,,,PO-9`
    const shown = await begin('transports', text, 'update')
    const needs = 'No record matches this row, and a new record needs: Transport company, Status'
    const outcomes = [
      ['update', 'po number blank becomes PO-7'],
      ['error', needs],
      ['error', 'Unit number is required'],
    ]
    expect(await listOutcomes(shown)).toEqual(outcomes)
    expect((await listed(shown))[1]).toMatchObject({
      values: { unit_number: '100002', location_out: 'Phoenix', move_date: '2026-03-01', po_number: 'PO-8' },
    })
    expect(await commit(shown)).toMatchObject({ updated: 1, imported: 0, failed: 2 })
    expect((await records('/transports'))[0]).toMatchObject({ status: 'In Transit', po_number: 'PO-7' })
  })

  test('needs only the columns that identify a record', async () => {
    await h.cast.ben.upload('transports', 'a.csv', `${MOVES}\n${stored},In Transit`)
    const text = 'unit_number,location_out,location_in,move_date,notes\n100001,Phoenix,Tempe,2026-03-01,Two keys'
    expect(await begin('transports', text)).toMatchObject({
      message: 'Missing required columns: transport_company, status',
    })
    const changed = await h.cast.ben.upload('transports', 'a.csv', text, { existing: 'update' })
    expect(changed.body).toMatchObject({ updated: 1, failed: 0 })
    expect((await records('/transports'))[0]).toMatchObject({ status: 'In Transit', notes: 'Two keys' })
    const lacking = await h.cast.ben.upload('transports', 'a.csv', 'unit_number,notes\n100001,x', {
      existing: 'update',
    })
    expect(lacking.body.message).toBe('Missing required columns: location_out, location_in, move_date')
  })

  test('fails a row with blank required cells if its record changes after the preview', async () => {
    await h.cast.ben.upload('transports', 'a.csv', `${MOVES}\n${stored},In Transit`)
    const text = `${MOVES},notes\n100001,Phoenix,Tempe,2026-03-01,,,Two keys`
    const shown = await begin('transports', text, 'update')
    const [record] = await records('/transports')
    expect((await h.cast.ada.delete(`/transports/${record?.id}`)).status).toBe(200)
    expect(await commit(shown)).toMatchObject({ updated: 0, imported: 0, failed: 1 })
    expect(await listOutcomes(shown)).toEqual([
      ['error', 'This row cannot update its record, because the record was changed or deleted in the meantime'],
    ])
    expect((await listed(shown))[0]).toMatchObject({ values: { unit_number: '100001', notes: 'Two keys' } })
  })

  const plate = (unit: string, location: string, more = '') =>
    `${unit},${location},CDA4821,AZ,2026-01-01,2026-12-31${more}`
  const header = `${PLATES},registration_type,cost,notes`

  test('lists the changed fields and changes nothing else', async () => {
    const long = (letter: string) => letter.repeat(61)
    await h.cast.ben.upload(
      'registrations',
      'a.csv',
      `${header}\n${plate('100001', 'Phoenix', `,New,10,${long('a')}`)}\n${plate('100002', 'Phoenix', ',,,')}`,
    )
    const text = [
      header,
      `${plate('100001', 'Tempe', `,Renewal,20.5,${long('b')}`)
        .replace('CDA', 'cda')
        .replace('2026-12-31', '2027-01-31')}`,
      plate('100002', 'PHX', ',,,'),
    ].join('\n')
    const shown = await begin('registrations', text, 'update')
    expect(await listOutcomes(shown)).toEqual([
      [
        'update',
        `location changes; date expires 12/31/2026 becomes 01/31/2027; registration type New becomes ` +
          `Renewal; cost 10.00 becomes 20.5; notes ${'a'.repeat(60)} becomes ${'b'.repeat(60)}`,
      ],
      ['duplicate', 'Nothing to change'],
    ])
    expect(await commit(shown)).toMatchObject({ imported: 0, updated: 1, duplicates: 1, progress: 1000 })
    expect(
      (await records('/registrations')).map(({ version, cost, plate_number }) => [version, cost, plate_number]),
    ).toEqual([
      [2, 20.5, 'CDA4821'],
      [1, null, 'CDA4821'],
    ])
    expect((await trail('registrations')).slice(2)).toEqual([
      {
        action: 'update',
        entity_id: 1,
        changes: {
          location_id: { old: h.cast.phoenix, new: h.cast.tempe },
          date_expires: { old: '2026-12-31', new: '2027-01-31' },
          registration_type: { old: 'New', new: 'Renewal' },
          cost: { old: 10, new: 20.5 },
          notes: { old: long('a'), new: long('b') },
        },
      },
    ])
  })

  test('is skipped when several records match', async () => {
    const move = `${MOVES},final_cost\n100001,Phoenix,Tempe,2026-03-01,Desert Auto Haul,In Transit,`
    await h.cast.ben.upload('transports', 'a.csv', `${move}10`)
    const entry = { unit_number: '100001', move_date: '2026-03-01', transport_company_id: h.cast.desert }
    const again = { ...entry, location_out_id: h.cast.phoenix, location_in_id: h.cast.tempe, status: 'In Transit' }
    const same = await h.cast.ben.post('/transports', again)
    expect(same.status).toBe(201)
    expect(await listOutcomes(await begin('transports', `${move}20`, 'update'))).toEqual([
      ['duplicate', 'Several records match this row, so no record was changed'],
    ])
    expect(await listOutcomes(await begin('transports', `${move}20`))).toEqual([
      ['duplicate', 'The record already exists'],
    ])
    await h.cast.ben.delete('/transports/2')
    expect([
      await listOutcomes(await begin('transports', `${move}10`)),
      await listOutcomes(await begin('transports', `${move}20`)),
    ]).toEqual([
      [['duplicate', 'The record already exists']],
      [['duplicate', 'The record already exists, with other values']],
    ])
  })

  test('counts as a duplicate when the record already has the new values', async () => {
    await h.cast.ben.upload('registrations', 'a.csv', `${header}\n${plate('100001', 'Phoenix', ',New,10,')}`)
    const shown = await begin('registrations', `${header}\n${plate('100001', 'Phoenix', ',New,20,')}`, 'update')
    expect(shown).toMatchObject({ updated: 1, duplicates: 0 })
    await h.cast.ben.put('/registrations/1', { cost: 20 })
    expect(await commit(shown)).toMatchObject({ status: 'done', imported: 0, updated: 0, duplicates: 1 })
    expect(await records('/registrations')).toMatchObject([{ version: 2, cost: 20 }])
    expect((await trail('registrations')).map(({ action }) => action)).toEqual(['create', 'update'])
  })
})

test('the audit entry of a new record contains every value with its type', async () => {
  const header = `${MOVES},ra_number,mileage,final_cost,issue_po,notes`
  const line = '100001,PHX,TMP,2026-03-01,Desert Auto Haul,Delivered,RA7,52000,361.25,yes,"says ""hi"", \\twice"'
  await h.cast.ben.upload('transports', 'a.csv', `${header}\n${line}`)
  const changes = {
    unit_number: '100001',
    location_out_id: h.cast.phoenix,
    location_in_id: h.cast.tempe,
    move_date: '2026-03-01',
    transport_company_id: h.cast.desert,
    status: 'Delivered',
    ra_number: 'RA7',
    mileage: 52_000,
    move_type: 'Fleet',
    final_cost: 361.25,
    actual_arrival_date: '2026-03-01',
    issue_po: true,
    notes: 'says "hi", \\twice',
  }
  const created = (values: object) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { old: null, new: value }]))
  expect(await trail('transports')).toEqual([{ action: 'create', entity_id: 1, changes: created(changes) }])
  expect(await records('/transports')).toMatchObject([{ ...changes, version: 1 }])
  expect(await trail('vehicles')).toEqual([
    { action: 'create', entity_id: 1, changes: created({ unit_number: '100001', current_status: 'Available' }) },
    {
      action: 'update',
      entity_id: 1,
      changes: { current_location: { old: null, new: 'Tempe' }, current_mileage: { old: null, new: 52_000 } },
    },
  ])
  expect(await vehicle('100001')).toMatchObject({ version: 2, current_location: 'Tempe', current_mileage: 52_000 })
})

test('an import writes only its own valid rows and keeps the failed ones', async () => {
  const titles = (...units: number[]) =>
    `unit_number,location\n${units.map((unit) => `${unit},PHX`).join('\n')}\nbad,PHX\n`
  const first = await begin('titles', titles(100_001, 100_002))
  const second = await begin('titles', titles(100_003, 100_004, 100_005))
  expect(first).toMatchObject({ imported: 2, failed: 1, row_count: 3 })
  expect(await commit(first)).toMatchObject({ imported: 2, failed: 1, duplicates: 0 })
  const units = async (path: string) => (await records(path)).map(({ unit_number }) => unit_number)
  expect([await units('/titles'), await units('/vehicles')]).toEqual([
    ['100001', '100002'],
    ['100001', '100002'],
  ])
  expect(await listOutcomes(first)).toEqual([['error', 'Unit number: 6 digits required']])
  expect(await listOutcomes(second)).toEqual([
    ...Array(3).fill(['create', null]),
    ['error', 'Unit number: 6 digits required'],
  ])
  expect(await commit(second)).toMatchObject({ imported: 3, failed: 1 })
  // A preview reports only its own rows, although other imports have stored rows too.
  const other = await begin('titles', titles(100_006))
  expect(await listOutcomes(await begin('titles', titles(100_001)))).toEqual([
    ['duplicate', 'This unit already has a pending title'],
    ['error', 'Unit number: 6 digits required'],
  ])
  expect(await listOutcomes(other)).toEqual([
    ['create', null],
    ['error', 'Unit number: 6 digits required'],
  ])
})

test('a low mileage is noted only in its own preview', async () => {
  const osl = (mileage: number) =>
    `unit_number,osl_date,location,problem,osl_mileage\n100001,2026-03-01,Phoenix,Windshield is ` +
    `cracked,${mileage}\n100002,2026-03-01,Phoenix,Windshield is cracked,${mileage}\n`
  const first = await begin('osl', osl(1000))
  await h.cast.ben.post('/vehicles', { unit_number: '100001', current_mileage: 1001 })
  const second = await begin('osl', osl(1000))
  const note = 'Mileage: 1,000 is less than the earlier reading of 1,001; the mileage of the vehicle does not change'
  const added = 'Unit number: not in the vehicle list; the import adds the vehicle'
  const notes = async (shown: ImportResponse) => (await listed(shown)).map((row) => row.notes)
  expect([await notes(first), await notes(second)]).toEqual([
    [[added], [added]],
    [[note], [added]],
  ])
})

test('vehicles outside the import keep their location', async () => {
  const move = (unit: number, day: number, to = 'Tempe') =>
    `${unit},Phoenix,${to},2026-03-0${day},Desert Auto Haul,Delivered`
  await h.cast.ben.upload('transports', 'a.csv', [MOVES, ...[1, 2, 3, 4].map((day) => move(100_001, day))].join('\n'))
  await h.cast.ben.patch('/vehicles/1/status', { location: 'Row 8' })
  await h.cast.ben.post('/vehicles', { unit_number: '100009' })
  await h.cast.ben.upload('transports', 'b.csv', [MOVES, move(100_002, 1), move(100_003, 1, 'Mesa')].join('\n'))
  const places = (await records('/vehicles')).map(({ unit_number, current_location, version }) => [
    unit_number,
    current_location,
    version,
  ])
  expect(places).toEqual([
    ['100001', 'Row 8', 3],
    ['100002', 'Tempe', 2],
    ['100003', 'Mesa', 2],
    ['100009', null, 1],
  ])
})

test('a preview without the required columns shows samples and counts nothing', async () => {
  const long = `${'y'.repeat(59)}\u{1F69A}`
  const lines = ['Wagon,Where', `1,${long}`, '1,', '2, ', '3,c', '4,d', '5,e']
  const shown = await begin('titles', lines.join('\n'))
  expect(shown).toMatchObject({
    status: 'ready',
    message: 'Missing required columns: unit_number, location',
    row_count: 6,
    imported: 0,
    updated: 0,
    duplicates: 0,
    failed: 0,
    found: {
      header_row: 1,
      header: ['Wagon', 'Where'],
      fields: [null, null],
      missing: ['unit_number', 'location'],
      samples: [
        ['1', '2', '3', '4', '5'],
        [`${'y'.repeat(59)}\uFFFD`, 'c', 'd', 'e'],
      ],
      dates: [],
      names: [],
    },
    validation_errors: ['Column "Wagon" is not known and was ignored', 'Column "Where" is not known and was ignored'],
  } as never)
})

test('column samples come from the first 100 of every 1,000 rows', async () => {
  const where: Record<number, string> = { 100: 'too far down', 1000: 'here' }
  const lines = Array.from({ length: 1200 }, (_, n) => `${n},${where[n] ?? ''}`)
  const { found } = await begin('titles', ['Wagon,Where', ...lines].join('\n'))
  expect(found).toMatchObject({ samples: [['0', '1', '2', '3', '4', '5', '6', '7'], ['here']] } as never)
})

test('deleting a location after the preview cancels the whole import', async () => {
  const shown = await begin('titles', 'unit_number,location\n100001,PHX\n100002,TMP\n')
  await h.cast.ada.delete(`/locations/${h.cast.tempe}`)
  expect(await commit(shown)).toMatchObject({
    status: 'cancelled',
    message:
      'A location or company in the file was deleted or merged in the meantime; nothing was imported. ' +
      'Upload the file again',
    imported: 0,
    updated: 0,
    duplicates: 0,
    failed: 0,
    undo: { kept: [] },
  })
  expect([await records('/titles'), await records('/vehicles'), await listed(shown)]).toEqual([[], [], []])
})

describe('an external ID in a file', () => {
  const move = (unit: string, day: string, id: string) =>
    `${unit},Phoenix,Tempe,${day},Desert Auto Haul,Delivered,${id}`
  const header = `${MOVES},External ID`
  const ids = async () =>
    (await records('/transports')).map(({ unit_number, external_id }) => [unit_number, external_id])

  test('is stored, and skips rows whose ID another record or row has', async () => {
    const text = [header, move('100001', '2026-01-02', 'tms-1'), move('100002', '2026-01-02', 'tms-1')]
    const first = await begin('transports', [...text, move('100003', '2026-01-02', '')].join('\n'))
    expect(await listOutcomes(first)).toEqual([
      ['create', null],
      ['duplicate', 'Row 2 has the same External ID'],
      ['create', null],
    ])
    await commit(first)
    const second = await begin('transports', `${header}\n${move('100004', '2026-01-03', 'tms-1')}`)
    expect(await listOutcomes(second)).toEqual([['duplicate', 'A record of unit 100001 has this external ID']])
    const third = await begin('transports', `${header}\n${move('100003', '2026-01-02', 'tms-3')}`, 'update')
    expect(await listOutcomes(third)).toEqual([['update', 'external id blank becomes tms-3']])
    await commit(third)
    expect(await ids()).toEqual([
      ['100001', 'tms-1'],
      ['100003', 'tms-3'],
    ])
  })

  test('that a record takes between preview and import skips its row', async () => {
    const shown = await begin('transports', `${header}\n${move('100001', '2026-01-02', 'tms-1')}`)
    await h.cast.ben.upload('transports', 'b.csv', `${header}\n${move('100005', '2026-01-05', 'tms-1')}`)
    const done = (await commit(shown)) as unknown as StoredRecord
    expect([done.imported, done.duplicates]).toEqual([0, 1])
    expect(await ids()).toEqual([['100005', 'tms-1']])
  })

  test('that another record has since taken is not restored by an undo', async () => {
    await h.cast.ben.upload('transports', 'a.csv', `${header}\n${move('100001', '2026-01-02', 'tms-1')}`)
    const update = await begin('transports', `${header}\n${move('100001', '2026-01-02', 'tms-2')}`, 'update')
    await commit(update)
    await h.cast.ben.upload('transports', 'b.csv', `${header}\n${move('100002', '2026-01-02', 'tms-1')}`)
    expect((await h.cast.ben.post(`/files/${update.id}/undo`)).status).toBe(202)
    await h.cast.ben.settled(update.id)
    expect(await ids()).toEqual([
      ['100001', 'tms-2'],
      ['100002', 'tms-1'],
    ])
  })
})
