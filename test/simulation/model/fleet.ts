/**
 * Model of the fleet without SQL: records in lists, money in whole cents, days as `YYYY-MM-DD`. The simulation compares
 * the figures of the program with it. It follows the specification and the contract, not the code.
 */

import {
  addDays,
  daysBetween,
  type FleetRecord,
  type Kind,
  type MergedPlace,
  type OslEntry,
  type Place,
  type Reading,
  type Registration,
  type Title,
  type Transport,
  type Vendor,
} from './records'

export const dollars = (cents: number) => cents / 100
export const sum = (figures: number[]) => figures.reduce((total, one) => total + one, 0)

export class Fleet {
  today: string
  readonly vendors: Vendor[] = []
  readonly places: Place[] = []
  /** Ids of the locations by their names and aliases. */
  readonly placeNames = new Map<string, number>()
  readonly companies: number[] = []
  /** Readings of the units, by unit number. */
  readonly readings = new Map<string, Reading[]>()
  /** All records, also deleted ones. A record is replaced by a copy when it changes. */
  readonly records = new Map<string, FleetRecord>()
  readonly deleted = new Set<string>()
  /** Copies of the entries that invoices have billed, and the last day of each invoice. */
  readonly billed: { entry: OslEntry; until: string }[] = []

  constructor(today: string) {
    this.today = today
  }

  static key = ({ kind, id }: Pick<FleetRecord, 'kind' | 'id'>) => `${kind} ${id}`

  put<Record extends FleetRecord>(record: Record): Record {
    this.records.set(Fleet.key(record), { ...record })
    return record
  }

  addPlace(place: Place) {
    this.places.push(place)
    this.placeNames.set(place.name, place.id)
  }

  /** Removes a location. The one that remains takes over its names. */
  removePlace(from: number, into: number): MergedPlace {
    const at = this.places.findIndex(({ id }) => id === from)
    const [place] = this.places.splice(at, 1) as [Place]
    const names = [...this.placeNames].filter(([, id]) => id === from).map(([name]) => name)
    for (const name of names) this.placeNames.set(name, into)
    return { ...place, names }
  }

  restorePlace({ id, name, names }: MergedPlace) {
    this.places.push({ id, name })
    for (const each of names) this.placeNames.set(each, id)
  }

  #of<K extends Kind>(kind: K) {
    return [...this.records]
      .filter(([key, record]) => record.kind === kind && !this.deleted.has(key))
      .map(([, record]) => record) as Extract<FleetRecord, { kind: K }>[]
  }
  get transports() {
    return this.#of('transports')
  }
  get osl() {
    return this.#of('osl')
  }
  get registrations() {
    return this.#of('registrations')
  }
  get titles() {
    return this.#of('titles')
  }
  get live() {
    return [...this.transports, ...this.osl, ...this.registrations, ...this.titles]
  }

  /** Fees of an entry for the days up to `until`, in cents. The waiver reduces the fees of the first days. */
  #feesUntil(entry: OslEntry, until: string): number {
    if (!entry.has_fees) return 0
    const end = [until, entry.completed_on ?? this.today].sort()[0] as string
    let total = 0
    for (let day = addDays(entry.osl_date, 1 + entry.grace); day <= end; day = addDays(day, 1)) {
      const later = entry.rates.filter(({ from }) => from <= day).sort((a, b) => a.from.localeCompare(b.from))
      total += later.at(-1)?.rate ?? entry.rate
    }
    return Math.max(0, total - entry.waived)
  }

  /** Fees in cents. */
  fees = (entry: OslEntry) => this.#feesUntil(entry, '9999-12-31')

  /** Amounts that a vendor may charge for a period, in cents, by unit number. */
  charges(vendor: number, start: string, end: string): Map<string, number> {
    const charges = new Map<string, number>()
    for (const entry of this.osl.filter(({ vendor_id }) => vendor_id === vendor)) {
      const charge = this.#feesUntil(entry, end) - this.#feesUntil(entry, addDays(start, -1))
      if (charge > 0) charges.set(entry.unit_number, (charges.get(entry.unit_number) ?? 0) + charge)
    }
    return charges
  }

  /** Notes that an invoice bills the stays of a unit with a vendor. */
  bill(vendor: number, unit: string, until: string) {
    const stays = this.osl.filter((one) => one.vendor_id === vendor && one.unit_number === unit)
    this.billed.push(...stays.map((entry) => ({ entry: { ...entry }, until })))
  }

  /**
   * True if the program cannot tell what a vendor may charge for a unit: a stay was deleted or corrected after an
   * invoice billed it, or two stays overlap.
   */
  isContested(unit: string, start: string, end: string): boolean {
    const lastDay = ({ completed_on }: OslEntry) => completed_on ?? this.today
    const isUnchanged = ({ entry, until }: { entry: OslEntry; until: string }) =>
      this.osl.some((one) => {
        const billedUntil = [until, entry.completed_on ?? until].sort()[0] as string
        return one.id === entry.id && one.osl_date === entry.osl_date && (one.completed_on ?? '9999') >= billedUntil
      })
    if (this.billed.some((one) => one.entry.unit_number === unit && !isUnchanged(one))) return true
    const stays = this.osl.filter((one) => one.unit_number === unit && one.has_fees && one.vendor_id !== null)
    const areSame = (a: OslEntry, b: OslEntry) => {
      const first = [addDays([a.osl_date, b.osl_date].sort()[1] as string, 1), start].sort()[1] as string
      return a.id !== b.id && first <= ([lastDay(a), lastDay(b), end].sort()[0] as string)
    }
    return stays.some((a) => stays.some((b) => areSame(a, b)))
  }

  isExpiring({ unit_number, date_expires }: Registration, days: number) {
    const isLatest = !this.registrations.some(
      (other) => other.unit_number === unit_number && other.date_expires > date_expires,
    )
    return date_expires >= this.today && date_expires <= addDays(this.today, days) && isLatest
  }

  daysPending = ({ submitted_date, transferred_date }: Title) =>
    Math.max(0, daysBetween(submitted_date, transferred_date ?? this.today))

  /** Mileages of vehicles. Only readings have one, and the highest counts, because a mileage cannot fall. */
  mileages(units: string[]) {
    const highest = (readings: Reading[]) => Math.max(...readings.map(({ mileage }) => mileage))
    const mileageOf = (unit: string) => highest(this.readings.get(unit) ?? [])
    return Object.fromEntries(units.map((unit) => [unit, this.readings.has(unit) ? mileageOf(unit) : null]))
  }

  usageOf(location: number) {
    const { transports, osl, registrations, titles } = this
    const at = (all: { location_id: number }[]) => all.filter(({ location_id }) => location_id === location).length
    const counts = {
      transports: transports.filter((one) => [one.location_out_id, one.location_in_id].includes(location)).length,
      osl: at(osl),
      registrations: at(registrations),
      titles: at(titles),
    }
    return { ...counts, total: sum(Object.values(counts)) }
  }

  /**
   * Status of each vehicle with records. It follows only from records, because nobody sets a status by hand in the
   * simulation.
   */
  statuses() {
    const statusOf = (unit: string) => {
      const moves = this.transports.filter(({ unit_number }) => unit_number === unit)
      if (this.osl.some((one) => one.unit_number === unit && one.status !== 'Completed')) return 'Out of Service'
      if (moves.some(({ status }) => status === 'In Transit')) return 'In Transit'
      const arrivedOn = (one: Transport) => one.actual_arrival_date ?? one.move_date
      const last = moves
        .filter(({ status }) => status === 'Delivered')
        .sort((a, b) => arrivedOn(a).localeCompare(arrivedOn(b)) || a.id - b.id)
        .at(-1)
      return last?.move_type === 'Sales' ? 'Sold' : 'Available'
    }
    const units = new Set(this.live.map(({ unit_number }) => unit_number))
    return Object.fromEntries([...units].sort().map((unit) => [unit, statusOf(unit)]))
  }
}
