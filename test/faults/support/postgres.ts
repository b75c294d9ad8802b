import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { postgresBinaries } from '../../support/postgres-server'
import { freePort } from './free-port'

/** `as` is the account that runs Postgres. It is undefined if this process is not root and runs it itself. */
export const { bin, as, tmp } = postgresBinaries()
const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** A Postgres server that is really durable, and that can be killed, stopped, copied and promoted. */
export class Cluster {
  #server: Bun.Subprocess | undefined

  private constructor(
    readonly dir: string,
    readonly port: number,
  ) {}

  get url() {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`
  }

  static async create(): Promise<Cluster> {
    const cluster = new Cluster(newDir(), freePort())
    await ran('initdb', '-D', 'data', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C')(cluster.dir)
    return cluster
  }

  /** A standby that begins as a copy of a stopped cluster and then follows it. */
  static copyOf(primary: Cluster): Cluster {
    const standby = new Cluster(newDir(), freePort())
    cpSync(join(primary.dir, 'data'), join(standby.dir, 'data'), { recursive: true })
    writeFileSync(join(standby.dir, 'data/standby.signal'), '')
    own(standby.dir)
    return standby
  }

  async start(...settings: string[]) {
    const all = [
      'listen_addresses=127.0.0.1',
      `port=${this.port}`,
      'unix_socket_directories=',
      'max_connections=60',
      ...settings,
    ]
    this.#server = Bun.spawn([join(bin, 'postgres'), '-D', 'data', ...all.flatMap((setting) => ['-c', setting])], {
      ...as,
      cwd: this.dir,
      env,
      stdout: 'ignore',
      stderr: Bun.file(join(this.dir, 'log')),
    })
    for (const end = Date.now() + 30_000; Date.now() < end; await Bun.sleep(20)) if (await this.answers()) return
    throw new Error(`Postgres did not start:\n${await Bun.file(join(this.dir, 'log')).text()}`)
  }

  /** True if the server accepts connections. */
  answers = () =>
    Bun.connect({ hostname: '127.0.0.1', port: this.port, socket: { data() {} } }).then(
      async (socket) => {
        socket.end()
        return (
          await Bun.file(join(this.dir, 'data/postmaster.pid'))
            .text()
            .catch(() => '')
        ).includes('ready')
      },
      () => false,
    )

  /**
   * Stops the server.
   * `SIGINT` is a fast shutdown, and `SIGQUIT` an immediate one. `SIGKILL` also kills the processes of connections.
   */
  async stop(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL' = 'SIGINT') {
    const server = this.#server
    if (!server) return
    if (signal === 'SIGKILL') {
      const children = await Bun.file(`/proc/${server.pid}/task/${server.pid}/children`)
        .text()
        .catch(() => '')
      for (const pid of [server.pid, ...children.split(' ').filter(Boolean).map(Number)]) kill(pid)
    } else server.kill(signal)
    await server.exited
    this.#server = undefined
    if (signal === 'SIGKILL') rmSync(join(this.dir, 'data/postmaster.pid'), { force: true })
  }

  /** Suspends every process of the server. Connections stay open, but get no response. */
  freeze = () => this.#signal('SIGSTOP')
  thaw = () => this.#signal('SIGCONT')

  #signal(signal: 'SIGSTOP' | 'SIGCONT') {
    const pid = this.#server?.pid
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
    for (const each of [Number(pid), ...children]) process.kill(each, signal)
  }

  promote = () => ran('pg_ctl', 'promote', '-D', 'data')(this.dir)

  async remove() {
    await this.stop('SIGQUIT')
    rmSync(this.dir, { recursive: true, force: true })
  }
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

function newDir(): string {
  const dir = mkdtempSync(join(tmp, 'fault-postgres-'))
  if (as) chownSync(dir, as.uid, as.gid)
  return dir
}

const own = (dir: string) => as && Bun.spawnSync(['chown', '-R', `${as.uid}:${as.gid}`, dir])

const ran =
  (program: string, ...words: string[]) =>
  async (cwd: string) => {
    const child = Bun.spawn([join(bin, program), ...words], { ...as, cwd, env, stdout: 'pipe', stderr: 'pipe' })
    if ((await child.exited) !== 0) throw new Error(`${program} failed: ${await new Response(child.stderr).text()}`)
  }
