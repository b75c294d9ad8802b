/**
 * Measures an import against Postgres COPY of the same resolved rows. Both write to the same indexed table, in turn
 * within one run; the import includes reading, checking, preview, commit and audit trail. Then measures the effect on
 * other users, on both engines: pages requested every 100 ms, and memory above idle. Read the ratio; the rest depends
 * on the machine.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import * as XLSX from 'xlsx'
import { openServer } from '../../db/server'
import { startPostgres } from '../support/postgres-server'
import { start } from './start'

const ROWS = 100_000
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const PLACES = 40
const COMPANIES = 12
const VEHICLES = 20_000
const PASSWORD = 'Saguaro42'
const HEADER =
  'unit_number,location_out,location_in,move_date,transport_company,status,ra_number,' +
  'estimated_arrival_date,mileage,move_type,estimated_cost,final_cost'
const STATUSES = ['Awaiting Pickup', 'In Transit', 'Delivered', 'Delivered', 'Delivered']

type Line = {
  isBad: boolean
  isRepeat: boolean
  unit: string
  out: number
  into: number
  day: string
  company: number
  n: number
}

/** Returns one row of a year of moves. 2 % of the rows are bad, 1 % repeat the previous row. */
function line(at: number): Line {
  const isRepeat = at % 100 === 7
  const n = isRepeat ? at - 1 : at
  const day = new Date(Date.UTC(2025, 0, 1) + (n % 365) * 86_400_000).toISOString().slice(0, 10)
  return {
    isBad: n % 50 === 3,
    isRepeat,
    unit: String(1 + ((n * 7919) % VEHICLES)).padStart(6, '0'),
    out: n % PLACES,
    into: (n * 3 + 1) % PLACES,
    day,
    company: n % COMPANIES,
    n,
  }
}

const inFile = ({ isBad, unit, out, into, day, company, n }: Line) =>
  [
    isBad ? 'x' : unit,
    `Place ${out}`,
    `Place ${into}`,
    day,
    `Company ${company}`,
    STATUSES[n % 5],
    `RA${n % 99_999}`,
    day,
    1000 + n,
    'Fleet',
    100 + (n % 500),
    100.5 + (n % 700),
  ] as const

const resolved = ({ unit, out, into, day, company, n }: Line) =>
  [
    unit,
    out + 1,
    into + 1,
    day,
    company + 1,
    STATUSES[n % 5],
    `RA${n % 99_999}`,
    day,
    1000 + n,
    'Fleet',
    100 + (n % 500),
    100.5 + (n % 700),
  ].join('\t')

const lines = Array.from({ length: ROWS }, (_, at) => line(at))
const csv = (some: Line[]) => [HEADER, ...some.map((one) => inFile(one).join(','))].join('\n')
const good = lines.filter(({ isBad, isRepeat }) => !isBad && !isRepeat)
const forCopy = new TextEncoder().encode(`${good.map(resolved).join('\n')}\n`)
const COPY =
  `copy transports (unit_number, location_out_id, location_in_id, move_date, ` +
  `transport_company_id, status, ` +
  `ra_number, estimated_arrival_date,
  mileage, move_type, estimated_cost, final_cost) from stdin`

function xlsx(some: Line[]): Uint8Array {
  const sheet = XLSX.utils.aoa_to_sheet([HEADER.split(','), ...some.map((one) => [...inFile(one)])], { dense: true })
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, sheet)
  return new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx', compression: true }) as ArrayBuffer)
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

type TestContext = Awaited<ReturnType<typeof open>>

async function open(env: Record<string, string>) {
  const { child, url } = await start('src/main.ts', { ADMIN_PASSWORD: PASSWORD, ...env })
  const json = { 'content-type': 'application/json' }
  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  })
  const { token } = ((await login.json()) as { data: { token: string } }).data
  const headers = { authorization: `Bearer ${token}` }
  const post = (path: string, body?: object) =>
    fetch(`${url}/api${path}`, { method: 'POST', headers: { ...headers, ...json }, body: JSON.stringify(body ?? {}) })
  for (let n = 0; n < PLACES; n++)
    await post('/locations', { location_code: `P${n}`, location_name: `Place ${n}`, location_type: 'Hub' })
  for (let n = 0; n < COMPANIES; n++) await post('/transport-companies', { company_name: `Company ${n}` })
  return { child, url, token, headers, post }
}

/** Previews and commits a file. @returns the seconds from the first byte to the last row, and the import's counts */
async function importInto({ url, headers, post }: TestContext, name: string, content: string | Uint8Array) {
  const form = new FormData()
  form.set('data_type', 'transports')
  form.set('file', new File([content as BlobPart], name))
  const began = performance.now()
  const importResponse = (await (
    await fetch(`${url}/api/files/imports`, { method: 'POST', headers, body: form })
  ).json()) as {
    data: { id: number }
  }
  const reach = async (status: string) => {
    for (;;) {
      const { data } = (await (await fetch(`${url}/api/files/imports`, { headers })).json()) as {
        data: { id: number; status: string }[]
      }
      const found = data.find(({ id }) => id === importResponse.data.id)
      if ((found?.status ?? 'done') === status) return
      await Bun.sleep(50)
    }
  }
  await reach('ready')
  await post(`/files/${importResponse.data.id}/commit`)
  await reach('done')
  const seconds = (performance.now() - began) / 1000
  const { data } = (await (await fetch(`${url}/api/files/${importResponse.data.id}`, { headers })).json()) as {
    data: { imported: number; failed: number; duplicates: number }
  }
  return { seconds, ...data }
}

/**
 * Measures the effect of `work` on other users. Requests a page every 100 ms without waiting for the previous response.
 */
async function beside<Value>({ url, token, child }: TestContext, work: () => Promise<Value>) {
  const idle = residentMb(child.pid)
  const times: number[] = []
  let peak = idle
  const asker = setInterval(() => {
    const began = performance.now()
    peak = Math.max(peak, residentMb(child.pid))
    void fetch(`${url}/transports/active`, { headers: { cookie: `yardmaster_session=${token}` } })
      .then((answer) => answer.text())
      .then(() => times.push(performance.now() - began))
  }, 100)
  const value = await work()
  clearInterval(asker)
  await Bun.sleep(300)
  return {
    value,
    pages:
      `pages: median ${median(times).toFixed(0)} ms, 95 % within ` +
      `${times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]?.toFixed(0)} ms`,
    memory: `${Math.max(0, peak - idle).toFixed(0)} MB above idle`,
  }
}

const folder = mkdtempSync(join(tmpdir(), 'yardmaster-bench-'))
const pg = await startPostgres()
const server = await open({ DATABASE_URL: pg.url, DATA_DIR: join(folder, 'server') })
const database = openServer(pg.url)
const clear = async () => {
  await database.db.execute(sql`truncate transports restart identity cascade`)
  await database.db.execute(
    sql`insert into vehicles (unit_number) select lpad(n::text, 6, '0') from generate_series(1, ${VEHICLES}) n
      on conflict do nothing`,
  )
  await database.db.execute(sql`update vehicles set current_location = null where current_location is not null`)
  await database.db.execute(sql`vacuum analyze transports, vehicles, upload_rows`)
}

console.log(`${ROWS} rows, 2 % bad, 1 % repeated; ${good.length} good ones by COPY`)
const ratios: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  await clear()
  const began = performance.now()
  await database.copyIn(COPY, forCopy)
  const copied = (performance.now() - began) / 1000
  await clear()
  const { seconds, imported } = await importInto(server, 'year.csv', csv(lines))
  if (imported !== good.length) throw new Error(`${imported} were imported instead of ${good.length}`)
  ratios.push(copied / seconds)
  console.log(`  COPY ${copied.toFixed(1)} s, import ${seconds.toFixed(1)} s, ratio ${(copied / seconds).toFixed(2)}`)
}
console.log(`Rows per second against COPY: ${median(ratios).toFixed(2)} (median of ${ROUNDS})\n`)

// Built before any measurement, because work in this process would count as response time.
const year = csv(lines)
const half = xlsx(lines.slice(0, 50_000).map((one) => ({ ...one, day: one.day.replace('2025', '2024') })))
const embedded = await open({ DATA_DIR: join(folder, 'embedded') })
for (const [engine, testContext, clean] of [
  ['server', server, clear],
  ['embedded', embedded, async () => {}],
] as const) {
  await clean()
  const ofCsv = await beside(testContext, () => importInto(testContext, 'year.csv', year))
  console.log(`${engine}: ${ROWS} rows of CSV in ${ofCsv.value.seconds.toFixed(1)} s, ${ofCsv.pages}, ${ofCsv.memory}`)
  await clean()
  const ofXlsx = await beside(testContext, () => importInto(testContext, 'half.xlsx', half))
  console.log(
    `${engine}: 50000 rows of xlsx in ${ofXlsx.value.seconds.toFixed(1)} s, ${ofXlsx.pages}, ${ofXlsx.memory}`,
  )
}

server.child.kill('SIGTERM')
embedded.child.kill('SIGTERM')
await Promise.all([server.child.exited, embedded.child.exited])
await database.close()
await pg.stop()
rmSync(folder, { recursive: true })
