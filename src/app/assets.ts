import { join } from 'node:path'
import { brotliCompress } from 'node:zlib'
import { staticPlugin } from '@elysiajs/static'
import { Elysia } from 'elysia'
import type { Assets } from '../platform/assets'
import { codingFor } from '../platform/http/text-answer'

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

const typeOf = (path: string) => TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'

/**
 * Serves site files, such as icons, under their exact paths.
 * Sets `Cache-Control` with the plugin's option `headers`. Its option `maxAge` has no effect on responses with status
 * 304, so they would get `no-store`, the default value of our server. Write the header name with the same capital
 * letters as the plugin. Otherwise, the header is sent twice.
 */
const siteFiles = (folder: string) =>
  staticPlugin({
    assets: folder,
    prefix: '/',
    alwaysStatic: true,
    indexHTML: false,
    headers: { 'Cache-Control': 'public, max-age=86400' },
  }) as unknown as Promise<Elysia>

/**
 * Finds the style sheet, boot script and icon among `files`. Pages link only to these three files. All other assets are
 * loaded by the style sheet or the scripts.
 * The files in `siteFolder`, such as `robots.txt`, have fixed names without a hash.
 */
export async function assetsOf(
  files: { path: string; body: Uint8Array<ArrayBuffer> }[],
  siteFolder: string,
): Promise<Assets> {
  const assetPath = (start: string) => {
    const asset = files.find((file) => file.path.startsWith(`/assets/${start}-`))
    if (!asset) throw new Error(`The asset ${start} was not built`)
    return asset.path
  }
  return {
    files: files.map((file) => ({ ...file, type: typeOf(file.path) })),
    links: { css: assetPath('yardmaster'), boot: assetPath('boot'), favicon: assetPath('favicon') },
    site: await siteFiles(siteFolder),
  }
}

/**
 * Removes the vendor-prefixed copies of rules with `:is()`. The bundler adds these copies (`:-webkit-any`). All
 * supported browsers know `:is()`, and the copies are an eighth of the style sheet.
 */
const withoutCopies = (css: string) => css.replace(/[^{};]*:-(?:webkit|moz)-any\([^{}]*\{[^{}]*\}/g, '')

const ROOT = join(import.meta.dir, '../..')

export async function buildAssets(): Promise<Assets> {
  const [scripts, styles] = await Promise.all([
    Bun.build({
      entrypoints: [join(ROOT, 'islands/boot.ts')],
      target: 'browser',
      format: 'esm',
      splitting: true,
      minify: true,
      naming: { entry: '[name]-[hash].[ext]', chunk: 'island-[hash].[ext]' },
      define: { 'process.env.NODE_ENV': '"production"' },
    }),
    Bun.build({ entrypoints: [join(ROOT, 'views/yardmaster.css')], minify: true, naming: '[name]-[hash].[ext]' }),
  ])
  const pathOf = (file: Bun.BuildArtifact) => `/assets/${file.path.replace(/^\.\//, '')}`
  const files = await Promise.all([
    ...scripts.outputs.map(async (file) => ({ path: pathOf(file), body: new Uint8Array(await file.arrayBuffer()) })),
    ...styles.outputs.map(async (file) => ({
      path: pathOf(file),
      body: new TextEncoder().encode(withoutCopies(await file.text())),
    })),
  ])
  const favicon = new Uint8Array(await Bun.file(join(ROOT, 'public/favicon.svg')).arrayBuffer())
  return assetsOf(
    [...files, { path: `/assets/favicon-${Bun.hash(favicon).toString(36)}.svg`, body: favicon }],
    join(ROOT, 'public'),
  )
}

const CODINGS = ['br', 'gzip'] as const

/**
 * Serves each asset by its own route. Elysia's wildcard routes fail if the host name is short. Assets are compressed at
 * the first request, and browsers cache them for a year. Brotli is slow, so it runs in the background. Until it has
 * finished, responses are compressed with gzip.
 */
export function assetRoutes(assets: Assets) {
  const app = new Elysia({ name: 'assets' })
  for (const { path, type, body } of assets.files) {
    const compressed: { [Coding in (typeof CODINGS)[number]]?: Uint8Array<ArrayBuffer> } = {}
    let isBegun = false
    const begin = () => {
      if (isBegun) return
      isBegun = true
      brotliCompress(body, (_error, smallest) => {
        compressed.br = smallest
      })
    }
    app.get(path, ({ request }) => {
      const accepted = request.headers.get('accept-encoding')
      const acceptedCoding = codingFor(accepted, CODINGS)
      if (acceptedCoding === 'br') begin()
      const coding = acceptedCoding === 'br' && !compressed.br ? codingFor(accepted, ['gzip'] as const) : acceptedCoding
      if (coding === 'gzip') compressed.gzip ??= Bun.gzipSync(body, { level: 9 })
      return new Response(coding ? compressed[coding] : body, {
        headers: {
          'content-type': type,
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'accept-encoding',
          ...(coding ? { 'content-encoding': coding } : {}),
        },
      })
    })
  }
  return app
}
