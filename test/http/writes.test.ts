import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { seedDemo } from '../../db/seed'
import { createFirstAdmin } from '../../src/platform/auth/accounts'
import { commandWrite } from '../../src/platform/records/transactions'
import { type Served, serveApp } from '../support/served'

/** Large responses are sent in one write, not in one write for each header and chunk. */

let served: Served
beforeAll(async () => {
  served = await serveApp(async (db) => {
    await createFirstAdmin(commandWrite(db), 'Saguaro42')
    await seedDemo(db, new Date().toISOString().slice(0, 10))
  })
})
afterAll(() => served.close())

const TRIES = 40

/** Returns the number of pieces in which each response arrived, by path and try. */
async function piecesOf(url: string, cookie: string, paths: string[]): Promise<number[][]> {
  const script = join(import.meta.dir, '../support/count-reads.ts')
  const requestPaths = Array.from({ length: TRIES }, () => paths).flat()
  const child = Bun.spawn([process.execPath, script, new URL(url).port, cookie, ...requestPaths], { stdout: 'pipe' })
  const counted = JSON.parse(await new Response(child.stdout).text()) as number[]
  return paths.map((_, at) => counted.filter((_, n) => n % paths.length === at))
}

test('large pages and lists arrive in one write', async () => {
  const login = await fetch(`${served.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'Saguaro42' }),
  })
  const { data } = (await login.json()) as { data: { token: string } }
  const paths = ['/transports/active', '/vehicles/registrations', '/api/transports/active', '/dashboard']
  const cookie = `yardmaster_session=${data.token}`
  for (const path of paths.slice(0, 3)) {
    const answer = await fetch(served.url + path, { headers: { cookie, 'accept-encoding': 'identity' } })
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(16 * 1024)
  }
  // A busy machine can split one write, so the smallest number counts.
  const pieces = await piecesOf(served.url, cookie, paths)
  expect(pieces.map((tries) => Math.min(...tries))).toEqual(paths.map(() => 1))
})

test('the counter detects answers that are sent in several writes', async () => {
  async function* pieces() {
    for (const text of ['one', 'two', 'three']) {
      yield text
      await Bun.sleep(5)
    }
  }
  const bare = Bun.serve({ port: 0, fetch: () => new Response(pieces() as never) })
  const [counted = []] = await piecesOf(bare.url.href, '', ['/'])
  await bare.stop(true)
  // A busy machine can join several writes, so the largest number counts.
  expect(Math.max(...counted)).toBeGreaterThan(2)
})
