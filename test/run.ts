/**
 * Runs all tests: the checks, the suite on both database engines, and the tests in browsers. A failed step does not
 * stop the others. `--quick` skips the Postgres server, the browsers and the longest tests.
 */
import { join } from 'node:path'
import { startPostgres } from './support/postgres-server'

const ROOT = new URL('..', import.meta.url).pathname
let passed = 0
let failed = 0
/** The output of each failed test, repeated at the end, because the whole output is long. */
const failures: string[] = []
/** Limit of lines repeated for one failure. */
const FAILURE_LINES = 40

/**
 * Bun's allocator keeps freed memory instead of returning it to the system, which takes a sixth of the CPU time of a
 * step. A step then uses about 200 MB more.
 */
const KEEPS_MEMORY = { MIMALLOC_PURGE_DELAY: '-1' }

/**
 * Does not optimize the WebAssembly of the embedded database, which takes a quarter of the CPU time of a start. The
 * programs that these tests start do not live long enough to benefit.
 */
const SHORT_LIVED = { BUN_JSC_useOMGJIT: '0' }

type Step = { title: string; command: string[]; env?: Record<string, string> }

const seconds = (microseconds: number) => Math.round(microseconds / 1e6)

/**
 * Runs a step and counts its tests.
 * With `isBeside`, another step runs at the same time, so the output is printed at the end.
 */
async function run({ title, command, env = {} }: Step, isBeside = false): Promise<void> {
  console.log(isBeside ? `\n-- ${title} begins` : `\n== ${title}`)
  const began = performance.now()
  const child = Bun.spawn(command, {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'test', ...KEEPS_MEMORY, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([passOn(child.stdout, !isBeside), passOn(child.stderr, !isBeside)])
  const exitCode = await child.exited
  const cpu = child.resourceUsage()?.cpuTime
  const cost = `${seconds((performance.now() - began) * 1000)} s, of which ${seconds(Number(cpu?.total ?? 0))} s CPU`
  if (isBeside) console.log(`\n== ${title}\n${out}${err}`)
  console.log(`-- ${title}: ${cost}`)
  const count = (word: string) => Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(out + err)?.[1] ?? 0)
  passed += count('pass') || (exitCode === 0 ? 1 : 0)
  failed += count('fail') || (exitCode === 0 ? 0 : 1)
  if (exitCode !== 0) failures.push(...failuresIn(out + err).map((text) => `== ${title}\n${text}`))
}

/** Returns the lines that lead to each failed test, or the last lines if the output names no test. */
function failuresIn(output: string): string[] {
  const found: string[] = []
  let lines: string[] = []
  for (const line of output.split('\n')) {
    lines.push(line)
    // The test runner lists all failed tests again at the end.
    const isFirst = !found.some((text) => text.endsWith(line))
    if (line.startsWith('(fail)') && isFirst) found.push(lines.slice(-FAILURE_LINES).join('\n'))
    if (/^\((pass|fail|skip)\)/.test(line)) lines = []
  }
  return found.length > 0 ? found : [lines.slice(-FAILURE_LINES).join('\n')]
}

/** Collects the output of a step, and prints it while the step runs. */
async function passOn(stream: ReadableStream<Uint8Array>, isShown: boolean): Promise<string> {
  const decoder = new TextDecoder()
  let all = ''
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true })
    all += text
    if (isShown) process.stdout.write(text)
  }
  return all
}

/**
 * Runs two steps at a time, because each step waits for its database or browser half of the time. Three at a time take
 * longer on two cores.
 */
async function runTwoAtATime(steps: Step[]): Promise<void> {
  const waiting = [...steps]
  const work = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) await run(step, true)
  }
  await Promise.all([work(), work()])
}

const bin = (name: string) => [process.execPath, '--bun', `node_modules/.bin/${name}`]
/** Folders with their own step. All others are part of the suite, so that new ones are never forgotten. */
const OWN_STEP = {
  server: ['server'],
  embedded: ['clients', 'commands', 'embedded', 'supply-chain', 'structure'],
  islands: ['islands'],
  browser: ['browser'],
}
const folders = [
  ...new Set(
    [...new Bun.Glob('*/*.test.{ts,tsx}').scanSync(join(ROOT, 'test'))].map((file) => file.split('/')[0] as string),
  ),
]
const suite = folders.filter((folder) => !Object.values(OWN_STEP).flat().includes(folder)).sort()
const inFolder = (folder: string) => `./test/${folder}`
const testFiles = (folder: string) =>
  [...new Bun.Glob(`${folder}/*.test.{ts,tsx}`).scanSync(join(ROOT, 'test'))].sort().map(inFolder)
const bunTest = (paths: string[]) => [process.execPath, 'test', '--timeout', '600000', ...paths]

/** Folders with slow tests: all routes, thousands of files and calls, backups, sign-ins and simulations. */
const LONG = ['auth', 'backup', 'docs', 'fuzz', 'http', 'imports', 'reports', 'simulation']
/**
 * Tests that run only on the embedded database, because the engine makes no difference.
 * They test functions, documents, file readers and sign-in.
 */
const EMBEDDED_ONLY = [
  /^\.\/test\/(unit|docs)\//,
  /^\.\/test\/backup\/archives/,
  /^\.\/test\/imports\/(formats|hostile|mistakes|misread|misread-(dates|headings)|office-(sheets|values))\./,
  /^\.\/test\/imports\/(old-workbooks|sheet-layouts|workers|xml)\./,
  /^\.\/test\/http\/bodies/,
  /^\.\/test\/auth\/(api|held|newest-holes|pages|passkeys|password-rule)\./,
  /^\.\/test\/auth\/(second-factor|sign-ins|single-sign-on|tokens)\./,
]
/**
 * Tests that run only on a Postgres server.
 * Most of them send many requests or concurrent changes, or import thousands of rows, which takes half the time there.
 * Full exports, the event stream and the meaning of columns and rows in imported sheets do not depend on the engine.
 */
const SERVER_ONLY = [
  /^\.\/test\/http\/(costs|doors|hidden-fields|hostile-requests)/,
  /^\.\/test\/auth\/(token-)?attacks/,
  /^\.\/test\/audit\/every-change/,
  /^\.\/test\/imports\/(doubtful-rows|expiry-columns|finished-columns|misread-columns|misread-values)\./,
  /^\.\/test\/imports\/(new-names|public-lists|rows-of-lists|same-reading|section-titles)\./,
  /^\.\/test\/imports\/(undo-pages|unread-columns)\./,
  /^\.\/test\/(backup\/full-export|live\/live|places\/import|places\/import-page)\./,
  /^\.\/test\/billing\/(storage-)?twice\./,
]
/** Browser tests that open every page. They take as long as all others. */
const ALL_PAGES = ['accessibility', 'layout']

/** Returns the files of the browser tests in two groups of about the same duration. */
function browserTests(): [string[], string[]] {
  const files = [...new Bun.Glob('*.test.ts').scanSync(join(ROOT, 'test/browser'))].sort()
  const opensAll = (file: string) => ALL_PAGES.includes(file.replace('.test.ts', ''))
  const path = (file: string) => `./test/browser/${file}`
  return [files.filter(opensAll).map(path), files.filter((file) => !opensAll(file)).map(path)]
}

const isQuick = process.argv.includes('--quick')

const checks: Step[] = [
  { title: 'Types', command: bin('tsc') },
  { title: 'Format and lint', command: [...bin('biome'), 'check', '--error-on-warnings', '.'] },
  { title: 'Dead code', command: bin('knip') },
]
const islands: Step = { title: 'Islands', command: bunTest(OWN_STEP.islands.map(inFolder)) }
/** Needs Debian's package `pgbouncer`, which no npm package replaces. */
const pooler: Step = {
  title: 'Two instances behind PgBouncer',
  command: [process.execPath, 'test/faults/pgbouncer.ts'],
}
if (isQuick) {
  const files = suite.filter((folder) => !LONG.includes(folder)).flatMap(testFiles)
  const half = (rest: number) => bunTest(files.filter((_, at) => at % 2 === rest))
  await runTwoAtATime([
    { title: 'Quick tests, first half', command: half(0) },
    { title: 'Quick tests, second half', command: half(1) },
    ...checks,
    islands,
  ])
} else {
  for (const check of checks) await run(check)
  await run({ title: 'Executable', command: [process.execPath, 'src/app/build.ts'] })
  const postgres = await startPostgres()
  const isIn = (patterns: RegExp[]) => (file: string) => patterns.some((pattern) => pattern.test(file))
  const onPostgres = [...suite, ...OWN_STEP.server].flatMap(testFiles).filter((file) => !isIn(EMBEDDED_ONLY)(file))
  const onEmbedded = suite.flatMap(testFiles).filter((file) => !isIn(SERVER_ONLY)(file))
  const [pages, others] = browserTests()
  const executable = { YARDMASTER_EXECUTABLE: join(ROOT, 'dist/yardmaster') }
  // The longest first, so that both workers end at about the same time.
  await runTwoAtATime([
    { title: 'Suite on the embedded database', command: bunTest(onEmbedded) },
    {
      title: 'Suite on a Postgres server',
      command: bunTest(onPostgres),
      // The production code of React and Elysia, as users run it. The other suite runs the one that prints warnings.
      env: { SUITE_DATABASE_URL: postgres.url, NODE_ENV: 'production', ...executable },
    },
    {
      title: 'Embedded database, commands and settings',
      command: bunTest(OWN_STEP.embedded.map(inFolder)),
      env: { ...executable, ...SHORT_LIVED },
    },
    { title: 'Journeys in browsers', command: bunTest(others) },
    { title: 'All pages in a browser', command: bunTest(pages) },
    islands,
    ...(Bun.which('pgbouncer') ? [pooler] : []),
  ])
  await postgres.stop()
  if (!Bun.which('pgbouncer')) console.log(`\n== ${pooler.title}: not run, because pgbouncer is not installed`)
}

if (failures.length > 0) console.log(`\n== Failures\n${failures.join('\n\n')}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
