import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { factsOf } from '../../src/platform/http/about'
import { testContext } from '../support/context'
import { routesPage } from './routes'
import { tablesPage } from './tables'
import { isDefined, namesInTour } from './tour'

const ROOT = join(import.meta.dir, '../..')
const text = (path: string) => Bun.file(join(ROOT, path)).text()

test('docs/routes.md is current, and every route has a summary', async () => {
  const { ctx } = await testContext()
  const silent = ctx.routes.all.filter((route) => !factsOf(route).summary).map(({ path }) => path)
  const files = new Set([...ctx.assets.files, ...ctx.assets.site.routes].map(({ path }) => path))
  expect(silent.filter((path) => !files.has(path))).toEqual([])
  expect(await text('docs/routes.md')).toBe(routesPage(ctx.routes.all))
})

test('docs/tables.md matches the generated page', async () => {
  expect(await text('docs/tables.md')).toBe(await tablesPage())
})

test('docs/tour.md names only functions that its files define', async () => {
  const names = namesInTour(await text('docs/tour.md'))
  expect(names.length).toBeGreaterThan(20)
  for (const named of names) expect([named, await isDefined(named)]).toEqual([named, true])
})

test('every test that SECURITY.md names exists', async () => {
  const table = (await text('SECURITY.md')).split('\n').filter((line) => /^\| \*{0,2}\d/.test(line))
  const names = table.flatMap((line) =>
    [...(line.split('|')[3] ?? '').matchAll(/`([\w/-]+)`/g)].map(([, name]) => name),
  )
  expect(names.length).toBeGreaterThan(40)
  for (const name of names) {
    const found = ['.test.ts', '.property.test.ts', ''].some((end) => existsSync(join(ROOT, `test/${name}${end}`)))
    expect([name, found]).toEqual([name, true])
  }
})

/** The example feature of CONTRIBUTING.md. */
const EXAMPLE = /keys/

test('every file that a document names exists', async () => {
  const pages = [...new Bun.Glob('*.md').scanSync(ROOT), ...new Bun.Glob('docs/**/*.md').scanSync(ROOT)]
  let count = 0
  for (const page of pages) {
    for (const [, path = ''] of (await text(page)).matchAll(
      /`((?:src|test|db|views|islands|docs|public)\/[\w./-]+)`/g,
    )) {
      if (EXAMPLE.test(path)) continue
      count++
      const found = ['', '.ts', '.tsx', '.test.ts'].some((end) => existsSync(join(ROOT, path.replace(/\/$/, '') + end)))
      expect([page, path, found]).toEqual([page, path, true])
    }
  }
  expect(count).toBeGreaterThan(80)
})

test('every test command in CONTRIBUTING.md names files and tests that exist', async () => {
  const commands = [
    ...(await text('CONTRIBUTING.md')).matchAll(
      /bun (?:--inspect-brk test|run test:some) ((?:\.\/[\w./-]+ ?)+)(?:-t "(.+)")?/g,
    ),
  ]
  expect(commands.length).toBeGreaterThan(3)
  for (const [command, paths = '', title] of commands)
    for (const path of paths.trim().split(' ')) {
      expect([command, existsSync(join(ROOT, path))]).toEqual([command, true])
      if (title) expect([command, (await text(path)).includes(title)]).toEqual([command, true])
    }
})

test('every page that a document links to exists', async () => {
  const pages = [
    ...new Bun.Glob('{README,CONTRIBUTING,SECURITY}.md').scanSync(ROOT),
    ...new Bun.Glob('docs/**/*.md').scanSync(ROOT),
  ]
  for (const page of pages) {
    for (const [, link] of (await text(page)).matchAll(/\]\((?!https?:|mailto:|#)([^)#]+)/g)) {
      const path = join(page, '..', link as string)
      expect([page, link, await Bun.file(join(ROOT, path)).exists()]).toEqual([page, link, true])
    }
  }
})

test('the README has at most 80 lines', async () => {
  expect((await text('README.md')).trimEnd().split('\n').length).toBeLessThanOrEqual(80)
})
