/**
 * Model of the fleet without SQL: records in lists, money in whole cents, days as `YYYY-MM-DD`. The simulation compares
 * the figures of the program with it. It follows the specification and the contract, not the code.
 */

export type Transport = {
  kind: 'transports'
  id: number
  unit_number: string
  location_out_id: number
  location_in_id: number
  transport_company_id: number
  move_date: string
  estimated_arrival_date: string | null
  actual_arrival_date: string | null
  status: string
  move_type: string
  final_cost: number | null
  issue_po: boolean
  po_number: string | null
}
export type OslEntry = {
  kind: 'osl'
  id: number
  unit_number: string
  location_id: number
  vendor_id: number | null
  osl_date: string
  status: string
  completed_on: string | null
  has_fees: boolean
  rate: number
  rates: { from: string; rate: number }[]
  grace: number
  waived: number
  /** The latest day on which someone changed the entry or added a note. */
  touched_on: string
}
export type Registration = {
  kind: 'registrations'
  id: number
  unit_number: string
  location_id: number
  date_issued: string
  date_expires: string
  received: boolean
  status: string
  cost: number | null
  vlt: number | null
}
export type Title = {
  kind: 'titles'
  id: number
  unit_number: string
  location_id: number
  submitted_date: string
  transferred_date: string | null
  next_chase_on: string | null
}
export type FleetRecord = Transport | OslEntry | Registration | Title
export type Kind = FleetRecord['kind']
export type Vendor = { id: number; rate: number; grace: number }

export const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
export const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

const dollars = (cents: number) => cents / 100
const sum = (figures: number[]) => figures.reduce((total, one) => total + one, 0)
const ids = (records: { id: number }[]) => records.map(({ id }) => id).sort((a, b) => a - b)

export class Fleet {
  today: string
  readonly vendors: Vendor[] = []
  /** All records, also deleted ones. A record is replaced by a copy when it changes. */
  readonly records = new Map<string, FleetRecord>()
  readonly deleted = new Set<string>()

  constructor(today: string) {
    this.today = today
  }

  static key = ({ kind, id }: Pick<FleetRecord, 'kind' | 'id'>) => `${kind} ${id}`

  put<Record extends FleetRecord>(record: Record): Record {
    this.records.set(Fleet.key(record), { ...record })
    return record
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

  fees = (entry: OslEntry) => this.#feesUntil(entry, '9999-12-31')

  /** Amount that a vendor may charge for a period, in dollars. */
  statement(vendor: number, start: string, end: string): number {
    const entries = this.osl.filter(({ vendor_id }) => vendor_id === vendor)
    return dollars(
      sum(entries.map((entry) => this.#feesUntil(entry, end) - this.#feesUntil(entry, addDays(start, -1)))),
    )
  }

  #isExpiring({ unit_number, date_expires }: Registration, days: number) {
    const isLatest = !this.registrations.some(
      (other) => other.unit_number === unit_number && other.date_expires > date_expires,
    )
    return date_expires >= this.today && date_expires <= addDays(this.today, days) && isLatest
  }

  daysPending = ({ submitted_date, transferred_date }: Title) =>
    Math.max(0, daysBetween(submitted_date, transferred_date ?? this.today))

  lists() {
    const { today, transports, osl, registrations, titles } = this
    const start = addDays(today, -60)
    const delivered = transports.filter(
      ({ status, move_date }) => status === 'Delivered' && move_date >= start && move_date <= today,
    )
    const pending = titles.filter(({ transferred_date }) => !transferred_date)
    return {
      '/transports/active': ids(transports.filter(({ status }) => status !== 'Delivered')),
      [`/transports/completed?start_date=${start}&end_date=${today}`]: ids(delivered),
      '/osl/active': ids(osl.filter(({ status }) => status !== 'Completed')),
      [`/osl/completed?start_date=${start}&end_date=${today}`]: ids(
        osl.filter(({ completed_on }) => completed_on && completed_on >= start && completed_on <= today),
      ),
      '/registrations/pending': ids(registrations.filter(({ received }) => !received)),
      '/registrations/completed': ids(registrations.filter(({ received }) => received)),
      '/registrations/expiring?days=30': ids(registrations.filter((one) => this.#isExpiring(one, 30))),
      '/titles/pending': ids(pending),
      '/titles/transferred': ids(titles.filter(({ transferred_date }) => transferred_date)),
      '/titles/overdue?days=30': ids(pending.filter((one) => this.daysPending(one) > 30)),
    }
  }

  figures() {
    const { today, transports, osl, registrations, titles } = this
    const lists = this.lists()
    const active = osl.filter(({ status }) => status !== 'Completed')
    const start = addDays(today, -60)
    const completed = transports.filter(
      ({ status, move_date }) => status === 'Delivered' && move_date >= start && move_date <= today,
    )
    const byType = Map.groupBy(completed, ({ move_type }) => move_type)
    const counts = {
      active_transports: lists['/transports/active'].length,
      active_osl: active.length,
      pending_registrations: lists['/registrations/pending'].length,
      pending_titles: lists['/titles/pending'].length,
      expiring_total: lists['/registrations/expiring?days=30'].length,
    }
    return {
      dashboard: { ...counts, storage_fees_total: dollars(sum(active.map(this.fees))) },
      transports: Object.fromEntries(
        [...byType].map(([move_type, all]) => [
          move_type,
          { count: all.length, total_cost: dollars(sum(all.map(({ final_cost }) => final_cost ?? 0))) },
        ]),
      ),
      osl: Object.fromEntries(
        osl.map((entry) => [
          entry.id,
          {
            days_out_of_service: daysBetween(entry.osl_date, entry.completed_on ?? today),
            storage_fees_total: dollars(this.fees(entry)),
            completed_on: entry.completed_on,
          },
        ]),
      ),
      registrations: {
        pending: lists['/registrations/pending'].length,
        completed: lists['/registrations/completed'].length,
        expiring: counts.expiring_total,
        expired: registrations.filter(({ status }) => status === 'Expired').length,
        total_cost: dollars(sum(registrations.map(({ cost }) => cost ?? 0))),
        total_vlt: dollars(sum(registrations.map(({ vlt }) => vlt ?? 0))),
      },
      titles: {
        pending: counts.pending_titles,
        transferred: titles.length - counts.pending_titles,
        overdue: lists['/titles/overdue?days=30'].length,
      },
      days_pending: Object.fromEntries(titles.map((one) => [one.id, this.daysPending(one)])),
      due: this.#due(),
    }
  }

  #due() {
    const { today, transports, osl, registrations, titles } = this
    const delivered = transports.filter(({ status }) => status === 'Delivered')
    const sold = new Set(delivered.filter(({ move_type }) => move_type === 'Sales').map((one) => one.unit_number))
    const latest = registrations.filter(
      (one) =>
        !registrations.some((other) => other.unit_number === one.unit_number && other.date_expires > one.date_expires),
    )
    return {
      transport_late: transports.filter(
        ({ status, estimated_arrival_date: day }) => status !== 'Delivered' && day !== null && day < today,
      ).length,
      transport_no_cost: delivered.filter(
        ({ final_cost, actual_arrival_date }) =>
          final_cost === null && (actual_arrival_date ?? today) <= addDays(today, -7),
      ).length,
      transport_no_po: transports.filter(({ issue_po, po_number }) => issue_po && !po_number).length,
      osl_stale: osl.filter(({ status, touched_on }) => status !== 'Completed' && touched_on <= addDays(today, -7))
        .length,
      registration_expired: latest.filter(({ date_expires }) => date_expires < today).length,
      registration_expiring: registrations.filter((one) => this.#isExpiring(one, 30)).length,
      title_overdue: titles.filter(
        (one) =>
          !one.transferred_date &&
          this.daysPending(one) > 14 &&
          (one.next_chase_on === null || one.next_chase_on <= today),
      ).length,
      title_missing: [...sold].filter((unit) => !titles.some(({ unit_number }) => unit_number === unit)).length,
    }
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
