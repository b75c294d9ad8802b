import { beforeEach, describe, expect, test } from 'bun:test'
import { everyIn, pastedFile, pastedRows } from '../../src/platform/imports/pasted'
import { pastedCells } from '../../src/platform/pasted-cells'
import { testContext } from '../support/context'

const EVERY = {
  location_out: 'PHX',
  location_in: 'TMP',
  transport_company: 'Desert Auto Haul',
  move_date: '2026-03-10',
}
const text = async (rows: string, every = {}) => (await pastedFile({ data_type: 'transports', rows }, every)).text()

describe('the file from pasted rows', () => {
  test('keeps its headings and cell contents', async () => {
    expect(await text('Unit Number\tNotes\r\n100200\tsays "hi", twice\r\n\r\n100201\t\r\n')).toBe(
      'Unit Number,Notes\r\n100200,"says ""hi"", twice"\r\n100201,',
    )
  })

  test('has headings if one is known, and otherwise up to five title columns', async () => {
    expect(await text('Unit Number\tRemark\n100200\tx')).toBe('Unit Number,Remark\r\n100200,x')
    const titles = await pastedFile({ data_type: 'titles', rows: '100200\tPHX\tValley\tDana\tx' }, {})
    expect(await titles.text()).toBe(
      'unit_number,location,dealer_name,dealer_contact,notes\r\n100200,PHX,Valley,Dana,x',
    )
  })

  test('uses the first sample columns when headings are missing', async () => {
    expect(await text('100200\tPHX\tTMP\n100201\tPHX')).toBe(
      'unit_number,location_out,location_in\r\n100200,PHX,TMP\r\n100201,PHX',
    )
  })

  test('includes common values where the rows lack them', async () => {
    expect(await text('100200\n100201', { location_out: 'PHX', no_such: 'x' })).toBe(
      'location_out,unit_number\r\nPHX,100200\r\nPHX,100201',
    )
    expect(await text('Unit Number\tLocation Out\n100200\tMES', { location_out: 'PHX', move_date: '2026-03-10' })).toBe(
      'move_date,Unit Number,Location Out\r\n2026-03-10,100200,MES',
    )
  })

  test('does not grow with the number of headings above short lines', async () => {
    const heads = ['Unit Number', ...Array.from({ length: 200 }, (_, at) => `h${at}`)].join('\t')
    expect((await text(`${heads}\n${'1\n'.repeat(19_000)}`, { location_out: 'PHX' })).length).toBeLessThan(200_000)
  })

  test('ignores blank common values', () => {
    expect(everyIn({ 'every.location_out': ' PHX ', 'every.status': ' ', rows: 'x' })).toEqual({ location_out: 'PHX' })
  })

  test('let other requests run while headings are searched', async () => {
    let rounds = 0
    let isDone = false
    const count = () => {
      rounds++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    const line = Array.from({ length: 200 }, () => 'moved from the pick up location').join('\t')
    await pastedFile({ data_type: 'transports', rows: `${line}\n`.repeat(40) }, {}).catch(() => {})
    isDone = true
    expect(rounds).toBeGreaterThan(35)
  })

  test('are refused if there are more than 20,000', () => {
    const isAccepted = (lines: number) =>
      pastedRows.safeParse({ data_type: 'titles', rows: '1\n'.repeat(lines - 1) }).success
    expect([isAccepted(20_000), isAccepted(20_001)]).toEqual([true, false])
  })

  test('requires headings when it has more columns than the sample', async () => {
    const wide = pastedFile({ data_type: 'titles', rows: 'a\tb'.repeat(40) }, {})
    await expect(wide).rejects.toThrow('paste the header row too')
  })
})

describe('the paste page', () => {
  let h: Awaited<ReturnType<typeof testContext>>
  beforeEach(async () => {
    h = await testContext()
  })

  test('creates transports from unit numbers and common values', async () => {
    const { ben } = h.cast
    const page = await ben.open('/files/paste?data_type=transports')
    expect(page.text).toContain('Values that apply to every row')
    const every = Object.fromEntries(
      Object.entries({ ...EVERY, status: 'In Transit' }).map(([name, value]) => [`every.${name}`, value]),
    )
    const answer = await ben.submit('/files/paste', { data_type: 'transports', rows: '100200\n100201\n', ...every })
    const id = Number(/\/files\/imports\/(\d+)/.exec(answer.location ?? '')?.[1])
    expect(await ben.settled(id)).toMatchObject({ status: 'ready', row_count: 2 })
    await ben.post(`/files/${id}/commit`)
    await ben.settled(id)
    const rows = (await ben.get('/transports/active?sort=unit_number&order=asc')).body.data as unknown as Record<
      string,
      unknown
    >[]
    expect(rows.map((row) => [row.unit_number, row.location_out_code, row.status])).toEqual([
      ['100200', 'PHX', 'In Transit'],
      ['100201', 'PHX', 'In Transit'],
    ])
  })

  test('asks once for every required column, with names and codes as choices', async () => {
    const listInputs = async (query: string) => {
      const page = await h.cast.ben.open(`/files/paste${query}`)
      return [...page.html.matchAll(/<(select|input)[^>]* name="every\.(\w+)"/g)].map(
        ([, tag, name]) => `${tag} ${name}`,
      )
    }
    expect(await listInputs('?data_type=nothing')).toEqual([
      'select location_out',
      'select location_in',
      'input move_date',
      'select transport_company',
      'select status',
    ])
    expect(await listInputs('?data_type=osl')).toEqual(['input osl_date', 'select location', 'input problem'])
    const page = await h.cast.ben.open('/files/paste')
    const values = (name: string) => page.find(`select[name="every.${name}"] option`).slice(1, 3)
    expect(['location_out', 'transport_company', 'status'].map(values)).toEqual([
      ['Mesa (MES)', 'Phoenix (PHX)'],
      ['Copper State Transport', 'Desert Auto Haul'],
      ['Awaiting Pickup', 'Searching For Driver'],
    ])
    expect(page.html).toContain('<option value="MES">')
  })

  test('adds optional values of the form to every row, and names fields that an import lacks', async () => {
    const { ben } = h.cast
    const answer = await ben.submit('/files/paste', {
      data_type: 'osl',
      rows: '100293\n100294\n',
      'every.osl_date': '2026-03-01',
      'every.location': 'PHX',
      'every.problem': 'Engine does not start',
      'every.notes': 'Towed twice',
      'every.vendor': 'Mesa Diesel',
      'label.vendor': 'Vendor',
      'label.notes': 'Notes',
    })
    const id = Number(answer.location?.split('/').pop())
    await ben.settled(id)
    expect((await ben.get(`/files/${id}/rows`)).body.data).toMatchObject([
      { outcome: 'create', values: { unit_number: '100293', notes: 'Towed twice' } },
      { outcome: 'create', values: { unit_number: '100294', notes: 'Towed twice' } },
    ])
    expect(answer.toast).toBe('Not part of an import: Vendor. Add these values afterwards.')
    const refused = await ben.submit('/files/paste', { data_type: 'osl', rows: ' ', 'every.notes': 'Towed twice' })
    expect(refused.html).toContain('name="every.notes" value="Towed twice"')
  })

  test('reads a cell that begins with a quotation mark as Excel copies it', async () => {
    const rows = [
      'Unit\tOSL Date\tLocation\tProblem',
      '100293\t3/1/2026\tPHX\t"Check engine" light on, stalls',
      '100294\t3/1/2026\tPHX\tDoes not start at all',
    ].join('\n')
    const answer = await h.cast.ben.submit('/files/paste', { data_type: 'osl', rows })
    const id = Number(answer.location?.split('/').pop())
    await h.cast.ben.settled(id)
    const found = (await h.cast.ben.get(`/files/${id}/rows`)).body.data as unknown as { values: { problem: string } }[]
    expect(found.map(({ values }) => values.problem)).toEqual([
      '"Check engine" light on, stalls',
      'Does not start at all',
    ])
    const between = rows.replace('Does not start at all', 'Tire 22"')
    const other = await h.cast.ben.submit('/files/paste', { data_type: 'osl', rows: between })
    const otherId = Number(other.location?.split('/').pop())
    await h.cast.ben.settled(otherId)
    expect((await h.cast.ben.get(`/files/${otherId}/rows`)).body.data).toHaveLength(2)
    const unclosed = { data_type: 'osl', rows: '100293,3/1/2026,PHX,"Check engine\n100294,3/1/2026,PHX,Other' }
    expect((await h.cast.ben.submit('/files/paste', unclosed)).text).toContain('a quotation mark is not closed')
  })

  test('keeps its input after an error', async () => {
    const answer = await h.cast.ben.submit('/files/paste', { data_type: 'osl', rows: ' ' })
    expect([answer.status, answer.text.includes('Please paste some rows')]).toEqual([422, true])
    const blank = await h.cast.ben.submit('/files/paste', { data_type: 'osl', rows: ',,,\n,' })
    expect([blank.status, blank.text.includes('Please paste some rows')]).toEqual([422, true])
    const wide = '1\t'.repeat(60)
    const response = await h.cast.ben.submit('/files/paste', { data_type: 'osl', rows: `${wide}\nMARKER` })
    expect([response.status, response.html.includes('MARKER')]).toEqual([422, true])
  })
})

test('semicolons in a quoted cell do not separate pasted cells', () => {
  expect(pastedCells('100200,"Storage; lot 4; row 2; gate",125.00\n100201,x,1')).toEqual([
    ['100200', 'Storage; lot 4; row 2; gate', '125.00'],
    ['100201', 'x', '1'],
  ])
  expect(pastedCells('a;"1,5,6,7";c')).toEqual([['a', '1,5,6,7', 'c']])
})
