import type { ApiResponse } from '../support/visitor'
import { instantOf } from './calendar'
import { Fleet } from './model/fleet'
import { addDays, type FleetRecord, type MergedPlace } from './model/records'
import type { Program, StartProgram } from './program/program'

/** A difference between the program and the model. */
export class Difference extends Error {}

export type Start = { day: string; timeZone: string }
export type Answer = { status: number; data: Record<string, unknown> & { id?: number }; body: ApiResponse['body'] }
type Options = { expected?: number; headers?: Record<string, string> }
type Merge = {
  /** Undefined if the answer was lost. */
  id: number | undefined
  place: MergedPlace
  into: number
  moved: { key: string; column: 'location_out_id' | 'location_in_id' | 'location_id' }[]
  at: Date
}
type Undo = { id: number; changes: Map<string, number> }

const PLACES = ['Flagstaff', 'Prescott', 'Sedona', 'Yuma']
export const COMPANIES = ['Verde Hauling', 'Rim Country Transport'] as const
const VENDORS = [
  { name: 'Axle Works Yard', rate: 3500, grace: 0 },
  { name: 'Pima Towing', rate: 2250, grace: 3 },
]

/** Time, in milliseconds, after which the program accepts a retry of a call that a crash has interrupted. */
const LOCK_MS = 16_000
const WAS_CARRIED_OUT = /^This request was carried out/

/** Drives the real program and the model side by side. `log` holds the calls, so that a failure can be repeated. */
export class Driver {
  readonly log: string[] = []
  /** Number of changes of each record, by its key in the model. */
  readonly changes = new Map<string, number>()
  lastBulk: (Undo & { before: FleetRecord[] }) | null = null
  lastImport: (Undo & { created: FleetRecord[] }) | null = null
  lastMerge: Merge | null = null
  readonly fleet: Fleet
  #now: Date
  #setAt = performance.now()

  private constructor(
    readonly program: Program,
    readonly start: Start,
    now: Date,
  ) {
    this.#now = now
    this.fleet = new Fleet(start.day)
  }

  static async start(startProgram: StartProgram, start: Start): Promise<Driver> {
    const now = instantOf(start.day, '12:00', start.timeZone)
    const program = await startProgram({ timeZone: start.timeZone, now })
    const driver = new Driver(program, start, now)
    await driver.#furnish().catch(async (error) => {
      await program.close()
      throw error
    })
    return driver
  }

  async #furnish() {
    const { fleet } = this
    const create = async (path: string, body: object) => Number((await this.call('POST', path, body)).data.id)
    for (const name of PLACES) {
      const values = { location_code: name.slice(0, 3), location_name: name, location_type: 'Hub' }
      fleet.addPlace({ id: await create('/locations', values), name })
    }
    for (const company_name of COMPANIES) fleet.companies.push(await create('/transport-companies', { company_name }))
    for (const { name, rate, grace } of VENDORS) {
      const values = { vendor_name: name, storage_daily_rate: rate / 100, storage_grace_days: grace }
      fleet.vendors.push({ id: await create('/vendors', values), rate, grace, invoiced_to: '' })
    }
  }

  /** True if the program can lose answers, because it can be killed. */
  get losesAnswers() {
    return this.program.killAtNextCall !== undefined
  }

  #log = (text: string) => this.log.push(`${this.fleet.today} ${text}`)

  /** Sends a call once. Returns null if its answer was lost. Fails on a status of 500 or more. */
  async attempt(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse | null> {
    const text = body instanceof FormData ? await formText(body) : JSON.stringify(body)
    this.#log(`${method} /api${path} ${text ?? ''}`)
    const response = await this.program.send({ method, path, body, ...(headers ? { headers } : {}) })
    if (response === null) this.#log('The answer was lost.')
    if (response && response.status >= 500)
      throw new Difference(`${method} ${path} answered ${response.status}: ${textOf(response)}`)
    return response
  }

  /**
   * Sends a call as an administrator, and again until it is answered. Fails on a failure, or on a status other than
   * `expected`. `data` is empty if the program carried out a call but cannot repeat its answer.
   */
  async call(method: string, path: string, body?: unknown, { expected, headers }: Options = {}): Promise<Answer> {
    const hasKey = this.losesAnswers && ['POST', 'PATCH'].includes(method)
    const allHeaders = { ...(hasKey ? { 'idempotency-key': `call ${this.log.length}` } : {}), ...headers }
    for (let wasLost = false; ; ) {
      const response = await this.attempt(method, path, body, allHeaders)
      if (response === null) {
        wasLost = true
        continue
      }
      const { status, body: answer } = response
      if (wasLost && status === 409 && response.headers.has('retry-after')) {
        await this.#setTime(new Date(this.now.getTime() + LOCK_MS))
        continue
      }
      const isDone = method === 'DELETE' ? status === 404 : status === 409 && WAS_CARRIED_OUT.test(answer.message ?? '')
      if (wasLost && isDone) return { status, data: {}, body: answer }
      if (expected ? status !== expected : status >= 400)
        throw new Difference(`${method} ${path} answered ${status}: ${textOf(response)}`)
      return { status, data: (answer.data as Answer['data'] | undefined) ?? {}, body: answer }
    }
  }

  get = async (path: string) => (await this.call('GET', path)).body

  /** Reads without logging the call, for comparisons. */
  async read(path: string): Promise<ApiResponse['body']> {
    const lines = this.log.length
    const body = await this.get(path)
    this.log.length = lines
    return body
  }

  /** Stores a changed record in the model. A call that asks for the stored values is no change. */
  changed<Record extends FleetRecord>(record: Record): Record {
    if (JSON.stringify(this.fleet.records.get(Fleet.key(record))) !== JSON.stringify(record)) this.#count(record)
    return this.fleet.put(record)
  }

  /**
   * Stores a record that a merge moved to another location.
   * For an OSL entry, this is an activity. The undo of an import does not count it as a change.
   */
  moved(record: FleetRecord) {
    this.changed(this.#touched(record))
    const counted = this.lastImport?.changes
    const count = counted?.get(Fleet.key(record))
    if (count !== undefined) counted?.set(Fleet.key(record), count + 1)
  }

  /** Stores a record with a new note. A note always counts as a change. */
  noted(record: FleetRecord) {
    this.#count(record)
    this.fleet.put(record)
  }

  removed(record: FleetRecord) {
    this.fleet.deleted.add(Fleet.key(record))
    this.#count(record)
  }

  /** Restores a deleted record in the model. For an OSL entry, this is an activity. */
  restored(record: FleetRecord) {
    this.fleet.deleted.delete(Fleet.key(record))
    this.fleet.put(this.#touched(record))
    this.#count(record)
  }

  #touched = (record: FleetRecord): FleetRecord =>
    record.kind === 'osl' ? { ...record, touched_on: this.fleet.today } : record

  #count(record: FleetRecord) {
    const key = Fleet.key(record)
    this.changes.set(key, (this.changes.get(key) ?? 0) + 1)
  }

  /** True if nobody changed the record since `changes` was noted. */
  isUnchangedSince = (record: FleetRecord, changes: Map<string, number>) =>
    this.changes.get(Fleet.key(record)) === changes.get(Fleet.key(record))

  get now() {
    const elapsed = this.program.isClockRunning ? performance.now() - this.#setAt : 0
    return new Date(this.#now.getTime() + elapsed)
  }

  async #setTime(to: Date) {
    this.#now = to
    this.#setAt = performance.now()
    await this.program.setTime(to)
  }

  /** Moves the clock to a time of `TIMES` on the day that is so many days ahead. Never moves it back. */
  async advance(days: number, time: string): Promise<void> {
    const { fleet, start } = this
    const day = addDays(fleet.today, days)
    // A running clock must not pass midnight during a call.
    const to = instantOf(day, this.program.isClockRunning && time > '23:30' ? '23:30' : time, start.timeZone)
    if (to <= this.now) return
    fleet.today = day
    this.#log(`The clock is set to ${to.toISOString()}.`)
    await this.#setTime(to)
    if (days === 0) return
    // The program does this every night.
    await this.call('POST', '/registrations/update-expired')
    for (const one of fleet.registrations)
      if (one.received && one.status === 'Complete' && one.date_expires < fleet.today)
        this.changed({ ...one, status: 'Expired' })
  }
}

const textOf = ({ body }: ApiResponse) => JSON.stringify(body)

async function formText(form: FormData): Promise<string> {
  const fields = [...form].map(async ([name, value]) => [name, value instanceof File ? await value.text() : value])
  return JSON.stringify(Object.fromEntries(await Promise.all(fields)))
}
