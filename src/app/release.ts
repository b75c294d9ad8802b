import { join } from 'node:path'
import { PRODUCT } from '../../db/vocabulary'
import { compile, DIST } from './compile'
import { billOfMaterials, licencesPage, shippedPackages } from './packages'

/**
 * Builds the files of a release in `dist/release`: the executables, their checksums, a CycloneDX bill of materials and
 * the licences. Executables for x64 also run on processors without AVX2.
 */

/** Names of the platforms in the file names, by target. */
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
await Bun.write(join(RELEASE, 'licences.md'), licencesPage(packages))

const checksums: string[] = []
for (const name of [...files, 'sbom.cdx.json', 'licences.md']) {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(join(RELEASE, name)).stream()) hash.update(chunk)
  checksums.push(`${hash.digest('hex')}  ${name}\n`)
}
await Bun.write(join(RELEASE, 'SHA256SUMS'), checksums.join(''))
