import { expect } from 'bun:test'
import { join } from 'node:path'

const MAIN = join(import.meta.dir, '../../src/main.ts')
const PASSWORD = 'Saguaro42x'
const ROWS = 5000
const HEADER = 'unit_number,location_out,location_in,move_date,transport_company,status'

async function serve(env: Record<string, string>) {
  const child = Bun.spawn([process.execPath, MAIN, 'serve'], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', LOG_LEVEL: 'warn', ADMIN_PASSWORD: PASSWORD, ...env },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let said = ''
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>) {
    said += chunk
    if (said.includes('Yardmaster is at')) break
  }
  const url = /https?:\/\/\S+/.exec(said)?.[0] as string
  const signIn = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  })
  const { data } = (await signIn.json()) as { data: { token: string } }
  const headers = { authorization: `Bearer ${data.token}` }
  const get = async (path: string) => (await (await fetch(`${url}/api${path}`, { headers })).json()) as { data: never; meta: { total: number } }
  const post = (path: string, body: unknown) =>
    fetch(`${url}/api${path}`, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return { child, url, headers, get, post }
}

/**
 * Kills the server at a random moment of an import, starts it again and waits for the import: each time every row must
 * be there, and once. @returns in which statuses it was met
 */
export async function killImports(env: Record<string, string>, rounds: number): Promise<string[]> {
  const met: string[] = []
  for (let round = 0; round < rounds; round++) {
    const first = await serve(env)
    if (round === 0) {
      for (const name of ['Here', 'There']) await first.post('/locations', { location_code: name, location_name: name, location_type: 'Hub' })
      await first.post('/transport-companies', { company_name: 'Haul' })
    }
    const day = new Date(Date.UTC(2026, 0, 1 + round)).toISOString().slice(0, 10)
    const lines = Array.from({ length: ROWS }, (_, n) => `${100_000 + n},Here,There,${day},Haul,In Transit`)
    const form = new FormData()
    form.set('data_type', 'transports')
    form.set('commit', 'true')
    form.set('file', new File([[HEADER, ...lines].join('\n')], `round-${round}.csv`))
    const begun = (await (await fetch(`${first.url}/api/files/imports`, { method: 'POST', headers: first.headers, body: form })).json()) as {
      data: { id: number }
    }
    await Bun.sleep(Math.random() * 1800)
    const status = async (house: typeof first) =>
      ((await house.get(`/files/${begun.data.id}`)).data as { status: string; imported: number } | undefined) ?? { status: 'gone', imported: 0 }
    met.push((await status(first)).status)
    first.child.kill('SIGKILL')
    await first.child.exited

    const second = await serve(env)
    let end = await status(second)
    for (const until = Date.now() + 60_000; !['done', 'gone', 'refused'].includes(end.status) && Date.now() < until; end = await status(second))
      await Bun.sleep(100)
    expect(end).toMatchObject({ status: 'done', imported: ROWS })
    expect((await second.get(`/transports?start_date=${day}&end_date=${day}&per_page=1`)).meta.total).toBe(ROWS)
    expect((await second.get('/audit?entity=transports&per_page=1')).meta.total).toBe(ROWS * (round + 1))
    second.child.kill('SIGKILL')
    await second.child.exited
  }
  return met
}
