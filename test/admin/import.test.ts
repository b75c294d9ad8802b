import { beforeEach, describe, expect, test } from 'bun:test'
import * as XLSX from 'xlsx'
import { testContext } from '../support/context'
import { seen } from '../support/visitor'

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
const count = async (path: string) => ((await h.cast.ada.get(`/${path}`)).body.meta as { total: number }).total
const codes = async () =>
  ((await h.cast.ada.get('/locations?per_page=500')).body.data as unknown as { location_code: string }[])
    .map(({ location_code }) => location_code)
    .sort()

const TUC = { location_code: 'TUC', location_name: 'Tucson', location_type: 'Hub' }
const YUM = { location_code: 'YUM', location_name: 'Yuma', location_type: 'Dealer', other_names: ['Yuma lot'] }

describe('by a call', () => {
  test('rows are created by the rules of the form, and what is wrong is left out and told', async () => {
    const before = await count('locations')
    const { status, result } = await send('locations', [
      TUC,
      { ...TUC, location_name: 'Tucson again' },
      { location_code: 'BAD', location_name: 'No type' },
      { ...YUM, contact_email: 'nobody' },
      YUM,
    ])
    expect([status, result]).toEqual([
      200,
      {
        imported: 2,
        updated: 0,
        duplicates: 1,
        failed: 2,
        rows: [
          { row: 1, name: 'Tucson', outcome: 'create', message: null },
          { row: 2, name: 'Tucson again', outcome: 'duplicate', message: 'Repeats row 1' },
          { row: 3, name: 'No type', outcome: 'error', message: 'Location type is required' },
          { row: 4, name: 'Yuma', outcome: 'error', message: 'Contact email: Must be an e-mail address' },
          { row: 5, name: 'Yuma', outcome: 'create', message: null },
        ],
      },
    ])
    expect(await count('locations')).toBe(before + 2)
    const found = (await h.cast.ada.get('/locations?q=Yuma lot')).body.data as unknown as object[]
    expect(found).toMatchObject([{ ...YUM, is_active: true, version: 1, created_by: 'ada' }])
    const trail = (await h.cast.ada.get('/audit?entity=locations&action=create')).body.data as unknown as object[]
    expect(trail.slice(0, 2)).toMatchObject([{ actor: 'ada' }, { actor: 'ada' }])
  })

  test('those that are there stay as they are unless they are to be updated; a blank changes nothing', async () => {
    await send('locations', [{ ...TUC, phone: '520' }])
    const again = { location_code: 'tuc', location_name: 'Tucson South', phone: '' }
    expect((await send('locations', [again])).result.rows).toEqual([
      { row: 1, name: 'Tucson South', outcome: 'duplicate', message: 'Is there already' },
    ])
    const { result } = await send('locations', [again], { existing: 'update' })
    expect(result).toMatchObject({ imported: 0, updated: 1, duplicates: 0 })
    expect(result.rows[0]?.message).toBe('Location code, Location name would change')
    const [stored] = (await h.cast.ada.get('/locations?q=Tucson')).body.data as unknown as object[]
    expect(stored).toMatchObject({
      location_code: 'tuc',
      location_name: 'Tucson South',
      location_type: 'Hub',
      version: 2,
    })
    const third = await send('locations', [again], { existing: 'update' })
    expect(third.result.rows[0]).toMatchObject({ outcome: 'duplicate', message: 'Nothing would change' })
  })

  test('a dry run writes nothing and says the same', async () => {
    const before = await count('locations')
    const dry = await send('locations', [TUC, YUM], { dry_run: true })
    expect([dry.result.imported, await count('locations')]).toEqual([2, before])
    expect((await send('locations', [TUC, YUM])).result).toEqual(dry.result)
  })

  test('a further name that belongs to another, stored or in a row above, is refused', async () => {
    await send('locations', [YUM])
    const taken = { ...TUC, other_names: ['YUMA LOT'] }
    const mine = { ...TUC, location_code: 'MES2', location_name: 'Mesa Two', other_names: ['Old Mesa'] }
    const theirs = { ...TUC, location_code: 'MES3', location_name: 'Mesa Three', other_names: ['old mesa'] }
    const { result } = await send('locations', [taken, mine, theirs])
    expect(result.rows.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['error', 'Other names: “YUMA LOT” is a name of Yuma already'],
      ['create', null],
      ['error', 'Other names: “old mesa” is a name of Mesa Two already'],
    ])
    const kept = await send('locations', [{ ...YUM, phone: '928' }], { existing: 'update' })
    expect(kept.result).toMatchObject({ updated: 1, failed: 0 })
  })

  test('companies and vendors go the same way', async () => {
    const movers = await send('transport-companies', [{ company_name: 'Verde' }, { company_name: '' }, {}])
    expect(movers.result).toMatchObject({ imported: 1, failed: 2 })
    expect(movers.result.rows[1]?.message).toBe('Company name is required')
    const yards = await send('vendors', [
      { vendor_name: 'Pima', vendor_type: 'Towing', storage_daily_rate: '$35.00', storage_grace_days: '3' },
      { vendor_name: 'pima' },
    ])
    expect(yards.result).toMatchObject({ imported: 1, duplicates: 1 })
    expect((await h.cast.ada.get('/vendors?q=pima')).body.data as unknown).toMatchObject([
      { storage_daily_rate: 35, storage_grace_days: 3 },
    ])
  })

  test('a thousand rows are taken, one more is not, nor none; only from administrators', async () => {
    const many = (n: number) => Array.from({ length: n }, (_, at) => ({ company_name: `Mover ${at}` }))
    expect((await send('transport-companies', many(1000))).result.imported).toBe(1000)
    expect((await send('transport-companies', many(1001))).status).toBe(422)
    expect((await send('transport-companies', [])).status).toBe(422)
    expect((await send('transport-companies', 'no')).status).toBe(422)
    expect((await h.cast.ben.post('/locations/import', { rows: [TUC] })).status).toBe(403)
    expect((await h.cast.stranger.post('/locations/import', { rows: [TUC] })).status).toBe(401)
  })

  test('two imports of the same rows at once create each of them once', async () => {
    const before = await count('locations')
    const [one, two] = await Promise.all([send('locations', [TUC, YUM]), send('locations', [TUC, YUM])])
    expect([one.status, two.status].sort()[0]).toBe(200)
    expect(await count('locations')).toBe(before + 2)
  })
})

/** What stands in the field for rows. */
const rowsIn = (html: string) =>
  (/<textarea[^>]*name="rows"[^>]*>([^<]*)</.exec(html)?.[1] ?? '').replaceAll('&quot;', '"')

describe('on the page', () => {
  const at = '/admin/locations/import'
  const SHEET = 'Code\tName\tType\tRegion\nTUC\tTucson\thub\tSouth\nYUM\tYuma\tLot\tWest\n'

  test('pasted rows are shown first, then written; those with something wrong stay in the form', async () => {
    const { ada } = h.cast
    const shown = await ada.submit(at, { rows: SHEET })
    expect(shown.find('tbody tr').map((row) => row.replace(/\s+/g, ' '))).toEqual([
      expect.stringContaining('Yuma'),
      expect.stringContaining('Tucson'),
    ])
    expect(shown.text).toContain('Not known, and left out: the column Region')
    expect(shown.text).toContain('Import 1 location')
    expect(await codes()).not.toContain('TUC')
    const done = await ada.submit(at, { rows: SHEET, commit: '1' })
    expect(done.text).toContain('1 location imported, 1 left out')
    expect(rowsIn(done.html)).toBe('Code\tName\tType\tRegion\nYUM\tYuma\tLot\tWest')
    expect(await codes()).toContain('TUC')
    const mended = await ada.submit(at, { rows: 'Code\tName\tType\nYUM\tYuma\tTow', commit: '1' })
    expect([mended.location, mended.toast]).toEqual(['/admin/locations', '1 location imported'])
  })

  test('without a line of headings the columns are those of the sample; with one in any order they are found', async () => {
    const { ada } = h.cast
    await ada.submit(at, { rows: 'TUC,Tucson,Hub\nYUM,Yuma,Dealer', commit: '1' })
    await ada.submit(at, {
      rows: 'location_type,Site,LOCATION-CODE,aliases\nTow,Ajo,AJO,Ajo yard;Old Ajo',
      commit: '1',
    })
    expect(await codes()).toEqual(expect.arrayContaining(['AJO', 'TUC', 'YUM']))
    const [ajo] = (await ada.get('/locations?q=Old Ajo')).body.data as unknown as object[]
    expect(ajo).toMatchObject({ location_name: 'Ajo', location_type: 'Tow', other_names: ['Ajo yard', 'Old Ajo'] })
    await ada.submit('/admin/transport-companies/import', { rows: 'Carrier\nVerde\nCarrier Two', commit: '1' })
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
    return seen(await h.cast.ada.request(path, { method: 'POST', headers, body: form }))
  }

  test('a workbook is shown as rows that can be mended, whatever was pressed', async () => {
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
    expect(rows).toStartWith('Vendor\tType\tDaily rate\tActive\tNotes\nPima\tTowing\t35\tNo\t')
    expect((await h.cast.ada.get('/vendors?q=Pima')).body.meta).toMatchObject({ total: 0 })
    await h.cast.ada.submit('/admin/vendors/import', { rows, commit: '1' })
    expect((await h.cast.ada.get('/vendors?q=Pima')).body.data as unknown).toMatchObject([
      { vendor_type: 'Towing', storage_daily_rate: 35, is_active: false, notes: 'Gate code\n"4711"' },
    ])
  })

  test('what cannot be read is refused at its field, and what was pasted stays', async () => {
    const wrong = async (name: string, content: string | Uint8Array) =>
      (await upload(at, name, content)).find('.field-error')
    expect(await wrong('old.xls', 'x')).toEqual(['Save it as .xlsx or .csv first'])
    expect(await wrong('a.csv', 'x'.repeat(1024 * 1024 + 1))).toEqual(['The file is larger than 1 MB'])
    expect((await wrong('a.csv', 'Colour,Size\nred,4\n'))[0]).toStartWith('The file has no header row: expected')
    expect(await wrong('a.csv', 'Code,Name,Type\n')).toEqual(['There are no rows'])
    expect(await wrong('a.xlsx', 'nonsense')).toHaveLength(1)
    const many = `Code,Name,Type\n${Array.from({ length: 1001 }, (_, n) => `C${n},N${n},Hub`).join('\n')}`
    expect(await wrong('a.csv', many)).toEqual(['At most 1,000 rows at once'])
    expect((await h.cast.ada.submit(at, { rows: '' })).find('.field-error')).toEqual([
      'Paste some rows or choose a file',
    ])
    const kept = await h.cast.ada.submit(at, { rows: many })
    expect([kept.status, kept.find('.field-error')]).toEqual([422, ['At most 1,000 rows at once']])
    expect(rowsIn(kept.html)).toContain('C1000,N1000,Hub')
  })

  test('the sample imports as it is, of each kind', async () => {
    for (const kind of ['locations', 'transport-companies', 'vendors']) {
      const sample = await h.cast.ada.open(`/admin/${kind}/import/sample.csv`)
      expect(sample.headers.get('content-disposition')).toContain(`yardmaster-sample-${kind}.csv`)
      const shown = await h.cast.ada.submit(`/admin/${kind}/import`, { rows: sample.html, update: 'true' })
      expect([kind, shown.status, shown.find('.badge-danger')]).toEqual([kind, 200, []])
    }
    expect((await h.cast.ben.open('/admin/locations/import')).status).toBe(403)
  })
})
