import { beforeEach, expect, test } from 'bun:test'
import { testContext } from '../support/context'

/** Locations 1 to 3 are Phoenix (PHX), Tempe (TMP) and Mesa (MES). */
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
  const move = { move_date: '2026-03-10', transport_company_id: 1, ra_number: 'AB 12' }
  for (const [unit_number, location_out_id, location_in_id, status] of [
    ['100201', 1, 3, 'In Transit'],
    ['100202', 1, 2, 'In Transit'],
    ['100203', 2, 3, 'Delivered'],
    ['100204', 3, 1, 'Delivered'],
  ])
    await h.cast.ben.post('/transports', { ...move, unit_number, location_out_id, location_in_id, status })
})

const found = async (path: string, q: string) => {
  const at = `${path}${path.includes('?') ? '&' : '?'}q=${encodeURIComponent(q)}`
  return ((await h.cast.ada.get(at)).body.data as { unit_number: string }[]).map((row) => row.unit_number).sort()
}

test('a search matches all words across columns in any order', async () => {
  expect(await found('/transports/active', 'PHX MES')).toEqual(['100201'])
  expect(await found('/transports/active', 'mesa 100201')).toEqual(['100201'])
  expect(await found('/transports', 'MES PHX')).toEqual(['100201', '100204'])
  expect(await found('/transports', 'mesa  phoenix 100204')).toEqual(['100204'])
  expect(await found('/transports', 'PHX Nowhere')).toEqual([])
  const period = '/transports/completed?start_date=2026-03-01&end_date=2026-03-31'
  expect(await found(period, 'tempe mes')).toEqual(['100203'])
})

test('a search matches whole phrases, and more than five words are one phrase', async () => {
  expect(await found('/transports', 'AB 12')).toHaveLength(4)
  expect(await found('/transports/active', 'AB 12')).toHaveLength(2)
  expect(await found('/transports/active', 'PHX PHX MES MES')).toEqual(['100201'])
  expect(await found('/transports/active', 'MES MES')).toEqual(['100201'])
  expect(await found('/transports/active', 'm p 1 10 100')).toHaveLength(2)
  expect(await found('/transports/active', 'm p 1 10 100 1002')).toEqual([])
})

test('every list searches words across columns', async () => {
  const [ben, unit_number] = [h.cast.ben, '100201']
  const place = { unit_number, location_id: 3 }
  await ben.post('/osl', { ...place, osl_date: '2026-03-10', problem: 'Windshield cracked' })
  const days = { date_issued: '2026-01-01', date_expires: '2027-01-01' }
  await ben.post('/registrations', { ...place, ...days, plate_number: 'AZK 482', state_province: 'AZ' })
  await ben.post('/titles', { ...place, dealer_name: 'Valley Truck Sales' })
  await h.cast.ada.post('/vehicles', { unit_number, current_location: 'Row 7' })
  expect(await found('/osl', 'cracked MES')).toEqual([unit_number])
  expect(await found('/osl', 'cracked TMP')).toEqual([])
  expect(await found('/registrations', 'azk mesa')).toEqual([unit_number])
  expect(await found('/registrations', 'AZK 482')).toEqual([unit_number])
  expect(await found('/registrations', 'azk tempe')).toEqual([])
  expect(await found('/titles', 'mesa valley')).toEqual([unit_number])
  expect(await found('/titles', 'mesa hill')).toEqual([])
  expect(await found('/vehicles', 'row 100201')).toEqual([unit_number])
  expect(await found('/vehicles', 'row 100202')).toEqual([])
  const places = await h.cast.ada.get('/locations?q=mes+mesa')
  expect(places.body.meta).toMatchObject({ total: 1 })
  expect((await h.cast.ada.get('/locations?q=mes+tempe')).body.meta).toMatchObject({ total: 0 })
})

test('words that form an existing name are searched as one name', async () => {
  await h.cast.ada.post('/locations', { location_code: 'PM', location_name: 'Phoenix Mesa', location_type: 'Hub' })
  expect(await found('/transports/active', 'phoenix mesa')).toEqual([])
  expect(await found('/transports', 'Phoenix Mesa')).toEqual([])
  expect(await found('/transports/active', 'phx mesa')).toEqual(['100201'])
  expect(await found('/transports/active', 'Auto Haul')).toHaveLength(2)
})
