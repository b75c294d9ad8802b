import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MAIN = join(import.meta.dir, '../../src/main.ts')
const folders: string[] = []
const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'yardmaster-command-'))
  folders.push(made)
  return made
}
afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true, force: true })
})

const start = (env: Record<string, string>, ...words: string[]) =>
  Bun.spawn([process.execPath, MAIN, ...words], { env: { PATH: process.env.PATH ?? '', PORT: '0', ...env }, stdout: 'pipe', stderr: 'pipe' })

/** Runs to its end: what it said, and how it ended. */
async function outcome(env: Record<string, string>, ...words: string[]) {
  const child = start(env, ...words)
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out: out.trim(), err: err.trim() }
}

/** Starts serving and waits for the address. */
async function serving(env: Record<string, string>) {
  const child = start(env)
  let said = ''
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>) {
    said += chunk
    if (said.includes('Yardmaster is at')) break
  }
  return { child, said, url: /https?:\/\/\S+/.exec(said)?.[0] as string }
}

test('a first start makes the first account, prints its password once, and ends well on SIGTERM', async () => {
  const DATA_DIR = folder()
  const first = await serving({ DATA_DIR })
  const password = /password: (\S+)/.exec(first.said)?.[1] as string
  const signIn = (url: string) =>
    fetch(`${url}/api/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ username: 'admin', password }) })
  expect((await signIn(first.url)).status).toBe(200)
  expect([(await fetch(`${first.url}/healthz`)).status, (await fetch(`${first.url}/readyz`)).status]).toEqual([200, 200])

  const second = await outcome({ DATA_DIR })
  expect([second.code, second.err.split('\n').length]).toEqual([1, 1])
  expect(second.err).toContain('already in use')

  first.child.kill('SIGTERM')
  expect(await first.child.exited).toBe(0)
  const again = await serving({ DATA_DIR })
  expect(again.said).not.toContain('password')
  expect((await signIn(again.url)).status).toBe(200)
  again.child.kill('SIGTERM')
  await again.child.exited
})

test('a start that cannot go on says why in one line', async () => {
  const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const cases: [Record<string, string>, string][] = [
    [{ PORT: 'eighty' }, 'PORT'],
    [{ PORT: String(taken.port) }, 'PORT'],
    [{ BUSINESS_TIME_ZONE: 'Nowhere' }, 'BUSINESS_TIME_ZONE'],
    [{ ADMIN_PASSWORD: 'weak' }, 'ADMIN_PASSWORD'],
    [{ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' }, 'DATABASE_URL'],
  ]
  for (const [env, name] of cases) {
    const { code, err } = await outcome({ DATA_DIR: folder(), ...env })
    expect([name, code, err.split('\n').length]).toEqual([name, 1, 1])
    expect(err).toContain(name)
    expect(err).not.toContain('secret')
  }
  taken.stop(true)
})

test('the other commands do what they say', async () => {
  expect((await outcome({}, '--version')).out).toBe('1.0.0')
  expect((await outcome({}, '--help')).out).toContain('serve')
  expect((await outcome({ DATA_DIR: folder() }, 'migrate')).out).toBe('The database is up to date')
  expect(await outcome({}, 'fly')).toMatchObject({ code: 1, err: 'There is no command "fly"; see --help' })
})

test('a proxy that is not believed cannot name another address', async () => {
  const { child, url } = await serving({ DATA_DIR: folder(), ADMIN_PASSWORD: 'Saguaro42' })
  const answer = await fetch(`${url}/login`, { headers: { 'x-forwarded-proto': 'https' } })
  expect(answer.headers.get('strict-transport-security')).toBeNull()
  child.kill('SIGTERM')
  await child.exited
})
