import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const idIn = (location: string | null | undefined) => Number(/\/files\/imports\/(\d+)$/.exec(location ?? '')?.[1])

/** A row of a grid of titles. */
const titleRow = (row: number, unit: string, location: string, dealer = '') => ({
  [`cell.${row}.unit_number`]: unit,
  [`cell.${row}.location`]: location,
  [`cell.${row}.dealer_name`]: dealer,
})

/** Creates and writes an import of titles with one valid row and two failed ones. */
async function messy(more = '') {
  const { ben } = h.cast
  const { id } = await ben.begin(
    'titles',
    'March.csv',
    `unit_number,location,dealer_name\n100300,PHX,Valley\nA12,PHX,Brown\n100302,Nowhere,"Green, Inc"\n${more}`,
  )
  await ben.settled(id)
  await ben.post(`/files/${id}/commit`)
  expect(await ben.settled(id)).toMatchObject({ status: 'done', imported: 1 })
  return id
}
const unitsOf = async () =>
  ((await h.cast.ben.get('/titles?sort=unit_number&order=asc')).body.data as unknown as { unit_number: string }[]).map(
    ({ unit_number }) => unit_number,
  )

describe('the table for typed rows', () => {
  test('has the columns and choices of each import kind', async () => {
    const page = await h.cast.ben.open('/files/grid?data_type=osl')
    expect([page.html.includes('name="cell.16.problem"'), page.html.includes('cell.17.')]).toEqual([true, false])
    const grown = await h.cast.ben.open('/files/grid?data_type=osl&rows=40')
    expect([grown.html.includes('cell.41.problem'), grown.html.includes('cell.42.')]).toEqual([true, false])
    for (const rows of ['101', '-1', '3', 'x'])
      expect((await h.cast.ben.open(`/files/grid?rows=${rows}`)).html.includes('cell.17.')).toBe(false)
    const choices = async (query: string, list: string) =>
      [
        ...((await h.cast.ben.open(`/files/grid${query}`)).html.split(`id="choices-${list}"`)[1] ?? '')
          .split('</datalist>')[0]!
          .matchAll(/value="([^"]+)"/g),
      ].map(([, value]) => value)
    expect(await choices('', 'location_out')).toEqual(['MES', 'PHX', 'TMP'])
    expect(await choices('', 'status')).toContain('Searching For Driver')
    expect(await choices('', 'issue_po')).toEqual(['Yes', 'No'])
    expect(await choices('?data_type=nothing', 'transport_company')).toContain('Desert Auto Haul')
  })

  test('leads to a preview, ignoring blank rows and surrounding spaces', async () => {
    const { ben } = h.cast
    const answer = await ben.submit('/files/grid', {
      data_type: 'titles',
      ...titleRow(2, ' 100300 ', 'PHX', 'says "hi", twice'),
      ...titleRow(3, ' ', '', ''),
      ...titleRow(10, '100301', 'mes'),
    })
    const id = idIn(answer.location)
    expect(await ben.settled(id)).toMatchObject({ status: 'ready', row_count: 2, file_name: 'Typed rows.csv' })
    expect(await unitsOf()).toEqual([])
    await ben.post(`/files/${id}/commit`)
    await ben.settled(id)
    const titles = (await ben.get('/titles?sort=unit_number&order=asc')).body.data as unknown as Record<
      string,
      unknown
    >[]
    expect(titles.map((row) => [row.unit_number, row.location_code ?? row.location_name, row.dealer_name])).toEqual([
      ['100300', expect.stringMatching(/PHX|Phoenix/), 'says "hi", twice'],
      ['100301', expect.stringMatching(/MES|Mesa/), null],
    ])
  })

  test('keeps its input when it is rejected', async () => {
    const blank = await h.cast.ben.submit('/files/grid', { data_type: 'titles', ...titleRow(1, ' ', '') })
    expect([blank.status, blank.text.includes('Please fill in at least one row')]).toEqual([422, true])
    const long = await h.cast.ben.submit('/files/grid', {
      data_type: 'titles',
      ...titleRow(4, '100300', 'PHX', 'MARKER'),
      ...titleRow(5, '100301', 'x'.repeat(5001)),
    })
    expect([long.status, long.html.includes('value="MARKER"'), long.text.includes('At most 5000 characters')]).toEqual([
      422,
      true,
      true,
    ])
    const full = await h.cast.ben.submit('/files/grid', { data_type: 'titles', ...titleRow(5, '1', 'x'.repeat(5000)) })
    expect(await h.cast.ben.settled(idIn(full.location))).toMatchObject({ status: 'ready', row_count: 1 })
    expect((await h.cast.ben.submit('/files/grid', { data_type: 'titles' })).status).toBe(422)
  })

  test('is limited to 100 rows', async () => {
    const rows = (count: number) =>
      Object.assign({}, ...Array.from({ length: count }, (_, at) => titleRow(at + 1, String(200_000 + at), 'PHX')))
    const over = await h.cast.ben.submit('/files/grid', { data_type: 'titles', ...rows(101) })
    expect([over.status, over.text.includes('At most 100 rows')]).toEqual([422, true])
    const full = await h.cast.ben.submit('/files/grid', { data_type: 'titles', ...rows(100) })
    expect(await h.cast.ben.settled(idIn(full.location))).toMatchObject({ status: 'ready', row_count: 100 })
  })
})

describe('fixing failed rows', () => {
  test('shows dates with the name of the month, so that they are read the same way again', async () => {
    const { ben } = h.cast
    const heading = 'unit_number,location_out,location_in,move_date,transport_company,status'
    const { id } = await ben.begin('transports', 'May.csv', `${heading}\n100301,Nowhere,TMP,12.25.2025,X,Delivered\n`)
    await ben.settled(id)
    const [cell = ''] = /id="cell\.2\.move_date"[^>]*value="[^"]*"/.exec(
      (await ben.open(`/files/imports/${id}/mend`)).html,
    ) ?? ['']
    expect(cell).toContain('value="Dec 25, 2025"')
  })

  test('keeps the line breaks of a cell', async () => {
    const { ben } = h.cast
    const { id } = await ben.begin(
      'titles',
      'notes.csv',
      'unit_number,location,notes\n100300,PHX,x\nA12,PHX,"two lines\nof text"\n',
    )
    await ben.settled(id)
    await ben.post(`/files/${id}/commit`)
    await ben.settled(id)
    const { html } = await ben.open(`/files/imports/${id}/mend`)
    expect(html).toMatch(/<textarea[^>]*name="cell\.3\.notes"[^>]*>\s*two lines\nof text<\/textarea>/)
  })

  test('shows each row with its reason and leaves out ticked rows', async () => {
    const { ben } = h.cast
    const id = await messy()
    expect((await ben.open(`/files/imports/${id}`)).html).toContain(`href="/files/imports/${id}/mend"`)
    const page = await ben.open(`/files/imports/${id}/mend`)
    expect(page.text).toContain('Fix rows of March.csv')
    expect(page.text).toContain('Location: Unknown location "Nowhere"')
    expect([...page.html.matchAll(/id="(cell\.[^"]+)"[^>]*aria-invalid/g)].map(([, name]) => name)).toEqual([
      'cell.3.unit_number',
      'cell.4.location',
    ])
    expect(page.html).toContain('value="Green, Inc"')
    const answer = await ben.submit('/files/grid', {
      data_type: 'titles',
      mends: String(id),
      ...titleRow(3, 'A12', 'PHX', 'Brown'),
      'leave.3': 'on',
      ...titleRow(4, '100302', 'TMP', 'Green, Inc'),
    })
    const next = idIn(answer.location)
    expect(await ben.settled(next)).toMatchObject({ row_count: 1, status: 'ready', file_name: 'March (fixed).csv' })
    await ben.post(`/files/${next}/commit`)
    await ben.settled(next)
    expect(await unitsOf()).toEqual(['100300', '100302'])
    expect((await ben.get(`/files/${id}`)).body.data).toMatchObject({
      status: 'done',
      imported: 1,
      mends: null,
      mended_by: [{ id: next, file_name: 'March (fixed).csv', status: 'done', imported: 1, updated: 0 }],
    })
    expect((await ben.get(`/files/${next}`)).body.data).toMatchObject({ mends: id, mended_by: [] })
    const first = (await ben.open(`/files/imports/${id}`)).find('.mending li')
    expect(first).toEqual(['Corrected copy of the failed rows: March (fixed).csv, Imported, 1 record'])
    const second = await ben.open(`/files/imports/${next}`)
    expect(second.find('.mending li')).toEqual(['This import contains corrected rows from an earlier import'])
    expect(second.html).toContain(`href="/files/imports/${id}">an earlier import`)
  })

  test('also works with a file that names an import of the same kind', async () => {
    const { ben } = h.cast
    const id = await messy()
    const send = (mends: unknown, type = 'titles') =>
      ben.upload(type, 'again.csv', 'unit_number,location\n100303,PHX\n', { mends })
    const { body } = await send(id)
    expect((await ben.get(`/files/${(body.data as { id: number }).id}`)).body.data).toMatchObject({ mends: id })
    for (const [mends, type, message] of [
      [id, 'osl', 'There is no import that has both this id and this data type'],
      [999_999, 'titles', 'There is no import that has both this id and this data type'],
      ['x', 'titles', 'Choose one from the list'],
    ] as const)
      expect((await send(mends, type)).body.errors).toEqual([{ field: 'mends', message }])
  })

  test('can be repeated, and replaces an import that has no rows left', async () => {
    const { ben } = h.cast
    const { id } = await ben.begin('titles', 'March.csv', 'unit_number,location\nA12,PHX\n')
    await ben.settled(id)
    expect((await ben.open(`/files/imports/${id}`)).html).toContain(`/files/imports/${id}/mend`)
    const answer = await ben.submit('/files/grid', {
      data_type: 'titles',
      mends: String(id),
      ...titleRow(2, 'A13', 'PHX'),
    })
    const next = idIn(answer.location)
    // Discarding the corrected rows must not lose the original ones.
    expect((await ben.get(`/files/${id}`)).status).toBe(200)
    expect(await ben.settled(next)).toMatchObject({ status: 'ready', row_count: 1, mends: id })
    // An import keeps the failed rows that the user does not send.
    const two = await ben.begin('titles', 'April.csv', 'unit_number,location\nA12,PHX\nA13,PHX\n')
    await ben.settled(two.id)
    const part = await ben.submit('/files/grid', {
      data_type: 'titles',
      mends: String(two.id),
      ...titleRow(2, '100301', 'PHX'),
    })
    await ben.settled(idIn(part.location))
    expect((await ben.get(`/files/${two.id}`)).status).toBe(200)
    const again = await ben.submit('/files/grid', {
      data_type: 'titles',
      mends: String(next),
      ...titleRow(2, '100399', 'PHX'),
    })
    const last = idIn(again.location)
    expect(await ben.settled(last)).toMatchObject({ file_name: 'March (fixed).csv', status: 'ready' })
    // Importing the corrected rows also discards their original and earlier corrections.
    await ben.post(`/files/${last}/commit`)
    expect((await ben.settled(last)).imported).toBe(1)
    expect([(await ben.get(`/files/${next}`)).status, (await ben.get(`/files/${id}`)).status]).toEqual([404, 404])
  })

  test('contains the valid rows too before the import, and replaces the import', async () => {
    const { ben } = h.cast
    const { id } = await ben.begin(
      'transports',
      'March.csv',
      'Unit #,From,Where,Move Type,Moved,Company,PO?\n' +
        '100300,PHX,Mesa,Fleet,3/2/2026,Desert Auto Haul,x\nA12,PHX,Tempe,Fleet,4/3/2026,Desert Auto Haul,\n',
    )
    await ben.settled(id)
    const fields = [
      'unit_number',
      'location_out',
      'location_in',
      'move_type',
      'move_date',
      'transport_company',
      'issue_po',
    ]
    expect((await ben.put(`/files/${id}`, { defaults: { status: 'In Transit' }, fields })).status).toBe(200)
    expect(await ben.settled(id)).toMatchObject({ status: 'ready' })
    const page = await ben.open(`/files/imports/${id}`)
    expect(page.html).toContain('Fix the failed row')
    const grid = await ben.open(`/files/imports/${id}/mend`)
    expect(grid.text).toContain('These are all rows of the import.')
    const cell = (name: string) => new RegExp(`name="cell.${name}"[^>]* value="([^"]*)"`).exec(grid.html)?.[1]
    const names = ['unit_number', 'location_out', 'location_in', 'move_date', 'status', 'issue_po']
    expect(names.map((name) => cell(`2.${name}`))).toEqual(['100300', 'PHX', 'MES', 'Mar 2, 2026', 'In Transit', 'Yes'])
    expect(names.map((name) => cell(`3.${name}`))).toEqual(['A12', 'PHX', 'Tempe', 'Apr 3, 2026', 'In Transit', ''])
    expect(cell('2.ra_number')).toBeUndefined()
    const filled = Object.fromEntries(
      [...grid.html.matchAll(/name="(cell\.[^"]+)"[^>]* value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    )
    const form = { data_type: 'transports', mends: String(id), ...filled, 'cell.3.unit_number': '100301' }
    expect((await ben.submit('/files/grid', { ...form, data_type: 'titles', whole: 'true' })).status).toBe(409)
    expect((await ben.submit('/files/grid', form)).status).toBe(409)
    const answer = await ben.submit('/files/grid', { ...form, whole: 'true' })
    const next = idIn(answer.location)
    expect(await ben.settled(next)).toMatchObject({ status: 'ready', file_name: 'March (fixed).csv', row_count: 2 })
    expect((await ben.get(`/files/${id}`)).body.data).toMatchObject({
      status: 'cancelled',
      mended_by: [{ id: next }],
      imported: 0,
      failed: 0,
    })
    expect((await ben.open(`/files/imports/${id}/mend`)).location).toBe(`/files/imports/${id}`)
    expect((await ben.open(`/files/imports/${id}`)).html).toContain(`/files/imports/${next}`)
    expect((await ben.open(`/files/imports/${id}/original`)).html).toContain('Unit #,From,Where')
    await ben.post(`/files/${next}/commit`)
    expect(await ben.settled(next)).toMatchObject({ status: 'done', imported: 2, failed: 0 })
    expect((await ben.submit('/files/grid', { ...form, mends: String(next), whole: 'true' })).status).toBe(409)
  })

  test('of a preview loses against an import of the same preview, or wins', async () => {
    const { ben, ada } = h.cast
    const { id } = await ben.begin('titles', 'March.csv', 'unit_number,location\n100300,PHX\nA12,PHX\n')
    await ben.settled(id)
    const rows = { ...titleRow(2, '100300', 'PHX'), ...titleRow(3, '100301', 'PHX') }
    const [corrected, committed] = await Promise.all([
      ben.submit('/files/grid', { data_type: 'titles', mends: String(id), whole: 'true', ...rows }),
      ada.post(`/files/${id}/commit`),
    ])
    const next = idIn(corrected.location)
    expect([corrected.status, committed.status]).toEqual(next ? [303, 409] : [409, 202])
    const { status } = next ? ((await ben.get(`/files/${id}`)).body.data as { status: string }) : await ben.settled(id)
    expect(status).toBe(next ? 'cancelled' : 'done')
    if (next) await ben.settled(next)
    expect(await unitsOf()).toEqual(next ? [] : ['100300'])
  })

  test('waits until the valid rows are imported if there are too many of them', async () => {
    const { ben } = h.cast
    const valid = Array.from({ length: 100 }, (_, at) => `${100_300 + at},PHX`).join('\n')
    const { id } = await ben.begin('titles', 'March.csv', `unit_number,location\n${valid}\nA12,PHX\n`)
    await ben.settled(id)
    expect((await ben.open(`/files/imports/${id}`)).html).not.toContain('/mend')
    expect((await ben.open(`/files/imports/${id}/mend`)).status).toBe(409)
    const answer = await ben.submit('/files/grid', {
      data_type: 'titles',
      mends: String(id),
      ...titleRow(2, 'A13', 'PHX'),
    })
    expect([answer.status, answer.text.includes('Import the valid rows before you fix the failed rows')]).toEqual([
      409,
      true,
    ])
    expect((await ben.get(`/files/${id}`)).status).toBe(200)
    await ben.post(`/files/${id}/commit`)
    await ben.settled(id)
    await ben.post(`/files/${id}/undo`)
    await ben.settled(id)
    expect((await ben.open(`/files/imports/${id}/mend`)).text).toContain('This import has no rows to fix')
  })

  test('redirects when no row failed, and returns 404 for an unknown import', async () => {
    const { ben } = h.cast
    const { id } = await ben.begin('titles', 'March.csv', 'unit_number,location\n100300,PHX\n')
    await ben.settled(id)
    await ben.post(`/files/${id}/commit`)
    await ben.settled(id)
    expect((await ben.open(`/files/imports/${id}/mend`)).location).toBe(`/files/imports/${id}`)
    expect((await ben.open('/files/imports/999999/mend')).status).toBe(404)
    expect(
      (await ben.submit('/files/grid', { data_type: 'titles', mends: '999999', ...titleRow(2, 'A13', 'PHX') })).status,
    ).toBe(404)
  })

  test('shows 100 rows at a time', async () => {
    const id = await messy(Array.from({ length: 100 }, (_, at) => `A${at},PHX,`).join('\n'))
    const first = await h.cast.ben.open(`/files/imports/${id}/mend`)
    expect([first.html.includes('cell.102.unit_number'), first.html.includes('cell.103.')]).toEqual([true, false])
    const behind = /href="([^"]+\/mend\?after=102)"/.exec(first.html)?.[1] ?? ''
    const second = await h.cast.ben.open(behind)
    expect([...second.html.matchAll(/name="cell\.(\d+)\.unit_number"/g)].map(([, row]) => row)).toEqual(['103', '104'])
    expect(second.html).not.toContain('mend?after')
  })
})
