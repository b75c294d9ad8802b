import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { factsOf } from '../../src/http/about'
import { testContext } from '../support/context'
import { routesPage } from './routes'
import { tablesPage } from './tables'
import { linesInTour } from './tour'

const ROOT = join(import.meta.dir, '../..')
const text = (path: string) => Bun.file(join(ROOT, path)).text()

test('docs/routes.md tells every route, and each says what it does', async () => {
  const { ctx } = await testContext()
  const silent = ctx.routes.all.filter((route) => !factsOf(route).summary).map(({ path }) => path)
  const files = new Set([...ctx.assets.files, ...ctx.assets.site.routes].map(({ path }) => path))
  expect(silent.filter((path) => !files.has(path))).toEqual([])
  expect(await text('docs/routes.md')).toBe(routesPage(ctx.routes.all))
})

test('docs/tables.md tells what a row of every table is', async () => {
  expect(await text('docs/tables.md')).toBe(await tablesPage())
})

test('every line that the tour names holds what it says', async () => {
  const tour = await text('docs/tour.md')
  expect(tour.match(/\.tsx?:\d+/g)?.length).toBeGreaterThan(20)
  expect(tour).toBe(await linesInTour(tour))
})

test('every page that a document links to is there', async () => {
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

test('the README fits on one page', async () => {
  expect((await text('README.md')).trimEnd().split('\n').length).toBeLessThanOrEqual(80)
})
