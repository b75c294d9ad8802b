import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PRODUCT } from '../../db/vocabulary'

const ROOT = join(import.meta.dir, '../..')
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Record<string, unknown>

/** `folder` is relative to the project. */
export type Package = { name: string; version: string; licence: string; folder: string }

/** Licences that packages name in a way that SPDX does not define. */
const SPDX: Record<string, string> = { 'BSD-0-Clause': '0BSD' }

type PackageManifest = {
  version: string
  license?: string | { type?: string }
  dependencies?: object
  peerDependencies?: object
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

const needsOf = ({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }: PackageManifest) => [
  ...Object.keys(dependencies),
  ...Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional),
]

/** Lists all packages in the program, including indirect dependencies. A package can have several versions. */
export function shippedPackages(): Package[] {
  const found = new Map<string, Package>()
  /** @param by folder of the package that depends on `name`. Its `node_modules` and those above it are searched. */
  const visit = (name: string, by: string) => {
    const places = by.split('/node_modules/').map((_, at, parts) => parts.slice(0, at + 1).join('/node_modules/'))
    const folder = places
      .reverse()
      .map((place) => `${place}/node_modules/${name}`)
      .find((each) => existsSync(join(ROOT, each, 'package.json')))
    if (!folder || found.has(folder)) return
    const manifest = read(`${folder}/package.json`) as PackageManifest
    const { version, license } = manifest
    const licence = typeof license === 'object' ? (license.type ?? 'unknown') : (license ?? 'unknown')
    found.set(folder, { name, version, licence: SPDX[licence] ?? licence, folder })
    for (const other of needsOf(manifest)) visit(other, folder)
  }
  for (const name of needsOf(read('package.json') as PackageManifest)) visit(name, '.')
  const unique = new Map([...found.values()].map((each) => [`${each.name} ${each.version}`, each]))
  return [...unique.values()].sort(
    (a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version, 'en', { numeric: true }),
  )
}

export function licencesPage(packages: Package[]): string {
  const rows = packages.map(({ name, version, licence }) => `- ${name} ${version}: ${licence}`)
  return `# Licences\n\nThe packages in the program and their licences.\n\n${rows.join('\n')}\n`
}

const IS_LICENCE = /^(licen[cs]e|copying|notice)/i

/** The page of licences, followed by the licence files of the packages. Most licences require a copy of their text. */
export function licenceTexts(packages: Package[]): string {
  const texts = packages.flatMap(({ name, version, folder }) =>
    readdirSync(join(ROOT, folder))
      .filter((file) => IS_LICENCE.test(file))
      .sort()
      .map((file) => `## ${name} ${version}\n\n${readFileSync(join(ROOT, folder, file), 'utf8').trim()}\n`),
  )
  return [licencesPage(packages), ...texts].join('\n')
}

/** Bill of materials (CycloneDX 1.6). It has no time and no serial number, so that builds are reproducible. */
export const billOfMaterials = (packages: Package[]) => ({
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: { type: 'application', name: PRODUCT.name, version: PRODUCT.version } },
  components: [
    { type: 'platform', name: 'bun', version: Bun.version, licenses: [{ expression: 'MIT' }] },
    ...packages.map(({ name, version, licence }) => {
      const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
      return { type: 'library', 'bom-ref': purl, name, version, licenses: [{ expression: licence }], purl }
    }),
  ],
})
