import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Record<string, unknown>

export type Package = { name: string; version: string; licence: string }

/** Every package that ships in the program: what it depends on, and what that depends on. */
export function shippedPackages(): Package[] {
  const found = new Map<string, Package>()
  // A package may have a version of its own of what it needs.
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

/** The page `docs/licences.md`. */
export function licencesPage(packages: Package[]): string {
  const rows = packages.map(({ name, version, licence }) => `- ${name} ${version}: ${licence}`)
  return `# Licences\n\nEvery package that ships in the program. \`bun test/supply-chain/write.ts\` writes this page; a test compares it.\n\n${rows.join('\n')}\n`
}
