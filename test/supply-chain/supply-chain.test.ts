import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { billOfMaterials, licencesPage, licenceTexts, shippedPackages } from '../../src/app/packages'

const ROOT = join(import.meta.dir, '../..')
const text = (path: string) => readFileSync(join(ROOT, path), 'utf8')
type Manifest = {
  scripts: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  trustedDependencies: string[]
}
const manifest = JSON.parse(text('package.json')) as Manifest

test('dependency versions are exact, and installs use the frozen lock file', () => {
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    expect([name, version]).toEqual([
      name,
      expect.stringMatching(/^(npm:(@[\w-]+\/)?[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/),
    ])
  }
  for (const [name, script] of Object.entries(manifest.scripts))
    if (script.includes('bun install'))
      expect([name, script]).toEqual([name, expect.stringContaining('--frozen-lockfile')])
})

test('every locked package has a checksum and comes from the registry', () => {
  const packages = [...text('bun.lock').matchAll(/^ {4}"[^"]+": \[(.*)\],?$/gm)].map(([, entry]) => entry as string)
  expect(packages.length).toBeGreaterThan(100)
  for (const entry of packages) {
    expect(entry).toMatch(/"sha512-[\w+/]+={0,2}"$/)
    expect(entry).not.toMatch(/https?:|git\+|file:/)
  }
})

test('no package can run install scripts', () => {
  expect(manifest.trustedDependencies).toEqual([])
})

test('shipped packages have permitted licences, which the page lists', () => {
  const packages = shippedPackages()
  expect(packages.length).toBeGreaterThan(15)
  for (const { name, licence } of packages)
    expect([name, licence]).toEqual([
      name,
      expect.stringMatching(/^(.*MIT.*|ISC|0BSD|BSD-[023]-Clause|Apache-2\.0|Unlicense|BlueOak-1\.0\.0)$/),
    ])
  expect(text('docs/licences.md')).toBe(licencesPage(packages))
})

test('the bill of materials lists every shipped package with its version and licence', () => {
  const { components } = billOfMaterials(shippedPackages())
  expect(components[0]).toEqual({
    type: 'platform',
    name: 'bun',
    version: Bun.version,
    licenses: [{ expression: 'MIT' }],
  })
  expect(components.slice(1).map(({ name, version }) => `${name} ${version}`)).toEqual(
    shippedPackages().map(({ name, version }) => `${name} ${version}`),
  )
  expect(components).toContainEqual({
    type: 'library',
    'bom-ref': 'pkg:npm/%40electric-sql/pglite@0.5.16',
    name: '@electric-sql/pglite',
    version: '0.5.16',
    licenses: [{ expression: 'Apache-2.0' }],
    purl: 'pkg:npm/%40electric-sql/pglite@0.5.16',
  })
})

test('licences are SPDX expressions, and the release contains their texts', () => {
  const packages = shippedPackages()
  const named = Object.fromEntries(packages.map(({ name, version, licence }) => [`${name} ${version}`, licence]))
  // A peer dependency of Elysia, and a package whose licence has a name of its own.
  expect(Object.keys(named)).toContainEqual(expect.stringMatching(/^@sinclair\/typebox /))
  expect(Object.entries(named)).toContainEqual([expect.stringMatching(/^htmx\.org /), '0BSD'])
  const texts = licenceTexts(packages)
  expect(texts).toStartWith(licencesPage(packages))
  expect(texts).toContain('## react ')
  expect(texts).toContain('Copyright (c) Meta Platforms')
})

test('the archive of the empty database is identical on every computer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'yardmaster-seed-'))
  const { exitCode } = Bun.spawnSync([process.execPath, join(ROOT, 'db/embedded/make-seed.ts'), folder])
  const bytes = (path: string) => Bun.file(path).bytes()
  expect([exitCode, await bytes(join(folder, 'seed.tar.gz'))]).toEqual([
    0,
    await bytes(join(ROOT, 'db/embedded/seed.tar.gz')),
  ])
  rmSync(folder, { recursive: true })
})
