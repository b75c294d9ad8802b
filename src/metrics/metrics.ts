/** Figures about this process, in the text form that Prometheus reads. */

type Labels = Record<string, string | number>

const labelText = (labels: Labels) => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${String(value).replace(/[\\"\n]/g, '_')}"`)
  return pairs.length ? `{${pairs.join(',')}}` : ''
}

class Counter {
  #values = new Map<string, number>()

  constructor(
    readonly name: string,
    readonly help: string,
  ) {}

  add(labels: Labels = {}, by = 1) {
    const key = labelText(labels)
    this.#values.set(key, (this.#values.get(key) ?? 0) + by)
  }

  text() {
    return block(this.name, 'counter', this.help, [...this.#values])
  }
}

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

class Histogram {
  #counts = new Map<string, { labels: Labels; buckets: number[]; sum: number; count: number }>()

  constructor(
    readonly name: string,
    readonly help: string,
  ) {}

  observe(seconds: number, labels: Labels = {}) {
    const key = labelText(labels)
    const found = this.#counts.get(key) ?? { labels, buckets: BUCKETS.map(() => 0), sum: 0, count: 0 }
    this.#counts.set(key, found)
    for (const [at, limit] of BUCKETS.entries()) if (seconds <= limit) found.buckets[at] = (found.buckets[at] ?? 0) + 1
    found.sum += seconds
    found.count++
  }

  text() {
    const lines = [...this.#counts.values()].flatMap(({ labels, buckets, sum, count }): [string, number][] => [
      ...BUCKETS.map((limit, at): [string, number] => [
        `_bucket${labelText({ ...labels, le: limit })}`,
        buckets[at] ?? 0,
      ]),
      [`_bucket${labelText({ ...labels, le: '+Inf' })}`, count],
      [`_sum${labelText(labels)}`, sum],
      [`_count${labelText(labels)}`, count],
    ])
    return block(this.name, 'histogram', this.help, lines)
  }
}

const block = (name: string, type: string, help: string, lines: [suffix: string, value: number][]) =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...lines.map(([suffix, value]) => `${name}${suffix} ${value}`),
  ].join('\n')

/** A figure that is read when it is asked for. */
export const gauge = (name: string, help: string, values: [Labels, number][]) =>
  block(
    name,
    'gauge',
    help,
    values.map(([labels, value]) => [labelText(labels), value]),
  )

const DELAY_EVERY_MS = 100
const DELAYS_KEPT = 600

/** How late timers come, over the last minute: what a request waits for while the process is busy. */
function eventLoopDelays() {
  const delays: number[] = []
  let due = performance.now() + DELAY_EVERY_MS
  setInterval(() => {
    delays.push(Math.max(0, performance.now() - due) / 1000)
    if (delays.length > DELAYS_KEPT) delays.shift()
    due = performance.now() + DELAY_EVERY_MS
  }, DELAY_EVERY_MS).unref()
  return (): [Labels, number][] => {
    const sorted = delays.toSorted((a, b) => a - b)
    return [0.5, 0.99, 1].map((quantile) => [{ quantile }, sorted[Math.ceil(quantile * sorted.length) - 1] ?? 0])
  }
}

export type Metrics = ReturnType<typeof newMetrics>

/** The figures of one process. */
export function newMetrics() {
  const requests = new Counter('yardmaster_http_requests_total', 'Requests by method, route and status')
  const durations = new Histogram('yardmaster_http_request_seconds', 'How long requests took, by door')
  const statements = new Histogram('yardmaster_database_statement_seconds', 'How long statements took in the database')
  const signIns = new Counter('yardmaster_sign_ins_total', 'Sign-ins by outcome')
  const delays = eventLoopDelays()
  const startedAt = Date.now() / 1000
  return {
    requests,
    durations,
    statements,
    signIns,
    text: () =>
      [
        requests.text(),
        durations.text(),
        statements.text(),
        signIns.text(),
        gauge('yardmaster_event_loop_delay_seconds', 'How late timers came in the last minute', delays()),
        gauge('process_resident_memory_bytes', 'Memory of this process', [[{}, process.memoryUsage.rss()]]),
        gauge('process_start_time_seconds', 'When this process started', [[{}, startedAt]]),
      ].join('\n'),
  }
}
