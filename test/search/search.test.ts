import { beforeEach, expect, test } from 'bun:test'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
  const { ben, phoenix, tempe, desert } = h.cast
  const move = {
    location_out_id: phoenix,
    location_in_id: tempe,
    transport_company_id: desert,
    move_date: '2026-03-10',
  }
  await ben.post('/vehicles', { unit_number: '100001', vin: '1HGCM82633A004352' })
  await ben.post('/transports', { unit_number: '100002', ra_number: 'RA77', po_number: 'PO88', ...move })
  await ben.post('/osl', {
    unit_number: '100003',
    osl_date: '2026-03-10',
    location_id: phoenix,
    problem: 'Windshield is cracked',
    ra_number: 'RA78',
  })
  await ben.post('/registrations', {
    unit_number: '100004',
    plate_number: 'KLM 555',
    state_province: 'AZ',
    date_issued: '2026-01-01',
    date_expires: '2027-01-01',
    location_id: phoenix,
  })
})

type Hit = { kind: string; label: string; url: string; unit_number: string | null }
const find = async (q: string, who = h.cast.ben) =>
  (await who.get(`/search?q=${encodeURIComponent(q)}`)).body.data as unknown as Hit[]
const kinds = async (q: string) => (await find(q)).map(({ kind, unit_number }) => `${kind} ${unit_number}`)

test('search finds units, VINs or VIN endings, plates, and RA and PO numbers', async () => {
  expect(await kinds('100001')).toEqual(['vehicles 100001'])
  expect(await kinds('100 001')).toEqual(['vehicles 100001'])
  expect(await kinds('1000')).toEqual(['vehicles 100001', 'vehicles 100002', 'vehicles 100003', 'vehicles 100004'])
  expect(await kinds('004352')).toEqual(['vehicles 100001'])
  expect(await kinds('1hgcm')).toEqual(['vehicles 100001'])
  expect(await kinds('klm-5')).toEqual(['registrations 100004'])
  expect(await kinds('ra7')).toEqual(['transports 100002', 'osl 100003'])
  expect(await kinds('PO88')).toEqual(['transports 100002'])
  expect(await kinds('nothing')).toEqual([])
  // Two letters would match too many names.
  expect([await kinds('pho'), await kinds('ph')].map((found) => found.some((hit) => /^loc/.test(hit)))).toEqual([
    true,
    false,
  ])
  expect((await h.cast.ben.get('/search?q=')).status).toBe(422)
})

test('search matches every word separately in the labels of records and pages', async () => {
  expect(await kinds('RA 77')).toEqual(['transports 100002'])
  expect(await kinds('100002 ra77')).toEqual(['transports 100002'])
  expect(await kinds('100003 ra77')).toEqual([])
  expect(await kinds('po po88')).toEqual(['transports 100002'])
  expect(await kinds('klm az')).toEqual(['registrations 100004'])
  expect(await kinds('klm ca')).toEqual([])
  expect(await kinds('vin 004352')).toEqual(['vehicles 100001'])
  expect(await find('track title')).toMatchObject([{ label: 'Title Tracking' }])
  expect(await find('track report')).toEqual([])
})

test('search finds permitted pages by part of their name, with ten results at most', async () => {
  expect(await find('titl')).toEqual([{ kind: 'page', label: 'Title Tracking', url: '/titles', unit_number: null }])
  expect(await find('Manage')).toEqual([])
  expect((await find('manage', h.cast.ada)).map(({ label }) => label)).toEqual([
    'Manage Locations',
    'Manage Vendors',
    'Manage Users',
  ])
  for (let n = 0; n < 12; n++) await h.cast.ben.post('/vehicles', { unit_number: String(200_000 + n) })
  expect((await find('2000')).length).toBe(10)
})

test('Enter in the header opens a single match or lists the matches', async () => {
  expect((await h.cast.ben.open('/search?find=100002')).location).toBe('/vehicles/100002')
  expect((await h.cast.ben.open('/search?find=PO88')).location).toBe('/transports/1/edit')
  const several = await h.cast.ben.open('/search?find=1000')
  expect([several.status, several.find('.hits a').length]).toEqual([200, 4])
  expect((await h.cast.ben.open('/search?find=nothing')).status).toBe(404)
  expect((await h.cast.ben.open('/search')).status).toBe(200)
  expect((await h.cast.ben.open('/titles')).find('[data-header-search]').length).toBe(1)
})

test('RA matches come before PO matches, and transports before OSL entries', async () => {
  const { ben, phoenix, tempe, desert } = h.cast
  const move = {
    location_out_id: phoenix,
    location_in_id: tempe,
    transport_company_id: desert,
    move_date: '2026-03-10',
  }
  const osl = { osl_date: '2026-03-10', location_id: phoenix, problem: 'Windshield is cracked' }
  // The unit numbers and the order of creation are the reverse of the expected order.
  await ben.post('/osl', { unit_number: '100101', po_number: 'ZZ1', ...osl })
  await ben.post('/transports', { unit_number: '100102', po_number: 'ZZ1', ...move })
  await ben.post('/osl', { unit_number: '100103', ra_number: 'ZZ1', ...osl })
  await ben.post('/transports', { unit_number: '100104', ra_number: 'ZZ1', ...move })
  expect(await kinds('zz')).toEqual(['transports 100104', 'osl 100103', 'transports 100102', 'osl 100101'])
})

test('unit matches come first, then VIN, plate and RA matches', async () => {
  const { ben, phoenix, tempe, desert } = h.cast
  // The unit numbers are in the reverse of the expected order.
  await ben.post('/transports', {
    unit_number: '000001',
    ra_number: '77001',
    location_out_id: phoenix,
    location_in_id: tempe,
    transport_company_id: desert,
    move_date: '2026-03-10',
  })
  await ben.post('/registrations', {
    unit_number: '000002',
    plate_number: '7700 X',
    state_province: 'AZ',
    date_issued: '2026-01-01',
    date_expires: '2027-01-01',
    location_id: phoenix,
  })
  await ben.post('/vehicles', { unit_number: '000003', vin: '7700M82633A004352' })
  await ben.post('/vehicles', { unit_number: '770044' })
  expect((await find('7700')).map(({ label }) => label)).toEqual([
    'Unit 770044, Available',
    'Unit 000003, VIN 7700M82633A004352, Available',
    'Plate 7700 X AZ until 01/01/2027, unit 000002',
    'RA 77001, unit 000001',
  ])
})

test('many matches of one unit show the newest first, without duplicates', async () => {
  const { ben, phoenix, tempe, desert } = h.cast
  for (let n = 0; n < 12; n++)
    await ben.post('/transports', {
      unit_number: '100300',
      ra_number: n === 11 ? 'ZZ1' : null,
      po_number: 'ZZ1',
      location_out_id: phoenix,
      location_in_id: tempe,
      transport_company_id: desert,
      move_date: '2026-03-10',
    })
  const urls = [13, 12, 11, 10, 9, 8, 7, 6, 5].map((id) => `/transports/${id}/edit`)
  expect((await find('zz1')).map(({ url }) => url)).toEqual(urls)
})

test('Enter opens an exact unit number despite other matches, and only permitted pages', async () => {
  const { ada, ben } = h.cast
  await ben.post('/vehicles', { unit_number: '100500', vin: '100002M2633A00435' })
  await ben.put('/transports/1', { ra_number: '100002' })
  expect((await ben.open('/search?find=100002')).location).toBe('/vehicles/100002')
  const two = await ben.open('/search?find=ra')
  expect([two.status, two.location]).toEqual([200, null])
  expect((await ada.open('/search?find=manage+vendors')).location).toBe('/admin/vendors')
  expect((await ben.open('/search?find=manage+vendors')).status).toBe(404)
  for (let n = 0; n < 12; n++) await ben.post('/vehicles', { unit_number: String(200_000 + n) })
  expect((await ben.open('/search?find=2000')).html).toContain('href="/vehicles/lookup?q=2000"')
})

test('a query has at most 100 characters', async () => {
  expect((await h.cast.ben.get(`/search?q=${'x'.repeat(100)}`)).status).toBe(200)
  expect((await h.cast.ben.get(`/search?q=${'x'.repeat(101)}`)).status).toBe(422)
})

test('search finds units by their last digits, and master data by name for users who see costs', async () => {
  const [car] = (await h.cast.ben.get('/vehicles?q=100001')).body.data as unknown as { id: number }[]
  await h.cast.ben.patch(`/vehicles/${car?.id}/status`, { status: 'Available', location: 'Mesa' })
  expect(await find('0001')).toMatchObject([{ label: 'Unit 100001, Available, Mesa', url: '/vehicles/100001' }])
  await h.cast.ada.post('/vendors', { vendor_name: 'Axle Works', vendor_type: 'Towing' })
  expect(await find('axle')).toEqual([
    { kind: 'vendors', label: 'Vendor Axle Works', url: '/vendors/1', unit_number: null },
  ])
  await h.cast.ada.put('/settings', { cost_viewers: 'Administrators' })
  expect(await find('axle')).toEqual([])
})
