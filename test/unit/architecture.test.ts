import { expect, test } from 'bun:test'
import { dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dir, '../..')

type Import = { from: string; to: string; isType: boolean }

const sources = () =>
  [...new Bun.Glob('{src,views,islands,db}/**/*.{ts,tsx}').scanSync(ROOT)].filter((file) => !file.endsWith('.d.ts'))

async function importsOf(file: string): Promise<Import[]> {
  const text = await Bun.file(join(ROOT, file)).text()
  const found = text.matchAll(/^(?:import|export) (type )?(?:[^'"]*? from )?'([^']+)'|import\('([^']+)'\)/gms)
  return [...found].map(([, type, stated, dynamic]) => {
    const path = (stated ?? dynamic) as string
    return {
      from: file,
      to: path.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), path)) : path,
      isType: Boolean(type),
    }
  })
}

const ROUTES = /^src\/.*\/(pages|api)$/
const VIEW = /^views\//
const ISLAND = /^islands\//
const HTTP = /^src\/(http\/|auth\/guard)/
const BASE = ['db/vocabulary', 'src/paths']
/** Pure parts of a feature that a view or an island may use: they import no database, no Elysia. */
const PURE = ['src/costs', 'src/imports/cell-names', 'src/field-label', 'src/navigation']

/** Each wall of the program: who may not import what, and why. */
const WALLS: { who: RegExp; notWhat: (to: string) => boolean; why: string }[] = [
  { who: /^(db\/vocabulary|src\/paths)\.ts$/, notWhat: () => true, why: 'what everything stands on imports nothing' },
  {
    who: VIEW,
    notWhat: (to) =>
      !(
        to.startsWith('views/') ||
        to.startsWith('islands/') ||
        [...BASE, ...PURE].includes(to) ||
        /^react(-dom\/server)?$/.test(to)
      ),
    why: 'views are given everything: no queries, no Elysia, no rules; they may draw',
  },
  {
    who: ISLAND,
    notWhat: (to) =>
      !(
        to.startsWith('islands/') ||
        to.startsWith('views/') ||
        BASE.includes(to) ||
        /^(react|react-dom\/client|htmx\.org)$/.test(to)
      ),
    why: 'islands go to the browser',
  },
  {
    who: /^src\/.*rules\.ts$/,
    notWhat: (to) => /drizzle|elysia|^db\/(client|schema)|queries|mutations|^src\/http/.test(to),
    why: 'rules are pure',
  },
  {
    who: /^src\/.*(queries|mutations)\.ts$/,
    notWhat: (to) =>
      ROUTES.test(to) || VIEW.test(to) || /elysia|^react/.test(to) || (HTTP.test(to) && to !== 'src/http/answers'),
    why: 'queries and mutations know nothing of HTTP',
  },
  {
    who: /^src\/(?!app\.ts|.*\/index\.ts)/,
    notWhat: (to) => ROUTES.test(to),
    why: 'only a feature’s index and the program name routes',
  },
  {
    who: /^db\//,
    notWhat: (to) => to.startsWith('src/') || to.startsWith('views/') || to.startsWith('islands/'),
    why: 'the database knows nothing of the program',
  },
]

test('imports point one way', async () => {
  const files = sources()
  expect(files.length).toBeGreaterThan(80)
  const imports = (await Promise.all(files.map(importsOf))).flat()
  const broken = imports.flatMap(({ from, to, isType }) =>
    isType
      ? []
      : WALLS.filter((wall) => wall.who.test(from) && wall.notWhat(to)).map(
          (wall) => `${from} imports ${to}: ${wall.why}`,
        ),
  )
  expect(broken).toEqual([])
})

test('htmx events and attributes are those of version 4', async () => {
  for (const file of sources()) {
    const text = await Bun.file(join(ROOT, file)).text()
    expect([file, /htmx:[a-z]+[A-Z]|hx-on[:=]|hx-ext|hx-vars/.exec(text)?.[0] ?? null]).toEqual([file, null])
  }
})

test('every migration on disk is in the list that ships', async () => {
  const { migrations } = await import('../../db/migrate')
  const files = [...new Bun.Glob('*.sql').scanSync(join(ROOT, 'db/migrations'))].sort()
  expect(migrations.map(({ name }) => `${name}.sql`)).toEqual(files)
})

test('every foreign key has an index and a rule for deletion', async () => {
  const schema = await import('../../db/schema')
  const { getTableConfig, PgTable } = await import('drizzle-orm/pg-core')
  const { is } = await import('drizzle-orm')
  const tables = Object.values(schema).filter((value) => is(value, PgTable))
  for (const table of tables) {
    const { name, foreignKeys, indexes, primaryKeys } = getTableConfig(table as never)
    for (const key of foreignKeys) {
      const column = key.reference().columns[0]?.name
      const isIndexed =
        primaryKeys.some((primary) => primary.columns[0]?.name === column) ||
        indexes.some((index) => (index.config.columns[0] as { name?: string }).name === column && !index.config.where)
      expect([name, column, isIndexed, key.onDelete !== undefined && key.onDelete !== 'no action']).toEqual([
        name,
        column,
        true,
        true,
      ])
    }
  }
})
