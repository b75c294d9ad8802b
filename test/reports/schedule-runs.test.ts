import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { databaseError } from '../../db/client'
import { reportRuns } from '../../db/schema'
import { runDueSchedules } from '../../src/features/reports/runs'
import { updateSchedule } from '../../src/features/reports/schedules'
import { scheduleWrite } from '../../src/platform/records/transactions'
import { NOON, testContext } from '../support/context'
import type { PageResponse } from '../support/visitor'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const at = (instant: string) => h.clock.set(new Date(instant))
const run = () => runDueSchedules(h.ctx.db, h.clock)
/** Returns the runs of a schedule. Sets the clock back to noon, because the session has ended since. */
const runs = async (id: number) => {
  h.clock.set(NOON)
  return (await h.cast.ben.get(`/reports/schedules/${id}/runs`)).body.data as unknown as {
    id: number
    start_date: string
    end_date: string
    file_name: string | null
    row_count: number
    error: string | null
  }[]
}

test('the two initial schedules run once, even when runners overlap or run late', async () => {
  const list = await h.cast.ben.get('/reports/schedules')
  expect(
    (list.body.data as { name: string; is_active: boolean }[]).map(({ name, is_active }) => [name, is_active]),
  ).toEqual([
    ['Weekly transport summary', true],
    ['Monthly cost analysis', true],
  ])
  await h.cast.ben.post('/transports', {
    unit_number: '100200',
    location_out_id: 1,
    location_in_id: 2,
    move_date: '2026-03-10',
    transport_company_id: 1,
  })
  await run() // stores when the schedules are due
  expect(await runs(1)).toEqual([])
  at('2026-03-16T12:59:00Z')
  await run()
  expect(await runs(1)).toEqual([])
  at('2026-03-18T09:00:00Z') // two days late
  await Promise.all([run(), run(), run()])
  expect(await runs(1)).toMatchObject([
    {
      start_date: '2026-03-09',
      end_date: '2026-03-15',
      row_count: 1,
      error: null,
      file_name: 'transport_summary_2026-03-09_to_2026-03-15.xlsx',
    },
  ])
  const [first] = await runs(1)
  const file = await h.cast.ben.request(`/api/reports/runs/${first?.id}/file`, {
    headers: { authorization: `Bearer ${await h.cast.ben.token()}` },
  })
  expect([
    file.status,
    file.headers.get('content-type')?.includes('spreadsheet'),
    (await file.arrayBuffer()).byteLength > 1000,
  ]).toEqual([200, true, true])
})

test('a failed run is reported and not repeated, and other schedules still run', async () => {
  const { db } = h.ctx
  const schedule = async (name: string, report_type: string) =>
    (
      (
        await h.cast.ada.post('/reports/schedules', {
          name,
          report_type,
          frequency: 'weekly',
          weekday: 1,
          hour: 6,
          period: 'last week',
          format: 'csv',
        })
      ).body.data as { id: number }
    ).id
  const [fails, works] = [await schedule('Fails', 'osl_summary'), await schedule('Works', 'transport_summary')]
  await run()
  at('2026-03-16T13:00:00Z')
  await db.execute(sql`alter table osl_entries rename to osl_hidden`)
  try {
    await run()
  } finally {
    await db.execute(sql`alter table osl_hidden rename to osl_entries`)
  }
  expect(await run()).toBe(0)
  expect(await runs(fails)).toMatchObject([{ file_name: null, error: 'relation "osl_entries" does not exist' }])
  expect(await runs(works)).toMatchObject([{ error: null }])
})

describe('a report cancelled by the database', () => {
  const weekly = { frequency: 'weekly', weekday: 1, hour: 6, period: 'last week', format: 'csv' }
  const schedule = async (report_type: string) =>
    (
      (await h.cast.ada.post('/reports/schedules', { name: 'Some', report_type, ...weekly })).body.data as {
        id: number
      }
    ).id
  /** Makes reads of OSL entries fail with an SQLSTATE code while `work` runs. */
  async function failing<T>(code: string, work: () => Promise<T>): Promise<T> {
    const { db } = h.ctx
    await db.execute(sql`alter table osl_entries rename to osl_hidden`)
    await db.execute(sql`create function dawdle() returns setof osl_hidden language plpgsql as
      ${sql.raw(`$$ begin raise exception 'gave up' using errcode = '${code}'; end $$`)}`)
    await db.execute(sql`create view osl_entries as select * from dawdle()`)
    try {
      return await work()
    } finally {
      await db.execute(sql`drop view osl_entries`)
      await db.execute(sql`drop function dawdle`)
      await db.execute(sql`alter table osl_hidden rename to osl_entries`)
    }
  }

  test('reports a timeout, and other reports still run', async () => {
    const [slow, works] = [await schedule('osl_summary'), await schedule('title_aging')]
    at('2026-03-16T13:00:00Z')
    await failing('57014', run)
    expect(await runs(slow)).toMatchObject([{ file_name: null, error: 'The report took too long' }])
    expect(await runs(works)).toMatchObject([{ error: null }])
  })

  test('runs later, without an error, if no connection was free', async () => {
    const later = await schedule('osl_summary')
    at('2026-03-16T13:00:00Z')
    expect(await failing('53300', () => run().catch((error) => databaseError(error)?.code))).toBe('53300')
    expect(await runs(later)).toEqual([])
    at('2026-03-16T13:01:00Z')
    await run()
    expect(await runs(later)).toMatchObject([{ error: null, due_at: '2026-03-16T13:00:00.000Z' }])
  })
})

test('a schedule saved at the moment it is due still runs', async () => {
  const [due] = (await h.cast.ada.get('/reports/schedules')).body.data as {
    id: number
    version: number
    name: string
  }[]
  await run()
  at('2026-03-16T13:00:00Z')
  await updateSchedule(scheduleWrite(h.ctx.db, h.clock), due!.id, undefined, { name: 'Renamed' })
  await run()
  expect((await runs(due!.id)).length).toBe(1)
})

test('schedules that are due together run in the order of their ids', async () => {
  await run()
  at('2026-06-01T13:00:00Z')
  expect(await run()).toBe(2)
  const ran = await h.ctx.db.select({ schedule: reportRuns.schedule_id }).from(reportRuns).orderBy(reportRuns.id)
  expect(ran).toEqual([{ schedule: 1 }, { schedule: 2 }])
})

test('empty reports are not filed or mailed if the schedule skips them', async () => {
  await h.cast.ben.post('/vehicles', { unit_number: '100200', current_status: 'Available' })
  const schedule = async (report_type: string, more: object) =>
    (
      (
        await h.cast.ben.post('/reports/schedules', {
          name: 'Some',
          report_type,
          frequency: 'weekly',
          weekday: 1,
          format: 'csv',
          ...more,
        })
      ).body.data as { id: number }
    ).id
  const mail_to = 'dana@example.com'
  const ids = [
    await schedule('title_aging', { skip_empty: true, mail_to }),
    await schedule('vehicle_status', { skip_empty: true, mail_to }),
    await schedule('title_aging', { mail_to }),
    await schedule('vehicle_status', {}),
  ]
  at('2026-03-16T13:00:00Z')
  await run()
  const made = []
  for (const id of ids) made.push((await runs(id))[0])
  const name = (type: string) => `${type}_2026-02-01_to_2026-02-28.csv`
  const next_mail_at = '2026-03-16T13:00:00.000Z'
  expect(made).toMatchObject([
    { row_count: 0, file_name: null, mail_to: null, next_mail_at: null },
    { row_count: 1, file_name: name('vehicle_status'), mail_to, next_mail_at },
    { row_count: 0, file_name: name('title_aging'), mail_to, next_mail_at },
    { row_count: 1, file_name: name('vehicle_status'), mail_to: null, next_mail_at: null },
  ])
  const file = async (id?: number) => (await h.cast.ben.get(`/reports/runs/${id}/file`)).status
  expect([await file(made[0]?.id), await file(made[1]?.id), await file(999)]).toEqual([404, 200, 404])
})

describe('the list of runs', () => {
  const day = { start_date: '2026-03-01', end_date: '2026-03-07', due_at: NOON }
  const ranAt = (ms: number) => new Date(NOON.getTime() - ms)
  const keep = (schedule_id: number, more: object[]) =>
    h.ctx.db.insert(reportRuns).values(more.map((one) => ({ ...day, schedule_id, ran_at: NOON, ...one })))
  const files = ({ html }: PageResponse) => [...new Set(html.match(/\w+\.csv/g))]

  test('shows 20 runs per schedule, 10 on the page and 5 on the dashboard', async () => {
    await h.cast.ben.post('/reports/schedules', {
      name: 'Mine',
      report_type: 'title_aging',
      frequency: 'weekly',
      weekday: 1,
    })
    const content = new Uint8Array([1])
    await keep(
      3,
      Array.from({ length: 21 }, (_, n) => ({ file_name: `run${n + 1}.csv`, content })),
    )
    const names = Array.from({ length: 20 }, (_, n) => `run${21 - n}.csv`)
    expect((await runs(3)).map(({ file_name }) => file_name)).toEqual(names)
    expect(files(await h.cast.ben.open('/reports'))).toEqual(names.slice(0, 10))
    expect(files(await h.cast.ben.open('/dashboard'))).toEqual(names.slice(0, 5))
    expect(files(await h.cast.ada.open('/dashboard'))).toEqual([])
  })

  test('shows eight days on the dashboard, and built-in schedules to administrators only', async () => {
    const week = 8 * 86_400_000
    await keep(1, [
      { file_name: 'stale.csv', content: new Uint8Array([1]), ran_at: ranAt(week + 1) },
      { file_name: 'fresh.csv', content: new Uint8Array([1]), ran_at: ranAt(week) },
      { file_name: 'lost.csv' },
      { error: 'The database was away' },
      {},
    ])
    const dashboard = await h.cast.ada.open('/dashboard')
    expect(files(dashboard)).toEqual(['lost.csv', 'fresh.csv'])
    expect(dashboard.text).toContain('The database was away')
    expect(dashboard.find('table:has(a[download]) tbody tr').length).toBe(3)
    expect(files(await h.cast.ben.open('/dashboard'))).toEqual([])
    expect((await h.cast.ben.get('/reports/runs/3/file')).status).toBe(404)
  })
})
