import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { testContext } from '../support/context'

test('administrators read who changed what, filtered and in pages; nobody else does', async () => {
  const { cast } = await testContext()
  const made = await cast.ben.post('/titles', { unit_number: '100200', location_id: cast.phoenix })
  const { id } = made.body.data as { id: number }
  await cast.ada.put(`/titles/${id}`, { dealer_name: 'Valley' })
  const all = await cast.ada.get('/audit')
  expect(all.body.meta).toMatchObject({ total: 3, page: 1 })
  const mine = await cast.ada.get(
    `/audit?entity=titles&entity_id=${id}&actor=ada&action=update&source=api&start_date=2026-03-14&end_date=2026-03-14`,
  )
  expect(mine.body.data).toMatchObject([
    {
      actor: 'ada',
      action: 'update',
      entity: 'titles',
      entity_id: id,
      changes: { dealer_name: { old: null, new: 'Valley' } },
    },
  ])
  expect((await cast.ada.get('/audit?start_date=2026-03-15')).body.meta).toMatchObject({ total: 0 })
  expect((await cast.ben.get('/audit')).status).toBe(403)
})

test('yes and no, days and nothing at all are told in words', async () => {
  const { ada, phoenix } = (await testContext()).cast
  await ada.put(`/locations/${phoenix}`, { is_active: false, phone: '602-555-0100' })
  await ada.post('/osl', {
    unit_number: '100200',
    osl_date: '2026-03-01',
    location_id: phoenix,
    problem: 'Windshield cracked on the left',
    storage_fee_daily_rate: 20,
  })
  const lines = async (entity: string) =>
    (await ada.open(`/history/${entity}/${entity === 'locations' ? phoenix : 1}`)).text
  expect(await lines('locations')).toMatch(/phone— → 602-555-0100is activeyes → no/)
  expect(await lines('osl_entries')).toMatch(/storage fees applicable\s*yes/)
  expect(await lines('osl_entries')).toContain('03/01/2026')
})

test('a day of the audit trail goes from midnight to midnight of the business', async () => {
  const { ctx, cast } = await testContext()
  // Midnight in Phoenix is seven in the morning in Greenwich.
  for (const [id, at] of [
    [1, '2026-02-10T06:59:59.999Z'],
    [2, '2026-02-10T07:00:00Z'],
    [3, '2026-02-11T06:59:59.999Z'],
    [4, '2026-02-11T07:00:00Z'],
  ])
    await ctx.db.execute(
      sql`insert into audit_entries (at, actor, source, action, entity, entity_id, changes) values (${at}, 'ada', 'api', 'update', 'titles', ${id}, '{}')`,
    )
  const ids = async (query: string) =>
    ((await cast.ada.get(`/audit?entity=titles&${query}`)).body.data as { entity_id: number }[]).map(
      (row) => row.entity_id,
    )
  expect(await ids('start_date=2026-02-10&end_date=2026-02-10')).toEqual([3, 2])
  expect(await ids('end_date=2026-02-10')).toEqual([3, 2, 1])
  expect(await ids('start_date=2026-02-10')).toEqual([4, 3, 2])
})
