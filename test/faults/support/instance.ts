import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { untilAddress } from '../../support/address'
import { PROGRAM } from '../../support/program'

export const PASSWORD = 'Saguaro42x'

export type Answer = { status: number; data: Record<string, unknown> & { id: number }; ms: number; message?: string }

/** A running Yardmaster, and a signed-in integration that talks to it. */
export class Instance {
  token = ''

  private constructor(
    readonly child: Bun.Subprocess,
    readonly url: string,
    /** From the start of the process to the first answer, in milliseconds. */
    readonly startedIn: number,
  ) {}

  static async start(env: Record<string, string>, program = PROGRAM): Promise<Instance> {
    const began = performance.now()
    const child = Bun.spawn([...program, 'serve'], {
      env: {
        PATH: process.env.PATH ?? '',
        PORT: '0',
        LOG_LEVEL: 'error',
        ADMIN_PASSWORD: PASSWORD,
        // The clients of a fault test send more requests than the default limit allows.
        API_REQUESTS_PER_MINUTE: '1000000',
        ...env,
      },
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const { startOutput, url } = await untilAddress(child.stdout)
    if (!url) throw new Error(`It did not start: ${startOutput}`)
    await fetch(`${url}/healthz`)
    return new Instance(child, url, performance.now() - began)
  }

  /** Calls the API. The status is 0 if the connection breaks. */
  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const began = performance.now()
    try {
      const response = await fetch(`${this.url}/api${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.token}`,
          ...(body instanceof FormData || body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      })
      const parsed = (await response.json().catch(() => ({}))) as Partial<Answer>
      return {
        status: response.status,
        data: parsed.data ?? { id: 0 },
        ms: performance.now() - began,
        ...(parsed.message ? { message: parsed.message } : {}),
      }
    } catch {
      return { status: 0, data: { id: 0 }, ms: performance.now() - began }
    }
  }

  async signIn() {
    const { data, status, message } = await this.call('POST', '/auth/login', { username: 'admin', password: PASSWORD })
    if (status !== 200) throw new Error(`Cannot sign in: ${status} ${message}`)
    this.token = String(data.token)
    return this
  }

  /** Creates two locations and a company, so that records can refer to them. */
  async furnish() {
    for (const name of ['Here', 'There'])
      await this.call('POST', '/locations', { location_code: name, location_name: name, location_type: 'Hub' })
    await this.call('POST', '/transport-companies', { company_name: 'Haul' })
    return this
  }

  async end(signal: 'SIGKILL' | 'SIGTERM' = 'SIGTERM') {
    this.child.kill(signal)
    return this.child.exited
  }
}

const folders: string[] = []
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'yardmaster-fault-'))
  folders.push(folder)
  return folder
}
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export const unit = (n: number) => String(100_000 + (n % 900_000))
export const transport = (n: number) => ({
  unit_number: unit(n),
  move_date: '2026-03-10',
  location_out_id: 1,
  location_in_id: 2,
  transport_company_id: 1,
  mileage: n,
})

/** Returns an upload form with a valid CSV file of transports. */
export function csvOf(count: number, day: string): FormData {
  const lines = Array.from({ length: count }, (_, n) => `${unit(n)},Here,There,${day},Haul,In Transit`)
  const form = new FormData()
  form.set('data_type', 'transports')
  form.set('commit', 'true')
  form.set(
    'file',
    new File(
      [['unit_number,location_out,location_in,move_date,transport_company,status', ...lines].join('\n')],
      'moves.csv',
    ),
  )
  return form
}

export const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

/** Returns the number after `--name`, or the default value `usual`. */
export function option(name: string, usual: number): number {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? usual : Number(process.argv[at + 1])
}

/** Prints a line for each promise, and exits with an error if one was broken. */
export function report(title: string, promises: [what: string, isKept: boolean][]) {
  console.log(`\n${title}`)
  for (const [what, isKept] of promises) console.log(`${isKept ? 'kept  ' : 'BROKEN'}  ${what}`)
  process.exit(promises.every(([, isKept]) => isKept) ? 0 : 1)
}
