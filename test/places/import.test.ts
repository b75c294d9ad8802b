import { beforeEach, describe, expect, test } from 'bun:test'
import { importRows } from '../../src/features/places/import-rows'
import { commandWrite } from '../../src/platform/records/transactions'
import { testContext } from '../support/context'

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

const TUC = { location_code: 'TUC', location_name: 'Tucson', location_type: 'Hub' }
const YUM = { location_code: 'YUM', location_name: 'Yuma', location_type: 'Dealer', other_names: ['Yuma lot'] }

describe('imports by API', () => {
  test('rows follow the form rules, and invalid rows are skipped and reported', async () => {
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
          { row: 2, name: 'Tucson again', outcome: 'duplicate', message: 'Duplicate of row 1' },
          { row: 3, name: 'No type', outcome: 'error', message: 'Location type is required' },
          { row: 4, name: 'Yuma', outcome: 'error', message: 'Contact e-mail: Must be an e-mail address' },
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

  test('existing records change only in update mode, and blank values change nothing', async () => {
    await send('locations', [{ ...TUC, phone: '520' }])
    const again = { location_code: 'tuc', location_name: 'Tucson South', phone: '' }
    expect((await send('locations', [again])).result.rows).toEqual([
      { row: 1, name: 'Tucson South', outcome: 'duplicate', message: 'Location code tuc belongs to Tucson' },
    ])
    const { result } = await send('locations', [again], { existing: 'update' })
    expect(result).toMatchObject({ imported: 0, updated: 1, duplicates: 0 })
    expect(result.rows[0]?.message).toBe('Location code, Location name')
    const [stored] = (await h.cast.ada.get('/locations?q=Tucson')).body.data as unknown as object[]
    expect(stored).toMatchObject({
      location_code: 'tuc',
      location_name: 'Tucson South',
      location_type: 'Hub',
      version: 2,
    })
    const third = await send('locations', [again], { existing: 'update' })
    expect(third.result.rows[0]).toMatchObject({ outcome: 'duplicate', message: 'No changes' })
  })

  test('a dry run writes nothing and returns the same result', async () => {
    const before = await count('locations')
    const dry = await send('locations', [TUC, YUM], { dry_run: true })
    expect([dry.result.imported, await count('locations')]).toEqual([2, before])
    expect((await send('locations', [TUC, YUM])).result).toEqual(dry.result)
  })

  test('an alias that belongs to a stored record or an earlier row is rejected', async () => {
    await send('locations', [YUM])
    const withStoredAlias = { ...TUC, other_names: ['YUMA LOT'] }
    const mine = { ...TUC, location_code: 'MES2', location_name: 'Mesa Two', other_names: ['Old Mesa'] }
    const theirs = { ...TUC, location_code: 'MES3', location_name: 'Mesa Three', other_names: ['old mesa'] }
    const { result } = await send('locations', [withStoredAlias, mine, theirs])
    expect(result.rows.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['error', 'Aliases: “YUMA LOT” is already a name of Yuma'],
      ['create', 'Similar to Mesa, which already exists'],
      ['error', 'Aliases: “old mesa” is already a name of Mesa Two'],
    ])
    const updateResponse = await send('locations', [{ ...YUM, phone: '928' }], { existing: 'update' })
    expect(updateResponse.result).toMatchObject({ updated: 1, failed: 0 })
  })

  test('transport companies and vendors follow the same rules', async () => {
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

  test('aliases can be given as text, and removed aliases can be reused', async () => {
    await send('vendors', [{ vendor_name: 'Base One', other_names: ['B1'] }])
    const { result } = await send('vendors', [{ vendor_name: 'Bypass', other_names: 'B1' }])
    expect(result.rows[0]).toMatchObject({
      outcome: 'error',
      message: 'Aliases: “B1” is already a name of Base One',
    })
    const moved = await send(
      'vendors',
      [
        { vendor_name: 'Base One', other_names: ['Base One', 'B2'] },
        { vendor_name: 'Heir', other_names: ['B1'] },
      ],
      { existing: 'update' },
    )
    expect(moved.result).toMatchObject({ imported: 1, updated: 1, failed: 0 })
  })

  test('rows claim aliases in order, also in a dry run', async () => {
    await send('vendors', [{ vendor_name: 'Base Two' }])
    const rows = [
      { vendor_name: 'Base Two', other_names: ['NewGuy'] },
      { vendor_name: 'Other', other_names: ['newguy'] },
      { vendor_name: 'Last' },
    ]
    const dry = await send('vendors', rows, { existing: 'update', dry_run: true })
    expect(dry.result).toMatchObject({ imported: 1, updated: 1, failed: 1 })
    expect((await send('vendors', rows, { existing: 'update' })).result).toEqual(dry.result)
  })

  test('letter case is compared as the database compares it', async () => {
    await send('vendors', [{ vendor_name: 'İzmir Oto' }])
    const rows = [{ vendor_name: 'İZMİR OTO', phone: '1' }, { vendor_name: 'Straße' }, { vendor_name: 'STRASSE' }]
    const dry = await send('vendors', rows, { existing: 'update', dry_run: true })
    const { result } = await send('vendors', rows, { existing: 'update' })
    expect([result, result.failed]).toEqual([dry.result, 0])
  })

  test('values of the wrong type never cause a server error', async () => {
    const odd: unknown[] = [{ toString: 1 }, ['x'], {}, true, 7.5, 'A\0B', '\ud800', 'x'.repeat(10_000)]
    for (const value of odd) {
      const rows = [
        { vendor_name: value },
        { vendor_name: 'Fine', notes: value },
        { vendor_name: 'Odd', other_names: value },
      ]
      const { status } = await send('vendors', rows, { dry_run: true })
      expect([value, status < 500]).toEqual([value, true])
    }
  })

  test('a record created or deleted during the import fails only its own row', async () => {
    const { ctx } = h
    await send('vendors', [{ vendor_name: 'Gone' }])
    const [deletedVendor] = (await h.cast.ada.get('/vendors?q=Gone')).body.data as unknown as [{ id: number }]
    const { vendorQueries } = await import('../../src/features/places/vendors/queries')
    const { vendor } = await import('../../src/features/places/vendors/rules')
    const lines = [
      { row: 1, values: { vendor_name: 'Taken' } },
      { row: 2, values: { vendor_name: 'Gone', phone: '1' } },
      { row: 3, values: { vendor_name: 'Fine' } },
    ]
    const queries = {
      ...vendorQueries,
      async create(...[write, values]: Parameters<typeof vendorQueries.create>) {
        if (values.vendor_name === 'Taken') {
          await h.cast.ada.post('/vendors', { vendor_name: 'Taken' })
          await h.cast.ada.delete(`/vendors/${deletedVendor.id}`)
        }
        return vendorQueries.create(write, values)
      },
    }
    const rows = await importRows(commandWrite(ctx.db), { queries, rules: vendor }, lines, 'update')
    expect(rows.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['error', 'Vendor name already exists'],
      ['error', 'Vendor not found'],
      ['create', null],
    ])
  })

  test('an import takes 1 to 1,000 rows and requires an administrator', async () => {
    const many = (n: number) => Array.from({ length: n }, (_, at) => ({ company_name: `Mover ${at}` }))
    expect((await send('transport-companies', many(1000))).result.imported).toBe(1000)
    expect((await send('transport-companies', many(1001))).status).toBe(422)
    expect((await send('transport-companies', [])).status).toBe(422)
    expect((await send('transport-companies', 'no')).status).toBe(422)
    expect((await h.cast.ben.post('/locations/import', { rows: [TUC] })).status).toBe(403)
    expect((await h.cast.stranger.post('/locations/import', { rows: [TUC] })).status).toBe(401)
  })

  test('two concurrent imports of the same rows create each record once', async () => {
    const before = await count('locations')
    const [one, two] = await Promise.all([send('locations', [TUC, YUM]), send('locations', [TUC, YUM])])
    expect([one.status, two.status].sort()[0]).toBe(200)
    expect(await count('locations')).toBe(before + 2)
  })
})
