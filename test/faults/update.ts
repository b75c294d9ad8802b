/**
 * Updates two instances on one Postgres server from an earlier release to this version and back, one instance after
 * the other, while clients read and write. Then updates an embedded database and goes back.
 *
 *   bun test/faults/update.ts [RELEASE]
 *
 * RELEASE is a tag or a commit. The default is the newest tag. The script builds both executables first.
 */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/imports'
import { type Answer, csvOf, Instance, newFolder, report, transport } from './support/instance'
import { Cluster } from './support/postgres'

const CLIENTS = 6
/** Time between two steps of an update, in milliseconds. */
const PAUSE_MS = 4000

function run(cwd: string, ...command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd })
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr}`)
  return stdout.toString().trim()
}

/** Builds the executable of the project in a folder, and returns its path. */
function build(folder: string): string {
  run(folder, process.execPath, 'install', '--frozen-lockfile', '--silent')
  run(folder, process.execPath, 'src/app/build.ts')
  const program = join(newFolder(), 'yardmaster')
  copyFileSync(join(folder, 'dist/yardmaster'), program)
  return program
}

function buildRelease(release: string): string {
  const folder = join(newFolder(), 'release')
  run(ROOT, 'git', 'worktree', 'add', '--detach', folder, release)
  try {
    return build(folder)
  } finally {
    run(ROOT, 'git', 'worktree', 'remove', '--force', folder)
  }
}

const release = process.argv[2] ?? run(ROOT, 'git', 'describe', '--tags', '--abbrev=0')
const [previous, current] = [[buildRelease(release)], [build(ROOT)]]
const promises: [string, boolean][] = []

/** Client of two instances. Like a proxy, it sends a call to the other instance if a connection fails. */
class Pair {
  readonly #counts = new Map<number, number>()
  readonly acknowledged = new Map<number, number>()
  readonly instances: (Instance | undefined)[] = []
  token = ''
  #next = 0

  constructor(readonly env: Record<string, string>) {}

  async #call(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers: Record<string, string> = method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {}
    for (;;) {
      const instance = this.instances[this.#next++ % this.instances.length]
      if (!instance) continue
      instance.token = this.token
      const answer = await instance.call(method, path, body, headers)
      if (answer.status) {
        this.#counts.set(answer.status, (this.#counts.get(answer.status) ?? 0) + 1)
        return answer
      }
      await Bun.sleep(20)
    }
  }

  async #client(first: number, isOver: () => boolean) {
    for (let n = first; !isOver(); n += CLIENTS) {
      const { status, data } = await this.#call('POST', '/transports', transport(n))
      if (status !== 201) continue
      const mileage = n + 1
      const changed = await this.#call('PUT', `/transports/${data.id}`, { mileage })
      this.acknowledged.set(data.id, changed.status === 200 ? mileage : n)
      await this.#call('GET', '/transports?per_page=20&sort=updated_at')
      await this.#call('GET', '/vehicles?per_page=20')
    }
  }

  /** Replaces one instance after the other while clients read and write. */
  async replace(program: string[], from: number) {
    let isOver = false
    const clients = Array.from({ length: CLIENTS }, (_, n) => this.#client(from + n, () => isOver))
    for (const at of [0, 1]) {
      await Bun.sleep(PAUSE_MS)
      const old = this.instances[at]
      this.instances[at] = undefined
      await old?.end()
      this.instances[at] = await Instance.start(this.env, program)
    }
    await Bun.sleep(PAUSE_MS)
    isOver = true
    await Promise.all(clients)
  }

  /** Imports a file, and returns how many records exist afterwards for its day. */
  async importFile(day: string): Promise<number> {
    const { data } = await this.#call('POST', '/files/imports', csvOf(200, day))
    for (const until = Date.now() + 30_000; Date.now() < until; await Bun.sleep(50))
      if ((await this.#call('GET', `/files/${data.id}`)).data.status === 'done') break
    const { data: found } = await this.#call('GET', `/transports?start_date=${day}&end_date=${day}&per_page=500`)
    return (found as unknown as unknown[]).length
  }

  async countLost(): Promise<number> {
    let lostWrites = 0
    for (const [id, mileage] of this.acknowledged)
      if ((await this.#call('GET', `/transports/${id}`)).data.mileage !== mileage) lostWrites++
    return lostWrites
  }

  get unexpected() {
    return [...this.#counts].filter(([status]) => status >= 400).map(([status, count]) => `${count} × ${status}`)
  }
}

const cluster = await Cluster.create()
await cluster.start()
const pair = new Pair({ DATABASE_URL: cluster.url, DATA_DIR: newFolder() })
const first = await Instance.start(pair.env, previous)
pair.instances.push(first, await Instance.start(pair.env, previous))
pair.token = (await (await first.signIn()).furnish()).token
for (const [at, [name, program]] of [['to this version', current] as const, ['back', previous] as const].entries()) {
  await pair.replace(program, (at + 1) * 100_000)
  const imported = await pair.importFile(`2026-0${at + 4}-01`)
  const lostWrites = await pair.countLost()
  promises.push(
    [`${name}: ${pair.acknowledged.size} acknowledged records, ${lostWrites} lost or changed`, lostWrites === 0],
    [`${name}: errors ${pair.unexpected.join(', ') || 'none'}`, pair.unexpected.length === 0],
    [`${name}: ${imported} of 200 rows imported afterwards`, imported === 200],
  )
}
for (const instance of pair.instances) await instance?.end()
await cluster.remove()

const env = { DATA_DIR: newFolder() }
let [token, made] = ['', 0]
for (const [name, program] of [
  ['a new database', previous],
  ['the update', current],
  ['the way back', previous],
] as const) {
  const instance = await Instance.start(env, program)
  if (!token) token = (await (await instance.signIn()).furnish()).token
  instance.token = token
  const { status } = await instance.call('POST', '/transports', transport(++made))
  const { data } = await instance.call('GET', '/transports?per_page=50')
  const count = (data as unknown as unknown[]).length
  promises.push([`embedded, after ${name}: answer ${status}, ${count} of ${made} records`, count === made])
  await instance.end()
}
report(`Update from ${release} and back`, promises)
