import { expect, test } from 'bun:test'
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
