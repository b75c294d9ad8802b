import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { NOON, testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Named = { id: number; version: number; other_names: string[] | null; [field: string]: unknown }
const made = async (path: string, values: object) => (await h.cast.ada.post(path, values)).body.data as Named
const read = async (path: string) => (await h.cast.ben.get(path)).body.data as Named
const place = (code: string, name: string, more: object = {}) =>
  made('/locations', { location_code: code, location_name: name, location_type: 'Hub', ...more })
const move = (values: object) =>
  made('/transports', {
    unit_number: '100200',
    move_date: '2026-03-10',
    move_type: 'Fleet',
    transport_company_id: 1,
    ...values,
  })

describe('a merge', () => {
  const everything = async (id: number) => {
    const { transports, osl, registrations, titles } = (await h.cast.ben.get(`/locations/${id}/usage`)).body
      .data as Record<string, number>
    return [transports, osl, registrations, titles]
  }
  /** Creates a location with two transports and one record of each other kind. */
  const usedPlace = async () => {
    const dock = await place('DCK', 'Dock', { other_names: ['Pier'] })
    await move({ location_out_id: dock.id, location_in_id: dock.id })
    await move({ unit_number: '100201', location_out_id: 2, location_in_id: dock.id, status: 'Delivered' })
    await made('/osl', {
      unit_number: '100300',
      location_id: dock.id,
      osl_date: '2026-03-10',
      problem: 'Transmission slips in third gear',
    })
    await made('/registrations', {
      unit_number: '100500',
      location_id: dock.id,
      plate_number: 'ABC123',
      state_province: 'AZ',
      date_issued: '2025-12-31',
      date_expires: '2026-12-31',
    })
    await made('/titles', { unit_number: '100400', location_id: dock.id, submitted_date: '2026-03-10' })
    return dock
  }

  test('moves every reference, keeps the names as aliases, and deletes the merged record', async () => {
    const dock = await usedPlace()
    const merge = await made(`/locations/${dock.id}/merge`, { into_id: 1 })
    expect(merge).toMatchObject({
      entity: 'locations',
      from_id: dock.id,
      from_name: 'Dock',
      into_id: 1,
      into_name: 'Phoenix',
      names: ['Dock', 'DCK', 'Pier'],
      merged_by: 'ada',
      undone_at: null,
    })
    expect(merge.moved).toMatchObject({
      'transports.location_out_id': 1,
      'transports.location_in_id': 2,
      'osl_entries.location_id': 1,
      'registrations.location_id': 1,
      'titles.location_id': 1,
    })
    expect((await h.cast.ben.get(`/locations/${dock.id}`)).status).toBe(404)
    expect((await read('/locations/1')).other_names).toEqual(['Dock', 'DCK', 'Pier'])
    expect(await everything(1)).toEqual([2, 1, 1, 1])
    expect((await read('/vehicles/unit/100201')).current_location).toBe('Phoenix')
  })

  test('can be undone, keeping records that were created later', async () => {
    const dock = await usedPlace()
    await h.cast.ada.put('/locations/1', { other_names: ['Valley'] })
    const { id } = await made(`/locations/${dock.id}/merge`, { into_id: 1 })
    await made('/titles', { unit_number: '100401', location_id: 1, submitted_date: '2026-03-11' })
    expect((await h.cast.ada.get('/locations/merges')).body.data as unknown).toMatchObject([{ id, from_name: 'Dock' }])
    const { status, body } = await h.cast.ada.post(`/locations/merges/${id}/undo`)
    expect([status, body.data]).toMatchObject([200, { id, undone_by: 'ada' }])
    expect(await read(`/locations/${dock.id}`)).toMatchObject({ location_name: 'Dock', other_names: ['Pier'] })
    expect((await read('/locations/1')).other_names).toEqual(['Valley'])
    expect(await everything(dock.id)).toEqual([2, 1, 1, 1])
    expect(await everything(1)).toEqual([0, 0, 0, 1])
    expect((await read('/vehicles/unit/100201')).current_location).toBe('Dock')
    expect((await h.cast.ada.get('/locations/merges')).body.data as unknown).toEqual([])
    expect((await h.cast.ada.post(`/locations/merges/${id}/undo`)).body.message).toBe('Already undone')
  })

  test('can be undone for exactly 24 hours', async () => {
    const dock = await place('DCK', 'Dock')
    const pier = await place('PIE', 'Pier')
    const first = await made(`/locations/${dock.id}/merge`, { into_id: 1 })
    const second = await made(`/locations/${pier.id}/merge`, { into_id: 1 })
    await h.ctx.db.execute(
      sql`update merges set merged_at = ${new Date(NOON.getTime() - 86_400_000).toISOString()} where id = ${first.id}`,
    )
    await h.ctx.db.execute(
      sql`update merges set merged_at = ${new Date(NOON.getTime() - 86_400_001).toISOString()} where id = ${second.id}`,
    )
    expect((await h.cast.ada.post(`/locations/merges/${second.id}/undo`)).body).toMatchObject({
      success: false,
      message: 'A merge can only be undone within 24 hours',
    })
    expect((await h.cast.ada.post(`/locations/merges/${first.id}/undo`)).status).toBe(200)
  })

  test('cannot be undone before a later merge of its target', async () => {
    const dock = await place('DCK', 'Dock')
    const pier = await place('PIE', 'Pier')
    await move({ location_out_id: dock.id, location_in_id: 2 })
    const first = await made(`/locations/${dock.id}/merge`, { into_id: pier.id })
    const second = await made(`/locations/${pier.id}/merge`, { into_id: 1 })
    const recent = (await h.cast.ada.get('/locations/merges')).body.data as unknown as Named[]
    expect(recent.map(({ id }) => id)).toEqual([second.id, first.id])
    expect((await h.cast.ada.post(`/locations/merges/${first.id}/undo`)).body.message).toBe(
      'Pier has since been merged or deleted. First undo that change.',
    )
    await h.cast.ada.post(`/locations/merges/${second.id}/undo`)
    expect((await h.cast.ada.post(`/locations/merges/${first.id}/undo`)).status).toBe(200)
    expect(await everything(dock.id)).toEqual([1, 0, 0, 0])
  })

  test('cannot be undone once its code is in use again', async () => {
    const dock = await place('DCK', 'Dock')
    const { id } = await made(`/locations/${dock.id}/merge`, { into_id: 1 })
    await place('DCK', 'Another')
    expect((await h.cast.ada.post(`/locations/merges/${id}/undo`)).body.message).toBe(
      'The merge cannot be undone, because another record now uses the name or code of the merged record',
    )
  })

  test.each([
    [1, 1, 422, 'A record cannot be merged into itself. Choose another record.'],
    [1, 999, 422, 'Choose one from the list'],
    [1, null, 422, 'Choose the record to keep'],
  ])('of %p into %p is rejected', async (id, into_id, status, message) => {
    const refused = await h.cast.ada.post(`/locations/${id}/merge`, { into_id })
    expect([refused.status, refused.body.errors]).toEqual([status, [{ field: 'into_id', message }]])
  })

  test('returns 404 for unknown records, unknown merges and merges of other kinds', async () => {
    expect((await h.cast.ada.post('/locations/999/merge', { into_id: 1 })).status).toBe(404)
    expect((await h.cast.ada.post('/locations/merges/999/undo')).status).toBe(404)
    const dock = await place('DCK', 'Dock')
    const { id } = await made(`/locations/${dock.id}/merge`, { into_id: 1 })
    expect((await h.cast.ada.post(`/vendors/merges/${id}/undo`)).status).toBe(404)
    expect((await h.cast.ada.get('/vendors/merges')).body.data as unknown).toEqual([])
  })

  test('is rejected for two vendors with the same invoice number', async () => {
    const [one, two] = [
      await made('/vendors', { vendor_name: 'Axle' }),
      await made('/vendors', { vendor_name: 'Axle Inc' }),
    ]
    const invoice = {
      number: 'A-1',
      start_date: '2026-02-01',
      end_date: '2026-02-28',
      lines: [{ unit_number: '100300', amount: 10 }],
    }
    for (const { id } of [one, two])
      expect((await h.cast.ada.post(`/vendors/${id}/invoices`, invoice)).status).toBe(201)
    const refused = await h.cast.ada.post(`/vendors/${one.id}/merge`, { into_id: two.id })
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Both records have an invoice with the same number. Delete one invoice, then merge.',
    ])
    expect((await read(`/vendors/${one.id}`)).vendor_name).toBe('Axle')
  })

  test('is retried after a deadlock, up to four attempts', async () => {
    const { db } = h.ctx
    // A rollback does not reset a sequence, so it counts the attempts.
    await db.execute(sql`create sequence tries`)
    await db.execute(sql`create function give_way() returns trigger language plpgsql as $$ begin
      if nextval('tries') <= 10 + tg_argv[0]::int then raise exception 'gave way' using errcode = tg_argv[1]; end if;
      return new; end $$`)
    try {
      const merged = async (times: number, code: string) => {
        await db.execute(sql`select setval('tries', 10)`)
        await db.execute(
          sql.raw(`create or replace trigger give_way before insert on merges
          for each row execute function give_way(${times}, '${code}')`),
        )
        const { id } = await place('DCK', 'Dock')
        const { status } = await h.cast.ada.post(`/locations/${id}/merge`, { into_id: 1 })
        await h.cast.ada.delete(`/locations/${id}`)
        const [tries] = await rows<{ n: number }>(db, sql`select last_value::int - 10 as n from tries`)
        return [status, tries?.n]
      }
      expect([await merged(3, '40P01'), await merged(4, '40P01'), await merged(1, '55P03')]).toEqual([
        [200, 4],
        [503, 4],
        [503, 1],
      ])
    } finally {
      await db.execute(sql`drop function give_way cascade`)
      await db.execute(sql`drop sequence tries`)
    }
  })

  test('updates the filters of saved views, and undoing it restores them', async () => {
    const dock = await place('DCK', 'Dock')
    const view = await made('/views', {
      name: 'At the dock',
      list: 'transports-active',
      query: `location_id=${dock.id}&q=x`,
    })
    const query = async () =>
      ((await h.cast.ada.get('/views')).body.data as unknown as { id: number; query: string }[]).find(
        ({ id }) => id === view.id,
      )?.query
    const before = await query()
    const { id } = await made(`/locations/${dock.id}/merge`, { into_id: 1 })
    expect(await query()).toBe(before?.replace(`location_id=${dock.id}`, 'location_id=1'))
    await h.cast.ada.post(`/locations/merges/${id}/undo`)
    expect(await query()).toBe(before)
  })

  test('lets spreadsheets use the old names', async () => {
    const dock = await place('DCK', 'Dock')
    await made(`/locations/${dock.id}/merge`, { into_id: 1 })
    const { importNames } = await import('../../src/platform/imports/remembered-names')
    const { locations } = await importNames(h.ctx.db, 'transports')
    expect([locations.get('dock'), locations.get('dck')]).toEqual([
      { id: 1, label: 'Phoenix', alias: 'Phoenix' },
      { id: 1, label: 'Phoenix', alias: 'Phoenix' },
    ])
  })

  test('is previewed, listed and undone on the pages', async () => {
    const dock = await usedPlace()
    const ask = await h.cast.ada.open(`/admin/locations/${dock.id}/merge`)
    expect(ask.find('.lead')[0]).toStartWith(
      '2 transports, 1 OSL entry, 1 registration, 1 title of Dock (DCK) will move to the location that you choose.',
    )
    expect(ask.find('select option')).not.toContain('Dock (DCK)')
    const nothing = await h.cast.ada.submit(`/admin/locations/${dock.id}/merge`, {})
    expect(nothing.find('.field-error')).toEqual(['Choose the record to keep'])
    const merged = await h.cast.ada.submit(`/admin/locations/${dock.id}/merge`, { into_id: '1' })
    expect(merged.toast).toBe('Dock merged into Phoenix')
    const list = await h.cast.ada.open('/admin/locations')
    expect(list.find('.panel-table td').slice(0, 4)).toEqual(['Dock', 'Phoenix', '5', 'ada'])
    const back = await h.cast.ada.submit('/admin/locations/merges/1/undo', {})
    expect(back.toast).toBe('Merge undone. Dock restored.')
    expect((await h.cast.ada.open('/admin/locations')).find('.panel-table')).toEqual([])
    expect((await h.cast.ada.open(`/admin/locations/${dock.id}/delete`)).find('.form-buttons a')).toEqual([
      'Back',
      'Merge…',
    ])
  })
})

test('a stale save after a merge or its undo does not restore the old location', async () => {
  const dock = await place('DCK', 'Dock')
  const first = await move({ location_out_id: dock.id, location_in_id: 2 })
  const save = async (location_out_id: number) =>
    (await h.cast.ben.put(`/transports/${first.id}`, { version: first.version, location_out_id })).status
  const { id } = await made(`/locations/${dock.id}/merge`, { into_id: 1 })
  expect([await save(dock.id), (await read(`/transports/${first.id}`)).version]).toEqual([409, 2])
  // The transport already has location 1, so the stale version is accepted.
  expect(await save(1)).toBe(200)
  await h.cast.ada.post(`/locations/merges/${id}/undo`)
  expect(await save(1)).toBe(409)
})

test('restoring a record deleted before a merge uses the merged location', async () => {
  const dock = await place('DCK', 'Dock')
  const pier = await place('PIE', 'Pier')
  const { id } = await move({ location_out_id: dock.id, location_in_id: 2 })
  await h.cast.ben.delete(`/transports/${id}`)
  await made(`/locations/${dock.id}/merge`, { into_id: pier.id })
  await made(`/locations/${pier.id}/merge`, { into_id: 1 })
  expect((await h.cast.ben.post(`/transports/${id}/restore`)).body.data).toMatchObject({ location_out_id: 1 })
})

test('undoing a merge moves a record back that was restored after the merge', async () => {
  const dock = await place('DCK', 'Dock')
  const { id } = await move({ location_out_id: dock.id, location_in_id: 2 })
  await h.cast.ben.delete(`/transports/${id}`)
  const merge = await made(`/locations/${dock.id}/merge`, { into_id: 1 })
  await h.cast.ben.post(`/transports/${id}/restore`)
  await h.cast.ada.post(`/locations/merges/${merge.id}/undo`)
  expect(await read(`/transports/${id}`)).toMatchObject({ location_out_id: dock.id, location_in_id: 2 })
})

test('a merge shows its changed records to clients that read by updated_since', async () => {
  const [dock, pier] = [await place('DCK', 'Dock'), await place('PR', 'Pier')]
  const { id } = await move({ location_out_id: dock.id, location_in_id: h.cast.tempe })
  const since = async () => {
    const { updated_at } = await read(`/transports/${id}`)
    return Date.parse(String(updated_at))
  }
  const before = await since()
  h.clock.set(new Date(before + 60_000))
  await h.cast.ada.post(`/locations/${dock.id}/merge`, { into_id: pier.id })
  expect(await since()).toBe(before + 60_000)
})

test('restoring a record deleted between a merge and its undo uses the original location', async () => {
  const dock = await place('DCK', 'Dock')
  const { id } = await move({ location_out_id: dock.id, location_in_id: 2 })
  const merge = await made(`/locations/${dock.id}/merge`, { into_id: 1 })
  await h.cast.ben.delete(`/transports/${id}`)
  await h.cast.ada.post(`/locations/merges/${merge.id}/undo`)
  expect((await h.cast.ben.post(`/transports/${id}/restore`)).body.data).toMatchObject({ location_out_id: dock.id })
})
