import { beforeEach, describe, expect, test } from 'bun:test'
import { vehicles } from '../../db/schema'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Row = { unit_number: string }

describe('a list of VINs', () => {
  const VINS = ['1FUJGLDR5CSBX1234', '1FUJGLDR5CSBX1235']
  const insertVehicle = () =>
    h.ctx.db.insert(vehicles).values([{ unit_number: '100300', vin: VINS[0], current_status: 'Available' }])

  test('is imported for the vehicles with these VINs', async () => {
    await insertVehicle()
    const lines = VINS.map((vin) => `${vin.toLowerCase()},Phoenix,Valley Truck Sales`)
    const { body } = await h.cast.ben.upload('titles', 'a.csv', ['VIN,Location,Dealer', ...lines].join('\n'))
    expect([body.imported, body.errors]).toEqual([
      1,
      [{ row: 3, message: 'VIN: No vehicle has this VIN; enter the unit number of the vehicle' }],
    ] as never)
    expect(body.validation_errors).toContain(
      'Column "VIN" was read as Unit number; VINs are looked up in the vehicle list' as never,
    )
    const { data } = (await h.cast.ben.get('/titles')).body as unknown as { data: { unit_number: string }[] }
    expect(data.map(({ unit_number }) => unit_number)).toEqual(['100300'])
  })

  test('does not replace a column of unit numbers', async () => {
    const { found } = await h.cast.ben.begin('titles', 'a.csv', `VIN,Unit,Location\n${VINS[0]},100300,Phoenix`)
    expect(found.fields).toEqual([null, 'unit_number', 'location'])
  })

  test('can be pasted among unit numbers', async () => {
    await insertVehicle()
    const { id } = await h.cast.ben.begin('titles', 'a.csv', `Unit,Location\n${VINS[0]},PHX\n100301,PHX`)
    const { data } = (await h.cast.ben.get(`/files/${id}/rows`)).body as unknown as { data: { values: Row }[] }
    expect(data.map(({ values }) => values.unit_number)).toEqual(['100300', '100301'])
  })
})
