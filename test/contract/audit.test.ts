import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'

/**
 * Rules of the contract that the program once broke.
 * Each test makes the call that showed the fault.
 */

// Today is 2026-03-14 in every test of this file.
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Made = { id: number; version: number } & Record<string, unknown>
type Warned = { warnings?: { code: string }[] }
const codes = (body: unknown) => ((body as Warned).warnings ?? []).map(({ code }) => code)
const make = async (path: string, body: object, who = h.cast.ben) => {
  const answer = await who.post(path, body)
  expect([path, answer.status, answer.body.message]).toEqual([path, 201, undefined])
  return answer.body.data as unknown as Made
}
const move = (more: object = {}) => ({
  unit_number: '100200',
  location_out_id: h.cast.phoenix,
  location_in_id: h.cast.tempe,
  transport_company_id: h.cast.desert,
  move_date: '2026-03-10',
  ...more,
})
const out = (more: object = {}) => ({
  unit_number: '100200',
  osl_date: '2026-03-01',
  location_id: h.cast.phoenix,
  problem: 'Windshield cracked on the left',
  ...more,
})
const plate = { unit_number: '100200', plate_number: 'CDA4821', state_province: 'AZ' }
const registration = () => ({
  ...plate,
  location_id: h.cast.phoenix,
  date_issued: '2025-04-01',
  date_expires: '2026-03-31',
})
const refusedAt = (answer: { status: number; body: { errors?: { field: string }[] } }) => [
  answer.status,
  answer.body.errors?.[0]?.field,
]

describe('lists', () => {
  test('search the audit trail, record history and earlier uploads', async () => {
    const { ada, ben } = h.cast
    await make('/vehicles', { unit_number: '100200' })
    await ben.upload('titles', 'march titles.csv', 'unit_number,location\n100300,PHX\n')
    const total = async (path: string) => (await ada.get(path)).body.meta?.total
    expect(await total('/audit?q=nobody+like+it')).toBe(0)
    expect(await total('/audit?q=BEN')).toBe(await total('/audit?actor=ben'))
    expect(await total('/audit?q=vehicles&actor=ben')).toBe(await total('/audit?entity=vehicles&actor=ben'))
    expect(await total('/history/vehicles/1?q=nobody+like+it')).toBe(0)
    expect([await total('/files/history?q=april'), await total('/files/history?q=MARCH')]).toEqual([0, 1])
  })

  test('accept only true or false for a boolean filter', async () => {
    expect(refusedAt(await h.cast.ben.get('/osl?storage_fees_applicable=maybe'))).toEqual([
      422,
      'storage_fees_applicable',
    ])
    expect(refusedAt(await h.cast.ben.get('/due?snoozed=maybe'))).toEqual([422, 'snoozed'])
    await make('/osl', out({ storage_fee_daily_rate: 20 }))
    await make('/osl', out({ unit_number: '100201' }))
    const units = async (query: string) =>
      ((await h.cast.ben.get(`/osl?${query}`)).body.data as unknown as Made[]).map(({ unit_number }) => unit_number)
    expect(await units('storage_fees_applicable=true')).toEqual(['100200'])
    expect(await units('storage_fees_applicable=false')).toEqual(['100201'])
  })
})

describe('mileage readings', () => {
  test('cause a lower_mileage warning only below an earlier reading', async () => {
    await make('/transports', move({ mileage: 1000 }))
    const typedLater = await h.cast.ben.post('/transports', move({ move_date: '2026-03-05', mileage: 900 }))
    expect(codes(typedLater.body)).not.toContain('lower_mileage')
    const lower = await h.cast.ben.post('/transports', move({ move_date: '2026-03-12', mileage: 950 }))
    expect(codes(lower.body)).toContain('lower_mileage')
    const logged = await h.cast.ben.post('/osl', out({ osl_date: '2026-03-02', osl_mileage: 800 }))
    expect(codes(logged.body)).not.toContain('lower_mileage')
  })

  test('cause a lower_mileage warning on a vehicle update too', async () => {
    const { id } = await make('/vehicles', { unit_number: '100200', current_mileage: 400 })
    expect(codes((await h.cast.ben.patch(`/vehicles/${id}/status`, { mileage: 300 })).body)).toEqual(['lower_mileage'])
    expect(codes((await h.cast.ben.patch(`/vehicles/${id}/status`, { mileage: 500 })).body)).toEqual([])
  })
})

describe('registrations', () => {
  test('a second renewal returns a duplicate warning', async () => {
    const { id } = await make('/registrations', registration())
    expect(codes((await h.cast.ben.post(`/registrations/${id}/renew`, {})).body)).toEqual([])
    expect(codes((await h.cast.ben.post(`/registrations/${id}/renew`, {})).body)).toEqual(['duplicate'])
  })

  test('a renewal can change the unit and plate numbers', async () => {
    const { id } = await make('/registrations', registration())
    const renewed = await make(`/registrations/${id}/renew`, { unit_number: '100201', plate_number: 'NEW1' })
    expect(renewed).toMatchObject({ unit_number: '100201', plate_number: 'NEW1', state_province: 'AZ' })
  })
})

describe('vehicles', () => {
  test('are found by the last four characters of the VIN, not by three', async () => {
    await make('/vehicles', { unit_number: '100200', vin: '1HGCM82633A004352' })
    const { data } = (await h.cast.ben.post('/vehicles/lookup', { numbers: ['4352', '352', '9999'] })).body
    expect(data).toMatchObject({ found: [{ unit_number: '100200' }], not_found: ['352', '9999'] })
  })

  test('are reported as "Vehicle not found" when the number is malformed or unknown', async () => {
    for (const path of ['/vehicles/unit/abc', '/vehicles/vin/abc', '/vehicles/unit/999999']) {
      const { status, body } = await h.cast.ben.get(path)
      expect([path, status, body.message]).toEqual([path, 404, 'Vehicle not found'])
    }
  })

  test('have a summary, and unlisted units are marked as new', async () => {
    await make('/transports', move({ status: 'In Transit' }))
    await make('/osl', out())
    await make('/registrations', registration())
    await make('/titles', { unit_number: '100200', location_id: h.cast.phoenix })
    expect((await h.cast.ben.get('/vehicles/100200/summary')).body.data).toEqual({
      unit_number: '100200',
      is_known: true,
      model_year: null,
      current_status: 'Out of Service',
      current_location: 'Phoenix',
      current_location_id: 1,
      open_transport: 'Phoenix → Tempe, In Transit',
      open_osl: 'Phoenix, Out of Service',
      registered_until: '2026-03-31',
      has_pending_title: true,
    } as never)
    expect((await h.cast.ben.get('/vehicles/999999/summary')).body.data).toMatchObject({ is_known: false })
    expect((await h.cast.ben.open('/vehicles/known?unit_number=100200')).text).toContain(
      'Active transport: Phoenix → Tempe',
    )
    expect((await h.cast.ben.open('/vehicles/known?unit_number=999999')).text).toContain('is not in the vehicle list')
    expect((await h.cast.ben.open('/vehicles/known?unit_number=99')).text).toBe('')
  })
})

describe('input that must not be ignored', () => {
  test('a completion date is rejected while the OSL entry is open', async () => {
    const { id } = await make('/osl', out())
    expect(refusedAt(await h.cast.ben.put(`/osl/${id}`, { completed_on: '2026-03-10' }))).toEqual([422, 'completed_on'])
    expect(refusedAt(await h.cast.ben.post('/osl', out({ completed_on: '2026-03-10' })))).toEqual([422, 'completed_on'])
    expect(
      refusedAt(await h.cast.ben.patch(`/osl/${id}/status`, { status: 'In Repair', completed_on: '2026-03-10' })),
    ).toEqual([422, 'completed_on'])
    const done = await h.cast.ben.put(`/osl/${id}`, { status: 'Completed', completed_on: '2026-03-10' })
    expect(done.body.data).toMatchObject({ completed_on: '2026-03-10' })
    const again = await h.cast.ben.put(`/osl/${id}`, { status: 'Ready', completed_on: '2026-03-10' })
    expect(again.body.data).toMatchObject({ status: 'Ready', completed_on: null })
  })

  test('a transfer date is stored, and rejected before the submitted date', async () => {
    const title = { unit_number: '100200', location_id: h.cast.phoenix, submitted_date: '2026-03-01' }
    const { id } = await make('/titles', title)
    const changed = await h.cast.ben.put(`/titles/${id}`, { transferred_date: '2026-03-11' })
    expect(changed.body.data).toMatchObject({ transferred_date: '2026-03-11', days_pending: 10 })
    expect((await h.cast.ben.put(`/titles/${id}`, { dealer_name: 'Valley' })).body.data).toMatchObject({
      transferred_date: '2026-03-11',
    })
    expect(refusedAt(await h.cast.ben.put(`/titles/${id}`, { transferred_date: '2026-02-28' }))).toEqual([
      422,
      'transferred_date',
    ])
    const made = await make('/titles', { ...title, unit_number: '100201', transferred_date: '2026-03-01' })
    expect(made).toMatchObject({ transferred_date: '2026-03-01', days_pending: 0 })
  })

  test('a bulk edit rejects a field that it cannot set', async () => {
    const { id } = await make('/transports', move())
    const set = { status: 'In Transit', move_type: 'OSL' }
    expect(refusedAt(await h.cast.ben.post('/transports/bulk', { ids: [id], set }))).toEqual([422, 'set.move_type'])
    expect((await h.cast.ben.get(`/transports/${id}`)).body.data).toMatchObject({ status: 'Awaiting Pickup' })
  })

  test('a move date after the stored arrival date is rejected', async () => {
    const { id } = await make('/transports', move({ status: 'Delivered', actual_arrival_date: '2026-03-11' }))
    expect(refusedAt(await h.cast.ben.put(`/transports/${id}`, { move_date: '2026-03-12' }))).toEqual([
      422,
      'actual_arrival_date',
    ])
    expect((await h.cast.ben.put(`/transports/${id}`, { move_date: '2026-03-11' })).status).toBe(200)
    expect((await h.cast.ben.put(`/transports/${id}`, { mileage: 5 })).status).toBe(200)
  })

  test('a number in a CSV file is not read as a date', async () => {
    const row =
      'unit_number,location_out,location_in,move_date,transport_company,status\n' +
      '100200,PHX,TMP,46000,Desert Auto Haul,In Transit\n'
    const { body } = await h.cast.ben.upload('transports', 'moves.csv', row)
    expect([body.imported, body.failed]).toEqual([0, 1])
  })
})

describe('references between records', () => {
  test('invoices and report schedules block deletion, and usage counts only records', async () => {
    const { ada, tempe } = h.cast
    const vendor = await make('/vendors', { vendor_name: 'Bolt & Co' }, ada)
    await make(`/vendors/${vendor.id}/invoices`, {
      number: 'A-1',
      start_date: '2026-02-01',
      end_date: '2026-02-28',
      lines: [{ unit_number: '100200', amount: 5 }],
    })
    expect((await ada.get(`/vendors/${vendor.id}/usage`)).body.data).toMatchObject({ osl: 0, total: 0 })
    expect((await ada.delete(`/vendors/${vendor.id}`)).status).toBe(409)
    const [schedule] = (await ada.get('/reports/schedules')).body.data as unknown as Made[]
    expect((await ada.put(`/reports/schedules/${schedule?.id}`, { location_id: tempe })).status).toBe(200)
    expect((await ada.get(`/locations/${tempe}/usage`)).body.data).toMatchObject({ transports: 0, total: 0 })
    expect((await ada.delete(`/locations/${tempe}`)).body.message).toBe('Cannot delete location')
  })

  test('a restore fails with a reason when the location was deleted', async () => {
    const { ada, mesa } = h.cast
    const { id } = await make('/transports', move({ location_in_id: mesa }))
    await ada.delete(`/transports/${id}`)
    await ada.delete(`/locations/${mesa}`)
    const { status, body } = await ada.post(`/transports/${id}/restore`)
    expect([status, body.message]).toEqual([
      409,
      'Transport refers to a record that has since been deleted; restore that record first',
    ])
  })
})

test('password pages state the length, character and common-password rules', async () => {
  for (const path of ['/admin/users/new', '/admin/users/1/reset-password', '/profile/password'])
    expect((await h.cast.ada.open(path)).text).toContain(
      'Minimum 8 characters with uppercase, lowercase, and number. Common passwords and names are not accepted.',
    )
})

test('the API document has no parameter defaults and marks required dates', async () => {
  const { paths } = (await (await h.cast.stranger.request('/api/openapi.json')).json()) as {
    paths: Record<
      string,
      Record<
        string,
        {
          parameters: { name: string; required: boolean; schema: object }[]
          requestBody?: { content: Record<string, { schema: unknown }> }
        }
      >
    >
  }
  const withDefaults = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ parameters }) =>
      parameters
        .filter(({ schema }) => JSON.stringify(schema).includes('"default"'))
        .map(({ name }) => `${path} ${name}`),
    ),
  )
  expect(withDefaults).toEqual([])
  expect(JSON.stringify(paths['/api/vehicles']?.post?.requestBody)).not.toContain('"default"')
  for (const path of ['/api/osl/completed', '/api/vendors/{id}/statement', '/api/reports/{type}'])
    expect([path, paths[path]?.get?.parameters.filter(({ required }) => required).map(({ name }) => name)]).toEqual([
      path,
      expect.arrayContaining(['start_date', 'end_date']),
    ])
  expect(Object.keys(paths['/api/vendors/{id}/invoices']?.post?.requestBody?.content ?? {})).toEqual([
    'application/json',
    'multipart/form-data',
  ])
})

describe('spreadsheet invoices', () => {
  const sheet = (text: string, name = 'invoice.csv') => new File([text], name)
  async function sendFile(vendor: number, file: File, more: object = {}) {
    const form = new FormData()
    const fields = { number: 'A-1', start_date: '2026-02-01', end_date: '2026-02-28', ...more }
    for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
    form.set('file', file)
    const response = await h.cast.ben.request(`/api/vendors/${vendor}/invoices`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await h.cast.ben.token()}` },
      body: form,
    })
    return { status: response.status, body: (await response.json()) as never as Record<string, never> }
  }
  type Invoice = { lines: { unit_number: string; billed: number; status: string }[] }

  test('are matched to records, ignoring title and total rows', async () => {
    const vendor = await make('/vendors', { vendor_name: 'Bolt & Co', storage_daily_rate: 35 }, h.cast.ada)
    await make('/osl', out({ osl_date: '2026-01-20', vendor_id: vendor.id }))
    const text = 'Bolt & Co\n\nUnit #,Days,Daily rate,Amount\n100200,28,$35.00,"$980.00"\n300,5,35,175\nTotal,,,1155\n'
    const { status, body } = await sendFile(vendor.id, sheet(text))
    expect([status, body.message]).toEqual([201, undefined as never])
    expect((body.data as unknown as Invoice).lines.map(({ unit_number, status }) => [unit_number, status])).toEqual([
      ['100200', 'matched'],
      ['000300', 'not_ours'],
    ])
  })

  test('are rejected for missing columns, an unreadable file or a missing amount', async () => {
    const vendor = await make('/vendors', { vendor_name: 'Bolt & Co' }, h.cast.ada)
    expect(refusedAt((await sendFile(vendor.id, sheet('a,b\n1,2\n'))) as never)).toEqual([422, 'file'])
    expect(refusedAt((await sendFile(vendor.id, sheet('x', 'old.xls'))) as never)).toEqual([422, 'file'])
    expect(refusedAt((await sendFile(vendor.id, sheet('no zip', 'a.xlsx'))) as never)).toEqual([422, 'file'])
    expect(refusedAt((await sendFile(vendor.id, sheet('unit,amount\n100200,\n'))) as never)).toEqual([422, 'file'])
    expect((await sendFile(vendor.id, sheet('unit,amount\n100200,5\n100201,\n'))).body.message).toBe(
      'Row 3: Amount is required' as never,
    )
    expect(refusedAt((await sendFile(vendor.id, sheet('unit,amount\n'))) as never)).toEqual([422, 'lines'])
    expect(refusedAt((await sendFile(vendor.id, sheet('unit,amount\n100200,5\n'), { number: '' })) as never)).toEqual([
      422,
      'number',
    ])
  })
})
