import { Counter, Gauge, Histogram, Registry } from 'prom-client'

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const DELAY_EVERY_MS = 100
const DELAYS_KEPT = 600

/**
 * Measures how late timers fire. The delay shows how busy the process is. Requests wait about as long as timers.
 * @returns a function that returns quantiles of the delays in the last minute, in seconds
 */
function eventLoopDelays() {
  const delays: number[] = []
  let due = performance.now() + DELAY_EVERY_MS
  setInterval(() => {
    delays.push(Math.max(0, performance.now() - due) / 1000)
    if (delays.length > DELAYS_KEPT) delays.shift()
    due = performance.now() + DELAY_EVERY_MS
  }, DELAY_EVERY_MS).unref()
  return () => {
    const sorted = delays.toSorted((a, b) => a - b)
    return [0.5, 0.99, 1].map((quantile) => ({ quantile, value: sorted[Math.ceil(quantile * sorted.length) - 1] ?? 0 }))
  }
}

export type Metrics = ReturnType<typeof newMetrics>

export function newMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const delays = eventLoopDelays()
  new Gauge({
    name: 'yardmaster_event_loop_delay_seconds',
    help: 'Delay of the server’s event loop in the last minute',
    labelNames: ['quantile'],
    registers,
    collect() {
      for (const { quantile, value } of delays()) this.set({ quantile }, value)
    },
  })
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory (RAM) that this server process uses',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  new Gauge({ name: 'process_start_time_seconds', help: 'Start time of this server process', registers }).set(
    Date.now() / 1000,
  )
  return {
    registry,
    requests: new Counter({
      name: 'yardmaster_http_requests_total',
      help: 'Number of requests by HTTP method, route and status',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    durations: new Histogram({
      name: 'yardmaster_http_request_seconds',
      help: 'Duration of HTTP requests by kind of route',
      labelNames: ['door'],
      buckets: BUCKETS,
      registers,
    }),
    statements: new Histogram({
      name: 'yardmaster_database_statement_seconds',
      help: 'Database statement duration',
      buckets: BUCKETS,
      registers,
    }),
    signIns: new Counter({
      name: 'yardmaster_sign_ins_total',
      help: 'Sign-ins by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    info: gauge(registry, 'yardmaster_info', 'Program version, source code commit and type of database', [
      'version',
      'commit',
      'engine',
    ]),
    sessions: gauge(registry, 'yardmaster_sessions', 'Open sessions'),
    diskFree: gauge(registry, 'yardmaster_disk_free_bytes', 'Free space on the disk of DATA_DIR'),
    imports: gauge(registry, 'yardmaster_imports_at_work', 'Imports in progress'),
  }
}

const gauge = <Label extends string>(registry: Registry, name: string, help: string, labelNames: Label[] = []) =>
  new Gauge({ name, help, labelNames, registers: [registry] })
