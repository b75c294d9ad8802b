import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { uploads } from '../../db/schema'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const HEADER = 'unit_number,location_out,location_in,move_date,transport_company,status'
const move = (unit: string, from: string, company = 'Desert Auto Haul') =>
  `${unit},${from},Tempe,2026-03-01,${company},In Transit`

/** Begins a preview that creates names. Returns its id. */
async function waiting(lines: string[], ...names: [kind: string, name: string][]): Promise<number> {
  const { id } = await h.cast.ada.begin('transports', 'moves.csv', `${[HEADER, ...lines].join('\n')}\n`)
  const { status } = await h.cast.ada.put(`/files/${id}`, {
    names: names.map(([kind, name]) => ({ kind, name, create: true })),
  })
  expect([status, (await h.cast.ada.settled(id)).status]).toEqual([200, 'ready'])
  return id
}
const commit = async (id: number) => {
  await h.cast.ada.post(`/files/${id}/commit`)
  return h.cast.ada.settled(id)
}
const moves = async () =>
  (
    (await h.cast.ben.get('/transports?sort=unit_number&order=asc')).body.data as unknown as Record<string, string>[]
  ).map((row) => [row.unit_number, row.location_out_code, row.transport_company_name])

test('a new location gets a code from its name, numbered if taken', async () => {
  const names = ['North Storage Yard of Yuma', 'North Storage Yard of Kingman', 'North Storage Yard oF Flagstaff']
  const id = await waiting(
    [...names, 'Parker'].map((name, at) => move(String(100_001 + at), name)),
    ...[...names, 'Parker'].map((name): [string, string] => ['location', name]),
  )
  expect(await commit(id)).toMatchObject({ status: 'done', imported: 4 })
  expect(await moves()).toEqual([
    ['100001', 'North Storage Yard o', 'Desert Auto Haul'],
    ['100002', 'North Storage Yar 2', 'Desert Auto Haul'],
    ['100003', 'North Storage Yar 3', 'Desert Auto Haul'],
    ['100004', 'Parker', 'Desert Auto Haul'],
  ])
})

test('a record added in the meantime is used, by code before name', async () => {
  const id = await waiting([move('100001', 'Kingman', 'Gila Haul')], ['location', 'Kingman'], ['company', 'Gila Haul'])
  for (const [location_code, location_name] of [
    ['AAA', 'Kingman'],
    ['KINGMAN', 'Elsewhere'],
  ])
    await h.cast.ada.post('/locations', { location_code, location_name, location_type: 'Hub' })
  await h.cast.ada.post('/transport-companies', { company_name: 'GILA Haul' })
  expect(await commit(id)).toMatchObject({ status: 'done', imported: 1 })
  expect(await moves()).toEqual([['100001', 'KINGMAN', 'GILA Haul']])
})

test('a company name takes precedence over an alias', async () => {
  const id = await waiting([move('100001', 'Phoenix', 'Gila Haul')], ['company', 'Gila Haul'])
  await h.cast.ada.put(`/transport-companies/${h.cast.desert}`, { other_names: ['Gila Haul'] })
  await h.cast.ada.post('/transport-companies', { company_name: 'GILA Haul' })
  expect(await commit(id)).toMatchObject({ status: 'done', imported: 1 })
  expect(await moves()).toEqual([['100001', 'PHX', 'GILA Haul']])
})

test('a new name appears only in the valid rows of its own import', async () => {
  const first = await waiting(
    [move('100001', 'Yuma', 'Gila Haul'), move('100002', 'Phoenix'), move('bad', '-1')],
    ['location', 'Yuma'],
    ['company', 'Gila Haul'],
  )
  const second = await waiting([move('100003', 'Kingman')], ['location', 'Kingman'])
  expect(await commit(first)).toMatchObject({ status: 'done', imported: 2, failed: 1 })
  const [row] = (await h.cast.ben.get(`/files/${second}/rows`)).body.data as unknown as { values: object }[]
  expect(row?.values).toMatchObject({ location_out: 'Kingman (new)' })
  const [failed] = (await h.cast.ben.get(`/files/${first}/rows?outcome=error`)).body.data as unknown as (typeof row)[]
  expect(failed?.values).toMatchObject({ unit_number: 'bad', location_out: '-1' })
  expect(await commit(second)).toMatchObject({ status: 'done', imported: 1 })
  expect(await moves()).toEqual([
    ['100001', 'Yuma', 'Gila Haul'],
    ['100002', 'PHX', 'Desert Auto Haul'],
    ['100003', 'Kingman', 'Desert Auto Haul'],
  ])
})

test('an ambiguous name needs a choice, and a code always takes precedence', async () => {
  const { id: north } = (
    await h.cast.ada.post('/locations', { location_code: 'N1', location_name: 'North Yard', location_type: 'Hub' })
  ).body.data as { id: number }
  for (const location_code of ['N2', 'Mesa'])
    await h.cast.ada.post('/locations', { location_code, location_name: 'North Yard', location_type: 'Hub' })
  const file = (unit: number) => `${HEADER}\n${move(`${unit}`, 'North Yard')}\n${move(`${unit + 1}`, 'Mesa')}\n`
  const shown = await h.cast.ben.begin('transports', 'moves.csv', file(100_001))
  expect(shown).toMatchObject({ imported: 1, failed: 1, found: { names: [{ kind: 'location', name: 'North Yard' }] } })
  await h.cast.ben.put(`/files/${shown.id}`, { names: [{ kind: 'location', name: 'North Yard', id: north }] })
  expect(await h.cast.ben.settled(shown.id)).toMatchObject({ imported: 2, failed: 0 })
  await commit(shown.id)
  expect(await moves()).toEqual([
    ['100001', 'N1', 'Desert Auto Haul'],
    ['100002', 'Mesa', 'Desert Auto Haul'],
  ])
})

describe('users who are no administrators', () => {
  const locations = async () =>
    ((await h.cast.ada.get('/locations?per_page=100')).body.data as unknown as Record<string, string>[])
      .filter(({ location_name }) => location_name === 'Kingman')
      .map(({ created_by }) => created_by)
  const withToken = async (client: typeof h.cast.ada, scope: string) => {
    const made = await client.post('/auth/tokens', { name: 'robot', scope, current_password: PASSWORD })
    const { token } = made.body.data as { token: string }
    return (method: string, path: string) =>
      h.cast.stranger.call(method, path, undefined, { authorization: `Bearer ${token}` })
  }

  test.each(['user', 'token of an administrator'])(
    'a %s deletes no location of an import by undoing it',
    async (who) => {
      const id = await waiting([move('100001', 'Kingman')], ['location', 'Kingman'])
      await commit(id)
      const call =
        who === 'user'
          ? (method: string, path: string) => h.cast.ben.call(method, path)
          : await withToken(h.cast.ada, 'records')
      expect((await call('POST', `/files/${id}/undo`)).status).toBe(202)
      const undone = await h.cast.ada.settled(id)
      expect(undone).toMatchObject({ status: 'undone', undo: { removed: 1, kept: [{ label: 'Kingman' }] } })
      expect([await moves(), await locations()]).toEqual([[], ['ada']])
    },
  )

  test.each(['ben', 'ada'] as const)(
    'cancelling an import by %s decides whether its new locations stay',
    async (who) => {
      const id = await waiting([move('100001', 'Kingman')], ['location', 'Kingman'])
      await h.ctx.db.update(uploads).set({ status: 'writing' }).where(eq(uploads.id, id))
      expect((await h.cast[who].post(`/files/${id}/cancel`)).status).toBe(200)
      const [upload] = await h.ctx.db.select().from(uploads).where(eq(uploads.id, id))
      expect(upload).toMatchObject({ is_cancelled: true, started_by: who, keeps_names: who === 'ben' })
    },
  )

  test('rows are recorded under the name and the token of those who confirm and undo the import', async () => {
    const { id } = await h.cast.ada.begin('transports', 'moves.csv', `${HEADER}\n${move('100001', 'Phoenix')}\n`)
    const call = await withToken(h.cast.ben, 'records')
    await call('POST', `/files/${id}/commit`)
    await h.cast.ada.settled(id)
    await call('POST', `/files/${id}/undo`)
    await h.cast.ada.settled(id)
    const entries = (await h.cast.ada.get('/audit?entity=transports')).body.data as unknown as Record<string, string>[]
    expect(entries.map(({ action, actor, token_name }) => [action, actor, token_name])).toEqual([
      ['delete', 'ben', 'robot'],
      ['create', 'ben', 'robot'],
    ])
  })
})
