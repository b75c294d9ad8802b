import { beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { users } from '../../db/schema'
import { openSession } from '../../src/platform/auth/sessions'
import { applyRetention } from '../../src/platform/retention'
import { PASSWORD } from '../support/cast'
import { NOON, testContext } from '../support/context'
import { Visitor } from '../support/visitor'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const keep = (change: object, current_password: string | undefined = PASSWORD) =>
  h.cast.ada.put('/settings', { ...change, current_password })
const create = async (unit_number: string) =>
  (await h.cast.ben.post('/titles', { unit_number, location_id: h.cast.phoenix })).body.data as { id: number }
/** Sets the clock to a number of days after the start, deletes what is too old, and lets both users sign in again. */
async function after(days: number) {
  const now = new Date(NOON.getTime() + days * 86_400_000)
  h.clock.set(now)
  await applyRetention(h.ctx)
  for (const name of ['ada', 'ben'] as const) {
    const [user] = await h.ctx.db.select({ id: users.id }).from(users).where(eq(users.username, name))
    const session = await openSession(h.ctx.db, user!.id, { address: '127.0.0.1', userAgent: 'test' }, now)
    h.cast[name] = new Visitor(h.app, h.ctx, session)
  }
}
const actions = async (id: number) =>
  ((await h.cast.ada.get(`/audit?entity=titles&entity_id=${id}`)).body.data as unknown as { action: string }[]).map(
    ({ action }) => action,
  )
type Restored = { version: number; created_at: string; created_by: string }
const importTitles = async () => {
  const { body } = await h.cast.ben.upload('titles', 'titles.csv', 'unit_number,location\n100301,PHX\n1,PHX\n')
  return (body.data as { id: number }).id
}

describe('retention', () => {
  test('keeps everything until an administrator sets days, with a password', async () => {
    const { id } = await create('100001')
    await after(36_000)
    expect(await actions(id)).toEqual(['create'])
    h.clock.set(new Date(h.clock.now().getTime() + 3_600_000))
    expect((await keep({ audit_kept_days: 30 }, '')).body.errors).toMatchObject([{ field: 'current_password' }])
    for (const days of [0, 29, 36_501, 1.5])
      expect([days, (await keep({ upload_kept_days: days })).status]).toEqual([days, 422])
    expect((await keep({ audit_kept_days: 30, upload_kept_days: '' })).body.data).toMatchObject({
      audit_kept_days: 30,
      upload_kept_days: null,
    })
  })

  test('deletes old audit entries in batches, and nothing else can', async () => {
    await keep({ audit_kept_days: 30 })
    const { id } = await create('100001')
    await h.ctx.db.execute(sql`insert into audit_entries (at, source, action, entity, entity_id, changes)
      select ${NOON.toISOString()}::timestamptz, 'form', 'update', 'titles', ${id}, '{}' from generate_series(1, 1200)`)
    await after(20)
    await h.cast.ben.put(`/titles/${id}`, { dealer_name: 'Valley' })
    await after(30)
    expect(await h.ctx.db.$count(sql`audit_entries`, sql`entity = 'titles'`)).toBe(1202)
    await after(31)
    expect(await actions(id)).toEqual(['update'])
    const refused = await h.ctx.db.execute(sql`delete from audit_entries`).then(
      () => 'deleted',
      () => 'refused',
    )
    expect(refused).toBe('refused')
    expect((await h.cast.ben.get(`/titles/${id}`)).status).toBe(200)
  })

  test('deletes records for good some days after their deletion, but not restored ones', async () => {
    await keep({ deleted_kept_days: 60 })
    const [purged, restored, recent] = [await create('100001'), await create('100002'), await create('100003')]
    await h.cast.ada.delete(`/titles/${purged.id}`)
    await h.cast.ada.delete(`/titles/${restored.id}`)
    await h.cast.ada.post(`/titles/${restored.id}/restore`)
    await after(30)
    await h.cast.ada.delete(`/titles/${recent.id}`)
    await after(61)
    expect([await actions(purged.id), await actions(recent.id)]).toEqual([[], ['delete', 'create']])
    expect((await actions(restored.id)).length).toBe(3)
    expect((await h.cast.ada.post(`/titles/${purged.id}/restore`)).status).toBe(404)
    expect((await h.cast.ada.post(`/titles/${recent.id}/restore`)).status).toBe(200)
  })

  test('keeps deleted records whose audit entries are too old, with their version and creation', async () => {
    await keep({ audit_kept_days: 30 })
    const { id } = await create('100001')
    for (const dealer_name of ['Valley', 'Mesa', 'Tempe']) await h.cast.ben.put(`/titles/${id}`, { dealer_name })
    const { body: before } = await h.cast.ben.get(`/titles/${id}`)
    await h.cast.ada.delete(`/titles/${id}`)
    await after(31)
    expect(await actions(id)).toEqual(['delete'])
    expect((await h.cast.ada.post(`/titles/${id}/restore`)).status).toBe(200)
    const { body } = await h.cast.ben.get(`/titles/${id}`)
    const [old, restored] = [before.data, body.data] as unknown as [Restored, Restored]
    expect([restored.created_at, restored.created_by]).toEqual([old.created_at, old.created_by])
    expect([old.version, restored.version]).toEqual([4, 6])
  })

  test('deletes only records that could be restored, and their documents', async () => {
    await keep({ deleted_kept_days: 30 })
    const { body: token } = await h.cast.ben.post('/auth/tokens', {
      name: 'Nightly',
      scope: 'read',
      current_password: PASSWORD,
    })
    await h.cast.ben.delete(`/auth/tokens/${(token.data as { id: number }).id}`)
    const { id } = await create('100001')
    const form = new FormData()
    form.set('file', new File(['%PDF-1.4\n%%EOF\n'], 'title.pdf'))
    const added = await h.cast.ben.request(`/api/titles/${id}/documents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await h.cast.ben.token()}` },
      body: form,
    })
    const { data } = (await added.json()) as { data: { id: number } }
    expect((await h.cast.ben.get(`/documents/${data.id}`)).status).toBe(200)
    await h.cast.ada.delete(`/titles/${id}`)
    expect((await h.cast.ben.get(`/documents/${data.id}`)).status).toBe(404)
    await h.cast.ada.post(`/titles/${id}/restore`)
    expect((await h.cast.ben.get(`/documents/${data.id}`)).status).toBe(200)
    await h.cast.ada.delete(`/titles/${id}`)
    await after(31)
    expect(await h.ctx.db.$count(sql`documents`)).toBe(0)
    expect(await h.ctx.db.$count(sql`audit_entries`, sql`entity = 'api_tokens'`)).toBe(2)
  })

  test('deletes imports, but not their records', async () => {
    await keep({ upload_kept_days: 40 })
    const id = await importTitles()
    await after(40)
    expect((await h.cast.ben.get(`/files/${id}/failed.xlsx`)).status).toBe(200)
    await after(41)
    expect((await h.cast.ben.get(`/files/${id}`)).status).toBe(404)
    expect(await h.ctx.db.$count(sql`upload_rows`)).toBe(0)
    expect((await h.cast.ben.get('/titles?unit_number=100301')).body.data).toHaveLength(1)
  })

  test('an import whose audit entries were deleted cannot be undone', async () => {
    await keep({ audit_kept_days: 30 })
    const id = await importTitles()
    await after(31)
    const refused = await h.cast.ben.post(`/files/${id}/undo`)
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'This import cannot be undone any more, because its audit entries were deleted',
    ])
    expect((await h.cast.ben.get('/titles?unit_number=100301')).body.data).toHaveLength(1)
  })
})
