import { sessions } from '../../db/schema'
import { testContext } from '../support/context'
import type { Told } from '../support/visitor'
import { addDays, Fleet, type FleetRecord } from './model'

export type Context = Awaited<ReturnType<typeof testContext>>

/** Choices of a step, drawn from its seed. The same seed makes the same choices, whatever the other steps did. */
export class Choices {
  #state: number
  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0
  }
  /** A number from 0 to `below` - 1, from a linear congruential generator. */
  number(below: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * below)
  }
  isTrue = (percent: number) => this.number(100) < percent
  of<T>(all: readonly T[]): T | undefined {
    return all[this.number(all.length)]
  }
}

/** A difference between the program and the model. */
export class Difference extends Error {}

/** Drives the real program and the model side by side. `log` holds the calls, so that a failure can be repeated. */
export class Driver {
  readonly log: string[] = []
  /** Number of changes of each record, by its key in the model. */
  readonly changes = new Map<string, number>()
  lastBulk: { id: number; before: FleetRecord[]; changes: Map<string, number> } | null = null
  lastImport: { id: number; created: FleetRecord[]; changes: Map<string, number> } | null = null

  private constructor(
    readonly h: Context,
    readonly fleet: Fleet,
  ) {}

  static async start(): Promise<Driver> {
    const h = await testContext()
    const driver = new Driver(h, new Fleet(h.ctx.clock.today()))
    for (const [name, rate, grace] of [
      ['Axle Works Yard', 35, 0],
      ['Pima Towing', 22.5, 3],
    ] as const) {
      const { data } = await driver.call('POST', '/vendors', {
        vendor_name: name,
        storage_daily_rate: rate,
        storage_grace_days: grace,
      })
      driver.fleet.vendors.push({ id: data.id as number, rate: rate * 100, grace })
    }
    return driver
  }

  get places(): number[] {
    const { phoenix, tempe, mesa } = this.h.cast
    return [phoenix, tempe, mesa]
  }

  /** Sends a call as an administrator and logs it. Fails on a status of 500 or more, or other than `expected`. */
  async call(method: string, path: string, body?: unknown, expected?: number, headers?: Record<string, string>) {
    this.log.push(`${this.fleet.today} ${method} /api${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`)
    const told: Told = await this.h.cast.ada.call(method, path, body, headers)
    if (told.status >= 500 || (expected ? told.status !== expected : told.status >= 400))
      throw new Difference(`${method} ${path} answered ${told.status}: ${JSON.stringify(told.body)}`)
    return { status: told.status, data: (told.body.data ?? {}) as Record<string, unknown>, headers: told.headers }
  }

  /** Stores a changed record in the model. A call that asks for the stored values is no change. */
  changed<Record extends FleetRecord>(record: Record): Record {
    if (JSON.stringify(this.fleet.records.get(Fleet.key(record))) !== JSON.stringify(record)) this.#count(record)
    return this.fleet.put(record)
  }

  removed(record: FleetRecord) {
    this.fleet.deleted.add(Fleet.key(record))
    this.#count(record)
  }

  restored(record: FleetRecord) {
    this.fleet.deleted.delete(Fleet.key(record))
    this.#count(record)
  }

  #count(record: FleetRecord) {
    const key = Fleet.key(record)
    this.changes.set(key, (this.changes.get(key) ?? 0) + 1)
  }

  /** True if nobody changed the record since `changes` was noted. */
  isUnchangedSince = (record: FleetRecord, changes: Map<string, number>) =>
    this.changes.get(Fleet.key(record)) === changes.get(Fleet.key(record))

  async advance(days: number): Promise<void> {
    const { h, fleet } = this
    fleet.today = addDays(fleet.today, days)
    h.clock.set(new Date(h.clock.now().getTime() + days * 86_400_000))
    const now = h.clock.now()
    await h.ctx.db.update(sessions).set({
      last_seen_at: now,
      expires_at: new Date(now.getTime() + 3_600_000),
      authenticated_at: now,
    })
    // The program does this every night.
    await this.call('POST', '/registrations/update-expired')
    for (const one of fleet.registrations)
      if (one.received && one.status === 'Complete' && one.date_expires < fleet.today)
        this.changed({ ...one, status: 'Expired' })
  }
}
