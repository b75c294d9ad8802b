import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { testContext } from '../support/context'

test('a title has at most 1,000 notes, and is restored even if an import has stored more', async () => {
  const { cast, ctx } = await testContext()
  const created = await cast.ben.post('/titles', { unit_number: '100001', location_id: cast.phoenix })
  const id = (created.body.data as { id: number }).id
  const add = (count: number) =>
    ctx.db.execute(
      sql`insert into title_notes (title_id, note_text) select ${id}, 'Called' from generate_series(1, ${count}) n`,
    )
  const note = async () => (await cast.ben.post(`/titles/${id}/notes`, { note_text: 'Called again' })).status
  await add(999)
  expect([await note(), await note()]).toEqual([201, 422])
  // 14,000 notes have more values than one statement can have.
  await add(13_000)
  expect((await cast.ben.delete(`/titles/${id}`)).status).toBe(200)
  expect((await cast.ben.post(`/titles/${id}/restore`)).status).toBe(200)
  const notes = (await cast.ben.get(`/titles/${id}/notes`)).body.data as unknown as object[]
  expect(notes.length).toBe(14_000)
})
