import { mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buildAssets } from './assets'

const ROOT = join(import.meta.dir, '../..')
export const DIST = join(ROOT, 'dist')
const PARTS = join(DIST, 'parts')

/**
 * Returns the source code of the executable's entry point.
 * The executable contains the built assets. When the program runs from source, `main.ts` builds them at each start.
 */
function entry(paths: string[]): string {
  const names = paths.map((path) => basename(path))
  return [
    ...names.map((name, n) => `import asset${n} from './parts/${name}' with { type: 'file' }`),
    `import { join } from 'node:path'`,
    `import { assetsOf } from '../src/app/assets'`,
    `import { run } from '../src/app/commands'`,
    `const files = [${names.map((name, n) => `['/assets/${name}', asset${n}]`).join(', ')}]`,
    `const load = async () => assetsOf(await Promise.all(files.map(async ([path, file]) => ({ path,
      body: new Uint8Array(await Bun.file(file).arrayBuffer()) }))), join(import.meta.dir, 'public'))`,
    `await run(process.argv.slice(2), load)`,
  ].join('\n')
}

/** Returns an empty string if Git is missing or reports an error. */
function git(...words: string[]): string {
  if (!Bun.which('git')) return ''
  const { exitCode, stdout } = Bun.spawnSync(['git', ...words], { cwd: ROOT, stderr: 'ignore' })
  return exitCode === 0 ? stdout.toString().trim() : ''
}

/** Empty without Git or a repository. */
const commit = () => git('rev-parse', 'HEAD').slice(0, 7)

/** In seconds since 1970. 0 if Git or the repository is missing. */
export const commitTime = () => Number(git('log', '-1', '--format=%ct'))

/**
 * Compiles executables that contain the server, workers, database and assets.
 * Identifiers are not shortened, because Elysia reads the parameter names of handlers from their source code.
 * @param outputs path in `dist` for each Bun target, such as `bun-linux-arm64`. The target `native` is this machine.
 */
export async function compile(outputs: Record<string, string>): Promise<void> {
  rmSync(DIST, { recursive: true, force: true })
  mkdirSync(PARTS, { recursive: true })
  const { files } = await buildAssets()
  for (const { path, body } of files) await Bun.write(join(PARTS, basename(path)), body)
  await Bun.write(join(DIST, 'entry.ts'), entry(files.map(({ path }) => path)))
  const revision = commit()
  try {
    for (const [target, output] of Object.entries(outputs)) compileFor(target, output, revision)
  } finally {
    rmSync(PARTS, { recursive: true, force: true })
    rmSync(join(DIST, 'entry.ts'), { force: true })
  }
}

function compileFor(target: string, output: string, revision: string) {
  const { exitCode } = Bun.spawnSync(
    [
      process.execPath,
      'build',
      '--compile',
      ...(target === 'native' ? [] : [`--target=${target}`]),
      // Bytecode halves startup time.
      '--bytecode',
      '--format=esm',
      '--root',
      '.',
      '--define',
      'process.env.NODE_ENV="production"',
      '--define',
      `process.env.YARDMASTER_COMMIT="${revision}"`,
      '--asset',
      'public',
      'dist/entry.ts',
      'db/embedded/worker.ts',
      'src/app/import-worker.ts',
      '--outfile',
      join('dist', output),
    ],
    { cwd: ROOT, stdout: 'inherit', stderr: 'inherit' },
  )
  if (exitCode !== 0) process.exit(exitCode)
}
