import { expect, test } from 'bun:test'
import { testContext } from '../support/context'

/** Imports the sample spreadsheets, and compares the records with their contents. Today is 2026-03-14. */

type Row = Record<string, unknown>

test('samples contain typical records with dates around today', async () => {
  const { ben } = (await testContext()).cast
  const rowsOf = async (dataType: string, path: string, fields: string[]) => {
    const headers = await ben.cookieHeaders()
    const sample = await ben.request(`/files/samples/${dataType}.xlsx`, { headers })
    await ben.upload(dataType, 'sample.xlsx', new Uint8Array(await sample.arrayBuffer()))
    const { body } = await ben.get(`${path}?sort=unit_number&order=asc`)
    return (body.data as Row[]).map((row) => fields.map((field) => row[field]))
  }
  expect(
    await rowsOf('transports', '/transports', [
      'unit_number',
      'move_date',
      'estimated_arrival_date',
      'mileage',
      'estimated_cost',
      'final_cost',
    ]),
  ).toEqual([
    ['100201', '2026-03-11', '2026-03-15', 45_210, 350, null],
    ['100202', '2026-03-05', '2026-03-07', 61_877, 420.5, 431.25],
    ['100203', '2026-03-14', null, null, null, null],
  ])
  expect(await rowsOf('osl', '/osl', ['unit_number', 'osl_date', 'osl_mileage', 'storage_fee_daily_rate'])).toEqual([
    ['100301', '2026-03-02', 88_210, 35],
    ['100302', '2026-03-12', null, null],
  ])
  expect(
    await rowsOf('registrations', '/registrations', ['unit_number', 'date_issued', 'date_expires', 'cost', 'vlt']),
  ).toEqual([
    ['100401', '2025-05-18', '2026-05-18', 108.5, 212.4],
    ['100402', '2026-03-14', '2027-03-14', 132, null],
  ])
})
