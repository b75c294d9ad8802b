import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { untilAddress } from '../../support/address'
import { MAIN } from '../../support/program'
import type { ApiResponse } from '../../support/visitor'
import { type Call, type Program, readResponse, requestOf, type Settings, type StartProgram } from './program'

const CLOCK = join(import.meta.dir, 'shifted-clock.ts')
const PASSWORD = 'Saguaro42x'

/** A server process whose clock can be set. */
class Instance {
  private isConfirmed: (shift: number) => void = () => {}
  private constructor(
    readonly child: Bun.Subprocess<'ignore', 'pipe', 'inherit'>,
    readonly url: string,
  ) {}

  /** Starts a server, and restarts it if it ends, because its database can be too slow on a busy machine. */
  static async start(env: Record<string, string>, shift: number, attempts = 3): Promise<Instance> {
    let instance: Instance | undefined
    const child = Bun.spawn([process.execPath, '--preload', CLOCK, MAIN, 'serve'], {
      cwd: tmpdir(),
      env: { ...env, PATH: process.env.PATH ?? '', CLOCK_SHIFT: String(shift) },
      stdio: ['ignore', 'pipe', 'inherit'],
      ipc: (message: number) => instance?.isConfirmed(message),
    })
    const { startOutput, url } = await untilAddress(child.stdout)
    if (!url && attempts > 1) return Instance.start(env, shift, attempts - 1)
    if (!url) throw new Error(`The server did not start: ${startOutput}`)
    instance = new Instance(child, url)
    return instance
  }

  async shiftClock(shift: number): Promise<void> {
    const confirmation = new Promise<number>((resolve) => {
      this.isConfirmed = resolve
    })
    this.child.send(shift)
    await confirmation
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.child.exited
  }
}

/** Server processes on one database, with alternating calls. They can be killed at any moment. */
class Processes implements Program {
  readonly isClockRunning = true
  #instances: (Instance | Promise<Instance>)[] = []
  #token = ''
  #shift = 0
  #calls = 0
  #killAfter: number | undefined

  constructor(
    readonly env: Record<string, string>,
    readonly close: () => Promise<void>,
  ) {}

  async start(count: number, now: Date): Promise<void> {
    this.#shift = now.getTime() - Date.now()
    this.#instances = Array.from({ length: count }, () => Instance.start(this.env, this.#shift))
    await Promise.all(this.#instances)
    await this.#signIn()
  }

  async #signIn() {
    const call = { method: 'POST', path: '/auth/login', body: { username: 'admin', password: PASSWORD } }
    const response = await this.send(call)
    if (response?.status !== 200) throw new Error(`Cannot sign in: ${JSON.stringify(response)}`)
    this.#token = (response.body.data as { token: string }).token
  }

  async send(call: Call): Promise<ApiResponse | null> {
    const at = this.#calls++ % this.#instances.length
    const instance = (await this.#instances[at]) as Instance
    const answer = fetch(requestOf(call, instance.url, this.#token), { keepalive: false })
      .then(readResponse)
      .catch(() => null)
    const afterMs = this.#killAfter
    if (afterMs === undefined) return answer
    this.#killAfter = undefined
    await Bun.sleep(afterMs)
    await instance.kill()
    // The other instance answers meanwhile. A single instance is awaited by the next call.
    this.#instances[at] = Instance.start(this.env, this.#shift)
    return answer
  }

  async setTime(now: Date): Promise<void> {
    this.#shift = now.getTime() - Date.now()
    for (const instance of this.#instances) await (await instance).shiftClock(this.#shift)
    await this.#signIn()
  }

  killAtNextCall(afterMs: number) {
    this.#killAfter = afterMs
  }

  async end() {
    for (const instance of this.#instances) await (await instance).kill()
  }
}

/** Starts a server process on an embedded database, or two on a new database of the Postgres server at `url`. */
export const startProcesses =
  (url?: string): StartProgram =>
  async (settings) => {
    const folder = mkdtempSync(join(tmpdir(), 'yardmaster-simulation-'))
    const database = url === undefined ? undefined : await createDatabase(url)
    const program: Processes = new Processes(environmentOf(settings, folder, database?.url), async () => {
      await program.end()
      await database?.drop()
      rmSync(folder, { recursive: true, force: true })
    })
    await program.start(database ? 2 : 1, settings.now)
    return program
  }

const environmentOf = ({ timeZone }: Settings, folder: string, databaseUrl?: string) => ({
  PORT: '0',
  LOG_LEVEL: 'error',
  ADMIN_PASSWORD: PASSWORD,
  API_REQUESTS_PER_MINUTE: '1000000',
  BUSINESS_TIME_ZONE: timeZone,
  DATA_DIR: folder,
  ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
})

async function createDatabase(serverUrl: string) {
  const name = `simulation_${crypto.randomUUID().replaceAll('-', '')}`
  const execute = async (statement: string) => {
    const client = postgres(serverUrl, { max: 1, onnotice: () => {} })
    await client.unsafe(statement).finally(() => client.end())
  }
  await execute(`create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => execute(`drop database ${name} with (force)`) }
}
