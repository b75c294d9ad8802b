import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'
import { sheets } from '../support/sheets'

/** Columns of ordinary office lists that decide about the status of a row. Today is 2026-03-14. */
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})
const { preview, rowsOf } = sheets(() => h)

const begin = (data_type: string, lines: string[], more: Record<string, string> = {}) =>
  h.cast.ben.begin(data_type, 'list.csv', lines.join('\n'), more)

describe('a value for all rows that depends on another column', () => {
  const MOVES = [
    'Unit,From,To,Date,Carrier,Delivered on',
    '100001,Phoenix,Tempe,3/2/2026,Desert Auto Haul,3/4/2026',
    '100002,Phoenix,Tempe,3/3/2026,Desert Auto Haul,',
    '100003,Phoenix,Tempe,3/3/2026,Desert Auto Haul,TBD',
  ]
  const status = 'Delivered if it has an actual arrival date, otherwise In Transit'

  test('sets the status of transports by their arrival date', async () => {
    const { id } = await begin('transports', MOVES, { defaults: JSON.stringify({ status }) })
    const found = await rowsOf(id)
    expect(found.map(({ values }) => [values.status, values.actual_arrival_date])).toEqual([
      ['Delivered', '2026-03-04'],
      ['In Transit', null],
      ['In Transit', null],
    ])
    const { html } = await h.cast.ben.open(`/files/imports/${id}`)
    expect(html).toContain(status)
  })

  test('is offered only if the file has the column', async () => {
    const { id } = await begin(
      'transports',
      MOVES.map((line) => line.split(',').slice(0, 5).join(',')),
    )
    expect((await h.cast.ben.open(`/files/imports/${id}`)).html).not.toContain('Delivered if it has')
    const other = await begin('transports', MOVES)
    expect((await h.cast.ben.open(`/files/imports/${other.id}`)).html).toContain('Delivered if it has')
  })

  test('is computed again for the corrected file of failed rows', async () => {
    const rows = [`${MOVES[0]},Status`, ...MOVES.slice(1, 3).map((line) => `${line},"${status}"`)] as string[]
    const { id } = await begin('transports', rows)
    expect((await rowsOf(id)).map(({ values }) => values.status)).toEqual(['Delivered', 'In Transit'])
  })

  test('sets the issue date of registrations by their expiry', async () => {
    const lines = [
      'Unit,Location,Plate,State,Expires',
      '100001,Phoenix,ABC1234,AZ,5/31/2026',
      '100002,Phoenix,X1,AZ,bad',
    ]
    const date_issued = 'One year before it expires'
    const { id } = await begin('registrations', lines, { defaults: JSON.stringify({ date_issued }) })
    const [good, bad] = await rowsOf(id)
    expect([good?.outcome, good?.values.date_issued]).toEqual(['create', '2025-05-31'])
    expect(bad?.outcome).toBe('error')
    const { html } = await h.cast.ben.open(`/files/imports/${id}`)
    expect(html).toContain('A date, or “One year before it expires”')
  })
})

describe('finished rows of an out-of-service list', () => {
  const LIST = [
    'Unit,Out Date,Return Date,Location,Problem',
    '100001,3/1/2026,3/9/2026,Phoenix,Engine does not start',
    '100002,3/2/2026,,Phoenix,Engine does not start',
    '100003,3/3/2026,3/10/2026,Phoenix,Engine does not start',
  ]
  const settled = async (more: Record<string, string>) => h.cast.ben.settled((await begin('osl', LIST, more)).id)

  test('are imported as open records only after the user has decided', async () => {
    const asked = await settled({ commit: 'true', ask: 'true' })
    expect([asked.status, asked.found?.finished_rows, asked.found?.conflict_rows]).toEqual(['ready', 2, 2])
    const { html } = await h.cast.ben.open(`/files/imports/${asked.id}`)
    expect(html).toContain('2 rows are probably finished, but the import creates open records.')
    expect(html).toContain('Rows of finished records (2, see the warnings below)')
    await h.cast.ben.call('PUT', `/files/${asked.id}`, { skip_conflicts: true })
    const skipped = await h.cast.ben.settled(asked.id)
    expect([skipped.imported, skipped.duplicates, skipped.found?.finished_rows]).toEqual([1, 2, 0])
  })

  test('are imported with a warning by programs that do not ask', async () => {
    const done = await settled({ commit: 'true' })
    expect([done.status, done.imported]).toEqual(['done', 3])
  })
})

test('a noun after a known location does not keep it from being a title', async () => {
  const osl = (unit: string) => `${unit},3/9/2026,Engine does not start`
  const lines = ['Phoenix yard,,', osl('100001'), 'Mesa yard,,', osl('100002'), 'Tempe units,,', osl('100003')]
  const { rows } = await preview('osl', 'Unit,Date,Problem', ...lines)
  expect(rows.map(({ values }) => values.location)).toEqual(['Phoenix', 'Mesa', 'Tempe'])
})

test('a column of dates that no field stores is not suggested', async () => {
  const lines = ['Unit,Location,Plate,State,Expires,Emissions due', '100001,Phoenix,ABC1234,AZ,5/31/2026,3/1/2026']
  const { id } = await begin('registrations', lines)
  const page = await h.cast.ben.open(`/files/imports/${id}`)
  expect(page.html).toContain('Emissions due')
  expect(page.html).not.toMatch(/<option[^>]* selected=""[^>]*>Date issued/)
})
