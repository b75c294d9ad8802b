import { beforeEach, describe, expect, test } from 'bun:test'
import * as XLSX from 'xlsx'
import { importRows } from '../../src/features/places/import-rows'
import { linesOf, tableOfFile, tableOfText } from '../../src/features/places/import-table'
import { locationColumns } from '../../src/features/places/locations/import'
import { locationQueries } from '../../src/features/places/locations/queries'
import { location } from '../../src/features/places/locations/rules'
import { commandWrite } from '../../src/platform/records/transactions'
import { testContext } from '../support/context'
import { readPage } from '../support/visitor'

/** Locations, companies and vendors from spreadsheets. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Result = {
  imported: number
  updated: number
  duplicates: number
  failed: number
  rows: { row: number; name: string; outcome: string; message: string | null }[]
}
const send = async (path: string, rows: unknown, more: object = {}) => {
  const { status, body } = await h.cast.ada.post(`/${path}/import`, { rows, ...more })
  return { status, body, result: body.data as unknown as Result }
}
const codes = async () =>
  ((await h.cast.ada.get('/locations?per_page=500')).body.data as unknown as { location_code: string }[])
    .map(({ location_code }) => location_code)
    .sort()

/** Returns the content of the field for rows. */
const rowsIn = (html: string) =>
  (/<textarea[^>]*name="rows"[^>]*>([^<]*)</.exec(html)?.[1] ?? '').replaceAll('&quot;', '"')

/** Returns the hidden value that identifies the previewed rows. */
const seenIn = (html: string) => /name="seen" value="([^"]*)"/.exec(html)?.[1] ?? ''

describe('the import page', () => {
  /** Previews rows, and then writes them. */
  const commit = async (path: string, rows: string, more: Record<string, string> = {}) => {
    const shown = await h.cast.ada.submit(path, { rows, ...more })
    return h.cast.ada.submit(path, { rows, ...more, commit: '1', seen: seenIn(shown.html) })
  }

  const at = '/admin/locations/import'
  const SHEET = 'Code\tName\tType\tRegion\nTUC\tTucson\thub\tSouth\nYUM\tYuma\tLot\tWest\n'

  test('pasted rows are previewed before writing, and invalid rows stay in the form', async () => {
    const { ada } = h.cast
    const shown = await ada.submit(at, { rows: SHEET })
    expect(shown.find('tbody tr').map((row) => row.replace(/\s+/g, ' '))).toEqual([
      expect.stringContaining('Yuma'),
      expect.stringContaining('Tucson'),
    ])
    expect(shown.text).toContain('Unknown column ignored: Region')
    expect(shown.text).toContain('Import 1 location')
    expect(await codes()).not.toContain('TUC')
    const done = await commit(at, SHEET)
    expect(done.text).toContain('1 location imported, 1 not imported')
    expect(rowsIn(done.html)).toBe('Code\tName\tType\tRegion\nYUM\tYuma\tLot\tWest')
    expect(await codes()).toContain('TUC')
    const mended = await commit(at, 'Code\tName\tType\nYUM\tYuma\tTow')
    expect([mended.location, mended.toast]).toEqual(['/admin/locations', '1 location imported'])
  })

  test('headings inside the list are no records, and rows below other headings are refused', async () => {
    const row = (code: string, name: string) => `${code}\t${name}\tTow\tWest`
    const head = 'Code\tName\tType\tRegion'
    const rows = [head, row('AJO', 'Ajo'), head, row('BIS', 'Bisbee'), 'Name\tCode\tType', 'Kingman Ford\tKNG\tTow']
    const { text } = await h.cast.ada.submit('/admin/locations/import', { rows: rows.join('\n') })
    expect(text).toContain('This row repeats the headings')
    expect(text).toContain('Row 5 begins a second table with different columns')
    await commit('/admin/locations/import', rows.join('\n'))
    expect(await codes()).toEqual(expect.arrayContaining(['AJO', 'BIS']))
    expect(await codes()).not.toContain('KINGMAN FORD')
    expect(await codes()).not.toContain('Kingman Ford')
  })

  test('placeholders count as blank, and a row of totals is refused', async () => {
    const rows = 'company_name,phone,notes\nYuma Haul,TBD,N/A\nTotal Logistics,-,\nTotal:,4,\n'
    const page = await h.cast.ada.submit('/admin/transport-companies/import', { rows })
    expect(page.text).toContain('This row is a total, not a record: "Total:"')
    const seen = /name="seen" value="(\w+)"/.exec(page.html)?.[1] ?? ''
    await h.cast.ada.submit('/admin/transport-companies/import', { rows, seen, commit: '1' })
    expect((await h.cast.ada.get('/transport-companies?q=Yuma')).body.data).toMatchObject([
      { company_name: 'Yuma Haul', phone: null, notes: null },
    ])
    expect((await h.cast.ada.get('/transport-companies?q=Total')).body.data).toMatchObject([
      { company_name: 'Total Logistics' },
    ])
  })

  test('columns follow the sample without a header, or the header in any order', async () => {
    const { ada } = h.cast
    await commit(at, 'TUC,Tucson,Hub\nYUM,Yuma,Dealer')
    await commit(at, 'location_type,Site,LOCATION-CODE,aliases\nTow,Ajo,AJO,Ajo yard;Old Ajo')
    expect(await codes()).toEqual(expect.arrayContaining(['AJO', 'TUC', 'YUM']))
    const [ajo] = (await ada.get('/locations?q=Old Ajo')).body.data as unknown as object[]
    expect(ajo).toMatchObject({ location_name: 'Ajo', location_type: 'Tow', other_names: ['Ajo yard', 'Old Ajo'] })
    await commit('/admin/transport-companies/import', 'Company name\nVerde\nCarrier Two')
    expect((await ada.get('/transport-companies?q=Carrier Two')).body.meta).toMatchObject({ total: 1 })
    expect((await ada.get('/transport-companies?q=Verde')).body.meta).toMatchObject({ total: 1 })
  })

  const upload = async (
    path: string,
    name: string,
    content: string | Uint8Array,
    more: Record<string, string> = {},
  ) => {
    const form = new FormData()
    form.set('file', new File([content as BlobPart], name))
    for (const [field, value] of Object.entries(more)) form.set(field, value)
    const headers = { origin: 'http://localhost', ...(await h.cast.ada.cookieHeaders()) }
    return readPage(await h.cast.ada.request(path, { method: 'POST', headers, body: form }))
  }

  test('a workbook is previewed as editable rows, even when it is committed at once', async () => {
    const sheet = XLSX.utils.aoa_to_sheet([
      ['Our yards'],
      ['Vendor', 'Type', 'Daily rate', 'Active', 'Notes'],
      ['Pima', 'Towing', 35, 'No', 'Gate code\n"4711"'],
    ])
    const book = XLSX.utils.book_new()
    XLSX.utils.book_append_sheet(book, sheet)
    const bytes = new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' }))
    const shown = await upload('/admin/vendors/import', 'yards.xlsx', bytes, { commit: '1' })
    const rows = rowsIn(shown.html)
    expect(rows).toStartWith('vendor_name\tvendor_type\tstorage_daily_rate\tis_active\tnotes\nPima\tTowing\t35\tNo\t')
    expect((await h.cast.ada.get('/vendors?q=Pima')).body.meta).toMatchObject({ total: 0 })
    await commit('/admin/vendors/import', rows)
    expect((await h.cast.ada.get('/vendors?q=Pima')).body.data as unknown).toMatchObject([
      { vendor_type: 'Towing', storage_daily_rate: 35, is_active: false, notes: 'Gate code\n"4711"' },
    ])
  })

  test('a workbook names its unread sheets and its hidden rows, and a row with only a name is marked', async () => {
    const head = ['location_code', 'location_name', 'location_type']
    const sheet = XLSX.utils.aoa_to_sheet([head, ['AAA', 'Alpha', 'Hub'], ['BBB', 'Beta', 'Hub']])
    sheet['!rows'] = [{}, {}, { hidden: true }]
    const book = XLSX.utils.book_new()
    XLSX.utils.book_append_sheet(book, sheet, 'Hubs')
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['Shop list'], ['Delta']]), 'Shops')
    const bytes = new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' }))
    const page = await upload('/admin/locations/import', 'a.xlsx', bytes)
    expect(page.text).toContain('Only the sheet "Hubs" was read, not "Shops"')
    expect(page.text).toContain('Hidden or filtered rows were read too: row 3')
    const rows = 'vendor_name,phone\nTOWING,\nAlpha Tow,602-555-0100\nBeta Tow,602-555-0101'
    const vendors = await h.cast.ada.submit('/admin/vendors/import', { rows })
    expect(vendors.text).toContain('Only one cell of this row is filled in; check that the row is not a heading')
  })

  test('unreadable input shows an error at its field, and pasted rows are kept', async () => {
    const wrong = async (name: string, content: string | Uint8Array) =>
      (await upload(at, name, content)).find('.field-error')
    expect(await wrong('old.xls', 'x')).toEqual([
      'The file is named .xls but is not an Excel workbook. Open it in a spreadsheet program and save it as .xlsx.',
    ])
    expect(await wrong('a.csv', 'x'.repeat(1024 * 1024 + 1))).toEqual(['The file is larger than 1 MB'])
    expect((await wrong('a.csv', 'Colour,Size\nred,4\n'))[0]).toStartWith('The file has no header row: expected')
    expect(await wrong('a.csv', 'Code,Name,Type\n')).toEqual(['There are no rows'])
    expect(await wrong('a.xlsx', 'nonsense')).toHaveLength(1)
    const many = `Code,Name,Type\n${Array.from({ length: 1001 }, (_, n) => `C${n},N${n},Hub`).join('\n')}`
    expect(await wrong('a.csv', many)).toEqual(['The file has more than 1,000 rows; split it'])
    expect((await h.cast.ada.submit(at, { rows: '' })).find('.field-error')).toEqual([
      'Paste some rows or choose a file',
    ])
    const response = await h.cast.ada.submit(at, { rows: many })
    expect([response.status, response.find('.field-error')]).toEqual([422, ['At most 1,000 rows at once']])
    expect(rowsIn(response.html)).toContain('C1000,N1000,Hub')
  })

  test('names keep commas and quotation marks from files and pasted text', async () => {
    const names = async () =>
      (
        (await h.cast.ada.get('/transport-companies?per_page=500')).body.data as unknown as { company_name: string }[]
      ).map(({ company_name }) => company_name)
    const mover = '/admin/transport-companies/import'
    const shown = await upload(mover, 'a.csv', 'company_name\n"Acme Haul, LLC"\n"Bolt, Inc."\n')
    await h.cast.ada.submit(mover, { rows: rowsIn(shown.html), seen: seenIn(shown.html), commit: '1' })
    await commit(mover, 'company_name\nX Haul, LLC')
    await commit(mover, 'company_name\tnotes\n"A" one\tx\nB\ty\nC\tz')
    expect(await names()).toEqual(
      expect.arrayContaining(['Acme Haul, LLC', 'Bolt, Inc.', 'X Haul, LLC', '"A" one', 'B', 'C']),
    )
    const unclosed = await h.cast.ada.submit(mover, { rows: 'company_name,notes\nA,"unclosed\nB,x' })
    expect(unclosed.find('.field-error')[0]).toContain('a quotation mark is not closed')
    const surplus = await h.cast.ada.submit(mover, { rows: 'company_name,notes\nD, Inc.,x' })
    expect(surplus.text).toContain(
      'The row has more cells than the header row. If a value contains a comma, put quotation marks around it.',
    )
  })

  test('an unknown header can be mapped to a field, and the result is previewed', async () => {
    const { ada } = h.cast
    const rows = 'Rufname\tCode\tType\tRegion\nTucson\tTUC\tHub\tSouth'
    const shown = await ada.submit(at, { rows })
    expect(shown.find('label').filter((label) => label.includes('Field for'))).toEqual([
      'Field for “Rufname”',
      'Field for “Region”',
    ])
    expect(shown.html).not.toContain('<option value="location_code"')
    const choices = { 'heading.0': 'location_name', 'heading.3': 'location_code' }
    const again = await ada.submit(at, { rows, ...choices, seen: seenIn(shown.html), commit: '1' })
    expect(rowsIn(again.html)).toBe('location_name\tCode\tType\tRegion\nTucson\tTUC\tHub\tSouth')
    expect(again.text).toContain('Rows changed. Review the updated preview.')
    expect(again.text).toContain('Unknown column ignored: Region')
    expect(await codes()).not.toContain('TUC')
    const done = await ada.submit(at, { rows: rowsIn(again.html), seen: seenIn(again.html), commit: '1' })
    expect([done.location, done.toast]).toEqual(['/admin/locations', '1 location imported'])
  })

  test('one known column name identifies a header row, which is not imported', async () => {
    const shown = await h.cast.ada.submit('/admin/vendors/import', {
      rows: 'Vendor name,Region,Manager\nPima,South,Bob',
    })
    expect([shown.find('tbody tr').length, shown.text]).toEqual([
      1,
      expect.stringContaining('Unknown columns ignored: Region, Manager'),
    ])
    const file = await upload('/admin/vendors/import', 'a.csv', 'Yard,Region\nPima,South\n')
    expect(rowsIn(file.html)).toBe('vendor_name\tRegion\nPima\tSouth')
  })

  test('a thousand rows plus a header are accepted, and one more is rejected', async () => {
    const rows = `company_name\n${Array.from({ length: 1000 }, (_, n) => `Mover ${n}`).join('\n')}`
    const shown = await upload('/admin/transport-companies/import', 'a.csv', rows)
    expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('Import 1,000 transport companies')])
    expect((await h.cast.ada.submit('/admin/transport-companies/import', { rows: `${rows}\nM` })).status).toBe(422)
  })

  test('rows edited after the preview are previewed again before writing', async () => {
    const shown = await h.cast.ada.submit(at, { rows: 'TUC,Tucson,Hub' })
    const seen = seenIn(shown.html)
    const more = await h.cast.ada.submit(at, { rows: 'TUC,Tucson,Hub\nYUM,Yuma,Hub', seen, commit: '1' })
    expect([more.status, more.text]).toEqual([
      200,
      expect.stringContaining('Rows changed. Review the updated preview.'),
    ])
    const other = await h.cast.ada.submit(at, { rows: 'TUC,Tucson,Hub', update: 'true', seen, commit: '1' })
    expect(other.text).toContain('Rows changed. Review the updated preview.')
    expect(await codes()).not.toContain('TUC')
    expect((await h.cast.ada.submit(at, { rows: 'TUC,Tucson,Hub', seen, commit: '1' })).status).toBe(303)
  })

  test('spreadsheet errors are rejected as values, and a NUL character loses no row', async () => {
    const shown = await h.cast.ada.submit(at, {
      rows: '#REF!,Broken,Hub\nTUC,(formula without a result),Hub\nY\0UM,Yuma,Hub',
    })
    expect(shown.find('.badge-danger')).toHaveLength(2)
    expect(shown.text).toContain('A cell contains #REF!. Correct it in the spreadsheet.')
    expect(shown.find('.badge-success')).toHaveLength(1)
  })

  test('the sample of each kind imports without errors', async () => {
    for (const kind of ['locations', 'transport-companies', 'vendors']) {
      const sample = await h.cast.ada.open(`/admin/${kind}/import/sample.csv`)
      expect(sample.headers.get('content-disposition')).toContain(`yardmaster-sample-${kind}.csv`)
      const shown = await h.cast.ada.submit(`/admin/${kind}/import`, { rows: sample.html, update: 'true' })
      expect([kind, shown.status, shown.find('.badge-danger')]).toEqual([kind, 200, []])
    }
    expect((await h.cast.ben.open('/admin/locations/import')).status).toBe(403)
  })
})

test('the preview names an existing record with a similar name', async () => {
  const rows = 'location_code,location_name,location_type\nPHO,Pheonix,Hub\nOTH,Somewhere else,Hub'
  const page = await h.cast.ada.submit('/admin/locations/import', { rows })
  expect(page.text).toContain('Similar to Phoenix, which already exists')
  expect(page.text).toContain('Import 2 locations')
})

test('a branch number is the code, a type can have more words, and blank cells beside ticks mean no', async () => {
  const table = tableOfText(
    'Branch #\tBranch Name\tType\tActive\n07\tYuma\tTow Yard\tx\n09\tGlobe\tdealership\t\n',
    locationColumns,
  )
  expect(linesOf(table, locationColumns).map(({ values, unticked }) => ({ ...unticked, ...values }))).toEqual([
    { location_code: '07', location_name: 'Yuma', location_type: 'Tow', is_active: true },
    { location_code: '09', location_name: 'Globe', location_type: 'Dealer', is_active: false },
  ])
  // In an update, the blank cell changes nothing.
  await send('locations', [{ location_code: '09', location_name: 'Globe', location_type: 'Dealer' }])
  const kind = { queries: locationQueries, rules: location }
  await importRows(commandWrite(h.ctx.db), kind, linesOf(table, locationColumns), 'update')
  const stored = (await h.cast.ada.get('/locations?q=Globe')).body.data
  expect(stored).toMatchObject([{ location_name: 'Globe', is_active: true }] as never)
  const csv = new File(['List of branches,,\nBranch #,Branch Name,Type\n07,Yuma,Tow Yard\n'], 'a.csv')
  const file = await tableOfFile({ log: h.ctx.log, account: null }, csv, locationColumns)
  expect([file.header, file.lines.length]).toEqual([['location_code', 'location_name', 'location_type'], 1])
})
