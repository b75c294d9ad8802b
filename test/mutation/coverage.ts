import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'

/** Folders whose tests take too long for each mutant: other engines, processes, browsers and faults. */
const LEFT_OUT = ['backup', 'browser', 'commands', 'embedded', 'faults', 'islands', 'live', 'server', 'supply-chain']
/** This test reads the source and its history instead of running it. */
const STRUCTURE_TEST = 'test/unit/structure.test.ts'

export type Coverage = {
  /** Paths of all test files, as the runner takes them. */
  all: string[]
  /** Returns the paths of the test files that run a line. */
  testsOf(file: string, line: number): string[]
  /** Returns the duration of a test file in milliseconds. */
  timeOf(test: string): number
}

/** Creates a database for each job, because each test first empties all tables. @returns their URLs */
export async function databases(url: string, count: number): Promise<string[]> {
  const sql = postgres(url, { max: 1 })
  const names = Array.from({ length: count }, (_, at) => `mutants_${at}`)
  for (const name of names) await sql.unsafe(`create database ${name}`)
  await sql.end()
  return names.map((name) => Object.assign(new URL(url), { pathname: `/${name}` }).href)
}

/**
 * Runs each test file once, and stores which lines of the program it runs.
 * The files are divided among the copies, each of which has its own database.
 * @throws Error when a test fails
 */
export async function measured(folders: string[], urls: string[]): Promise<Coverage> {
  const queue = [...new Bun.Glob('test/*/*.test.{ts,tsx}').scanSync(folders[0] as string)].filter(
    (test) => !LEFT_OUT.includes(test.split('/')[1] as string) && test !== STRUCTURE_TEST,
  )
  const all = queue.map((test) => `./${test}`)
  const lines = new Map<string, Map<number, Set<string>>>()
  const times = new Map<string, number>()
  await Promise.all(
    folders.map(async (folder, at) => {
      for (let test = queue.pop(); test; test = queue.pop()) {
        const start = performance.now()
        for (const [file, line] of await linesOf(folder, `./${test}`, urls[at] as string)) {
          const ofFile = lines.get(file) ?? new Map<number, Set<string>>()
          lines.set(file, ofFile.set(line, (ofFile.get(line) ?? new Set()).add(`./${test}`)))
        }
        times.set(`./${test}`, performance.now() - start)
      }
    }),
  )
  return {
    all,
    testsOf(file, line) {
      const ofFile = lines.get(file)
      // A line inside an expression counts as the line on which the expression begins.
      for (let at = line; at > 0; at--) if (ofFile?.has(at)) return [...(ofFile.get(at) as Set<string>)].sort()
      return []
    },
    timeOf: (test) => times.get(test) ?? 0,
  }
}

/** The lines of the program that a test file runs. */
async function linesOf(folder: string, test: string, url: string): Promise<[file: string, line: number][]> {
  const output = mkdtempSync(join(tmpdir(), 'yardmaster-coverage-'))
  try {
    const child = Bun.spawn(
      [
        process.execPath,
        'test',
        '--timeout',
        '60000',
        '--coverage',
        '--coverage-reporter=lcov',
        '--coverage-dir',
        output,
        test,
      ],
      {
        cwd: folder,
        env: { ...process.env, NODE_ENV: 'test', SUITE_DATABASE_URL: url },
        stdout: 'ignore',
        stderr: 'ignore',
      },
    )
    if ((await child.exited) !== 0) throw new Error(`${test} fails before anything was changed`)
    return (await Bun.file(join(output, 'lcov.info')).text()).split('end_of_record').flatMap((record) => {
      const file = /^SF:(src\/.+)$/m.exec(record)?.[1]
      if (!file) return []
      return [...record.matchAll(/^DA:(\d+),[1-9]\d*$/gm)].map(([, line]): [string, number] => [file, Number(line)])
    })
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
}
