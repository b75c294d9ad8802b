import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { inBackground } from '../../db/client'
import { openServer } from '../../db/server'
import { SERVER_URL, testContext } from '../support/context'

/** Imports beside requests, on a server where each has its own connection. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const csv = (count: number, first = 100_000) =>
  `unit_number,location_out,location_in,move_date,transport_company,status\n${Array.from(
    { length: count },
    (_, n) => `${first + n},Phoenix,Tempe,2026-03-01,Desert Auto Haul,In Transit`,
  ).join('\n')}\n`

test('imports leave transactions for requests, and do not fail because they wait', async () => {
  const server = openServer(SERVER_URL as string)
  let [running, most] = [0, 0]
  const sleep = () =>
    server.db.transaction(async (tx) => {
      most = Math.max(most, ++running)
      await tx.execute(sql`select pg_sleep(0.2)`)
      running--
    })
  let areOver = false
  const imports = Promise.all(Array.from({ length: 8 }, () => inBackground(sleep))).then(() => {
    areOver = true
  })
  await server.db.transaction(async (tx) => tx.execute(sql`select 1`))
  expect(areOver).toBe(false)
  await imports
  expect(most).toBe(3)
  await server.close()
})

test('the undos of one user run one after another', async () => {
  const started = []
  for (let n = 0; n < 4; n++)
    started.push(await h.cast.ben.begin('transports', `moves${n}.csv`, csv(200, 100_000 + n * 200)))
  const ids = await Promise.all(
    started.map(async ({ id }) => {
      await h.cast.ben.post(`/files/${id}/commit`, {})
      return (await h.cast.ben.settled(id)).id
    }),
  )
  const sent = await Promise.all(ids.map((id) => h.cast.ben.post(`/files/${id}/undo`, {})))
  expect(sent.map(({ status }) => status)).toEqual([202, 202, 202, 202])
  const undone = await Promise.all(ids.map((id) => h.cast.ben.settled(id)))
  expect(undone.map(({ status, undo }) => [status, undo?.removed])).toEqual(Array(4).fill(['undone', 200]))
})

test('an undo ends even if the statistics of the tables are outdated', async () => {
  const imported = async (count: number, first: number) => {
    const { id } = await h.cast.ben.begin('transports', 'moves.csv', csv(count, first))
    await h.cast.ben.post(`/files/${id}/commit`, {})
    return (await h.cast.ben.settled(id)).id
  }
  const undone = async (id: number) => {
    await h.cast.ben.post(`/files/${id}/undo`, {})
    return (await h.cast.ben.settled(id)).undo?.removed
  }
  expect(await undone(await imported(2, 900_001))).toBe(2)
  // Plans for a few rows once joined each vehicle with all records of the import.
  await h.ctx.db.execute(sql`analyze`)
  expect(await undone(await imported(1500, 100_001))).toBe(1500)
})
