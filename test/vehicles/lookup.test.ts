import { expect, test } from 'bun:test'
import { testContext } from '../support/context'

test('the lookup finds vehicles by unit, VIN, plate, RA, PO or location', async () => {
  const h = await testContext()
  const { ben } = h.cast
  const move = {
    location_out_id: h.cast.phoenix,
    location_in_id: h.cast.tempe,
    transport_company_id: h.cast.desert,
    move_date: '2026-03-10',
  }
  await ben.post('/transports', {
    unit_number: '100001',
    ra_number: 'RA77',
    po_number: 'PO88',
    status: 'Delivered',
    ...move,
  })
  await ben.post('/osl', {
    unit_number: '200002',
    osl_date: '2026-03-10',
    location_id: h.cast.mesa,
    problem: 'Windshield is cracked',
    ra_number: 'OR99',
    po_number: 'OP66',
  })
  await ben.post('/registrations', {
    unit_number: '300003',
    plate_number: 'KLM 555',
    state_province: 'AZ',
    date_issued: '2026-01-01',
    date_expires: '2027-01-01',
    location_id: h.cast.phoenix,
  })
  await ben.post('/vehicles', { unit_number: '400004', vin: '1HGCM82633A004352' })
  const found = async (q: string) => {
    const { html, location } = await ben.open(`/vehicles/lookup?q=${encodeURIComponent(q)}`)
    return [...new Set([...(location ?? html).matchAll(/[1-4]0000[1-4](?!\d)/g)].map(([unit]) => unit))].sort()
  }
  for (const [q, units] of [
    ['100001', ['100001']],
    ['100 001', ['100001']],
    [' 2000', ['200002']],
    ['RA77', ['100001']],
    ['ra7', ['100001']],
    ['PO88', ['100001']],
    ['OR99', ['200002']],
    ['op66', ['200002']],
    ['klm 5', ['300003']],
    ['KLM-555', ['300003']],
    ['klm5', ['300003']],
    ['klm 6', []],
    ['-', []],
    ['004352', ['400004']],
    ['Tempe', ['100001']],
    ['Mesa', ['200002']],
    ['nothing of ours', []],
  ] as const)
    expect([q, await found(q)]).toEqual([q, [...units]])
  expect((await ben.open('/vehicles/lookup?q=100001')).html).toMatch(/Available[\s\S]*Tempe/)
})

test('a page adds a vehicle and explains rejected input', async () => {
  const h = await testContext()
  const { ben } = h.cast
  expect((await ben.open('/vehicles/new?unit_number=500005')).html).toContain('value="500005"')
  const made = await ben.submit('/vehicles/new', {
    unit_number: '500005',
    current_location: 'Row 7',
    model_year: '2022',
  })
  expect(made.status).toBe(303)
  expect((await ben.get('/vehicles/unit/500005')).body.data).toMatchObject({
    current_location: 'Row 7',
    model_year: 2022,
    current_status: 'Available',
  })
  const again = await ben.submit('/vehicles/new', { unit_number: '500005', current_location: 'Row 8' })
  expect([again.status, again.html.includes('is already in the vehicle list'), again.html.includes('Row 8')]).toEqual([
    422,
    true,
    true,
  ])
  expect((await ben.submit('/vehicles/new', { unit_number: '12', current_location: 'Row 8' })).status).toBe(422)
})

test('the dashboard shows ten expiring registrations and their total', async () => {
  const h = await testContext()
  for (let n = 0; n < 12; n++)
    await h.cast.ben.post('/registrations', {
      unit_number: String(600_000 + n),
      plate_number: `E ${n}`,
      state_province: 'AZ',
      date_issued: '2025-03-20',
      date_expires: '2026-03-20',
      location_id: h.cast.phoenix,
    })
  const { data } = (await h.cast.ben.get('/dashboard/metrics')).body as unknown as {
    data: { expiring_registrations: unknown[]; expiring_total: number }
  }
  expect([data.expiring_registrations.length, data.expiring_total]).toEqual([10, 12])
})
