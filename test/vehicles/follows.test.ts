import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'

/** The status, location and mileage of a vehicle follow its records, however these are changed. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Stored = { id: number; version: number }
const UNIT = '100200'
const vehicle = async (unit = UNIT) => {
  const { current_status, current_location, current_mileage, model_year } = (
    await h.cast.ben.get(`/vehicles/unit/${unit}`)
  ).body.data as Record<string, unknown>
  return [current_status, current_location, current_mileage, model_year]
}
const move = async (more: object = {}) => {
  const { status, body } = await h.cast.ben.post('/transports', {
    unit_number: UNIT,
    location_out_id: h.cast.phoenix,
    location_in_id: h.cast.tempe,
    transport_company_id: h.cast.desert,
    move_date: '2026-03-10',
    ...more,
  })
  expect(status).toBe(201)
  return body.data as Stored
}
const osl = async (more: object = {}) => {
  const { status, body } = await h.cast.ben.post('/osl', {
    unit_number: UNIT,
    osl_date: '2026-03-11',
    location_id: h.cast.mesa,
    problem: 'Transmission slips in third gear',
    ...more,
  })
  expect(status).toBe(201)
  return body.data as Stored
}
const patch = async (path: string, body: object) => expect((await h.cast.ben.patch(path, body)).status).toBe(200)
async function byHand(body: object) {
  const { id } = (await h.cast.ben.get(`/vehicles/unit/${UNIT}`)).body.data as Stored
  await patch(`/vehicles/${id}/status`, body)
}

describe('the status and location of a vehicle', () => {
  test('follow a transport from start to delivery and back', async () => {
    const { id } = await move({ status: 'Awaiting Pickup' })
    expect(await vehicle()).toEqual(['Available', null, null, null])
    await patch(`/transports/${id}/status`, { status: 'In Transit' })
    expect(await vehicle()).toEqual(['In Transit', null, null, null])
    await patch(`/transports/${id}/status`, { status: 'Delivered' })
    expect(await vehicle()).toEqual(['Available', 'Tempe', null, null])
    await patch(`/transports/${id}/status`, { status: 'In Transit' })
    expect(await vehicle()).toEqual(['In Transit', null, null, null])
  })

  test('show Out of Service while any OSL entry is active, even during a transport', async () => {
    await move({ status: 'In Transit' })
    const { id } = await osl({ model_year: 2019 })
    expect(await vehicle()).toEqual(['Out of Service', 'Mesa', null, 2019])
    const other = await osl({ osl_date: '2026-03-12', location_id: h.cast.phoenix, model_year: 2021 })
    await patch(`/osl/${id}/status`, { status: 'Completed' })
    // A known model year is not replaced.
    expect(await vehicle()).toEqual(['Out of Service', 'Phoenix', null, 2019])
    await patch(`/osl/${other.id}/status`, { status: 'Completed' })
    expect(await vehicle()).toEqual(['In Transit', 'Phoenix', null, 2019])
  })

  test('show Sold after a delivered sale until a later delivery', async () => {
    const sale = await move({ move_type: 'Sales', status: 'Delivered', actual_arrival_date: '2026-03-11' })
    expect(await vehicle()).toEqual(['Sold', 'Tempe', null, null])
    await move({
      move_date: '2026-03-01',
      location_in_id: h.cast.mesa,
      status: 'Delivered',
      actual_arrival_date: '2026-03-02',
    })
    expect(await vehicle()).toEqual(['Sold', 'Tempe', null, null])
    await move({
      move_date: '2026-03-12',
      location_in_id: h.cast.phoenix,
      status: 'Delivered',
      actual_arrival_date: '2026-03-12',
    })
    expect(await vehicle()).toEqual(['Available', 'Phoenix', null, null])
    expect((await h.cast.ben.delete(`/transports/${sale.id}`)).status).toBe(200)
    expect(await vehicle()).toEqual(['Available', 'Phoenix', null, null])
  })

  test('prefer a delivery to an OSL entry of one day, and the later delivery', async () => {
    await osl({ osl_date: '2026-03-10', status: 'Completed', completed_on: '2026-03-10' })
    expect((await vehicle())[1]).toBe('Mesa')
    await move({ status: 'Delivered', actual_arrival_date: '2026-03-10' })
    expect((await vehicle())[1]).toBe('Tempe')
    await move({
      status: 'Delivered',
      actual_arrival_date: '2026-03-10',
      location_in_id: h.cast.phoenix,
      location_out_id: h.cast.mesa,
    })
    expect((await vehicle())[1]).toBe('Phoenix')
  })

  test('keep manual values until a record reports something new', async () => {
    const { id, version } = await move({ status: 'In Transit' })
    await byHand({ status: 'Reserved', location: 'Row 7' })
    expect(await vehicle()).toEqual(['Reserved', 'Row 7', null, null])
    expect((await h.cast.ben.put(`/transports/${id}`, { notes: 'Gate code 12', version })).status).toBe(200)
    expect(await vehicle()).toEqual(['Reserved', 'Row 7', null, null])
    await patch(`/transports/${id}/status`, { status: 'Delivered' })
    expect(await vehicle()).toEqual(['Available', 'Tempe', null, null])
    // An edit of other fields of a delivered transport does not move the vehicle.
    await byHand({ status: 'Reserved', location: 'Row 9' })
    expect((await h.cast.ben.put(`/transports/${id}`, { final_cost: 120, notes: 'Paid' })).status).toBe(200)
    expect(await vehicle()).toEqual(['Reserved', 'Row 9', null, null])
  })

  test('are set again by the next relevant record change after the status was cleared', async () => {
    const { id } = await move({ status: 'In Transit' })
    await byHand({ status: null })
    expect((await h.cast.ben.put(`/transports/${id}`, { notes: 'Gate code 12' })).status).toBe(200)
    expect(await vehicle()).toEqual([null, null, null, null])
    expect((await h.cast.ben.put(`/transports/${id}`, { mileage: 500 })).status).toBe(200)
    expect(await vehicle()).toEqual(['In Transit', null, 500, null])
  })

  test('move to another vehicle with the unit number of a record', async () => {
    const { id } = await osl({ osl_mileage: 61_000 })
    expect((await h.cast.ben.put(`/osl/${id}`, { unit_number: '100300' })).status).toBe(200)
    expect(await vehicle()).toEqual(['Available', null, null, null])
    expect(await vehicle('100300')).toEqual(['Out of Service', 'Mesa', 61_000, null])
  })

  test('are reverted when a record is deleted, and set again when it is restored', async () => {
    for (const [create, path] of [
      [() => move({ status: 'Delivered', actual_arrival_date: '2026-03-12', mileage: 52_000 }), 'transports'],
      [() => osl({ osl_date: '2026-03-13', osl_mileage: 53_000 }), 'osl'],
    ] as const) {
      const made = await create()
      const before = await vehicle()
      expect((await h.cast.ben.delete(`/${path}/${made.id}`)).status).toBe(200)
      expect(await vehicle()).not.toEqual(before)
      expect((await h.cast.ben.post(`/${path}/${made.id}/restore`)).status).toBe(200)
      expect(await vehicle()).toEqual(before)
    }
    expect(await vehicle()).toEqual(['Out of Service', 'Mesa', 53_000, null])
  })
})

describe('the mileage of a vehicle', () => {
  test('is the highest reading and follows corrections; a lower reading causes a warning', async () => {
    const first = await move({ mileage: 50_000 })
    expect((await vehicle())[2]).toBe(50_000)
    const answer = await h.cast.ben.post('/osl', {
      unit_number: UNIT,
      osl_date: '2026-03-12',
      location_id: h.cast.mesa,
      problem: 'Transmission slips in third gear',
      osl_mileage: 49_999,
    })
    expect([answer.status, (answer.body.warnings as { code: string }[]).map(({ code }) => code)]).toEqual([
      201,
      ['lower_mileage'],
    ])
    expect((await vehicle())[2]).toBe(50_000)
    const typo = await move({ move_date: '2026-03-13', mileage: 510_000 })
    expect((await vehicle())[2]).toBe(510_000)
    await h.cast.ben.put(`/transports/${typo.id}`, { mileage: 51_000 })
    expect((await vehicle())[2]).toBe(51_000)
    await h.cast.ben.put(`/transports/${typo.id}`, { mileage: null })
    expect((await vehicle())[2]).toBe(50_000)
    await h.cast.ben.delete(`/transports/${first.id}`)
    expect((await vehicle())[2]).toBe(49_999)
  })

  test('keeps a manual value until a higher reading', async () => {
    await move({ mileage: 50_000 })
    await byHand({ mileage: 60_000 })
    await move({ move_date: '2026-03-12', mileage: 59_999 })
    expect((await vehicle())[2]).toBe(60_000)
    await move({ move_date: '2026-03-13', mileage: 60_001 })
    expect((await vehicle())[2]).toBe(60_001)
  })
})

describe('imports', () => {
  const HEADER = 'unit_number,location_out,location_in,move_date,transport_company,status,mileage,actual_arrival_date'
  const send = (...lines: string[]) =>
    h.cast.ben.upload('transports', 'moves.csv', `${[HEADER, ...lines].join('\n')}\n`)

  test('move vehicles, and undoing an import moves them back', async () => {
    await move({ move_date: '2026-03-01', status: 'Delivered', actual_arrival_date: '2026-03-02', mileage: 40_000 })
    const before = await vehicle()
    const { body } = await send(
      `${UNIT},Tempe,Mesa,2026-03-05,Desert Auto Haul,Delivered,41000,2026-03-06`,
      `${UNIT},Mesa,Phoenix,2026-03-08,Desert Auto Haul,In Transit,42000,`,
      `100777,Mesa,Phoenix,2026-03-09,Desert Auto Haul,Delivered,,`,
    )
    expect(body.imported).toBe(3)
    expect(await vehicle()).toEqual(['In Transit', 'Mesa', 42_000, null])
    expect(await vehicle('100777')).toEqual(['Available', 'Phoenix', null, null])
    const { id } = body.data as { id: number }
    expect((await h.cast.ben.post(`/files/${id}/undo`)).status).toBe(202)
    await h.cast.ben.settled(id)
    expect(await vehicle()).toEqual(before)
    expect((await h.cast.ben.get('/vehicles/unit/100777')).status).toBe(404)
  })

  test('default the arrival date of delivered rows to the move date, capped at today', async () => {
    const arrivals = async () =>
      (
        (await h.cast.ben.get('/transports?sort=unit_number&order=asc')).body.data as unknown as Record<
          string,
          string | null
        >[]
      ).map((row) => row.actual_arrival_date)
    await send(
      '100201,Tempe,Mesa,2026-03-05,Desert Auto Haul,Delivered,,',
      '100202,Tempe,Mesa,2026-03-14,Desert Auto Haul,Delivered,,',
      '100203,Tempe,Mesa,2026-03-15,Desert Auto Haul,Delivered,,',
      '100204,Tempe,Mesa,2026-03-05,Desert Auto Haul,Delivered,,2026-03-07',
      '100205,Tempe,Mesa,2026-03-05,Desert Auto Haul,In Transit,,',
    )
    expect(await arrivals()).toEqual(['2026-03-05', '2026-03-14', '2026-03-14', '2026-03-07', null])
  })
})

describe('a bulk edit of several records of one vehicle', () => {
  const entriesOf = async () => {
    const { id } = (await h.cast.ben.get(`/vehicles/unit/${UNIT}`)).body.data as Stored
    const trail = (await h.cast.ada.get(`/audit?entity=vehicles&entity_id=${id}&action=update`)).body.data
    return (trail as unknown as { changes: Record<string, unknown> }[]).map(({ changes }) => changes)
  }
  const bulk = async (body: object) => {
    const { status, body: answer } = await h.cast.ben.post('/transports/bulk', body)
    expect([status, answer.message]).toEqual([200, undefined])
    return answer.data as { id: number; changed: number; skipped: { id: number }[] }
  }

  test('changes the vehicle once, to the state that its records give it', async () => {
    const first = await move({ status: 'In Transit', mileage: 100 })
    const second = await move({ status: 'In Transit', location_in_id: h.cast.mesa, move_date: '2026-03-11' })
    const third = await move({ status: 'In Transit', move_date: '2026-03-09' })
    const before = (await entriesOf()).length
    const ids = [first.id, second.id, third.id]
    const done = await bulk({ ids, set: { status: 'Delivered', actual_arrival_date: '2026-03-12' } })
    expect(done.changed).toBe(3)
    expect(await vehicle()).toEqual(['Available', 'Tempe', 100, null])
    expect((await entriesOf()).length).toBe(before + 1)
    const undone = await h.cast.ben.post(`/bulk/${done.id}/undo`)
    expect(undone.status).toBe(200)
    expect(await vehicle()).toEqual(['In Transit', null, 100, null])
    expect((await entriesOf()).length).toBe(before + 2)
  })

  test('changes the vehicle also if other records of the batch are refused', async () => {
    const days = ['2026-03-13', '2026-03-10', '2026-03-13', '2026-03-11', '2026-03-13', '2026-03-12']
    const ids: number[] = []
    for (const move_date of days) ids.push((await move({ status: 'In Transit', move_date })).id)
    const before = (await entriesOf()).length
    const set = { status: 'Delivered', actual_arrival_date: '2026-03-12' }
    const refused = ids.filter((_, at) => at % 2 === 0)
    const done = await bulk({ ids, set })
    expect([done.changed, done.skipped.map(({ id }) => id).sort()]).toEqual([3, refused.sort()])
    expect(await vehicle()).toEqual(['In Transit', 'Tempe', null, null])
    expect((await entriesOf()).length).toBe(before + 1)
  })
})
