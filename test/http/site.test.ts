import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { testContext } from '../support/context'

const FOLDER = join(import.meta.dir, '../../public')

test('public files are served to everyone and cached for a day', async () => {
  const { cast } = await testContext()
  const types: Record<string, string> = {
    svg: 'image/svg+xml',
    png: 'image/png',
    txt: 'text/plain',
    webmanifest: 'application/manifest+json',
  }
  for (const name of readdirSync(FOLDER)) {
    const answer = await cast.stranger.request(`/${name}`)
    expect([name, answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([
      name,
      200,
      types[name.split('.').at(-1) ?? ''],
    ])
    expect(await answer.bytes()).toEqual(await Bun.file(join(FOLDER, name)).bytes())
    const again = await cast.stranger.request(`/${name}`, {
      headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
    })
    expect([name, again.status, again.headers.get('cache-control'), answer.headers.get('cache-control')]).toEqual([
      name,
      304,
      'public, max-age=86400',
      'public, max-age=86400',
    ])
  }
})

test('every manifest icon and every file linked from the sign-in page exists', async () => {
  const { cast } = await testContext()
  const manifest = (await (await cast.stranger.request('/site.webmanifest')).json()) as {
    start_url: string
    icons: { src: string }[]
  }
  for (const { src } of manifest.icons) expect([src, (await cast.stranger.request(src)).status]).toEqual([src, 200])
  expect((await cast.ben.open(manifest.start_url)).status).toBe(200)
  const page = await (await cast.stranger.request('/login')).text()
  for (const [, path] of page.matchAll(/href="(\/[^"]+)"/g))
    expect([path, (await cast.stranger.request(path as string)).status]).toEqual([path, 200])
})

test('the health and readiness endpoints are public', async () => {
  const { cast } = await testContext()
  for (const [path, body] of [
    ['/healthz', { status: 'ok', version: '1.0.0', commit: '' }],
    ['/readyz', { status: 'ready' }],
  ] as const) {
    const answer = await cast.stranger.request(path)
    expect([path, answer.status, await answer.json()]).toEqual([path, 200, body])
  }
})
