import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const NOUNS = [
  {
    path: 'locations',
    page: '/admin/locations',
    noun: 'Location',
    name: 'location_name',
    valid: { location_code: 'GLB', location_name: 'Glendale', location_type: 'Vendor' },
    clash: { location_code: 'phx' },
    missing: { field: 'location_name', message: 'Location name is required' },
  },
  {
    path: 'transport-companies',
    page: '/admin/transport-companies',
    noun: 'Transport company',
    name: 'company_name',
    valid: { company_name: 'Sun Movers' },
    clash: { company_name: 'DESERT AUTO HAUL' },
    missing: { field: 'company_name', message: 'Company name is required' },
  },
  {
    path: 'vendors',
    page: '/admin/vendors',
    noun: 'Vendor',
    name: 'vendor_name',
    valid: { vendor_name: 'Axle Works', vendor_type: 'Repair Shop' },
    clash: null,
    missing: { field: 'vendor_name', message: 'Vendor name is required' },
  },
] as const

for (const { path, page, noun, name, valid, clash, missing } of NOUNS) {
  describe(`${noun} API`, () => {
    test('creates, reads, updates, deactivates, activates and deletes a record', async () => {
      const { status, body } = await h.cast.ada.post(`/${path}`, valid)
      const { id } = body.data as { id: number }
      expect([status, body.data]).toMatchObject([201, { ...valid, is_active: true, version: 1 }])
      expect((await h.cast.ben.get(`/${path}/${id}`)).body.data).toMatchObject(valid)
      expect((await h.cast.ada.put(`/${path}/${id}`, { [name]: 'Renamed', version: 1 })).body.data).toMatchObject({
        [name]: 'Renamed',
        version: 2,
      })
      expect((await h.cast.ada.put(`/${path}/${id}`, { [name]: 'Too late', version: 1 })).status).toBe(409)
      expect((await h.cast.ada.post(`/${path}/${id}/deactivate`)).body.data).toMatchObject({ is_active: false })
      expect(
        ((await h.cast.ben.get(`/${path}/active`)).body.data as { id: number }[]).some((row) => row.id === id),
      ).toBe(false)
      expect((await h.cast.ada.post(`/${path}/${id}/activate`)).body.data).toMatchObject({ is_active: true })
      expect((await h.cast.ben.get(`/${path}/${id}/usage`)).body.data).toEqual({
        transports: 0,
        osl: 0,
        registrations: 0,
        titles: 0,
        total: 0,
      } as never)
      expect((await h.cast.ada.delete(`/${path}/${id}`)).status).toBe(200)
      expect([
        (await h.cast.ben.get(`/${path}/${id}`)).status,
        (await h.cast.ada.delete(`/${path}/${id}`)).status,
      ]).toEqual([404, 404])
    })

    test('requires a name and rejects a duplicate', async () => {
      const empty = await h.cast.ada.post(`/${path}`, { ...valid, [name]: '  ' })
      expect([empty.status, empty.body.errors]).toEqual([422, [missing]])
      if (!clash) await h.cast.ada.post(`/${path}`, valid)
      const twice = await h.cast.ada.post(`/${path}`, { ...valid, ...(clash ?? {}) })
      expect([twice.status, twice.body.errors?.length]).toEqual([409, 1])
    })
  })

  describe(`${noun} pages`, () => {
    test('create a record, or keep the input when it is rejected', async () => {
      const refused = await h.cast.ada.submit(`${page}/new`, { ...valid, [name]: '', phone: '602-555-0100' })
      expect([refused.status, refused.find('.field-error')]).toEqual([422, [missing.message]])
      expect(refused.html).toContain('value="602-555-0100"')
      const done = await h.cast.ada.submit(`${page}/new`, { ...valid })
      expect([done.status, done.location, done.toast]).toEqual([303, page, `${noun} created successfully`])
      expect((await h.cast.ada.open(page)).text).toContain(valid[name as keyof typeof valid])
    })

    test('confirm each action with its specified message', async () => {
      const { id } = (await h.cast.ada.post(`/${path}`, valid)).body.data as { id: number }
      expect((await h.cast.ada.submit(`${page}/${id}/edit`, { ...valid, version: 1 })).toast).toBe(
        `${noun} updated successfully`,
      )
      expect((await h.cast.ada.submit(`${page}/${id}/deactivate`, {})).toast).toBe(`${noun} deactivated`)
      expect((await h.cast.ada.submit(`${page}/${id}/activate`, {})).toast).toBe(`${noun} activated`)
      expect((await h.cast.ada.open(`${page}/${id}/delete`)).find('form.form button')).toEqual(['Delete'])
      expect((await h.cast.ada.submit(`${page}/${id}/delete`, {})).toast).toBe(`${noun} deleted successfully`)
    })

    test('show the stored values on a stale edit and keep the input', async () => {
      const { id } = (await h.cast.ada.post(`/${path}`, valid)).body.data as { id: number }
      await h.cast.ada.put(`/${path}/${id}`, { [name]: 'Stored meanwhile' })
      const stale = await h.cast.ada.submit(`${page}/${id}/edit`, { ...valid, [name]: 'Typed now', version: 1 })
      expect(stale.status).toBe(409)
      expect(stale.text).toContain('Stored meanwhile')
      expect(stale.html).toContain('value="Typed now"')
      expect(stale.html).toContain('name="version" value="2"')
    })

    test('resolve a stale edit with the stored or the entered value', async () => {
      const { id } = (await h.cast.ada.post(`/${path}`, valid)).body.data as { id: number }
      await h.cast.ada.put(`/${path}/${id}`, { [name]: 'Stored meanwhile' })
      const typed = { ...valid, [name]: 'Typed now', version: 1 }
      const { html } = await h.cast.ada.submit(`${page}/${id}/edit`, typed)
      const was = /name="was" value="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? ''
      const choose = (choice: string, version: number) =>
        h.cast.ada.submit(`${page}/${id}/edit`, { ...typed, version, was, [`choice_${name}`]: choice })
      const stored = async () => ((await h.cast.ada.get(`/${path}/${id}`)).body.data as Record<string, unknown>)[name]
      expect([(await choose('stored', 2)).status, await stored()]).toEqual([303, 'Stored meanwhile'])
      expect([(await choose('typed', 2)).status, await stored()]).toEqual([303, 'Typed now'])
    })
  })
}

test('a record in use cannot be deleted', async () => {
  const { cast } = h
  await cast.ben.post('/transports', {
    unit_number: '100200',
    location_out_id: cast.phoenix,
    location_in_id: cast.tempe,
    move_date: '2026-03-10',
    transport_company_id: cast.desert,
  })
  const place = await cast.ada.delete(`/locations/${cast.phoenix}`)
  expect([place.status, place.body.message]).toEqual([409, 'Cannot delete location'])
  const company = await cast.ada.delete(`/transport-companies/${cast.desert}`)
  expect([company.status, company.body.message]).toEqual([409, 'Cannot delete transport company'])
  expect((await cast.ben.get(`/locations/${cast.tempe}/usage`)).body.data).toMatchObject({ transports: 1, total: 1 })
  expect((await cast.ada.submit(`/admin/locations/${cast.phoenix}/delete`, {})).toast).toBe('!Cannot delete location')
  const path = `/admin/locations/${cast.phoenix}`
  expect((await cast.ada.open(`${path}/delete`)).find('form button')).toContain('Deactivate')
  const turned = await cast.ada.submit(`${path}/deactivate`, { version: '1', back: '/admin/locations' })
  expect([turned.location, turned.toast]).toEqual(['/admin/locations', 'Location deactivated'])
  const inactive = await cast.ada.open(`${path}/delete`)
  expect(inactive.text).toContain('It is already inactive')
  expect(inactive.find('form button')).not.toContain('Deactivate')
  await cast.ada.submit(`${path}/activate`, {})
})

test('lists can be filtered by type and status, and vendor types come from stored vendors', async () => {
  await h.cast.ada.post('/vendors', { vendor_name: 'Axle Works', vendor_type: 'Repair Shop' })
  await h.cast.ada.post('/vendors', { vendor_name: 'Bolt & Co', vendor_type: 'Parts Supplier', is_active: false })
  expect((await h.cast.ben.get('/vendors?type=repair%20shop')).body.meta).toMatchObject({ total: 1 })
  expect((await h.cast.ben.get('/vendors/type/Parts%20Supplier')).body.meta).toMatchObject({ total: 1 })
  expect((await h.cast.ben.get('/vendors?is_active=false')).body.meta).toMatchObject({ total: 1 })
  expect((await h.cast.ben.get('/locations?type=Hub')).body.meta).toMatchObject({ total: 1 })
  expect((await h.cast.ben.get('/locations/type/Tow')).body.meta).toMatchObject({ total: 1 })
  expect((await h.cast.ada.open('/admin/vendors')).find('select[name=type] option')).toEqual([
    'All types',
    'Parts Supplier',
    'Repair Shop',
  ])
  const none = await h.cast.ada.open('/admin/vendors?q=zzz')
  expect(none.find('.empty h2')).toEqual(['Nothing matches'])
})

test('saving with "enter another" opens an empty form with the same type', async () => {
  const { ada } = h.cast
  const tow = { location_code: 'TOW', location_name: 'Tow yard', location_type: 'Tow' }
  const made = await ada.submit('/admin/locations/new', { ...tow, next: 'another' })
  expect([made.status, made.location, made.toast]).toEqual([
    303,
    expect.stringMatching(/^\/admin\/locations\/new\?location_type=Tow/),
    'Location created successfully',
  ])
  const next = await ada.open('/admin/locations/new?location_type=Tow')
  expect(next.html).toMatch(/<option value="Tow" selected="">/)
  expect(next.html).toMatch(/name="location_code"[^>]*value=""/)
  const yard = await ada.submit('/admin/vendors/new', { vendor_name: 'Pima', vendor_type: 'Towing', next: 'another' })
  expect(yard.location).toStartWith('/admin/vendors/new?vendor_type=Towing')
  const mover = await ada.submit('/admin/transport-companies/new', { company_name: 'Verde', next: 'another' })
  expect(mover.location).toStartWith('/admin/transport-companies/new')
  const refused = await ada.submit('/admin/locations/new', { ...tow, next: 'another' })
  expect(refused.status).toBe(409)
})
