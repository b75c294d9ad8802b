/**
 * Opens hundreds of connections that send one byte at a time, or never read their responses.
 * Measures the effect on ordinary users.
 *
 *   bun test/faults/slow-clients.ts [--connections 600] [--seconds 30]
 */
import { Instance, newFolder, option, quantile, report, transport } from './support/instance'

const CONNECTIONS = option('connections', 600)
const SECONDS = option('seconds', 30)

const testContext = await (await (await Instance.start({ DATA_DIR: newFolder() })).signIn()).furnish()
for (let n = 0; n < 100; n++) await testContext.call('POST', '/transports', transport(n))
const { hostname, port } = new URL(testContext.url)

/** Measures list pages, requested every 50 ms without waiting for earlier responses. */
async function clerks(seconds: number) {
  const times: number[] = []
  const failed: number[] = []
  const waiting: Promise<void>[] = []
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await Bun.sleep(50)) {
    waiting.push(
      testContext.call('GET', '/transports/active?per_page=50').then(({ ms, status }) => {
        times.push(ms)
        if (status !== 200) failed.push(status)
      }),
    )
  }
  await Promise.all(waiting)
  return { times, failed: failed.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

const alone = await clerks(8)
const SLOW_REQUESTS = [
  { begin: 'GET /login HTTP/1.1\r\nHost: x\r\n', drip: 'X-Slow: 1\r\n' },
  {
    begin:
      `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ` +
      `100000\r\n\r\n{"username":"`,
    drip: 'a',
  },
  { begin: `${'GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(4)}`, drip: '' },
]
let open = 0
const sockets = await Promise.all(
  Array.from({ length: CONNECTIONS }, async (_, n) => {
    const kind = SLOW_REQUESTS[n % SLOW_REQUESTS.length] as (typeof SLOW_REQUESTS)[number]
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: { data() {}, close: () => void open--, error() {} },
    })
    open++
    if (!kind.drip) socket.pause()
    socket.write(kind.begin)
    return { socket, kind }
  }),
)
const dripping = setInterval(() => {
  for (const { socket, kind } of sockets) if (kind.drip) socket.write(kind.drip)
}, 1000)
// Sending the first responses to the slow clients costs time once. Open connections alone should cost none.
const arriving = await clerks(3)
const beside = await clerks(SECONDS)
clearInterval(dripping)
const openAtEnd = open
for (const { socket } of sockets) socket.terminate()
const after = await clerks(5)
const rss = Number((await Bun.file(`/proc/${testContext.child.pid}/status`).text()).match(/VmRSS:\s+(\d+)/)?.[1]) / 1024
await testContext.end()

const ms = (value: number) => `${Math.round(value)} ms`
report(`${CONNECTIONS} slow clients for ${SECONDS} s`, [
  [`clerks alone: median ${ms(alone.p50)}, 99 % ${ms(alone.p99)}`, alone.failed === 0],
  [
    `while they arrive: median ${ms(arriving.p50)}, longest ${ms(Math.max(...arriving.times))}, ` +
      `${arriving.failed} failed`,
    arriving.failed === 0 && Math.max(...arriving.times) < 2000,
  ],
  [
    `beside them: median ${ms(beside.p50)}, 99 % ${ms(beside.p99)}, ${beside.failed} failed`,
    beside.failed === 0 && beside.p99 < Math.max(50, alone.p99 * 2),
  ],
  [`afterwards: median ${ms(after.p50)}, 99 % ${ms(after.p99)}`, after.failed === 0],
  [`${openAtEnd} of ${CONNECTIONS} slow connections were still open at the end; ${Math.round(rss)} MB`, rss < 900],
])
