/**
 * Tests the test suite: makes small faults in the code, and counts how many of them a test finds.
 *
 *   bun run test:mutation [--count 200] [--seed 1] [--skip 0] [--jobs 2] [--only src/features/osl]
 *
 * The faults are made in copies, one at a time. A first run finds out which test files run which lines, so that only
 * these files are run for a mutant. 200 mutants take two hours. The command fails if fewer than 90 % are found. To
 * continue an interrupted run, use --skip on the same commit.
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../support/postgres-server'
import { databases, measured } from './coverage'
import { drawn, type Mutant, mutantsOf, seeded } from './mutants'

const ROOT = join(import.meta.dir, '../..')
const REQUIRED_SHARE = 0.9
const TIMEOUT_MS = 400_000

const word = (name: string) => process.argv[process.argv.indexOf(`--${name}`) + 1]
const option = (name: string, usual: number) => (process.argv.includes(`--${name}`) ? Number(word(name)) : usual)
const only = process.argv.includes('--only') ? (word('only') ?? '') : 'src/'

/** Code that is not tested line by line, such as the start, commands and docs. */
const LEFT_OUT = ['app', 'operator', 'backup', 'docs', 'live', 'metrics']

const JOBS = option('jobs', 2)

/** Returns the folder of a source file, which its tests share: `osl` for `src/features/osl/kind.ts`. */
const folderOf = (file: string) => file.split('/').slice(0, -1)[2] ?? (file.split('/')[1] as string)

async function allMutants(): Promise<Mutant[]> {
  const found: Mutant[] = []
  for await (const file of new Bun.Glob('src/**/*.{ts,tsx}').scan({ cwd: ROOT })) {
    if (LEFT_OUT.includes(folderOf(file)) || !file.startsWith(only)) continue
    found.push(...mutantsOf(file, await Bun.file(join(ROOT, file)).text()))
  }
  return found.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
}

/** Copies the project. The installed packages are shared with a link. */
function copyOfAll(): string {
  const folder = mkdtempSync(join(tmpdir(), 'yardmaster-mutants-'))
  const excludedPaths = new Set(['node_modules', '.git', 'dist'].map((name) => join(ROOT, name)))
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !excludedPaths.has(path) })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Runs test files in a copy. Returns true if one fails. Without `url`, they use the embedded engine. */
async function fails(folder: string, files: string[], url?: string): Promise<boolean> {
  const child = Bun.spawn([process.execPath, 'test', '--timeout', '60000', '--bail', ...files], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'test', SUITE_DATABASE_URL: url },
    stdout: 'ignore',
    stderr: 'ignore',
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  return (await child.exited) !== 0
}

/** Limit for the total time of the tests that run first. */
const FIRST_MS = 15_000

/** Splits tests into the fastest ones, up to `FIRST_MS` together, and the others. */
function quickest(tests: string[]): [quick: string[], rest: string[]] {
  const ordered = tests.toSorted((a, b) => coverage.timeOf(a) - coverage.timeOf(b))
  let count = 0
  for (let remainingMs = FIRST_MS; count < ordered.length && remainingMs > 0; count++)
    remainingMs -= coverage.timeOf(ordered[count] as string)
  return [ordered.slice(0, count), ordered.slice(count)]
}

/**
 * Runs the tests that run the faulty line. True if one fails.
 * The tests of its feature come first, because they fail most often.
 */
async function isNoticed(folder: string, { file, line, text }: Mutant, url: string): Promise<boolean> {
  const path = join(folder, file)
  const original = await Bun.file(path).text()
  await Bun.write(path, text)
  try {
    // Lines that run in workers are not measured, so the tests of imports always run for them.
    const folders = [folderOf(file), ...(/import/.test(file) ? ['imports'] : [])]
    const isOwn = (test: string) => folders.some((name) => test.startsWith(`./test/${name}/`))
    const covering = [...new Set([...coverage.testsOf(file, line), ...coverage.all.filter(isOwn)])]
    const stages = [...quickest(covering.filter(isOwn)), covering.filter((test) => !isOwn(test))]
    for (const stage of stages) {
      if (stage.length && (await fails(folder, stage, url))) return true
    }
    // Code of the embedded database does not run on a server, so its tests also run on the embedded engine.
    return covering.length > 0 && text.includes('embedded') && (await fails(folder, covering))
  } finally {
    await Bun.write(path, original)
  }
}

const seed = option('seed', 1)
const postgres = await startPostgres()
const urls = await databases(postgres.url, JOBS)
const folders = urls.map(copyOfAll)
const coverage = await measured(folders, urls)
const queue = drawn(await allMutants(), option('count', 200), seeded(seed))
  .slice(option('skip', 0))
  .reverse()
const survivors: Mutant[] = []
let tried = 0
await Promise.all(
  folders.map(async (folder, at) => {
    for (let mutant = queue.pop(); mutant; mutant = queue.pop()) {
      const noticed = await isNoticed(folder, mutant, urls[at] as string)
      tried++
      if (!noticed) survivors.push(mutant)
      console.log(
        `${noticed ? 'killed  ' : 'SURVIVED'} ${mutant.file}:${mutant.line}  ${
          noticed ? '' : `${mutant.before}  →  ` + `${mutant.after}`
        }`,
      )
    }
    rmSync(folder, { recursive: true, force: true })
  }),
)
await postgres.stop()

const share = tried ? (tried - survivors.length) / tried : 1
console.log(
  `\nSeed ${seed}: ${tried - survivors.length} of ${tried} mutants were noticed (${Math.round(share * 100)} %)`,
)
process.exit(share >= REQUIRED_SHARE ? 0 : 1)
