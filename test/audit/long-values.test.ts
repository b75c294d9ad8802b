import { expect, test } from 'bun:test'
import { testContext } from '../support/context'
import { makeOsl } from '../support/entries'

test('timelines and histories leave out the notes of a deleted record, and pages shorten long values', async () => {
  const h = await testContext()
  const id = await makeOsl(h.cast, { unit_number: '100001', notes: 'x'.repeat(5000) })
  await h.cast.ben.post(`/osl/${id}/notes`, { note_text: 'Waiting for the yard '.repeat(200) })
  await h.cast.ben.delete(`/osl/${id}`)
  await h.cast.ben.post(`/osl/${id}/restore`)
  const timeline = JSON.stringify((await h.cast.ben.get('/vehicles/100001/timeline')).body.data)
  expect([timeline.includes('notes written'), timeline.includes('x'.repeat(1001))]).toEqual([false, false])
  expect((await h.cast.ben.open(`/osl/${id}`)).html.split('Waiting for the yard').length).toBeLessThan(210)
  const history = JSON.stringify((await h.cast.ben.get(`/history/osl_entries/${id}`)).body.data)
  expect([history.includes('notes_written'), history.includes('x'.repeat(5000))]).toEqual([false, true])
})
