import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'
import { sheets } from '../support/sheets'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})
const { rowsOf } = sheets(() => h)

const SHEET = ['Unit,Location,Dealer', '100001,Phoenix,Dana Ford', '100002,,Mesa RV', '100003,N/A,']
const begin = (more: Record<string, string> = {}) =>
  h.cast.ben.begin('titles', 'titles.csv', `${SHEET.join('\n')}\n`, more)
const outcomesOf = async (id: number) =>
  (await rowsOf(id)).map(({ outcome, values }) => [outcome, values.location ?? null])

describe('blank cells of a required column', () => {
  test('are counted, and get the value that the user enters for them', async () => {
    const { id, found } = await begin()
    expect(found).toMatchObject({ blank: [{ field: 'location', rows: 2 }] })
    expect((await outcomesOf(id)).map(([outcome]) => outcome)).toEqual(['create', 'error', 'error'])
    expect((await h.cast.ben.open(`/files/imports/${id}`)).text).toContain('Location (blank in 2 rows)')
    await h.cast.ben.submit(`/files/imports/${id}/settle`, { defaults: '1', 'default.location': 'Tempe' })
    const settled = await h.cast.ben.settled(id)
    expect(await outcomesOf(id)).toEqual([
      ['create', 'Phoenix'],
      ['create', 'Tempe'],
      ['create', 'Tempe'],
    ])
    expect(settled.validation_errors).toContain('Location: Tempe in blank cells')
  })

  test('get a default of the API, but not a remembered one', async () => {
    const { id } = await begin({ defaults: '{"location":"Tempe"}' })
    expect((await outcomesOf(id)).map(([, location]) => location)).toEqual(['Phoenix', 'Tempe', 'Tempe'])
    expect((await h.cast.ben.post(`/files/${id}/commit`)).status).toBe(202)
    await h.cast.ben.settled(id)
    const later = await begin()
    expect((await outcomesOf(later.id)).map(([outcome]) => outcome)).toEqual(['duplicate', 'error', 'error'])
  })

  test('of an import that updates records keep the stored values', async () => {
    const { id } = await begin({ existing: 'update', defaults: '{"location":"Tempe"}' })
    const locations = (await rowsOf(id)).map(({ values }) => values.location ?? null)
    expect(locations.slice(0, 2)).toEqual(['Phoenix', null])
  })

  test('of an optional column do not get a default', async () => {
    const { id } = await begin({ defaults: '{"location":"Tempe","dealer_name":"Other"}' })
    expect((await rowsOf(id)).map(({ values }) => values.dealer_name ?? null)).toEqual(['Dana Ford', 'Mesa RV', null])
  })
})
