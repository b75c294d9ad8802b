import { join } from 'node:path'
import { PRODUCT } from '../../db/vocabulary'
import { commitTime, compile, DIST } from './compile'
import { buildDeb } from './deb'
import { billOfMaterials, licenceTexts, shippedPackages } from './packages'

/**
 * Builds the files of a release in `dist/release`. With `dpkg-deb`, also builds Debian packages. Executables for x64
 * also run on processors without AVX2.
 */

const TARGETS = {
  'bun-linux-x64-baseline': 'linux-x64',
  'bun-linux-arm64': 'linux-arm64',
  'bun-windows-x64-baseline': 'windows-x64.exe',
  'bun-darwin-x64': 'macos-x64',
  'bun-darwin-arm64': 'macos-arm64',
}

const RELEASE = join(DIST, 'release')
const files = Object.values(TARGETS).map((platform) => `yardmaster-${PRODUCT.version}-${platform}`)

await compile(Object.fromEntries(Object.keys(TARGETS).map((target, at) => [target, join('release', files[at] ?? '')])))
const packages = shippedPackages()
await Bun.write(join(RELEASE, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(packages), null, 2)}\n`)
const licences = licenceTexts(packages)
await Bun.write(join(RELEASE, 'licences.md'), licences)

const DEBIAN = { 'bun-linux-x64-baseline': 'amd64', 'bun-linux-arm64': 'arm64' } as const
const debs: string[] = []
if (Bun.which('dpkg-deb'))
  for (const [target, architecture] of Object.entries(DEBIAN)) {
    const name = `yardmaster_${PRODUCT.version}_${architecture}.deb`
    const executable = join(RELEASE, files[Object.keys(TARGETS).indexOf(target)] ?? '')
    buildDeb({
      executable,
      licences,
      version: PRODUCT.version,
      architecture,
      time: commitTime(),
      to: join(RELEASE, name),
    })
    debs.push(name)
  }
else console.log('dpkg-deb is missing, so no Debian packages were built')

const checksums: string[] = []
for (const name of [...files, ...debs, 'sbom.cdx.json', 'licences.md']) {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(join(RELEASE, name)).stream()) hash.update(chunk)
  checksums.push(`${hash.digest('hex')}  ${name}\n`)
}
await Bun.write(join(RELEASE, 'SHA256SUMS'), checksums.join(''))
