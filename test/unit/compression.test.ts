import { expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { assetRoutes } from '../../src/app/assets'
import type { Assets } from '../../src/platform/assets'
import { codingFor, textAnswer } from '../../src/platform/http/text-answer'

const answer = (accepted: string | null, text: string) =>
  textAnswer(
    new Request('http://localhost/', accepted ? { headers: { 'accept-encoding': accepted } } : {}),
    text,
    'text/plain',
  )

test('a response is compressed with an accepted encoding and decompresses to the original', async () => {
  const text = 'Phoenix to Mesa — '.repeat(2000)
  const sizes: Record<string, number> = {}
  for (const [accepted, coding, open] of [
    ['gzip, deflate, br, zstd', 'zstd', (bytes: Uint8Array<ArrayBuffer>) => Bun.zstdDecompressSync(bytes)],
    ['gzip, deflate', 'gzip', (bytes: Uint8Array<ArrayBuffer>) => Bun.gunzipSync(bytes)],
    ['zstd;q=0, gzip;q=0.5', 'gzip', (bytes: Uint8Array<ArrayBuffer>) => Bun.gunzipSync(bytes)],
  ] as const) {
    const response = answer(accepted, text)
    expect([accepted, response.headers.get('content-encoding')]).toEqual([accepted, coding])
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(new TextDecoder().decode(open(bytes))).toBe(text)
    sizes[accepted] = bytes.length
  }
  for (const accepted of [null, 'br', 'gzip;q=0', 'identity']) {
    const response = answer(accepted, text)
    expect([accepted, response.headers.get('content-encoding'), await response.text()]).toEqual([accepted, null, text])
  }
  expect(answer('gzip', 'short').headers.get('content-encoding')).toBe(null)
  expect(Math.max(...Object.values(sizes))).toBeLessThan(2000)
})

test('an encoding is matched by its exact name, ignoring case', () => {
  const coding = (accepted: string | null) => codingFor(accepted, ['zstd', 'gzip'])
  expect([coding('GZIP'), coding('gzip;q=1.0'), coding('x-gzipped'), coding(null)]).toEqual([
    'gzip',
    'gzip',
    undefined,
    undefined,
  ])
})

test('immutable assets are served in the smallest accepted encoding', async () => {
  const text = 'const route = "Phoenix to Mesa";'.repeat(2000)
  const body = new Uint8Array(Buffer.from(text))
  const path = '/assets/boot-1.js'
  const app = assetRoutes({ files: [{ path, type: 'text/javascript', body }] } as unknown as Assets)
  const sizes: number[] = []
  const ask = (accepted: string) =>
    app.handle(new Request(`http://localhost${path}`, { headers: { 'accept-encoding': accepted } }))
  // The first request gets gzip at once instead of waiting for the smallest encoding.
  const first = await ask('gzip, deflate, br, zstd')
  expect(first.headers.get('content-encoding')).toBe('gzip')
  for (let n = 0; n < 200 && (await ask('br, gzip')).headers.get('content-encoding') === 'gzip'; n++)
    await Bun.sleep(10)
  for (const [accepted, coding, open] of [
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['identity', null, (bytes: Uint8Array) => bytes],
  ] as const) {
    const response = await ask(accepted)
    expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual([
      coding,
      'accept-encoding',
    ])
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(new TextDecoder().decode(open(bytes))).toBe(text)
    sizes.push(bytes.length)
  }
  expect(sizes[0]).toBeLessThan(sizes[1] as number)
})
