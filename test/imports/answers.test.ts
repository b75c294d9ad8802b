import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

/** A file whose second column has a name that nobody knows. */
const FILE = 'unit_number,where it stands\n100300,PHX\n'
const aliases = async () =>
  (
    await rows<{ n: number }>(
      h.ctx.db,
      sql`select count(*)::int as n from audit_entries where entity = 'import_aliases'`,
    )
  )[0]?.n

test('a decision about an import that is over is refused, and changes nothing', async () => {
  const { ben, phoenix } = h.cast
  const { id } = await ben.begin('titles', 'titles.csv', 'unit_number,location\n100300,Valley\n')
  await ben.put(`/files/${id}`, { names: [{ kind: 'location', name: 'Valley', id: phoenix }] })
  await ben.settled(id)
  await ben.post(`/files/${id}/commit`)
  expect((await ben.settled(id)).status).toBe('done')
  const late = await ben.put(`/files/${id}`, { names: [{ kind: 'location', name: 'Valley', id: h.cast.tempe }] })
  expect([late.status, late.body.message]).toEqual([409, 'This import is not waiting for decisions'])
  expect((await ben.put('/files/999', {})).status).toBe(404)
})

test('a column that was explained is remembered once, and forgotten when it is taken back', async () => {
  const { ben } = h.cast
  const first = await ben.begin('titles', 'titles.csv', FILE)
  expect(first.found.missing).toEqual(['location'])
  await ben.put(`/files/${first.id}`, { fields: ['unit_number', 'location'] })
  expect([(await ben.settled(first.id)).found.missing, await aliases()]).toEqual([[], 1])
  // The same answer again is no change.
  await ben.put(`/files/${first.id}`, { fields: ['unit_number', 'location'] })
  await ben.settled(first.id)
  expect(await aliases()).toBe(1)
  const second = await ben.begin('titles', 'more.csv', FILE)
  expect([second.found.missing, second.found.fields]).toEqual([[], ['unit_number', 'location']])
  await ben.put(`/files/${second.id}`, { fields: ['unit_number', null] })
  expect([(await ben.settled(second.id)).found.missing, await aliases()]).toEqual([['location'], 2])
  expect((await ben.begin('titles', 'third.csv', FILE)).found.missing).toEqual(['location'])
})
