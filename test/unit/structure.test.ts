import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { $ } from 'bun'
import { cyclesIn, type Import, ROOT, readImports, sourceFiles } from '../support/imports'

const TIERS = [/^db\//, /^src\/platform\//, /^src\/features\//, /^src\/(app\/|main\.ts$)/]
const tierOf = (file: string) => TIERS.findIndex((tier) => tier.test(file))
const featureOf = (file: string) => /^src\/features\/([^/]+)\//.exec(file)?.[1]

const FOUNDATION = [
  'db/vocabulary.ts',
  'src/platform/background-header.ts',
  'src/platform/paths.ts',
  'src/platform/script-paths.ts',
]
/** Pure parts that views use: they import no database, no Elysia and no rules. The last four describe the kinds. */
const PURE = [
  'costs',
  'field-label',
  'navigation',
  'imports/cell-names',
  'lists/rows-before',
  'reading/dates',
  'kinds',
  'records/kind',
  'lists/kind',
  'lists/filters',
].map((name) => `src/platform/${name}.ts`)

type Rule = { name: string; isBroken: (one: Import, routes: Set<string>) => boolean }

const isView = (file: string) => file.startsWith('views/')
const isIsland = (file: string) => file.startsWith('islands/')
const isPackage = (to: string) => !/^(src|views|islands|db|public|package)/.test(to)

const RULES: Rule[] = [
  {
    name: 'imports point down: app, features, platform, db',
    isBroken: ({ from, to }) => tierOf(from) >= 0 && tierOf(to) > tierOf(from),
  },
  {
    name: 'a feature uses another through its index',
    isBroken: ({ from, to }) => {
      const [own, other] = [featureOf(from), featureOf(to)]
      return own !== undefined && other !== undefined && own !== other && to !== `src/features/${other}/index.ts`
    },
  },
  {
    name: 'only a module, an index of modules and the program import routes',
    isBroken: ({ from, to, isType }, routes) =>
      !isType && routes.has(to) && !/\/module\.ts$|^src\/app\//.test(from) && !routes.has(from),
  },
  {
    name: 'vocabulary and paths import nothing else',
    isBroken: ({ from, to }) => FOUNDATION.includes(from) && !FOUNDATION.includes(to),
  },
  {
    name: 'views are pure functions of props: no queries, Elysia or rules',
    isBroken: ({ from, to, isType }) =>
      isView(from) &&
      !isType &&
      !(isView(to) || isIsland(to) || [...FOUNDATION, ...PURE].includes(to) || /^react(-dom\/server)?$/.test(to)),
  },
  {
    name: 'what views use imports no database, Elysia or rules',
    isBroken: ({ from, to, isType }) =>
      PURE.includes(from) &&
      !isType &&
      (/^db\/(client|schema)|^elysia|^zod/.test(to) || /(queries|mutations|rules)\.ts$/.test(to)),
  },
  {
    name: 'islands run in the browser',
    isBroken: ({ from, to, isType }) =>
      isIsland(from) &&
      !isType &&
      !(
        isIsland(to) ||
        isView(to) ||
        FOUNDATION.includes(to) ||
        /^(react|react-dom\/client|htmx\.org|@simplewebauthn\/browser)$/.test(to)
      ),
  },
  {
    name: 'rules are pure',
    isBroken: ({ from, to, isType }) =>
      /rules\.ts$/.test(from) &&
      !isType &&
      /^(drizzle-orm|elysia)|^db\/(client|schema)|(queries|mutations)\.ts$/.test(to),
  },
  {
    name: 'queries and mutations know nothing of HTTP',
    isBroken: ({ from, to, isType }, routes) =>
      /(queries|mutations)\.ts$/.test(from) &&
      !isType &&
      (routes.has(to) ||
        isView(to) ||
        /^(elysia|react)/.test(to) ||
        (/^src\/platform\/(http\/|auth\/guard)/.test(to) && to !== 'src/platform/http/answers.ts')),
  },
]

const NAMED = /[/-](pages|api)\.tsx?$/

/** Returns the files with routes: those named `pages` or `api`, and those that register routes. */
async function routeFiles(files: string[]): Promise<Set<string>> {
  const bind = /\)\s*\.(get|post|put|patch|delete)\(/
  const texts = await Promise.all(files.map(async (file) => [file, await Bun.file(join(ROOT, file)).text()] as const))
  return new Set(
    texts
      .filter(([file]) => file.startsWith('src/'))
      .filter(([file, text]) => NAMED.test(file) || (text.includes("from 'elysia'") && bind.test(text)))
      .map(([file]) => file),
  )
}

const brokenBy = (imports: Import[], routes: Set<string>) =>
  imports.flatMap((one) =>
    RULES.filter(({ isBroken }) => isBroken(one, routes)).map(({ name }) => `${one.from} imports ${one.to}: ${name}`),
  )

describe('the source structure', () => {
  test('assigns every file of src to a tier', () => {
    const files = sourceFiles().filter((file) => file.startsWith('src/'))
    expect(files.length).toBeGreaterThan(300)
    expect(files.filter((file) => tierOf(file) < 0)).toEqual([])
  })

  test('follows every import rule', async () => {
    const files = sourceFiles()
    const routes = await routeFiles(files)
    expect(routes.size).toBeGreaterThan(60)
    expect(brokenBy(await readImports(files), routes)).toEqual([])
  })

  const readTexts = async () => {
    const files = (await $`git ls-files '*.ts' '*.tsx' '*.css' '*.md'`.cwd(ROOT).text())
      .trim()
      .split('\n')
      .filter((file) => file !== 'clients/typescript/schema.ts' && !file.startsWith('db/migrations/'))
    expect(files.length).toBeGreaterThan(1000)
    return Promise.all(files.map(async (file) => [file, await Bun.file(join(ROOT, file)).text()] as const))
  }

  test('has no file of code over 400 lines', async () => {
    const long = (await readTexts()).filter(([file, text]) => /\.tsx?$/.test(file) && text.split('\n').length > 401)
    expect(long.map(([file]) => file)).toEqual([])
  })

  // Tables and data URLs cannot be wrapped, so they are exempt.
  test('has no line over 120 characters', async () => {
    const texts = await readTexts()
    const tooLong = texts.flatMap(([file, text]) =>
      text.split('\n').flatMap((line, at) => {
        const isWhole = line.length <= 120 || (file.endsWith('.md') && line.startsWith('|')) || /url\("data:/.test(line)
        return isWhole ? [] : [`${file}:${at + 1}`]
      }),
    )
    expect(tooLong).toEqual([])
  })

  test('has no import cycles except between types', async () => {
    const imports = await readImports(sourceFiles())
    expect(cyclesIn(imports.filter(({ to, isType }) => !isType && !isPackage(to)))).toEqual([])
  })
})

describe('the import rules', () => {
  const routes = new Set(['src/features/titles/pages.tsx', 'src/platform/auth/api.ts'])
  const CASES: [from: string, to: string, rule: string | null][] = [
    ['src/platform/records/write.ts', 'src/features/titles/sql.ts', 'imports point down'],
    ['db/client.ts', 'src/platform/clock.ts', 'imports point down'],
    ['src/features/titles/queries.ts', 'src/app/open.ts', 'imports point down'],
    ['src/features/titles/queries.ts', 'src/features/osl/sql.ts', 'a feature uses another through its index'],
    ['src/features/titles/queries.ts', 'src/features/osl/index.ts', null],
    ['src/features/osl/queries.ts', 'src/features/titles/pages.tsx', 'only a module'],
    ['src/features/titles/mutations.ts', 'views/titles/form.tsx', 'queries and mutations know nothing of HTTP'],
    ['src/features/titles/rules.ts', 'db/client.ts', 'rules are pure'],
    ['views/titles/form.tsx', 'src/features/titles/queries.ts', 'views are pure'],
    ['islands/live.ts', 'src/platform/clock.ts', 'islands run in the browser'],
    ['db/vocabulary.ts', 'zod', 'vocabulary and paths import nothing else'],
    ['src/features/titles/module.ts', 'src/features/titles/pages.tsx', null],
  ]
  for (const [from, to, rule] of CASES)
    test(`${rule ? 'refuse' : 'allow'} ${from} importing ${to}`, () => {
      const broken = brokenBy([{ from, to, isType: false }], routes)
      expect(broken.some((text) => text.includes(rule ?? ''))).toBe(rule !== null)
    })

  test('detect a cycle of three files', () => {
    const one = (from: string, to: string): Import => ({ from, to, isType: false })
    expect(cyclesIn([one('a', 'b'), one('b', 'c'), one('c', 'a'), one('c', 'd')])).toEqual([['a', 'b', 'c']])
  })
})
