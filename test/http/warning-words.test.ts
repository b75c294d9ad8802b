import { beforeEach, describe, expect, test } from 'bun:test'
import { recordBodies } from '../support/bodies'
import { testContext } from '../support/context'

/** Texts of warnings, which record a warning names, and which ones an edit causes. Today is 2026-03-14. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
  for (const unit_number of ['100200', '100201', '100202']) await h.cast.ben.post('/vehicles', { unit_number })
})

type ApiResponse = Awaited<ReturnType<typeof h.cast.ben.post>>
const words = ({ status, body }: ApiResponse) => {
  expect([200, 201]).toContain(status)
  return ((body.warnings ?? []) as { message: string }[]).map(({ message }) => message)
}
const { transport, osl, title, ...bodies } = recordBodies(() => h.cast)
const registration = (more: object = {}) => bodies.registration({ date_expires: '2027-03-10', ...more })
const made = async (path: string, body: object) => ((await h.cast.ben.post(path, body)).body.data as { id: number }).id
const post = async (path: string, body: object) => words(await h.cast.ben.post(path, body))
const put = async (path: string, body: object) => words(await h.cast.ben.put(path, body))

describe('warnings for a transport', () => {
  test('describe each unusual value in a sentence', async () => {
    expect(await post('/transports', transport({ unit_number: '999001', location_in_id: h.cast.phoenix }))).toEqual([
      'Unit 999001 is not in the vehicle list; saving adds the vehicle',
      'Location out and location in are the same',
    ])
    await post('/transports', transport())
    expect(await post('/transports', transport())).toEqual([
      'Unit 100200 already has a transport on 03/10/2026 between these locations',
    ])
    expect(await post('/transports', transport({ move_date: '2027-03-15' }))).toEqual([
      'The move date 03/15/2027 is more than a year away',
    ])
    expect(
      await post('/transports', transport({ move_date: '2026-03-11', actual_arrival_date: '2026-03-15' })),
    ).toEqual(['The arrival date 03/15/2026 is after today'])
    expect(
      await post('/transports', transport({ move_date: '2026-03-12', actual_arrival_date: '2026-03-14' })),
    ).toEqual([])
  })

  test('name the newest open transport and OSL entry', async () => {
    const open = { status: 'In Transit', location_in_id: h.cast.mesa }
    await made('/transports', transport({ ...open, move_date: '2026-03-05' }))
    await made('/transports', transport({ ...open, move_date: '2026-03-07', status: 'Awaiting Pickup' }))
    await made('/transports', transport({ ...open, move_date: '2026-03-07', location_in_id: h.cast.tempe }))
    await made('/transports', transport({ ...open, move_date: '2026-03-06' }))
    await made('/osl', osl({ osl_date: '2026-03-02' }))
    await made('/osl', osl({ osl_date: '2026-03-04', location_id: h.cast.tempe }))
    await made('/osl', osl({ osl_date: '2026-03-04', status: 'In Repair' }))
    await made('/osl', osl({ osl_date: '2026-03-03' }))
    await made('/osl', osl({ osl_date: '2026-03-09', status: 'Completed' }))
    expect(await post('/transports', transport({ status: 'In Transit' }))).toEqual([
      'Unit 100200 already has an active transport: Phoenix → Tempe, In Transit',
      'Unit 100200 is out of service: Mesa, In Repair',
    ])
    expect(await post('/osl', osl())).toEqual(['Unit 100200 is already out of service: Mesa, In Repair'])
  })

  test('cover a registration that expired or expires before the move', async () => {
    await made('/registrations', registration({ date_expires: '2026-03-13' }))
    await made('/registrations', registration({ date_expires: '2026-02-13', plate_number: 'OLD' }))
    await made(
      '/registrations',
      registration({ unit_number: '100201', date_expires: '2026-03-14', plate_number: 'AZ 101' }),
    )
    expect(await post('/transports', transport({ move_date: '2026-03-14' }))).toEqual([
      'The registration of unit 100200 expired on 03/13/2026',
    ])
    expect(await post('/transports', transport({ move_date: '2026-03-13' }))).toEqual([])
    const ahead = transport({ unit_number: '100201', status: 'In Transit' })
    expect(await post('/transports', { ...ahead, move_date: '2026-03-15' })).toEqual([
      'The registration of unit 100201 expires on 03/14/2026, before the move',
    ])
  })

  test('cover a mileage below an earlier or same-day reading', async () => {
    const less = (mileage: string, older: string) => [
      `${mileage} is less than the earlier reading of ${older}; the mileage of the vehicle does not change`,
    ]
    await made('/transports', transport({ move_date: '2026-03-05', mileage: 50_000 }))
    await made('/osl', osl({ osl_date: '2026-03-07', osl_mileage: 51_000, status: 'Completed' }))
    const at = (move_date: string, mileage: number) => transport({ move_date, mileage, location_out_id: h.cast.mesa })
    expect(await post('/transports', at('2026-03-07', 50_999))).toEqual(less('50,999', '51,000'))
    expect(await post('/transports', at('2026-03-06', 50_999))).toEqual([])
    expect(await post('/transports', at('2026-03-05', 49_999))).toEqual(less('49,999', '50,000'))
    expect(await post('/transports', at('2026-03-04', 1))).toEqual([])
    const out = (osl_date: string, osl_mileage: number) => osl({ osl_date, osl_mileage, status: 'Completed' })
    expect(await post('/osl', out('2026-03-08', 50_999))).toEqual(less('50,999', '51,000'))
    expect(await post('/osl', out('2026-03-06', 50_998))).toEqual(less('50,998', '50,999'))
    expect(await post('/osl', out('2026-03-03', 1))).toEqual([])
    // A reading of the same day counts too.
    expect(await post('/transports', { ...at('2026-03-07', 50_997), location_in_id: h.cast.phoenix })).toEqual(
      less('50,997', '51,000'),
    )
    expect(await post('/osl', out('2026-03-07', 50_996))).toEqual([
      'Unit 100200 already has an OSL entry dated 03/07/2026',
      ...less('50,996', '51,000'),
    ])
    // The mileage of the vehicle counts if there is no later reading.
    await h.cast.ben.post('/vehicles', { unit_number: '100202', current_mileage: 9000 })
    const own = { unit_number: '100202', location_out_id: h.cast.mesa }
    expect(await post('/transports', transport({ ...own, mileage: 8999 }))).toEqual(less('8,999', '9,000'))
    expect(await post('/osl', osl({ unit_number: own.unit_number, osl_mileage: 8998, status: 'Completed' }))).toEqual(
      less('8,998', '9,000'),
    )
    const back = { ...own, location_in_id: h.cast.phoenix, mileage: 8997 }
    expect(await post('/transports', transport(back))).toEqual(less('8,997', '9,000'))
    expect(await post('/transports', transport({ ...own, move_date: '2026-03-09', mileage: 1 }))).toEqual([])
    expect(
      await post(
        '/osl',
        osl({ unit_number: own.unit_number, osl_date: '2026-03-08', osl_mileage: 1, status: 'Completed' }),
      ),
    ).toEqual([])
    // A later record without a mileage has no effect.
    await h.cast.ben.post('/vehicles', { unit_number: '100201', current_mileage: 7000 })
    await made('/transports', transport({ unit_number: '100201', move_date: '2026-03-12' }))
    await made('/osl', osl({ unit_number: '100201', osl_date: '2026-03-12', status: 'Completed' }))
    expect(await post('/transports', transport({ unit_number: '100201', mileage: 6999 }))).toEqual(
      less('6,999', '7,000'),
    )
  })

  test('cover only problems that the edit caused', async () => {
    const id = await made('/transports', transport({ move_date: '2026-03-05' }))
    const at = `/transports/${id}`
    await made('/transports', transport({ mileage: 700 }))
    expect(await put(at, { location_in_id: h.cast.phoenix })).toEqual(['Location out and location in are the same'])
    expect(await put(at, { location_in_id: h.cast.phoenix, notes: 'Again' })).toEqual([])
    expect(await put(at, { location_in_id: h.cast.tempe })).toEqual([])
    expect(await put(at, { move_date: '2026-03-10' })).toEqual([
      'Unit 100200 already has a transport on 03/10/2026 between these locations',
    ])
    expect(await put(at, { mileage: 699 })).toHaveLength(1)
    expect(await put(at, { unit_number: '999009' })).toEqual([
      'Unit 999009 is not in the vehicle list; saving adds the vehicle',
    ])
    expect(await put(at, { actual_arrival_date: '2026-03-15' })).toEqual(['The arrival date 03/15/2026 is after today'])
    await made('/titles', title({ unit_number: '999009' }))
    expect(await put(at, { move_type: 'Sales' })).toEqual(['The title of unit 999009 is still pending'])
    await made('/osl', osl({ unit_number: '999009' }))
    expect(await put(at, { move_type: 'OSL' })).toEqual([])
    expect(await put(at, { move_type: 'Fleet' })).toEqual(['Unit 999009 is out of service: Mesa, Out of Service'])
    expect((await h.cast.ben.put('/transports/99', { move_type: 'Fleet' })).status).toBe(404)
  })
})

describe('warnings for an OSL entry', () => {
  test('describe each unusual value in a sentence', async () => {
    expect(await post('/osl', osl({ unit_number: '999002', osl_date: '2026-03-15' }))).toEqual([
      'Unit 999002 is not in the vehicle list; saving adds the vehicle',
      'The OSL date 03/15/2026 is after today',
    ])
    expect(await post('/osl', osl({ osl_date: '2026-03-14' }))).toEqual([])
    expect(await post('/osl', osl({ osl_date: '2026-03-14', status: 'Completed' }))).toEqual([
      'Unit 100200 already has an OSL entry dated 03/14/2026',
    ])
    expect(await post('/osl', osl({ osl_date: '2025-03-13', status: 'Completed' }))).toEqual([
      'The OSL date 03/13/2025 is more than a year ago',
    ])
    expect(await post('/osl', osl({ osl_date: '2025-03-14', status: 'Completed' }))).toEqual([])
  })

  test('cover only problems that the edit caused', async () => {
    const at = `/osl/${await made('/osl', osl({ status: 'Completed' }))}`
    await made('/osl', osl({ osl_date: '2026-03-05', osl_mileage: 700 }))
    expect(await put(at, { notes: 'Again' })).toEqual([])
    expect(await put(at, { status: 'Ready' })).toEqual(['Unit 100200 is already out of service: Mesa, Out of Service'])
    expect(await put(at, { osl_mileage: 700 })).toEqual([])
    expect(await put(at, { osl_mileage: 699 })).toHaveLength(1)
    expect(await put(at, { osl_date: '2026-03-05' })).toEqual(['Unit 100200 already has an OSL entry dated 03/05/2026'])
    expect(await put(at, { unit_number: '999009' })).toEqual([
      'Unit 999009 is not in the vehicle list; saving adds the vehicle',
    ])
  })
})

describe('warnings for a registration', () => {
  test('name the unit whose registration of the plate expires last, and report duplicates', async () => {
    await made('/registrations', registration({ unit_number: '100201', date_expires: '2027-03-10' }))
    await made('/registrations', registration({ unit_number: '100202', date_expires: '2027-03-11' }))
    expect(await post('/registrations', registration({ plate_number: 'az-100' }))).toEqual([
      'Plate az-100 AZ is already registered to unit 100202',
    ])
    expect(await post('/registrations', registration({ plate_number: 'az-100', unit_number: '999003' }))).toEqual([
      'Unit 999003 is not in the vehicle list; saving adds the vehicle',
      'Plate az-100 AZ is already registered to unit 100202',
    ])
    await made('/registrations', registration({ plate_number: 'B 1' }))
    expect(await post('/registrations', registration({ plate_number: 'b 1' }))).toEqual([
      'Unit 100200 already has plate b 1 AZ issued on 03/10/2025',
    ])
    for (const other of [{ date_issued: '2025-03-11' }, { state_province: 'NV' }, { plate_number: 'B1' }])
      expect([other, await post('/registrations', registration({ plate_number: 'B 1', ...other }))]).toEqual([
        other,
        [],
      ])
  })

  test('say so if the issue date is after today', async () => {
    const at = `/registrations/${await made('/registrations', registration({ date_issued: '2026-03-14' }))}`
    expect(await put(at, { date_issued: '2026-03-15' })).toEqual(['The issue date 03/15/2026 is after today'])
  })

  test('treat a plate as in use through its expiry date', async () => {
    await made('/registrations', registration({ unit_number: '100201', date_expires: '2026-03-14' }))
    await made(
      '/registrations',
      registration({ unit_number: '100201', date_expires: '2026-03-13', plate_number: 'C 1' }),
    )
    expect(await post('/registrations', registration())).toEqual([
      'Plate AZ 100 AZ is already registered to unit 100201',
    ])
    expect(await post('/registrations', registration({ plate_number: 'C 1' }))).toEqual([])
  })

  test('cover only problems that the edit caused', async () => {
    const at = `/registrations/${await made('/registrations', registration())}`
    await made('/registrations', registration({ unit_number: '100201', plate_number: 'D 1' }))
    expect(await put(at, { cost: 5 })).toEqual([])
    expect(await put(at, { plate_number: 'D 1' })).toEqual(['Plate D 1 AZ is already registered to unit 100201'])
    expect(await put(at, { plate_number: 'D 1' })).toEqual([])
    expect(await put(at, { state_province: 'NV' })).toEqual([])
    expect(await put(at, { state_province: 'AZ' })).toEqual(['Plate D 1 AZ is already registered to unit 100201'])
    expect(await put(at, { unit_number: '100201' })).toEqual([
      'Unit 100201 already has plate D 1 AZ issued on 03/10/2025',
    ])
    expect(await put(at, { date_issued: '2025-04-01' })).toEqual([])
    expect(await put(at, { date_issued: '2025-03-10' })).toHaveLength(1)
    expect((await h.cast.ben.put('/registrations/99', { plate_number: 'E' })).status).toBe(404)
  })
})

describe('warnings for a title', () => {
  test('name each date after today that the edit caused', async () => {
    expect(await post('/titles', title({ submitted_date: '2026-03-15', sent_on: '2026-03-14' }))).toEqual([
      'Submitted date: 03/15/2026 is after today',
    ])
    const at = `/titles/${await made('/titles', title({ unit_number: '100201' }))}`
    expect(await put(at, { received_on: '2062-03-10' })).toEqual(['Received on: 03/10/2062 is after today'])
    expect(await put(at, { received_on: '2062-03-11', notes: 'Late' })).toEqual([])
    expect(await put(at, { transferred_date: '2026-03-14' })).toEqual([])
    expect(await put(at, { transferred_date: '2026-03-15' })).toEqual(['Transferred date: 03/15/2026 is after today'])
  })

  test('name the latest pending title, and repeat only for another unit', async () => {
    await made('/titles', title({ submitted_date: '2026-02-01' }))
    const transferredId = await made('/titles', title({ submitted_date: '2026-02-20' }))
    await h.cast.ben.patch(`/titles/${transferredId}/transfer`)
    await made('/titles', title({ submitted_date: '2026-02-10' }))
    const pending = 'Unit 100200 already has a pending title, submitted on 02/10/2026'
    expect(await post('/titles', title())).toEqual(['Unit 100200 already has a pending title, submitted on 02/10/2026'])
    const at = `/titles/${await made('/titles', title({ unit_number: '100201' }))}`
    expect(await put(at, { notes: 'Again' })).toEqual([])
    expect(await put(at, { unit_number: '100201' })).toEqual([])
    expect(await put(at, { unit_number: '100200' })).toEqual([pending.replace('02/10', '03/01')])
    expect(await put(at, { unit_number: '100200', notes: 'And again' })).toEqual([])
    expect(await put(at, { unit_number: '999009' })).toEqual([
      'Unit 999009 is not in the vehicle list; saving adds the vehicle',
    ])
    expect(await put(`/titles/${transferredId}`, { unit_number: '100200', notes: 'Long gone' })).toEqual([])
    expect((await h.cast.ben.put('/titles/99', { unit_number: '100200' })).status).toBe(404)
  })
})

test('the unit summary shows the newest open transport and OSL entry', async () => {
  await made('/transports', transport({ status: 'In Transit', move_date: '2026-03-05' }))
  await made('/transports', transport({ status: 'In Transit', move_date: '2026-03-07', location_in_id: h.cast.mesa }))
  await made('/osl', osl({ osl_date: '2026-03-05' }))
  await made('/registrations', registration())
  await made('/titles', title())
  const readSummary = async (unit: string) => (await h.cast.ben.get(`/vehicles/${unit}/summary`)).body.data
  expect([await readSummary('100200'), await readSummary('100201')]).toMatchObject([
    {
      is_known: true,
      open_transport: 'Phoenix → Mesa, In Transit',
      open_osl: 'Mesa, Out of Service',
      registered_until: '2027-03-10',
      has_pending_title: true,
    },
    { is_known: true, open_transport: null, open_osl: null, registered_until: null, has_pending_title: false },
  ])
  expect(await readSummary('999999')).toMatchObject({ is_known: false, current_status: null })
})
