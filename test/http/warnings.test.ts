import { beforeEach, describe, expect, test } from 'bun:test'
import { recordBodies } from '../support/bodies'
import { testContext } from '../support/context'

/** Warnings: the API returns them with its response, and forms show them once before saving. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
  // Known units without a record that could cause a warning.
  await h.cast.ben.post('/vehicles', { unit_number: '100200' })
  await h.cast.ben.post('/vehicles', { unit_number: '100201' })
})

type Warnings = { code: string; field: string; message: string }[]
const codes = ({ status, body }: Awaited<ReturnType<typeof h.cast.ben.post>>) => {
  expect([200, 201]).toContain(status)
  return ((body.warnings ?? []) as Warnings).map(({ code }) => code).sort()
}
const { transport, osl, registration, title } = recordBodies(() => h.cast)
const post = async (path: string, body: object) => codes(await h.cast.ben.post(path, body))

describe('warnings for a transport', () => {
  test('are absent for an ordinary record', async () => {
    expect(await post('/transports', transport())).toEqual([])
  })

  test('appear for a new unit, equal locations or a duplicate', async () => {
    expect(await post('/transports', transport({ unit_number: '999001' }))).toEqual(['new_vehicle'])
    expect(await post('/transports', transport({ unit_number: '999001' }))).toEqual(['duplicate'])
    for (const other of [
      { move_date: '2026-03-09' },
      { location_out_id: h.cast.mesa },
      { location_in_id: h.cast.mesa },
      { unit_number: '100201' },
    ])
      expect(await post('/transports', transport({ unit_number: '999001', ...other }))).toEqual([])
    expect(await post('/transports', transport({ location_in_id: h.cast.phoenix }))).toEqual(['same_location'])
  })

  test('appear for a move date more than a year away', async () => {
    for (const [at, [move_date, expected]] of (
      [
        ['2025-03-14', []],
        ['2025-03-13', ['far_date']],
        ['2027-03-14', []],
        ['2027-03-15', ['far_date']],
        ['2062-03-10', ['far_date']],
      ] as const
    ).entries()) {
      const unit_number = String(100301 + at)
      await h.cast.ben.post('/vehicles', { unit_number })
      const waiting = transport({ move_date, unit_number, status: 'Awaiting Pickup' })
      expect([move_date, await post('/transports', waiting)]).toEqual([move_date, [...expected]])
    }
  })

  test('appear for a future arrival date only when the transport is delivered', async () => {
    expect(await post('/transports', transport({ actual_arrival_date: '2026-03-14' }))).toEqual([])
    expect(
      await post('/transports', transport({ move_date: '2026-03-11', actual_arrival_date: '2026-03-15' })),
    ).toEqual(['far_date'])
    expect(
      await post(
        '/transports',
        transport({ move_date: '2026-03-12', actual_arrival_date: '2026-03-15', status: 'In Transit' }),
      ),
    ).toEqual([])
  })

  test('appear for a transport that is delivered before its move date', async () => {
    const early = { move_date: '2026-03-15', status: 'Delivered' }
    expect(await post('/transports', transport(early))).toEqual(['far_date'])
    expect(await post('/transports', transport({ ...early, move_date: '2026-03-14' }))).toEqual([])
    const waiting = transport({ ...early, status: 'Awaiting Pickup', unit_number: '100201' })
    const { id } = (await h.cast.ben.post('/transports', waiting)).body.data as { id: number }
    const { warnings } = (await h.cast.ben.patch(`/transports/${id}/status`, { status: 'Delivered' })).body
    expect(warnings).toMatchObject([
      { field: 'move_date', message: 'The move date is after today, but the transport is delivered' },
    ])
    expect(codes(await h.cast.ben.patch(`/transports/${id}/status`, { status: 'In Transit' }))).toEqual([])
  })

  test('appear for a mileage below that of the vehicle', async () => {
    await h.cast.ben.post('/vehicles', { unit_number: '100200', current_mileage: 5000 })
    expect(await post('/transports', transport({ mileage: 5000 }))).toEqual([])
    expect(await post('/transports', transport({ mileage: 4999, move_date: '2026-03-11' }))).toEqual(['lower_mileage'])
    const [{ id }] = (await h.cast.ben.get('/vehicles/search?q=100200')).body.data as [{ id: number }]
    expect(codes(await h.cast.ben.patch(`/vehicles/${id}/status`, { mileage: 5000 }))).toEqual([])
    expect(codes(await h.cast.ben.patch(`/vehicles/${id}/status`, { mileage: 4999 }))).toEqual(['lower_mileage'])
  })

  test('appear when the unit has an open transport or OSL entry', async () => {
    await post('/transports', transport({ status: 'Awaiting Pickup', move_date: '2026-03-01' }))
    expect(await post('/transports', transport())).toEqual([])
    expect(await post('/transports', transport({ status: 'In Transit', move_date: '2026-03-02' }))).toEqual([
      'open_transport',
    ])
    const { id } = (await h.cast.ben.post('/osl', osl())).body.data as { id: number }
    expect(await post('/transports', transport({ move_date: '2026-03-03' }))).toEqual(['open_osl'])
    expect(await post('/transports', transport({ move_date: '2026-03-04', move_type: 'OSL' }))).toEqual([])
    await h.cast.ben.patch(`/osl/${id}/status`, { status: 'Completed' })
    expect(await post('/transports', transport({ move_date: '2026-03-05' }))).toEqual([])
  })

  test('appear for a move date after the latest registration expires', async () => {
    await h.cast.ben.post('/registrations', registration())
    expect(await post('/transports', transport({ move_date: '2026-03-10' }))).toEqual([])
    expect(await post('/transports', transport({ move_date: '2026-03-11' }))).toEqual(['expired_registration'])
    await h.cast.ben.post('/registrations', registration({ date_issued: '2026-03-10', date_expires: '2027-03-10' }))
    expect(await post('/transports', transport({ move_date: '2026-03-12' }))).toEqual([])
  })

  test('appear when a unit with a pending title is sold', async () => {
    const { id } = (await h.cast.ben.post('/titles', title())).body.data as { id: number }
    expect(await post('/transports', transport())).toEqual([])
    expect(await post('/transports', transport({ move_type: 'Sales', move_date: '2026-03-11' }))).toEqual([
      'pending_title',
    ])
    await h.cast.ben.patch(`/titles/${id}/transfer`)
    expect(await post('/transports', transport({ move_type: 'Sales', move_date: '2026-03-12' }))).toEqual([])
  })

  test('appear for a mileage below an earlier record, but not for an equal one', async () => {
    await post('/transports', transport({ mileage: 50_000 }))
    expect(await post('/transports', transport({ move_date: '2026-03-11', mileage: 50_000 }))).toEqual([])
    expect(await post('/transports', transport({ move_date: '2026-03-12', mileage: 49_999 }))).toEqual([
      'lower_mileage',
    ])
    expect(await post('/osl', osl({ osl_date: '2026-03-12', osl_mileage: 49_999 }))).toEqual(['lower_mileage'])
  })

  test('cover only problems that the edit caused', async () => {
    const { id } = (
      await h.cast.ben.post('/transports', transport({ location_in_id: h.cast.phoenix, status: 'In Transit' }))
    ).body.data as { id: number }
    const put = async (body: object) => codes(await h.cast.ben.put(`/transports/${id}`, body))
    expect(await put({ notes: 'Call first' })).toEqual([])
    expect(await put({ mileage: 100 })).toEqual([])
    expect(await put({ move_date: '2062-03-10' })).toEqual(['far_date'])
    expect(await put({ move_date: '2062-03-10' })).toEqual([])
  })
})

describe('warnings for other records', () => {
  test('appear for an unusual date, a duplicate or an open OSL entry', async () => {
    expect(await post('/osl', osl({ osl_date: '2026-03-14', status: 'Completed' }))).toEqual([])
    expect(await post('/osl', osl({ osl_date: '2026-03-15' }))).toEqual(['far_date'])
    expect(await post('/osl', osl({ unit_number: '100202', expected_return: '2020-01-01' }))).toEqual([
      'far_date',
      'new_vehicle',
    ])
    expect(await post('/osl', osl({ unit_number: '100201', osl_date: '2025-03-13' }))).toEqual(['far_date'])
    expect(await post('/osl', osl({ osl_date: '2026-03-15' }))).toEqual(['duplicate', 'far_date', 'open_osl'])
    expect(await post('/osl', osl({ osl_date: '2026-03-02' }))).toEqual(['open_osl'])
    expect(
      await post('/osl', osl({ osl_date: '2026-03-03', status: 'Completed', completed_on: '2026-03-04' })),
    ).toEqual([])
    expect(await post('/osl', osl({ unit_number: '999002' }))).toEqual(['new_vehicle'])
  })

  test('appear for a duplicate registration or a plate in use by another unit', async () => {
    expect(await post('/registrations', registration({ date_expires: '2026-03-14' }))).toEqual([])
    expect(await post('/registrations', registration({ plate_number: 'az 100', date_expires: '2026-03-14' }))).toEqual([
      'duplicate',
    ])
    expect(await post('/registrations', registration({ unit_number: '100201' }))).toEqual(['plate_in_use'])
    for (const plate_number of ['AZ100', 'az-100', 'A.Z 1-00'])
      expect(await post('/registrations', registration({ unit_number: '100201', plate_number }))).toEqual([
        'plate_in_use',
      ])
    expect(await post('/registrations', registration({ unit_number: '100201', plate_number: 'AZ1000' }))).toEqual([])
    expect(await post('/registrations', registration({ unit_number: '100201', state_province: 'NV' }))).toEqual([])
    const longTerm = registration({ unit_number: '100201', plate_number: 'AZ1001', date_expires: '2126-03-14' })
    expect(await post('/registrations', longTerm)).toEqual(['far_date'])
    // A plate that has expired yesterday is free.
    await post('/registrations', registration({ plate_number: 'OLD 1', date_expires: '2026-03-13' }))
    expect(
      await post(
        '/registrations',
        registration({ unit_number: '100201', plate_number: 'OLD 1', date_expires: '2027-03-13' }),
      ),
    ).toEqual([])
    expect(await post('/registrations', registration({ unit_number: '999003', plate_number: 'NEW 1' }))).toEqual([
      'new_vehicle',
    ])
  })

  test('appear for a title while another title is pending', async () => {
    const { id } = (await h.cast.ben.post('/titles', title())).body.data as { id: number }
    expect(await post('/titles', title())).toEqual(['duplicate'])
    await h.cast.ben.patch(`/titles/${id}/transfer`)
    await h.cast.ben.patch(`/titles/${id + 1}/transfer`)
    expect(await post('/titles', title())).toEqual([])
  })
})

test('the button in a warning names the action and repeats the original one', async () => {
  const typed = transport({ location_in_id: h.cast.phoenix, status: 'In Transit', next: 'another' })
  const warningPage = await h.cast.ben.submit('/transports/new', typed)
  expect(warningPage.html).toMatch(/<button[^>]*value="another" name="next">Create transport anyway/)
})

test('a form shows warnings once, and the audit trail records their acceptance', async () => {
  const typed = transport({
    unit_number: '999004',
    location_in_id: h.cast.phoenix,
    status: 'In Transit',
    notes: 'Gate code 12',
  })
  const warningPage = await h.cast.ben.submit('/transports/new', typed)
  expect(warningPage.status).toBe(422)
  expect(warningPage.find('.error-summary li').length).toBe(2)
  expect(warningPage.find('button[type=submit]').join(' ')).toContain('anyway')
  expect(warningPage.html).toContain('Gate code 12')
  expect((await h.cast.ben.get('/transports')).body.meta?.total).toBe(0)
  const warningKeys = warningPage.html.match(/name="warnings_seen" value="([^"]+)"/)?.[1] as string
  // A form is not saved if it has a warning that was not shown.
  expect(
    (await h.cast.ben.submit('/transports/new', { ...typed, warnings_seen: warningKeys.split(',')[0] })).status,
  ).toBe(422)
  expect(
    (await h.cast.ben.submit('/transports/new', { ...typed, unit_number: '999005', warnings_seen: warningKeys }))
      .status,
  ).toBe(422)
  expect((await h.cast.ben.submit('/transports/new', { ...typed, warnings_seen: warningKeys })).status).toBe(303)
  const [entry] = (await h.cast.ada.get('/audit?entity=transports')).body.data as unknown as {
    changes: Record<string, { new: unknown }>
  }[]
  expect(entry?.changes.warnings_accepted?.new).toEqual(
    expect.stringMatching(/new_vehicle.*same_location|same_location.*new_vehicle/),
  )
  // The API saves without a question, so the audit entry has no accepted warnings.
  await h.cast.ben.post('/transports', { ...typed, move_date: '2026-03-11' })
  const [silent] = (await h.cast.ada.get('/audit?entity=transports')).body.data as unknown as {
    changes: Record<string, unknown>
  }[]
  expect(silent?.changes.warnings_accepted).toBeUndefined()
})
