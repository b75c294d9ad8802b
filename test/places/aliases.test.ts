import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Named = { id: number; version: number; other_names: string[] | null; [field: string]: unknown }
const made = async (path: string, values: object) => (await h.cast.ada.post(path, values)).body.data as Named
const read = async (path: string) => (await h.cast.ben.get(path)).body.data as Named
const place = (code: string, name: string, more: object = {}) =>
  made('/locations', { location_code: code, location_name: name, location_type: 'Hub', ...more })
const move = (values: object) =>
  made('/transports', {
    unit_number: '100200',
    move_date: '2026-03-10',
    move_type: 'Fleet',
    transport_company_id: 1,
    ...values,
  })

describe('aliases', () => {
  test('are accepted as lines or a list, without blanks and duplicates', async () => {
    const dock = await place('DCK', 'Dock', { other_names: ['  The   Pier ', '', 'the pier', 'Quay'] })
    expect(dock.other_names).toEqual(['The Pier', 'Quay'])
    await h.cast.ada.submit(`/admin/locations/${dock.id}/edit`, { other_names: 'Wharf\r\n\r\nQuay\r\n' })
    expect((await read(`/locations/${dock.id}`)).other_names).toEqual(['Wharf', 'Quay'])
    const form = await h.cast.ada.open(`/admin/locations/${dock.id}/edit`)
    expect(form.html).toContain('Wharf\nQuay</textarea>')
    await h.cast.ada.submit(`/admin/locations/${dock.id}/edit`, { other_names: '' })
    expect((await read(`/locations/${dock.id}`)).other_names).toBeNull()
  })

  test.each([
    [Array.from({ length: 101 }, (_, n) => `Name ${n}`), 'At most 100 names'],
    [['x', 'x'.repeat(101)], 'At most 100 characters each'],
    [['x', 'a\u0000b'], 'Contains characters that cannot be stored'],
    [[7], 'Must be a list of names'],
    [7, 'Must be a list of names'],
  ])('are rejected with an error at their field: %j', async (other_names, message) => {
    const { status, body } = await h.cast.ada.put('/locations/1', { other_names })
    expect([status, body.errors?.[0]?.message]).toEqual([422, message])
  })

  test('can number 100 with 100 characters each', async () => {
    const other_names = Array.from({ length: 100 }, (_, n) => `Name ${n} `.padEnd(100, 'x'))
    expect((await h.cast.ada.put('/locations/1', { other_names })).body.data).toMatchObject({ other_names })
  })

  test('belong to one record and cannot be a name or code of another', async () => {
    const dock = await place('DCK', 'Dock', { other_names: ['Pier'] })
    const refused = async (other_names: string[], id = 1) =>
      (await h.cast.ada.put(`/locations/${id}`, { other_names })).body.errors
    const buildErrors = (name: string) => [{ field: 'other_names', message: `“${name}” is already a name of Dock` }]
    expect(await refused(['pier'])).toEqual(buildErrors('pier'))
    expect(await refused(['DOCK'])).toEqual(buildErrors('DOCK'))
    expect(await refused(['dck'])).toEqual(buildErrors('dck'))
    // A record can keep its own names.
    expect(await refused(['pier', 'Quay'], dock.id)).toBeUndefined()
  })

  test('find related records in every list, and vehicles at the location', async () => {
    const dock = await place('DCK', 'Dock', { other_names: ['Old Mill'] })
    await h.cast.ada.put('/transport-companies/1', { other_names: ['Saguaro Towing'] })
    await move({ location_out_id: 1, location_in_id: dock.id })
    await move({ unit_number: '100201', location_out_id: dock.id, location_in_id: 2, status: 'Delivered' })
    await made('/osl', {
      unit_number: '100300',
      location_id: dock.id,
      osl_date: '2026-03-10',
      problem: 'Transmission slips in third gear',
    })
    await made('/titles', { unit_number: '100400', location_id: dock.id, submitted_date: '2026-03-10' })
    const found = async (path: string) =>
      ((await h.cast.ben.get(path)).body.data as unknown as { unit_number: string }[])
        .map(({ unit_number }) => unit_number)
        .sort()
    expect(await found('/transports/active?q=old%20mill')).toEqual(['100200'])
    expect(await found('/transports?q=OLD%20MILL')).toEqual(['100200', '100201'])
    expect(await found('/transports?q=saguaro%20tow')).toEqual(['100200', '100201'])
    expect(await found('/transports/active?q=saguaro%20tow')).toEqual(['100200'])
    expect(await found('/osl/active?q=old%20mill')).toEqual(['100300'])
    expect(await found('/titles?q=old%20mill')).toEqual(['100400'])
    expect((await h.cast.ada.get('/locations?q=old%20mill')).body.data as unknown).toMatchObject([{ id: dock.id }])
    const lookUp = await h.cast.ben.open('/vehicles/lookup?q=old%20mill')
    expect(lookUp.html).toContain('100300')
    expect(await found('/transports?q=newer%20mill')).toEqual([])
  })

  test('appear in form options and in the row of the location', async () => {
    await h.cast.ada.put('/locations/1', { other_names: ['Old Mill', 'Quay'] })
    const form = await h.cast.ben.open('/transports/new')
    expect(form.html).toContain('data-also="Old Mill, Quay"')
    expect((await h.cast.ada.open('/admin/locations')).find('td.main .also')).toEqual(['also Old Mill, Quay'])
  })
})

test('renaming a location renames it on the vehicles there', async () => {
  const dock = await place('DCK', 'Dock')
  await move({ location_out_id: 1, location_in_id: dock.id, status: 'Delivered' })
  await h.cast.ada.put(`/locations/${dock.id}`, { location_name: 'West Dock' })
  expect((await read('/vehicles/unit/100200')).current_location).toBe('West Dock')
})

test('renaming, merging and undoing update only the vehicles at that location', async () => {
  const dock = await place('DCK', 'Dock')
  for (const [unit_number, current_location] of [
    ['100201', 'Dock'],
    ['100202', 'Mesa'],
    ['100203', 'Phoenix'],
  ])
    await made('/vehicles', { unit_number, current_location })
  const stand = async () =>
    ((await h.cast.ben.get('/vehicles?sort=unit_number&order=asc')).body.data as unknown as Named[]).map(
      ({ current_location, version }) => `${current_location} ${version}`,
    )
  await h.cast.ada.put(`/locations/${dock.id}`, { location_name: 'West Dock' })
  expect(await stand()).toEqual(['West Dock 2', 'Mesa 1', 'Phoenix 1'])
  const { id } = await made(`/locations/${dock.id}/merge`, { into_id: 1 })
  expect(await stand()).toEqual(['Phoenix 3', 'Mesa 1', 'Phoenix 1'])
  await h.cast.ada.post(`/locations/merges/${id}/undo`)
  expect(await stand()).toEqual(['West Dock 4', 'Mesa 1', 'Phoenix 1'])
  // Renaming a vendor does not rename a location with the same name.
  const vendor = await made('/vendors', { vendor_name: 'Mesa' })
  await h.cast.ada.put(`/vendors/${vendor.id}`, { vendor_name: 'Mesa Repair' })
  expect(await stand()).toEqual(['West Dock 4', 'Mesa 1', 'Phoenix 1'])
})

test('vehicles stay unchanged when their location shares its name with another', async () => {
  const dock = await place('DCK', 'Dock')
  const other = await place('DC2', 'Dock')
  await move({ location_out_id: 1, location_in_id: dock.id, status: 'Delivered' })
  await h.cast.ada.put(`/locations/${other.id}`, { location_name: 'East Dock' })
  expect((await read('/vehicles/unit/100200')).current_location).toBe('Dock')
  await h.cast.ada.put(`/locations/${other.id}`, { location_name: 'Dock' })
  await made(`/locations/${other.id}/merge`, { into_id: 1 })
  expect((await read('/vehicles/unit/100200')).current_location).toBe('Dock')
})

test('a location can keep an alias that a newer location uses as its name', async () => {
  const dock = await place('DCK', 'Dock')
  await made(`/locations/${dock.id}/merge`, { into_id: 1 })
  await place('DOCK', 'Dock')
  const { other_names } = await read('/locations/1')
  expect((await h.cast.ada.put('/locations/1', { other_names, phone: '602-555-0100' })).status).toBe(200)
  expect((await h.cast.ada.put('/locations/2', { other_names: ['dock'] })).status).toBe(422)
})

test('an ambiguous location name is unresolved in imports and stays in the audit trail', async () => {
  const dock = await place('DCK', 'Dock')
  await move({ location_out_id: dock.id, location_in_id: 2 })
  await made(`/locations/${dock.id}/merge`, { into_id: 1 })
  expect((await h.cast.ada.open('/admin/audit?entity=transports')).text).toContain('Dock')
  await place('DOCK2', 'Dock')
  const { importNames } = await import('../../src/platform/imports/remembered-names')
  expect((await importNames(h.ctx.db, 'transports')).locations.get('dock')).toEqual({ id: null, label: 'dock' })
})

test('an import does not create a location whose name has become an alias', async () => {
  const { id } = await h.cast.ada.begin(
    'titles',
    'titles.csv',
    'unit_number,location,submitted_date\n100300,Kingman,2026-03-10\n',
  )
  await h.cast.ada.put(`/files/${id}`, { names: [{ kind: 'location', name: 'Kingman', create: true }] })
  await h.cast.ada.settled(id)
  await h.cast.ada.put('/locations/1', { other_names: ['Kingman'] })
  await h.cast.ada.post(`/files/${id}/commit`)
  await h.cast.ada.settled(id)
  expect((await h.cast.ben.get('/titles')).body.data as unknown).toMatchObject([
    { unit_number: '100300', location_id: 1 },
  ])
  expect((await h.cast.ben.get('/locations')).body.meta).toMatchObject({ total: 3 })
})
