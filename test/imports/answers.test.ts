import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

/** A file whose second column has an unknown heading. */
const FILE = 'unit_number,where it stands\n100300,PHX\n'
const aliases = async () =>
  (
    await rows<{ n: number }>(
      h.ctx.db,
      sql`select count(*)::int as n from audit_entries where entity = 'import_aliases'`,
    )
  )[0]?.n

test('the importer remembers at most 3,000 names', async () => {
  const { ben, phoenix } = h.cast
  await h.ctx.db.execute(sql`insert into import_aliases (kind, alias, location_id)
    select 'location', 'Name ' || n, ${phoenix} from generate_series(1, 3000) n`)
  const { id } = await ben.begin('titles', 'titles.csv', 'unit_number,location\n100300,Valley\n')
  const refused = await ben.put(`/files/${id}`, { names: [{ kind: 'location', name: 'Valley', id: phoenix }] })
  expect([refused.status, refused.body.errors?.[0]]).toEqual([
    422,
    {
      field: 'names',
      message: 'The importer remembers 3000 names and words. Delete some of them under Remembered names.',
    },
  ])
  // Column choices are not remembered then, but the import works.
  const other = await ben.begin('titles', 'titles.csv', FILE)
  await ben.put(`/files/${other.id}`, { fields: ['unit_number', 'location'] })
  await ben.settled(other.id)
  await ben.post(`/files/${other.id}/commit`)
  expect(await ben.settled(other.id)).toMatchObject({ status: 'done', imported: 1 })
})

test('headings are cut to 500 characters', async () => {
  const { id } = await h.cast.ben.begin('titles', 'titles.csv', `unit_number,${'x'.repeat(5000)}\n100300,PHX\n`)
  const { found } = (await h.cast.ben.get(`/files/${id}`)).body.data as { found: { header: string[] } }
  expect(found.header.map(({ length }) => length)).toEqual([11, 500])
})

test('a decision about a finished import is rejected', async () => {
  const { ben, phoenix } = h.cast
  const { id } = await ben.begin('titles', 'titles.csv', 'unit_number,location\n100300,Valley\n')
  await ben.put(`/files/${id}`, { names: [{ kind: 'location', name: 'Valley', id: phoenix }] })
  await ben.settled(id)
  await ben.post(`/files/${id}/commit`)
  expect((await ben.settled(id)).status).toBe('done')
  const late = await ben.put(`/files/${id}`, { names: [{ kind: 'location', name: 'Valley', id: h.cast.tempe }] })
  expect([late.status, late.body.message]).toEqual([
    409,
    'The answers to the questions about this file cannot be changed now',
  ])
  expect((await ben.put('/files/999', {})).status).toBe(404)
})

test('a column choice is remembered by a committed import, and forgotten when cleared', async () => {
  const { ben, phoenix } = h.cast
  const first = await ben.begin('titles', 'titles.csv', FILE)
  expect(first.found.missing).toEqual(['location'])
  await ben.put(`/files/${first.id}`, { fields: ['unit_number', 'location'] })
  expect([(await ben.settled(first.id)).found.missing, await aliases()]).toEqual([[], 0])
  await ben.post(`/files/${first.id}/cancel`)
  expect((await ben.begin('titles', 'titles.csv', FILE)).found.missing).toEqual(['location'])

  const commit = async (name: string, change: object) => {
    const { id } = await ben.begin('titles', name, FILE)
    await ben.put(`/files/${id}`, change)
    await ben.settled(id)
    expect((await ben.post(`/files/${id}/commit`)).status).toBe(202)
    return ben.settled(id)
  }
  const choice = { fields: ['unit_number', 'location'] }
  await commit('second.csv', choice)
  expect(await aliases()).toBe(1)
  // The same decision again does not change the remembered heading.
  await commit('third.csv', choice)
  expect(await aliases()).toBe(1)
  expect((await ben.begin('titles', 'fourth.csv', FILE)).found.fields).toEqual(['unit_number', 'location'])
  // With one location for all rows, the column is not needed.
  await commit('fifth.csv', { fields: ['unit_number', null], defaults: { location: String(phoenix) } })
  expect((await ben.begin('titles', 'sixth.csv', FILE)).found.fields).toEqual(['unit_number', null])
})

test('an invalid decision is rejected at its field and leaves the import unchanged', async () => {
  const { ada, ben } = h.cast
  const { id } = await ben.begin('titles', 'titles.csv', 'unit_number,location,remark\n100300,Valley,x\n')
  const refused = async (change: object) => {
    const { status, body } = await ada.put(`/files/${id}`, change)
    return [status, body.errors?.[0]?.field ?? body.message, body.errors?.[0]?.message ?? '']
  }
  const name = (more: object) => ({ names: [{ kind: 'location', name: 'Valley', ...more }] })
  const unlisted = 'Choose only fields that exist for the selected data type'
  for (const [change, answer] of [
    [{ fields: ['unit_number', 'location'] }, [422, 'fields', 'Send one entry per column; the file has 3 columns']],
    [{ fields: ['unit_number', 'location', 'plate'] }, [422, 'fields', unlisted]],
    [
      { fields: ['unit_number', 'location', 'location'] },
      [422, 'fields', 'Location was chosen for two columns. Choose one of them.'],
    ],
    [{ fields: Array(200).fill(null) }, [422, 'fields', 'Send one entry per column; the file has 3 columns']],
    [{ fields: Array(201).fill(null) }, [422, 'fields', 'At most 200 columns']],
    [{ date_orders: { location: 'day', plate: 'day' } }, [422, 'date_orders', unlisted]],
    [{ date_orders: { ['x'.repeat(40)]: 'day' } }, [422, 'date_orders', unlisted]],
    [name({}), [422, 'names', 'Choose what "Valley" stands for']],
    [name({ id: 999 }), [404, 'Location not found', '']],
    [name({ kind: 'company', id: 999 }), [404, 'Transport company not found', '']],
    [name({ name: 'x'.repeat(101), create: true }), [422, 'names', 'A name has at most 100 characters']],
    [{ names: Array(501).fill({ kind: 'location', name: 'x', id: 1 }) }, [422, 'names', 'At most 500 names']],
  ] as const)
    expect([change, await refused(change)]).toEqual([change, answer] as never)
  for (const change of [
    { date_orders: { ['x'.repeat(41)]: 'day' } },
    name({ name: 'x'.repeat(201), id: 1 }),
    name({ kind: 'column' }),
  ])
    expect([change, (await refused(change))[2] === unlisted, (await refused(change))[0]]).toEqual([change, false, 422])
  const { body } = await ben.get(`/files/${id}`)
  expect([await aliases(), body.data]).toMatchObject([0, { status: 'ready', new_names: [], date_orders: {} }])
  expect((await ada.put(`/files/${id}`, name({ name: 'x'.repeat(100), create: true }))).status).toBe(200)
  await ben.settled(id)
})

const MOVES = 'unit_number,location_out,location_in,move_date,transport_company,status'

test('names to create are distinguished by kind, ignoring case', async () => {
  const { ada } = h.cast
  const { id } = await ada.begin(
    'transports',
    'moves.csv',
    `${MOVES},notes\n100300,Yuma,Tempe,2026-03-01,Yuma,In Transit,-1\n100301,PHX,Kingman,2026-03-01,Desert ` +
      `Auto Haul,In Transit,-2\n`,
  )
  const say = async (kind: string, name: string, more: object) => {
    expect((await ada.put(`/files/${id}`, { names: [{ kind, name, ...more }] })).status).toBe(200)
    return ((await ada.settled(id)) as unknown as { new_names: object[] }).new_names
  }
  const [place, company, other] = [
    { kind: 'location', name: 'Yuma' },
    { kind: 'company', name: 'Yuma' },
    { kind: 'location', name: 'Kingman' },
  ]
  await say('location', 'Yuma', { create: true })
  await say('company', 'Yuma', { create: true })
  expect(await say('location', 'Kingman', { create: true })).toEqual([place, company, other])
  expect(await say('location', ' yuma', { create: true })).toEqual([company, other, { ...place, name: 'yuma' }])
  const shown = async () =>
    ((await ada.get(`/files/${id}/rows`)).body.data as unknown as { values: Record<string, string> }[]).map(
      ({ values }) => [values.location_out, values.location_in, values.transport_company, values.notes],
    )
  expect(await shown()).toEqual([
    ['yuma (new)', 'Tempe', 'Yuma (new)', '-1'],
    ['Phoenix', 'Kingman (new)', 'Desert Auto Haul', '-2'],
  ])
  expect(await say('location', 'Yuma', {})).toEqual([company, other])
  expect(await say('company', 'YUMA', { id: h.cast.copper })).toEqual([other])
  expect(await say('location', 'Yuma', { id: h.cast.mesa })).toEqual([other])
  expect(await shown()).toMatchObject([
    ['Mesa', 'Tempe', 'Copper State Transport', '-1'],
    ['Phoenix', 'Kingman (new)', 'Desert Auto Haul', '-2'],
  ])
  expect((await ada.get('/files/aliases')).body.data).toMatchObject([
    { kind: 'company', alias: 'YUMA', location_id: null, transport_company_name: 'Copper State Transport' },
    { kind: 'location', alias: 'Yuma', location_name: 'Mesa', transport_company_id: null },
  ])
})

test('column choices are remembered per import kind, except for standard names', async () => {
  const { ben } = h.cast
  const long = 'Where it stands since it came '.repeat(8).trim()
  const settle = async (type: string, header: string, fields: (string | null)[]) => {
    const { id } = await ben.begin(type, 'rows.csv', `${header}\n100300${',x'.repeat(fields.length - 1)}\n`)
    await ben.put(`/files/${id}`, { fields })
    await ben.settled(id)
    await ben.post(`/files/${id}/commit`)
    await ben.settled(id)
    return (
      (await ben.get('/files/aliases')).body.data as unknown as { data_type: string; alias: string; field: string }[]
    ).map(({ data_type, alias, field }) => `${data_type} ${alias} ${field}`)
  }
  const where = `titles ${long.slice(0, 200).trim()} location`
  expect(
    await settle('titles', `unit_number, ${long},who,,notes`, ['unit_number', 'location', 'dealer_name', null, null]),
  ).toEqual([where, 'titles who dealer_name'])
  expect(await settle('titles', 'unit_number,notes,', ['unit_number', 'dealer_name', 'location'])).toHaveLength(2)
  const plates = ['unit_number', 'plate_number', 'location', 'state_province', 'date_issued', 'date_expires']
  await settle('registrations', 'unit_number,plate_number,WHO,state_province,date_issued,date_expires', plates)
  expect(await settle('titles', 'unit_number,Who,location', ['unit_number', null, 'location'])).toEqual([
    where,
    'registrations WHO location',
  ])
})

test('the import button applies every changed answer before it imports', async () => {
  const { ada } = h.cast
  const { id } = await ada.begin(
    'transports',
    'moves.csv',
    `Moves of March,,,,,,\n${MOVES},colour\n100300,Yuma,Kingman,3/4/2026,Gila Haul,In Transit,x\n`,
  )
  const path = `/files/imports/${id}/commit`
  const columns = [...MOVES.split(','), '']
  const names = (...choices: string[]) =>
    Object.fromEntries(
      ['Yuma', 'Kingman', 'Gila Haul'].flatMap((name, at) => [
        [`name.${at}`, name],
        [`kind.${at}`, at < 2 ? 'location' : 'company'],
        [`choice.${at}`, choices[at] ?? 'create'],
        [`was.${at}`, 'create'],
      ]),
    )
  const fields = (list: string[]) => Object.fromEntries(list.map((field, at) => [`field.${at}`, field]))
  const same = { existing: 'skip', header_row: '2', 'date.move_date': 'month', ...fields(columns) }
  const created = { ...same, ...names() }
  const press = async (form: object) => {
    const { location, text } = await ada.submit(path, form as Record<string, unknown>)
    const { status, imported } = await ada.settled(id)
    return [
      location?.endsWith('?applied=1')
        ? 'applied'
        : text.includes('This import has already been finished or discarded')
          ? 'over'
          : null,
      status,
      imported,
    ]
  }
  const applied = 'applied'
  // A name without a choice stays a question, so no row can be imported yet.
  const open = { ...same, 'name.0': 'Yuma', 'kind.0': 'location', 'choice.0': '' }
  expect((await ada.submit(`/files/imports/${id}/settle`, open)).status).toBe(303)
  expect(await ada.settled(id)).toMatchObject({ status: 'ready', imported: 0 })
  expect(await press(created)).toEqual([applied, 'ready', 1])
  for (const [change, imported] of [
    [{ existing: 'update' }, 1],
    [{ 'date.move_date': 'day' }, 1],
    [fields([...columns.slice(0, 6), 'notes']), 1],
    [names('create', ''), 0],
    [names('create', String(h.cast.mesa)), 1],
  ] as const) {
    expect([change, await press({ ...created, ...change })]).toEqual([change, [applied, 'ready', imported]])
    expect([change, await press(created)]).toEqual([change, [applied, 'ready', 1]])
  }
  expect(await press({ ...created, header_row: '1' })).toEqual([applied, 'ready', 0])
  expect(await press({ existing: 'skip', header_row: '2' })).toEqual([applied, 'ready', 1])
  expect(await press(created)).toEqual([null, 'done', 1])
  expect(await press({ ...created, existing: 'update' })).toEqual(['over', 'done', 1])
}, 600_000)

test('one date order question covers all columns, and each column can differ', async () => {
  const { ben } = h.cast
  const { id } = await ben.begin(
    'transports',
    'moves.csv',
    'unit_number,location_out,location_in,move_date,estimated_arrival_date,transport_company,status\n' +
      '100300,Phoenix,Tempe,3/4/2026,5/6/2026,Desert Auto Haul,In Transit\n',
  )
  const path = `/files/imports/${id}`
  const questionPage = await ben.open(path)
  expect(questionPage.find('legend')[0]).toBe(
    'Move date, Estimated arrival date: are 3/4/2026, 5/6/2026 written month first or day first?',
  )
  const chosen = async () => /name="date"[^>]*checked=""[^>]*value="(\w+)"/.exec((await ben.open(path)).html)?.[1]
  const settle = async (form: Record<string, unknown>) => {
    await ben.submit(`${path}/settle`, { existing: 'skip', ...form })
    await ben.settled(id)
    const [row] = (await ben.get(`/files/${id}/rows`)).body.data as unknown as { values: Record<string, string> }[]
    return [row?.values.move_date, row?.values.estimated_arrival_date, await chosen()]
  }
  expect(await chosen()).toBe('month')
  const apart = { 'date.move_date': 'month', 'date.estimated_arrival_date': 'day' }
  expect(await settle({ date: 'day', ...apart })).toEqual(['2026-04-03', '2026-06-05', 'day'])
  expect(await settle({ date: 'each', ...apart })).toEqual(['2026-03-04', '2026-06-05', 'each'])
  expect(await settle(apart)).toEqual(['2026-03-04', '2026-06-05', 'each'])
  expect(await settle({ date: 'month', ...apart })).toEqual(['2026-03-04', '2026-05-06', 'month'])
})

test('an import without preview reports how its columns were read', async () => {
  const { ben } = h.cast
  const file =
    'Unit,From,To,Move Date,Hauler,Status\n' + '100300,Tempe (TMP),Phoenix,3/14/2026,Desert Auto Haul,In Transit\n'
  const [tempe] = (await ben.get('/locations?q=Tempe')).body.data as unknown as { location_code: string }[]
  const named = file.replace('TMP', String(tempe?.location_code))
  const upload = await ben.begin('transports', 'moves.csv', named, { commit: 'true' })
  expect(upload).toMatchObject({ status: 'done', row_count: 1, imported: 1 })
  expect(upload.found.fields).toEqual([
    'unit_number',
    'location_out',
    'location_in',
    'move_date',
    'transport_company',
    'status',
  ])
  expect((await ben.open(`/files/imports/${upload.id}`)).text).toContain('Column "From" was read as Location out')
  // A file that lacks a column waits for a decision. A call that waits for the result is refused, and stores nothing.
  const lacking = file.replace('Status', 'State of things')
  expect(await ben.begin('transports', 'b.csv', lacking, { commit: 'true' })).toMatchObject({ status: 'ready' })
  const refused = await ben.upload('transports', 'moves.csv', lacking)
  expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining('Missing required columns')])
})

test('a file of another data type is recognized, and can be read as that type', async () => {
  const { ben } = h.cast
  const file = 'Unit,Location,Plate,State,Issued,Expires\n100300,PHX,CDA4821,AZ,2026-01-05,2027-01-05\n'
  const { id, found } = await ben.begin('transports', 'plates.csv', file)
  expect(found.missing.length).toBeGreaterThan(0)
  const page = (await ben.open(`/files/imports/${id}`)).html
  expect(page).toContain('The columns of this file look like Vehicle Registrations.')
  expect((await ben.put(`/files/${id}`, { data_type: 'registrations' })).status).toBe(200)
  const changed = await ben.settled(id)
  expect([changed.data_type, changed.found.missing, changed.imported]).toEqual(['registrations', [], 1])
  expect((await ben.put(`/files/${id}`, { data_type: 'cars' })).body.errors?.[0]?.field).toBe('data_type')
})

test('a column that the user left out is still named', async () => {
  const { ben } = h.cast
  const { id } = await ben.begin('titles', 'titles.csv', 'unit_number,location,colour\n100300,PHX,red\n')
  await ben.put(`/files/${id}`, { fields: ['unit_number', 'location', null] })
  expect((await ben.settled(id)).validation_errors).toEqual(['Column "colour" was ignored'])
})

test('suggested answers are preselected for typing errors and missing columns', async () => {
  const { ben, tempe } = h.cast
  const head = 'unit_number,Pickup Spot Location,location_in,move_date,transport_company,status\n'
  const { id } = await ben.begin(
    'transports',
    'moves.csv',
    `${head}100300,Phoenix,Tempee,2026-03-09,Desert Auto Haul,Deliverd\n`,
  )
  const columns = (await ben.open(`/files/imports/${id}`)).html
  const chosen = (page: string, name: string) =>
    new RegExp(`<select[^>]*name="${name}"[^>]*>.*?</select>`, 's')
      .exec(page)?.[0]
      .match(/value="([^"]*)" selected/)?.[1]
  expect(chosen(columns, 'field\\.1')).toBe('location_out')
  await ben.put(`/files/${id}`, {
    fields: ['unit_number', 'location_out', 'location_in', 'move_date', 'transport_company', 'status'],
  })
  await ben.settled(id)
  const page = (await ben.open(`/files/imports/${id}`)).html
  expect([chosen(page, 'choice\\.0'), chosen(page, 'meaning\\.0')]).toEqual([String(tempe), 'Delivered'])
})

test('a file that fits another data type better is named, even if no required column is missing', async () => {
  const { ben } = h.cast
  const file = 'Unit,Location,Tow Date,Reason,Odometer\n100300,PHX,2026-03-05,Does not start at all,45210\n'
  const { id, found } = await ben.begin('titles', 'yard.csv', file)
  expect(found.missing).toEqual([])
  expect((await ben.open(`/files/imports/${id}`)).text).toContain('The columns of this file look like OSL Logs.')
  expect((await ben.open(`/files/imports/${id}`)).html).toContain('name="data_type"')
})

test('the column choices of a preview without valid rows are kept when its rows are fixed', async () => {
  const { ben, ada } = h.cast
  const head = 'unit_number,location,what they want\n'
  const { id } = await ben.begin('titles', 'titles.csv', `${head}10030,PHX,Mesa RV\nTotal,,\n`)
  await ben.put(`/files/${id}`, { fields: ['unit_number', 'location', 'dealer_name'] })
  await ben.settled(id)
  const fix = await ben.open(`/files/imports/${id}/mend`)
  // A row that is not a record is left out by default, but the user can include it.
  expect([...fix.html.matchAll(/name="leave\.(\d+)"[^>]*?(checked="")?[^>]*>/g)].map(([, row]) => row)).toEqual([
    '2',
    '3',
  ])
  expect(fix.html).toMatch(/name="leave\.3"[^>]*checked=""|checked=""[^>]*name="leave\.3"/)
  const fixed = await ben.begin(
    'titles',
    'fixed.csv',
    'unit_number,location,dealer_name\n100300,PHX,Mesa RV\n100301,PHX,\n',
    { mends: id },
  )
  await ben.post(`/files/${fixed.id}/commit`)
  await ben.settled(fixed.id)
  const again = await ada.begin('titles', 'again.csv', `${head}100302,PHX,Mesa RV\n`)
  expect(again.found.fields).toEqual(['unit_number', 'location', 'dealer_name'])
})
