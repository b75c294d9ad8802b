import { beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { commandWrite, inTransaction, type Write } from '../../src/platform/records/transactions'
import { NOON, testContext } from '../support/context'

/** Integrations read lists completely while others write, and then only changed records. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Row = { id: number; deleted_at?: string | null; [field: string]: unknown }
type Meta = { next_cursor?: string | null; total?: number; page?: number }
const read = async (path: string) => {
  const { status, body } = await h.cast.ben.get(path)
  expect([path, status]).toEqual([path, 200])
  return { rows: body.data as unknown as Row[], meta: body.meta as Meta }
}

/** Reads a list to its end; `between` runs after each page. */
async function readAll(path: string, between: () => Promise<void> = async () => {}) {
  const all: Row[] = []
  for (let cursor: string | null | undefined = ''; cursor !== null; ) {
    const { rows, meta }: { rows: Row[]; meta: Meta } = await read(`${path}&cursor=${cursor}`)
    expect([meta.page, meta.total]).toEqual([undefined, undefined])
    all.push(...rows)
    cursor = meta.next_cursor
    if (cursor === undefined) throw new Error('No cursor')
    if (cursor !== null) await between()
  }
  return all
}

const title = async (unit: number) =>
  (
    (await h.cast.ben.post('/titles', { unit_number: String(unit), location_id: h.cast.mesa })).body.data as {
      id: number
    }
  ).id
const titles = async (count: number) => {
  const ids: number[] = []
  for (let at = 0; at < count; at++) ids.push(await title(100_200 + at))
  return ids
}

describe('a cursor', () => {
  test('pages through every list', async () => {
    await titles(3)
    for (const list of [
      'transports',
      'osl',
      'registrations',
      'titles',
      'vehicles',
      'locations',
      'transport-companies',
      'vendors',
    ]) {
      const total = (await read(`/${list}?per_page=500`)).meta.total
      const all = await readAll(`/${list}?per_page=2`)
      expect([list, all.length, new Set(all.map(({ id }) => id)).size]).toEqual([list, total, total] as never)
    }
    for (const list of [
      'transports/active',
      'transports/completed',
      'osl/active',
      'osl/completed?start_date=2026-01-01&end_date=2026-12-31',
      'registrations/pending',
      'registrations/completed',
      'titles/pending',
      'titles/transferred',
    ])
      await readAll(`/${list}${list.includes('?') ? '&' : '?'}per_page=2`)
    const far = await readAll('/titles?per_page=2&include_deleted=true')
    expect(far.length).toBe(3)
    for (const end of ['l999999999', 'd999999999999999-999999999999999'])
      expect((await read(`/titles?include_deleted=true&cursor=${end}`)).rows).toEqual([])
    const refused = await h.cast.ben.get('/titles?cursor=7')
    expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([422, 'cursor'])
  })

  test('neither skips nor repeats records during concurrent writes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.constantFrom('create', 'change', 'delete', 'restore'), { maxLength: 12 }),
        fc.boolean(),
        async (perPage, writes, deletedToo) => {
          h = await testContext()
          const ids = await titles(6)
          const deletedIds = new Set<number>()
          let unit = 100_300
          const write = async () => {
            const kind = writes.shift()
            const some = ids[writes.length % ids.length] as number
            if (kind === 'create') await title(unit++)
            if (kind === 'change') await h.cast.ben.put(`/titles/${some}`, { dealer_name: `Dealer ${writes.length}` })
            if (kind === 'delete') {
              deletedIds.add(some)
              await h.cast.ben.delete(`/titles/${some}`)
            }
            if (kind === 'restore') await h.cast.ben.post(`/titles/${some}/restore`)
          }
          const listedIds = (await readAll(`/titles?per_page=${perPage}&include_deleted=${deletedToo}`, write)).map(
            ({ id }) => id,
          )
          expect(listedIds).toEqual([...new Set(listedIds)])
          expect(ids.filter((id) => !deletedIds.has(id) && !listedIds.includes(id))).toEqual([])
        },
      ),
      { numRuns: 12 },
    )
  })
})

describe('changed records', () => {
  test('are listed from the given instant on, including deletions', async () => {
    const [unchanged, changed, deleted] = await titles(3)
    const since = new Date(h.clock.now().getTime() + 60_000)
    h.clock.set(since)
    await h.cast.ben.put(`/titles/${changed}`, { dealer_name: 'Valley' })
    await h.cast.ben.delete(`/titles/${deleted}`)
    const query = `updated_since=${since.toISOString()}`
    expect((await read(`/titles?${query}`)).rows.map(({ id }) => id)).toEqual([changed as number])
    const all = await readAll(`/titles?${query}&include_deleted=true&per_page=1`)
    expect(all.map(({ id, deleted_at, unit_number }) => [id, deleted_at, unit_number])).toEqual([
      [changed, null, '100201'],
      [deleted, since.toISOString(), '100202'],
    ] as never)
    const page = await read('/titles?include_deleted=true&per_page=2&page=2&sort=unit_number')
    expect([page.meta.total, page.rows.map(({ id, deleted_at }) => [id, deleted_at])]).toEqual([
      3,
      [[deleted, since.toISOString()]],
    ] as never)
    await h.cast.ben.post(`/titles/${deleted}/restore`)
    const restored = await readAll(`/titles?${query}&include_deleted=true`)
    expect(restored.map(({ id, deleted_at }) => [id, deleted_at]).sort()).toEqual([
      [changed, null],
      [deleted, null],
    ] as never)
    expect(unchanged).toBeDefined()
    expect((await h.cast.ben.get('/titles?updated_since=yesterday')).body.errors?.[0]?.field).toBe('updated_since')
  })

  test('can be sorted by update time, and filters also cover deleted ones', async () => {
    const [first, second] = await titles(2)
    h.clock.set(new Date(h.clock.now().getTime() + 60_000))
    await h.cast.ben.put(`/titles/${first}`, { dealer_name: 'Valley' })
    expect((await read('/titles?sort=updated_at&order=asc')).rows.map(({ id }) => id)).toEqual([second, first] as never)
    for (const id of [first, second]) await h.cast.ben.delete(`/titles/${id}`)
    const { rows } = await read('/titles?include_deleted=true&unit_number=100201')
    expect(rows.map(({ id }) => id)).toEqual([second as number])
  })

  test('hide costs of deleted records from users without cost access', async () => {
    const made = await h.cast.ben.post('/registrations', {
      unit_number: '100200',
      location_id: h.cast.mesa,
      plate_number: 'ABC1',
      state_province: 'AZ',
      date_issued: '2026-01-01',
      date_expires: '2027-01-01',
      cost: 99,
    })
    await h.cast.ben.delete(`/registrations/${(made.body.data as { id: number }).id}`)
    await h.cast.ada.put('/settings', { cost_viewers: 'Administrators' })
    const { rows } = await read('/registrations?include_deleted=true')
    expect([rows.length, 'cost' in (rows[0] as object)]).toEqual([1, false])
  })
})

describe('an external ID', () => {
  test('is unique per record kind, searchable and kept by later updates', async () => {
    const create = (unit_number: string, external_id: string | null) =>
      h.cast.ben.post('/titles', { unit_number, location_id: h.cast.mesa, external_id })
    const first = await create('100200', 'erp-1')
    expect(first.status).toBe(201)
    const second = await create('100201', 'erp-1')
    expect([second.status, second.body.errors]).toEqual([
      409,
      [{ field: 'external_id', message: 'Another record has this external ID' }],
    ])
    expect([(await create('100202', null)).status, (await create('100203', null)).status]).toEqual([201, 201])
    const { id } = first.body.data as { id: number }
    await h.cast.ben.put(`/titles/${id}`, { dealer_name: 'Valley' })
    expect((await read('/titles?external_id=erp-1')).rows.map((row) => [row.id, row.external_id])).toEqual([
      [id, 'erp-1'],
    ])
    const place = { location_code: 'NEW', location_name: 'New', location_type: 'Hub', external_id: 'erp-1' }
    expect((await h.cast.ada.post('/locations', place)).status).toBe(201)
    const twin = await h.cast.ada.post('/locations', { ...place, location_code: 'NEW2' })
    expect([twin.status, twin.body.errors?.[0]?.field]).toEqual([409, 'external_id'])
  })
})

test('a read by updated_since includes the records of a transaction that was committed late', async () => {
  const after = (seconds: number) => new Date(NOON.getTime() + seconds * 1000)
  const { body } = await h.cast.ben.post('/titles', { unit_number: '100200', location_id: h.cast.phoenix })
  const { id } = body.data as { id: number }
  const found = async (since: Date) => {
    const path = `/titles?cursor=&updated_since=${since.toISOString()}`
    return ((await h.cast.ben.get(path)).body.data as unknown as { id: number }[]).map((title) => title.id)
  }
  expect([await found(NOON), await found(after(1))]).toEqual([[id], []])
  const slow = {
    ...commandWrite(h.ctx.db, h.clock),
    actor: { username: null, source: 'import', address: null, now: NOON },
  }
  h.clock.set(after(19))
  await inTransaction(slow as Write, async () => {})
  expect(await found(after(10))).toEqual([])
  h.clock.set(after(90))
  await inTransaction(slow as Write, async () => {})
  expect([await found(after(80)), await found(after(140)), await found(after(151))]).toEqual([[id], [id], []])
})
