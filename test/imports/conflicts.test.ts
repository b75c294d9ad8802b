import { beforeEach, expect, test } from 'bun:test'
import { testContext } from '../support/context'

/** Rows that are probably mistakes. They are imported, with a warning. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const MOVES = 'unit_number,location_out,location_in,move_date,transport_company,status,move_type\n'
const OSL = 'unit_number,osl_date,location,problem\n'
const PLATES = 'unit_number,location,plate_number,state_province,date_issued,date_expires\n'

async function preview(type: string, text: string) {
  const { id, ...rest } = await h.cast.ben.begin(type, 'rows.csv', text)
  const { body } = await h.cast.ben.get(`/files/${id}/rows`)
  const notes = (body.data as unknown as { notes: string[] }[]).map((row) => row.notes)
  return { id, notes, conflicts: rest.found.conflicts as string[], warnings: rest.validation_errors as string[] }
}

test(
  'a transport row warns about an active transport, an open OSL entry, an expired registration ' + 'and the title',
  async () => {
    const { ada, ben, phoenix, tempe, desert } = h.cast
    const unit_number = '100301'
    await ben.post('/transports', {
      unit_number,
      location_out_id: phoenix,
      location_in_id: tempe,
      move_date: '2026-03-01',
      transport_company_id: desert,
      status: 'In Transit',
      move_type: 'Fleet',
    })
    await ben.post('/osl', {
      unit_number,
      osl_date: '2026-03-01',
      location_id: phoenix,
      problem: 'Does not start at all',
    })
    await ben.post('/titles', { unit_number, location_id: phoenix })
    await ada.post('/registrations', {
      unit_number,
      location_id: phoenix,
      plate_number: 'CDA4821',
      state_province: 'AZ',
      date_issued: '2025-03-01',
      date_expires: '2026-03-05',
    })
    const { id, notes, conflicts } = await preview(
      'transports',
      `${MOVES}100301,PHX,TMP,2026-03-09,Desert Auto Haul,Awaiting Pickup,Sales\n` +
        `100301,PHX,TMP,2026-03-08,Desert Auto Haul,Delivered,OSL\n100302,PHX,TMP,2026-03-08,Desert Auto ` +
        `Haul,Delivered,Sales\n`,
    )
    expect(notes[0]).toEqual([
      'Unit number: the unit already has an active transport',
      'Unit number: the unit is out of service',
      'Move type: the type is Sales, but the title of the unit is still pending',
      'Unit number: the registration of the unit expires before the move',
    ])
    expect(notes[2]).toEqual([
      expect.stringMatching(/^Actual arrival: blank; a stored date stays. Otherwise, the import uses the move date/),
      'Unit number: not in the vehicle list; the import adds the vehicle',
    ])
    const summary = [
      'Unit number: the unit already has an active transport (row 2)',
      'Unit number: the unit is out of service (row 2)',
      'Move type: the type is Sales, but the title of the unit is still pending (row 2)',
      'Unit number: the registration of the unit expires before the move (rows 2 and 3)',
      'Unit number: not in the vehicle list; the import adds the vehicle (row 4)',
    ]
    expect([...conflicts].sort()).toEqual([...summary].sort())
    // The rows are deleted when they are written, but the result still names them.
    await ben.post(`/files/${id}/commit`)
    await ben.settled(id)
    const page = (await ben.open(`/files/imports/${id}`)).html
    expect(page).toContain('Unit number: the unit is out of service (row 2)')
  },
)

test('OSL rows warn about an open entry, and a plate about another unit', async () => {
  const { ben, ada, phoenix } = h.cast
  await ben.post('/osl', {
    unit_number: '100301',
    osl_date: '2026-03-01',
    location_id: phoenix,
    problem: 'Does not start at all',
  })
  const { conflicts } = await preview('osl', `${OSL}100301,2026-03-05,PHX,Still does not start\n`)
  expect(conflicts).toEqual(['Unit number: the unit is already out of service (row 2)'])

  const dates = { date_issued: '2026-01-01', date_expires: '2027-01-01' }
  const plate = { location_id: phoenix, plate_number: 'ABC 123', state_province: 'AZ', ...dates }
  await ada.post('/registrations', { unit_number: '100301', ...plate })
  const plates = await preview(
    'registrations',
    `${PLATES}100301,PHX,ABC-123,AZ,2026-02-01,2027-02-01\n100302,PHX,abc123,AZ,2026-02-01,2027-02-01\n` +
      `100302,PHX,abc123,NV,2026-02-01,2027-02-01\n`,
  )
  expect(plates.conflicts.filter((text) => text.startsWith('Plate'))).toEqual([
    'Plate number: another unit has a current registration with this plate (row 3)',
  ])
})

test('a second open record of a unit in the file, and equal locations, are named', async () => {
  const { notes, conflicts } = await preview(
    'transports',
    `${MOVES}100301,PHX,TMP,2026-03-09,Desert Auto Haul,In Transit,\n100301,PHX,PHX,2026-03-08,Desert Auto ` +
      `Haul,In Transit,\n100301,TMP,PHX,2026-03-07,Desert Auto Haul,Delivered,\n`,
  )
  expect(notes[1]).toContain('Unit number: row 2 is another open record of this unit')
  expect(conflicts).toEqual([
    'Unit number: not in the vehicle list; the import adds the vehicle (rows 2, 3, and 4)',
    'Location in: location out and location in are the same (row 3)',
    'Unit number: an earlier row of the file has an open record for this unit (row 3)',
  ])
})

test('summaries list at most 20 rows', async () => {
  const lines = Array.from({ length: 25 }, (_, at) => `1003${String(at + 10)},2026-03-05,PHX,Still does not start\n`)
  const { conflicts } = await preview('osl', OSL + lines.join(''))
  expect(conflicts).toHaveLength(1)
  expect(conflicts[0]).toEndWith(
    '(rows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, and 5 more)',
  )
})

test('rows that are probably mistakes can be skipped', async () => {
  const { ben, phoenix } = h.cast
  await ben.post('/osl', {
    unit_number: '100301',
    osl_date: '2026-03-01',
    location_id: phoenix,
    problem: 'Does not start at all',
  })
  const text =
    `${OSL}100301,2026-03-05,PHX,Still does not start\n100302,2026-03-05,PHX,Still does not start\n` +
    `100302,2026-03-06,PHX,Still does not start\n`
  const { id } = await ben.begin('osl', 'yard.csv', text)
  expect((await ben.open(`/files/imports/${id}`)).text).toContain('Rows that are probably mistakes (2,')
  expect((await ben.put(`/files/${id}`, { skip_conflicts: true })).status).toBe(200)
  expect(await ben.settled(id)).toMatchObject({ imported: 1, duplicates: 2, failed: 0 })
  await ben.post(`/files/${id}/commit`)
  await ben.settled(id)
  const { body } = await ben.get(`/files/${id}`)
  expect((body.data as unknown as { skipped: object[] }).skipped).toEqual([
    { row: 2, message: 'Unit number: the unit is already out of service' },
    { row: 4, message: 'Unit number: row 3 is another open record of this unit' },
  ])
})
