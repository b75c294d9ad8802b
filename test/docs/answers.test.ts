import { beforeEach, expect, test } from 'bun:test'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'
import { answerChecker, createExampleRecords, type Operation, readDocument } from './answer-checker'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const LISTS = [
  '/transports',
  '/transports/active',
  '/osl',
  '/registrations',
  '/registrations/pending',
  '/titles',
  '/vehicles',
  '/locations',
  '/transport-companies',
  '/vendors',
]

test('lists with deleted records match their documented schemas', async () => {
  const document = await readDocument(h.cast)
  const misfits = answerChecker(document)
  const { ada } = h.cast
  await createExampleRecords(h.cast)
  await ada.post('/locations', { location_code: 'TUC', location_name: 'Tucson', location_type: 'Hub' })
  await ada.post('/transport-companies', { company_name: 'Cactus' })
  await ada.post('/vendors', { vendor_name: 'Cactus' })
  const records = ['transports/1', 'osl/1', 'registrations/1', 'titles/1', 'locations/4', 'transport-companies/3']
  for (const record of [...records, 'vendors/2', 'vehicles/1']) await ada.delete(`/${record}`)
  for (const path of LISTS)
    for (const byCursor of [false, true]) {
      const query = `${path}?include_deleted=true`
      // The first cursor leads to the existing records, the next one to the deleted ones.
      const { meta } = byCursor ? (await ada.get(`${query}&cursor=`)).body : { meta: undefined }
      const next = (meta as { next_cursor: string } | undefined)?.next_cursor
      const answer = await ada.get(byCursor ? `${query}&cursor=${next}` : query)
      const deleted = (answer.body.data as unknown as { deleted_at: string | null }[]).filter((row) => row.deleted_at)
      expect([path, answer.status, deleted.length > 0 || path === '/vehicles']).toEqual([path, 200, true])
      const operation = document.paths[`/api${path}`]?.get as Operation
      const body = { ...answer.body, data: deleted }
      expect([path, byCursor, misfits(operation, { ...answer, body })]).toEqual([path, byCursor, []])
    }
})

test('answers without costs match their documented schemas', async () => {
  const document = await readDocument(h.cast)
  const misfits = answerChecker(document)
  await createExampleRecords(h.cast)
  await h.cast.ada.put('/settings', { cost_viewers: 'Administrators', current_password: PASSWORD })
  const single = ['/transports/1', '/osl/1', '/registrations/1', '/titles/1', '/vendors/1', '/dashboard/metrics']
  const totals = ['/transports/totals', '/registrations/totals', '/vehicles/100200/history']
  for (const path of [...LISTS, ...single, ...totals]) {
    const at = path.replace(/\/1$/, '/{id}').replace('100200', '{unit}')
    const query = path === '/transports/totals' ? '?start_date=2026-01-01&end_date=2026-12-31' : ''
    const answer = await h.cast.ben.get(path + query)
    expect([path, answer.status, JSON.stringify(answer.body).includes('cost')]).toEqual([path, 200, false])
    expect([path, misfits(document.paths[`/api${at}`]?.get as Operation, answer)]).toEqual([path, []])
  }
})
