/**
 * Tries the suite itself: makes small faults in the code, one at a time, and counts how many of them some test notices.
 *
 *   bun run test:mutation [--count 200] [--seed 1] [--jobs 2] [--only src/osl]
 *
 * It works on copies, so the code stays as it is. 200 mutants take some hours; it ends with failure when fewer than nine
 * in ten are noticed.
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drawn, type Mutant, mutantsOf, seeded } from './mutants'

const ROOT = join(import.meta.dir, '../..')
const WANTED = 0.9
const PATIENCE_MS = 600_000

const word = (name: string) => process.argv[process.argv.indexOf(`--${name}`) + 1]
const option = (name: string, usual: number) => (process.argv.includes(`--${name}`) ? Number(word(name)) : usual)
const only = process.argv.includes('--only') ? (word('only') ?? '') : 'src/'

/** Rules, queries, routes, sign-in, records, imports and reports; not the words of the API document, nor what starts and stops. */
const PLACES = ['auth', 'admin', 'audit', 'transports', 'osl', 'vehicles', 'registrations', 'titles', 'dashboard', 'profile', 'files', 'reports', 'http']
const SHARED = ['fields.ts', 'notes.ts', 'warnings.ts', 'search.ts', 'refusals.ts', 'clock.ts']

/** The tests that are most likely to notice come first; most mutants need no more. */
const SUITE = [
  'http',
  'unit',
  'vehicles',
  'osl',
  'titles',
  'registrations',
  'transports',
  'audit',
  'dashboard',
  'admin',
  'auth',
  'profile',
  'reports',
  'files',
  'docs',
  'fuzz',
]
function stagesFor(file: string): string[][] {
  const own = SUITE.find((folder) => file.startsWith(`src/${folder}/`)) ?? 'unit'
  const rest = SUITE.filter((folder) => folder !== own)
  return [[own], rest.slice(0, 9), rest.slice(9)]
}

async function allMutants(): Promise<Mutant[]> {
  const found: Mutant[] = []
  for await (const file of new Bun.Glob('src/**/*.{ts,tsx}').scan({ cwd: ROOT })) {
    const [, place] = file.split('/') as [string, string]
    if ((PLACES.includes(place) || SHARED.includes(place)) && file.startsWith(only)) found.push(...mutantsOf(file, await Bun.file(join(ROOT, file)).text()))
  }
  return found.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
}

/** A copy of everything but what is installed, which is shared. */
function copyOfAll(): string {
  const folder = mkdtempSync(join(tmpdir(), 'yardmaster-mutants-'))
  const left = new Set(['node_modules', '.git', 'dist'].map((name) => join(ROOT, name)))
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !left.has(path) })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

async function isNoticed(folder: string, { file, text }: Mutant): Promise<boolean> {
  const path = join(folder, file)
  const original = await Bun.file(path).text()
  await Bun.write(path, text)
  try {
    for (const stage of stagesFor(file)) {
      const child = Bun.spawn([process.execPath, 'test', '--timeout', '60000', '--bail', ...stage.map((name) => `./test/${name}`)], {
        cwd: folder,
        env: { ...process.env, NODE_ENV: 'test' },
        stdout: 'ignore',
        stderr: 'ignore',
        timeout: PATIENCE_MS,
        killSignal: 'SIGKILL',
      })
      if ((await child.exited) !== 0) return true
    }
    return false
  } finally {
    await Bun.write(path, original)
  }
}

const seed = option('seed', 1)
const queue = drawn(await allMutants(), option('count', 200), seeded(seed))
const survivors: Mutant[] = []
let tried = 0
await Promise.all(
  Array.from({ length: option('jobs', 2) }, async () => {
    const folder = copyOfAll()
    for (let mutant = queue.pop(); mutant; mutant = queue.pop()) {
      const noticed = await isNoticed(folder, mutant)
      tried++
      if (!noticed) survivors.push(mutant)
      console.log(`${noticed ? 'killed  ' : 'SURVIVED'} ${mutant.file}:${mutant.line}  ${noticed ? '' : `${mutant.before}  →  ${mutant.after}`}`)
    }
    rmSync(folder, { recursive: true, force: true })
  }),
)

const share = tried ? (tried - survivors.length) / tried : 1
console.log(`\nSeed ${seed}: ${tried - survivors.length} of ${tried} mutants were noticed (${Math.round(share * 100)} %)`)
process.exit(share >= WANTED ? 0 : 1)
