import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import * as XLSX from 'xlsx'
import { rows } from '../../db/client'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const HEADER = 'unit_number,location_out,location_in,move_date,transport_company,status'
const csv = (...lines: string[]) => `${[HEADER, ...lines].join('\n')}\n`
const move = (unit: string, from = 'Phoenix', date = '2026-03-01') =>
  `${unit},${from},Tempe,${date},Desert Auto Haul,In Transit`
const begin = (content: string | Uint8Array, more: Record<string, unknown> = {}) =>
  h.cast.ben.begin('transports', 'moves.csv', content, more)

const count = async (table: string) =>
  (await rows<{ n: number }>(h.ctx.db, sql.raw(`select count(*)::int as n from ${table}`)))[0]?.n
const download = async (path: string) =>
  new Uint8Array(
    await (
      await h.cast.ben.request(`/api/files/${path}`, {
        headers: { authorization: `Bearer ${await h.cast.ben.token()}` },
      })
    ).arrayBuffer(),
  )

describe('regressions', () => {
  const registrations = (...lines: string[]) =>
    `unit_number,location,plate_number,state_province,date_issued,date_expires,cost\n${lines.join('\n')}\n`
  const only = async () =>
    ((await h.cast.ben.get('/registrations?sort=date_expires&order=asc')).body.data as Record<string, unknown>[])[0]
  const book = (lines: unknown[][], date1904 = false) => {
    const made = XLSX.utils.book_new()
    XLSX.utils.book_append_sheet(made, XLSX.utils.aoa_to_sheet(lines))
    made.Workbook = { WBProps: { date1904 } }
    return new Uint8Array(XLSX.write(made, { type: 'array', bookType: 'xlsx' }))
  }

  test('an undo keeps a record whose old location was deleted', async () => {
    const { id: yard } = (
      await h.cast.ada.post('/locations', { location_code: 'OLD', location_name: 'Old Yard', location_type: 'Hub' })
    ).body.data as {
      id: number
    }
    await h.cast.ben.upload('registrations', 'a.csv', registrations('100001,Old Yard,AAA1,AZ,2026-01-01,2026-12-31,10'))
    const { body } = await h.cast.ben.upload(
      'registrations',
      'b.csv',
      registrations('100001,Tempe,AAA1,AZ,2026-01-01,2026-12-31,20', '100002,Tempe,BBB2,AZ,2026-01-01,2026-12-31,30'),
      { existing: 'update' },
    )
    expect(body).toMatchObject({ imported: 1, updated: 1 })
    expect((await h.cast.ada.delete(`/locations/${yard}`)).status).toBe(200)
    await h.cast.ben.post(`/files/${(body.data as { id: number }).id}/undo`)
    const undone = await h.cast.ben.settled((body.data as { id: number }).id)
    expect(undone).toMatchObject({ status: 'undone', undo: { removed: 1, restored: 0, kept: [{ label: '100001' }] } })
  })

  test('a confirmed cancellation takes effect even during a commit', async () => {
    for (let round = 0; round < 12; round++) {
      const { id } = await begin(csv(move(String(100_000 + round))))
      const [, cancelled] = await Promise.all([
        h.cast.ben.post(`/files/${id}/commit`),
        Bun.sleep(round).then(() => h.cast.ben.post(`/files/${id}/cancel`)),
      ])
      const end = await h.cast.ben.settled(id)
      expect([cancelled.status, end?.status ?? 'gone']).toEqual(
        cancelled.status === 200 ? [200, end ? 'cancelled' : 'gone'] : [409, 'done'],
      )
    }
  })

  test('a commit does not update a record that changed after the preview', async () => {
    await h.cast.ben.upload('registrations', 'a.csv', registrations('100001,Phoenix,AAA1,AZ,2026-01-01,2026-12-31,10'))
    const shown = await h.cast.ben.begin(
      'registrations',
      'b.csv',
      registrations('100001,Phoenix,AAA1,AZ,2026-01-01,2026-12-31,99'),
      { existing: 'update' },
    )
    expect(shown.updated).toBe(1)
    await h.cast.ben.put('/registrations/1', { plate_number: 'OTHER' })
    await h.cast.ben.post(`/files/${shown.id}/commit`)
    expect(await h.cast.ben.settled(shown.id)).toMatchObject({ status: 'done', imported: 1, updated: 0 })
    expect((await h.cast.ben.get('/registrations/1')).body.data).toMatchObject({ plate_number: 'OTHER', cost: 10 })
  })

  test('importing a renewal makes an expired registration complete again', async () => {
    await h.cast.ben.upload('registrations', 'a.csv', registrations('100001,Phoenix,AAA1,AZ,2025-01-01,2026-01-01,10'))
    await h.cast.ben.patch('/registrations/1/toggle-received')
    expect(await only()).toMatchObject({ status: 'Expired' })
    await h.cast.ben.upload('registrations', 'b.csv', registrations('100001,Phoenix,AAA1,AZ,2025-01-01,2028-01-01,'), {
      existing: 'update',
    })
    expect(await only()).toMatchObject({ status: 'Complete', date_expires: '2028-01-01', cost: 10 })
  })

  test('undoing two imports of one record, newest first, leaves nothing', async () => {
    const first = await h.cast.ben.upload(
      'registrations',
      'a.csv',
      registrations('100001,Phoenix,AAA1,AZ,2026-01-01,2026-12-31,10'),
    )
    const second = await h.cast.ben.upload(
      'registrations',
      'b.csv',
      registrations('100001,Phoenix,AAA1,AZ,2026-01-01,2026-12-31,20'),
      { existing: 'update' },
    )
    for (const { body } of [second, first]) {
      const { id } = body.data as { id: number }
      await h.cast.ben.post(`/files/${id}/undo`)
      expect((await h.cast.ben.settled(id)).undo?.kept).toEqual([])
    }
    expect([await count('registrations'), await count('vehicles')]).toEqual([0, 0])
  })

  test('mixed line endings lose no row, and an unquoted comma is an error', async () => {
    const mixed = await h.cast.ben.upload(
      'titles',
      'a.csv',
      'unit_number,location,dealer_name\r\n140006,Phoenix,Dealer A\n140007,Tempe,Dealer B\r140008,Tempe,C',
    )
    expect(mixed.body).toMatchObject({ imported: 3, failed: 0 })
    const shifted = await h.cast.ben.upload(
      'registrations',
      'b.csv',
      registrations('100001,Phoenix,AAA1,AZ,2026-01-01,2026-12-31,$1,250.50'),
    )
    expect(shifted.body).toMatchObject({
      imported: 0,
      errors: [
        {
          row: 2,
          message:
            'The row has more cells than the header row. If a value contains a comma, put quotation marks around it.',
        },
      ],
    })
    const declared = await h.cast.ben.upload('titles', 'c.csv', 'sep=;\r\nunit_number;location\r\n140009;Phoenix\r\n')
    expect(declared.body).toMatchObject({ imported: 1 })
  })

  test('the workbook of failed rows keeps dates and leading zeros', async () => {
    const lines = [HEADER.split(','), [12_345, 'Nowhere', 'Tempe', 44_562, 'Desert Auto Haul', 'In Transit']]
    const { body } = await h.cast.ben.upload('transports', 'old.xlsx', book(lines, true))
    const failed = XLSX.read(await download(`${(body.data as { id: number }).id}/failed.xlsx`))
    const [, cells] = XLSX.utils.sheet_to_json<string[]>(Object.values(failed.Sheets)[0] as XLSX.WorkSheet, {
      header: 1,
    })
    expect(cells?.slice(0, 4)).toEqual(['012345', 'Nowhere', 'Tempe', '2026-01-02'])
  })

  test('the workbook of failed rows is read as the file was, if the user chose between two columns', async () => {
    const head = ['Unit', 'Location', 'Plate', 'State', 'Issued', 'Expires', 'Plate']
    const row = ['100001', 'Nowhere', 'OLD1', 'AZ', '1/5/2026', '1/5/2027', 'NEW1']
    const { id } = await h.cast.ben.begin('registrations', 'plates.csv', `${head.join()}\n${row.join()}\n`)
    const fields = ['unit_number', 'location', null, 'state_province', 'date_issued', 'date_expires', 'plate_number']
    expect((await h.cast.ben.put(`/files/${id}`, { fields })).status).toBe(200)
    await h.cast.ben.settled(id)
    const [sheet] = Object.values(XLSX.read(await download(`${id}/failed.xlsx`)).Sheets)
    const [headings, cells] = XLSX.utils.sheet_to_json<string[]>(sheet as XLSX.WorkSheet, { header: 1 })
    expect(headings?.slice(0, 6)).toEqual(fields.filter((field) => field !== null))
    expect(cells?.slice(0, 6)).toEqual(['100001', 'Nowhere', 'AZ', '2026-01-05', '2027-01-05', 'NEW1'])
  })

  test('names ignore spacing, and computed amounts are rounded to cents', async () => {
    const shown = await begin(csv(move('100001', 'North  Depot'), move('100002', 'north\u00a0depot')))
    expect(shown.found.names).toEqual([{ kind: 'location', name: 'North  Depot', rows: 2 }])
    await h.cast.ben.put(`/files/${shown.id}`, { names: [{ ...shown.found.names[0], id: h.cast.mesa }] })
    expect(await h.cast.ben.settled(shown.id)).toMatchObject({ imported: 2, failed: 0 })
    const header = [...HEADER.split(','), 'final_cost']
    const line = ['100009', 'Phoenix', 'Tempe', '2026-03-01', 'Desert Auto Haul', 'In Transit', 0.1 + 0.2]
    await h.cast.ben.upload('transports', 'a.xlsx', book([header, line]))
    expect(
      (await h.cast.ben.upload('transports', 'a.xlsx', book([header, line]), { existing: 'update' })).body,
    ).toMatchObject({ updated: 0, duplicates: 1 })
  })

  test('a cell too long for Excel does not break the workbook of failed rows', async () => {
    const { body } = await h.cast.ben.upload('transports', 'long.csv', csv(move('100001', 'x'.repeat(40_000))))
    const failed = XLSX.read(await download(`${(body.data as { id: number }).id}/failed.xlsx`))
    expect(XLSX.utils.sheet_to_json(Object.values(failed.Sheets)[0] as XLSX.WorkSheet)).toHaveLength(1)
  })
})
