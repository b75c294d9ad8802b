import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'

export type BrowserKind = 'current' | 'oldest'

const packages: Record<BrowserKind, string> = { current: '@sparticuz/chromium', oldest: 'chromium-109' }
const cacheRoots = [
  join(import.meta.dir, '../../node_modules/.cache/browsers'),
  join(tmpdir(), `browsers-${process.getuid?.() ?? 'user'}`),
]

/** Returns the package's folder, or undefined if it is not installed. The package's own code never runs. */
function packageDir(kind: BrowserKind): string | undefined {
  try {
    return dirname(dirname(Bun.resolveSync(packages[kind], import.meta.dir))) // entry: build/index.js
  } catch {
    return undefined
  }
}

const decompress = promisify(brotliDecompress)
const inflate = (dir: string, file: string) => decompress(readFileSync(join(dir, 'bin', file)))
const untar = async (dir: string, file: string, into: string, glob = '**') =>
  new Bun.Archive(await inflate(dir, file)).extract(into, { glob })

/** Unpacks a browser once per version and returns its folder. Several processes can do so at once. */
async function unpack(kind: BrowserKind): Promise<string | undefined> {
  const [current, oldest] = [packageDir('current'), packageDir('oldest')]
  if (process.platform !== 'linux' || process.arch !== 'x64' || !current || !oldest) return undefined
  const dir = kind === 'current' ? current : oldest
  const { version } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as { version: string }
  const ready = cacheRoots.map((root) => join(root, version)).find(existsSync)
  if (ready) return ready
  const partial = cacheRoots.map((root) => join(root, `${version}.${crypto.randomUUID()}`)).find(canCreate)
  if (!partial) throw new Error(`No writable folder for the unpacked browser: tried ${cacheRoots.join(', ')}`)
  const target = join(dirname(partial), version)
  writeFileSync(join(partial, 'chromium'), await inflate(dir, 'chromium.br'), { mode: 0o755 })
  // Neither package has every library that a bare Debian lacks: 109 lacks libnspr4, the current one lacks libsqlite3.
  await untar(oldest, 'aws.tar.br', partial, 'lib/libsqlite3.so.0')
  await untar(current, 'al2023.tar.br', partial)
  await untar(current, 'fonts.tar.br', partial) // its fonts.conf names AWS folders, so it is replaced
  const fonts =
    `<dir>/usr/share/fonts</dir><dir prefix="relative">fonts</dir><cachedir ` + `prefix="xdg">fontconfig</cachedir>`
  writeFileSync(join(partial, 'fonts.conf'), `<?xml version="1.0"?><fontconfig>${fonts}</fontconfig>`)
  try {
    renameSync(partial, target)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    if (!existsSync(target)) throw error // otherwise another process unpacked it first
  }
  return target
}

function canCreate(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true })
    return true
  } catch {
    return false
  }
}

export async function launchBrowser(kind: BrowserKind = 'current'): Promise<Browser> {
  const options = { args: ['--disable-gpu'] }
  const dir = await unpack(kind)
  if (dir) {
    const env = { ...process.env, LD_LIBRARY_PATH: join(dir, 'lib'), FONTCONFIG_FILE: join(dir, 'fonts.conf') }
    return chromium.launch({ ...options, executablePath: join(dir, 'chromium'), env })
  }
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  const executablePath = names.map((name) => Bun.which(name)).find((path) => path !== null)
  if (executablePath) return chromium.launch({ ...options, executablePath })
  throw new Error(
    `No browser for "${kind}": ${Object.values(packages).join(' and ')} are not installed (or this is not ` +
      `linux-x64), ` +
      `and none of ${names.join(', ')} is on PATH. Run "bun install", or install Chromium.`,
  )
}
