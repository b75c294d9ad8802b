import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PRODUCT } from '../../db/vocabulary'

const ROOT = join(import.meta.dir, '../..')
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Record<string, unknown>

export type Package = { name: string; version: string; licence: string }

/** Lists all packages in the program, including indirect dependencies. */
export function shippedPackages(): Package[] {
  const found = new Map<string, Package>()
  // `by` is the package that depends on `name`. Look in the `node_modules` folder of `by` first, because a package can
  // have its own version of a dependency.
  const visit = (name: string, by = '') => {
    const path = [`node_modules/${by}/node_modules/${name}/package.json`, `node_modules/${name}/package.json`].find(
      (each) => existsSync(join(ROOT, each)),
    )
    if (found.has(name) || !path) return
    const {
      version,
      license,
      dependencies = {},
    } = read(path) as { version: string; license?: string | { type?: string }; dependencies?: object }
    found.set(name, {
      name,
      version,
      licence: typeof license === 'object' ? (license.type ?? 'unknown') : (license ?? 'unknown'),
    })
    for (const other of Object.keys(dependencies)) visit(other, name)
  }
  for (const name of Object.keys((read('package.json').dependencies as object) ?? {})) visit(name)
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name))
}

export function licencesPage(packages: Package[]): string {
  const rows = packages.map(({ name, version, licence }) => `- ${name} ${version}: ${licence}`)
  return `# Licences\n\nThe packages in the program and their licences.\n\n${rows.join('\n')}\n`
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
