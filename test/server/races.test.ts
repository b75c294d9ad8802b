import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { type Database, databaseError, rows } from '../../db/client'
import { openServer } from '../../db/server'
import { PASSWORD } from '../support/cast'
import { SERVER_URL, testContext } from '../support/context'
import { idOf, moves, ROUNDS } from '../support/races'
import { Visitor } from '../support/visitor'

/** Concurrent changes by two users or instances on a server, where each has its own connection. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const move = moves(() => h)
const csv = (count: number, first = 100_000) =>
  `unit_number,location_out,location_in,move_date,transport_company,status\n${Array.from(
    { length: count },
    (_, n) => `${first + n},Phoenix,Tempe,2026-03-01,Desert Auto Haul,In Transit`,
  ).join('\n')}\n`

describe('a bulk copy', () => {
  const COPY = 'copy upload_rows (upload_id, row, outcome, cells) from stdin'
  const lines = (from: number, count: number) =>
    new TextEncoder().encode(Array.from({ length: count }, (_, n) => `1\t${from + n}\terror\t{"x"}\n`).join(''))

  test('does not share its connection with concurrent statements', async () => {
    await h.cast.ben.begin('transports', 'moves.csv', csv(1))
    let isOver = false
    let answered = 0
    const asking = async () => {
      while (!isOver) {
        await rows(h.ctx.db, sql`select pg_sleep(0.002)`)
        answered++
      }
    }
    const others = Promise.all(Array.from({ length: 14 }, asking))
    for (let n = 0; n < 20; n++) await h.database.copyIn(COPY, lines(10_000 + n * 500, 500))
    isOver = true
    await others
    expect(answered).toBeGreaterThan(20)
    expect(await rows(h.ctx.db, sql`select count(*)::int as n from upload_rows where outcome = 'error'`)).toEqual([
      { n: 10_000 },
    ])
  })

  test('reports an error of the server and writes nothing', async () => {
    await h.cast.ben.begin('transports', 'moves.csv', csv(1))
    const refused = (bytes: Uint8Array) =>
      h.database.copyIn(COPY, bytes).then(
        () => 'taken',
        (error) => databaseError(error)?.code,
      )
    expect(await refused(new Uint8Array([...lines(100, 1000), ...lines(100, 1)]))).toBe('23505')
    expect(await refused(new TextEncoder().encode('x\ty\n'))).toBe('22P02')
    expect(await rows(h.ctx.db, sql`select count(*)::int as n from upload_rows where row >= 100`)).toEqual([{ n: 0 }])
  })

  test('fails when its connection is lost after the last byte', async () => {
    await h.cast.ben.begin('transports', 'moves.csv', csv(1))
    const other = openServer(SERVER_URL as string)
    const copyResult = other.db.transaction(async (tx) => {
      await tx.execute(sql`insert into upload_rows (upload_id, row, outcome, cells) values (1, 500, 'error', '{"x"}')`)
      const copy = h.database.copyIn(COPY, lines(500, 1)).then(
        () => 'taken',
        () => 'failed',
      )
      await waiting(other, 'copy upload_rows%')
      await other.raw(
        `select pg_terminate_backend(pid) from pg_stat_activity where query like 'copy upload_rows%'
          and state = 'active'`,
        [],
      )
      await Promise.all(Array.from({ length: 20 }, () => rows(h.ctx.db, sql`select 1`)))
      return copy
    })
    expect(await copyResult).toBe('failed')
    await other.close()
  })
})

/** Waits until a statement that matches `like` waits for a lock. */
async function waiting(database: Database, like: string) {
  for (;;) {
    const [found] = await database.raw(
      `select 1 from pg_stat_activity where query like $1 and wait_event_type = 'Lock'`,
      [like],
    )
    if (found) return
    await Bun.sleep(5)
  }
}

test('concurrent deliveries both succeed, and one of two edits of a version is rejected', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const unit = String(100_000 + round)
    const first = await h.cast.ada.post('/transports', move(unit))
    const both = await Promise.all(
      [h.cast.ada, h.cast.ben].map((who) => who.post('/transports', move(unit, { status: 'Delivered' }))),
    )
    expect(both.map(({ status }) => status)).toEqual([201, 201])
    const edits = await Promise.all(
      [h.cast.ada, h.cast.ben].map((who, n) =>
        who.put(`/transports/${idOf(first)}`, { unit_number: unit, status: 'Delivered', mileage: n, version: 1 }),
      ),
    )
    expect(edits.map(({ status }) => status).sort()).toEqual([200, 409])
    const upserts = await Promise.all(
      [1, 2].map((year) =>
        h.cast.ada.post('/vehicles', { unit_number: String(200_000 + round), model_year: 2020 + year }),
      ),
    )
    expect(upserts.map(({ status }) => status).sort()).toEqual([200, 201])
  }
})

test('vehicles and locations can be edited while an import is being written', async () => {
  const other = openServer(SERVER_URL as string)
  const created = await h.cast.ada.post('/transports', move('100000'))
  const written = await other.db.transaction(async (tx) => {
    // Locks what an import locks until its end: the vehicle, the locations and the company.
    await tx.execute(sql`insert into transports (unit_number, move_date, location_out_id, location_in_id,
      transport_company_id)
      values ('100000', '2026-03-01', ${h.cast.phoenix}, ${h.cast.tempe}, ${h.cast.desert})`)
    const delivered = await h.cast.ben.patch(`/transports/${idOf(created)}/status`, { status: 'Delivered' })
    const place = await h.cast.ada.put(`/locations/${h.cast.tempe}`, { phone: '602 555 0100' })
    return [delivered.status, place.status]
  })
  expect(written).toEqual([200, 200])
  await other.close()
})

test('changes that wait for an import end after some seconds, and leave connections for others', async () => {
  const other = openServer(SERVER_URL as string)
  const sent = await other.db.transaction(async (tx) => {
    // An import locks its new vehicles until its end.
    await tx.execute(sql`insert into vehicles (unit_number) values ('654321')`)
    let isAnswered = false
    const changes = [h.cast.ada, h.cast.ben].flatMap((user) =>
      Array.from({ length: 4 }, () =>
        user.post('/transports', move('654321')).then(({ status, body }) => {
          isAnswered = true
          return [status, body.message]
        }),
      ),
    )
    await waiting(h.database, '%vehicles%')
    const reads = Array.from({ length: 6 }, () => h.cast.ada.get('/titles'))
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(isAnswered).toBe(false)
    return Promise.all(changes)
  })
  const busy = 'The database is busy with another change, such as an import. Please try again in a moment.'
  expect(sent).toEqual(Array(8).fill([503, busy]))
  await other.close()
})

test('bulk edits at the same time keep every note', async () => {
  const ids: number[] = []
  for (let n = 0; n < 10; n++) ids.push(idOf(await h.cast.ada.post('/transports', move(String(100_000 + n)))))
  const notes = Array.from({ length: ROUNDS }, (_, n) => `note ${n}`)
  const sent = await Promise.all(notes.map((note) => h.cast.ada.post('/transports/bulk', { ids, set: {}, note })))
  expect(sent.map(({ body }) => (body.data as unknown as { changed: number }).changed)).toEqual(notes.map(() => 10))
  for (const id of ids) {
    const { notes: stored } = (await h.cast.ada.get(`/transports/${id}`)).body.data as unknown as { notes: string }
    expect(stored.split('\n').sort()).toEqual(notes)
  }
})

test('a change that the server aborts because of a deadlock is made again', async () => {
  const ids: number[] = []
  for (const unit of ['100000', '100001']) ids.push(idOf(await h.cast.ada.post('/transports', move(unit))))
  const other = openServer(SERVER_URL as string)
  const edit = await other.db.transaction(async (tx) => {
    // The edit locks the first transport and waits for the second one. In the deadlock, the server aborts the edit,
    // because it waited first.
    await tx.execute(sql`select from transports where id = ${ids[1]} for update`)
    const answer = h.cast.ada.post('/transports/bulk', { ids, set: {}, note: 'Keys are in the box' })
    await waiting(h.database, '%transports%')
    await tx.execute(sql`select from transports where id = ${ids[0]} for update`)
    return { answer }
  })
  const { status, body } = await edit.answer
  expect([status, body.data as unknown]).toMatchObject([200, { changed: 2 }])
  expect((await h.cast.ada.get(`/transports/${ids[0]}`)).body.data as unknown).toMatchObject({
    notes: 'Keys are in the box',
  })
  await other.close()
})

test('the undo of a bulk edit skips a record that is being changed', async () => {
  const id = idOf(await h.cast.ada.post('/transports', move('100000', { final_cost: 5 })))
  const bulk = idOf(await h.cast.ada.post('/transports/bulk', { ids: [id], set: { final_cost: 9 } }))
  const other = openServer(SERVER_URL as string)
  const undo = await other.db.transaction(async (tx) => {
    await tx.execute(sql`update transports set final_cost = 77, version = version + 1 where id = ${id}`)
    const answer = h.cast.ada.post(`/bulk/${bulk}/undo`)
    await waiting(h.database, '%transports%')
    return { answer }
  })
  const { body } = await undo.answer
  expect(body.data as unknown).toMatchObject({ changed: 0, skipped: [{ id }] })
  expect((await h.cast.ada.get(`/transports/${id}`)).body.data as unknown).toMatchObject({ final_cost: 77 })
  await other.close()
})

test('an import committed and cancelled at once is written completely or not at all', async () => {
  for (let round = 0; round < ROUNDS * 2; round++) {
    const { id } = await h.cast.ben.begin('transports', 'moves.csv', csv(50, 300_000 + round * 50))
    const [commit, cancel] = await Promise.all([
      h.cast.ada.post(`/files/${id}/commit`),
      Bun.sleep(round % 4).then(() => h.cast.ben.post(`/files/${id}/cancel`)),
    ])
    const after = await h.cast.ben.settled(id)
    const [{ n } = { n: -1 }] = await rows<{ n: number }>(
      h.ctx.db,
      sql`select count(*)::int as n from transports where unit_number >= ${String(300_000 + round * 50)}
        and unit_number < ${String(300_000 + round * 50 + 50)}`,
    )
    if (!after) expect([commit.status === 202, n]).toEqual([false, 0])
    else expect([after.status, n]).toEqual(after.status === 'done' ? ['done', 50] : ['cancelled', 0])
    expect(commit.status === 202 || cancel.status < 300).toBe(true)
  }
})

test('a dozen concurrent imports leave connections for other requests', async () => {
  const uploads = Promise.all(
    Array.from({ length: 12 }, (_, n) => h.cast.ben.upload('transports', `moves-${n}.csv`, csv(5, 400_000 + n * 5))),
  )
  const waits = async () => {
    let longest = 0
    for (let n = 0; n < 40; n++) {
      const began = performance.now()
      await rows(h.ctx.db, sql`select 1`)
      longest = Math.max(longest, performance.now() - began)
      await Bun.sleep(25)
    }
    return longest
  }
  // A statement can wait for up to 25 seconds. Even on a busy machine, it waits only a fraction of that.
  expect(await waits()).toBeLessThan(15_000)
  for (const { status, body } of await uploads) expect([status, body.imported]).toEqual([200, 5])
})

describe('a password reset', () => {
  const ben = () =>
    rows<{ id: number }>(h.ctx.db, sql`select id from users where username = 'ben'`).then(([user]) => user!.id)
  const reset = async () =>
    h.cast.ada.post(`/users/${await ben()}/reset-password`, { newPassword: 'Ocotillo99x', must_change_password: false })
  const signIn = (password: string) => h.cast.stranger.post('/auth/login', { username: 'ben', password })
  const opens = async (token: string) =>
    (await h.cast.stranger.call('GET', '/auth/verify', undefined, { authorization: `Bearer ${token}` })).status === 200
  const tokenOf = ({ body }: { body: Record<string, unknown> }) => (body.data as { token: string }).token

  test('leaves no session opened with the old password', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      h = await testContext()
      const [signedIn] = await Promise.all([signIn(PASSWORD), Bun.sleep(round * 8).then(reset)])
      if (signedIn.status === 200) expect(await opens(tokenOf(signedIn))).toBe(false)
      else expect(signedIn.status).toBe(401)
    }
  })

  test('is not overwritten by a concurrent change by the user', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      h = await testContext()
      const change = h.cast.ben.post('/auth/change-password', {
        currentPassword: PASSWORD,
        newPassword: 'Palo4Verde7',
        confirmPassword: 'Palo4Verde7',
      })
      await Promise.all([change, Bun.sleep(round * 10).then(reset)])
      expect([(await signIn('Ocotillo99x')).status, (await signIn('Palo4Verde7')).status]).toEqual([200, 401])
    }
  })

  test('deletes all API tokens, even while tokens are created and revoked', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      h = await testContext()
      const old = await h.cast.ben.post('/auth/tokens', { current_password: PASSWORD, name: 'old', scope: 'write' })
      const [made, , done] = await Promise.all([
        h.cast.ben.post('/auth/tokens', { current_password: PASSWORD, name: 'new', scope: 'write' }),
        h.cast.ben.delete(`/auth/tokens/${idOf(old)}`),
        reset(),
      ])
      expect(done.status).toBe(200)
      if (made.status === 201) expect(await opens(tokenOf(made))).toBe(false)
      expect(await rows(h.ctx.db, sql`select id from api_tokens`)).toEqual([])
    }
  })
})

test('a session refreshed while all other sessions are ended is ended too', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    h = await testContext()
    const other = await h.cast.stranger.post('/auth/login', { username: 'ben', password: PASSWORD })
    const { token } = other.body.data as { token: string }
    const renewed = h.cast.stranger.call('POST', '/auth/refresh', undefined, { authorization: `Bearer ${token}` })
    const [{ status, body }] = await Promise.all([renewed, h.cast.ben.delete('/auth/sessions')])
    if (status === 200) {
      const fresh = (body.data as { token: string }).token
      expect(
        (
          await new Visitor(h.app, h.ctx, null).call('GET', '/auth/verify', undefined, {
            authorization: `Bearer ${fresh}`,
          })
        ).status,
      ).toBe(401)
    }
    expect((await h.cast.ben.get('/auth/verify')).status).toBe(200)
  }
})

test('a note added during a delete is rejected or restored with its record', async () => {
  for (let n = 0; n < ROUNDS * 3; n++) {
    const id = idOf(await h.cast.ben.post('/titles', { unit_number: `10000${n % 10}`, location_id: h.cast.mesa }))
    const note = (word: number) => h.cast.ben.post(`/titles/${id}/notes`, { note_text: `Note ${word}` })
    const [, ...notes] = await Promise.all([h.cast.ada.delete(`/titles/${id}`), note(1), note(2), note(3)])
    await h.cast.ada.post(`/titles/${id}/restore`)
    const storedNotes = (await h.cast.ben.get(`/titles/${id}/notes`)).body.data as unknown as unknown[]
    expect(storedNotes.length).toBe(notes.filter(({ status }) => status === 201).length)
  }
})

test('two batches of the same new units in opposite order both succeed', async () => {
  const registration = (unit: number) => ({
    unit_number: String(unit),
    location_id: h.cast.mesa,
    plate_number: `AZ ${unit}`,
    state_province: 'AZ',
    date_issued: '2026-01-01',
    date_expires: '2027-01-01',
  })
  for (let round = 0; round < ROUNDS; round++) {
    const units = Array.from({ length: 40 }, (_, n) => registration(200_000 + round * 100 + n))
    const both = await Promise.all(
      [units, units.toReversed()].map((list) => h.cast.ben.post('/registrations/batch', { registrations: list })),
    )
    expect(
      both.map(({ status, body }) => [status, (body.data as unknown as { created: number } | undefined)?.created]),
    ).toEqual([
      [200, 40],
      [200, 40],
    ])
  }
})

test('a transport that is restored while a merge is undone is at the location from before the merge', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const create = async (code: string) =>
      idOf(
        await h.cast.ada.post('/locations', {
          location_code: `${code}${round}`,
          location_name: `Yard ${code}${round}`,
          location_type: 'Hub',
        }),
      )
    const [from, into] = [await create('A'), await create('B')]
    const ids: number[] = []
    for (let n = 0; n < 5; n++)
      ids.push(idOf(await h.cast.ada.post('/transports', move(String(400_000 + n), { location_out_id: from }))))
    const merge = idOf(await h.cast.ada.post(`/locations/${from}/merge`, { into_id: into }))
    for (const id of ids) await h.cast.ada.delete(`/transports/${id}`)
    await Promise.all([
      h.cast.ada.post(`/locations/merges/${merge}/undo`),
      ...ids.map((id) => h.cast.ben.post(`/transports/${id}/restore`)),
    ])
    for (const id of ids)
      expect((await h.cast.ada.get(`/transports/${id}`)).body.data as unknown).toMatchObject({ location_out_id: from })
  }
})

test('a vehicle with two current registrations is renewed only once by two users', async () => {
  const registration = {
    unit_number: '230000',
    location_id: h.cast.phoenix,
    state_province: 'AZ',
    date_issued: '2025-03-20',
    date_expires: '2026-03-20',
  }
  const ids = []
  for (const plate_number of ['A1', 'B1'])
    ids.push(idOf(await h.cast.ada.post('/registrations', { ...registration, plate_number })))
  const renew = (id: number | undefined, at: number) =>
    (at === 0 ? h.cast.ada : h.cast.ben).submit('/vehicles/registrations/renew', { ids: [id] } as never)
  const toasts = (await Promise.all(ids.map(renew))).map(({ toast }) => toast)
  expect(toasts.filter((toast) => toast?.startsWith('1 renewed'))).toHaveLength(1)
  expect((await h.cast.ada.get('/registrations?unit_number=230000')).body.meta).toMatchObject({ total: 3 })
})
