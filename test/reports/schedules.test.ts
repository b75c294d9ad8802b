import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { nextRun, periodOf } from '../../src/reports/calendar'
import { runDueSchedules, updateSchedule } from '../../src/reports/schedules'
import { NOON, testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const PHOENIX = 'America/Phoenix'
const at = (instant: string) => h.clock.set(new Date(instant))
const run = () => runDueSchedules(h.ctx.db, h.clock)
/** Asks at noon of the first day, for a sign-in does not last until the next run. */
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

test('a rhythm is due at its hour of the business time zone, across its clock changes', () => {
  const weekly = { frequency: 'weekly', weekday: 1, day_of_month: null, hour: 6 } as const
  const monthly = { frequency: 'monthly', weekday: null, day_of_month: 28, hour: 0 } as const
  expect(nextRun(weekly, new Date('2026-03-14T19:00:00Z'), PHOENIX).toISOString()).toBe('2026-03-16T13:00:00.000Z')
  expect(nextRun(weekly, new Date('2026-03-16T13:00:00Z'), PHOENIX).toISOString()).toBe('2026-03-23T13:00:00.000Z')
  expect(nextRun(monthly, new Date('2026-02-28T08:00:00Z'), PHOENIX).toISOString()).toBe('2026-03-28T07:00:00.000Z')
  expect(nextRun({ ...weekly, hour: 2 }, new Date('2026-03-28T12:00:00Z'), 'Europe/Berlin').toISOString()).toBe(
    '2026-03-30T00:00:00.000Z',
  )
})

test('a relative period is that of the day it is asked for', () => {
  expect(periodOf('last week', '2026-03-16')).toEqual({ start_date: '2026-03-09', end_date: '2026-03-15' })
  expect(periodOf('last month', '2026-03-01')).toEqual({ start_date: '2026-02-01', end_date: '2026-02-28' })
  expect(periodOf('last week', '2026-03-15')).toEqual({ start_date: '2026-03-02', end_date: '2026-03-08' })
  expect(periodOf('last 30 days', '2026-03-14')).toEqual({ start_date: '2026-02-12', end_date: '2026-03-14' })
  expect(periodOf('this month', '2026-03-14')).toEqual({ start_date: '2026-03-01', end_date: '2026-03-14' })
})

test('the two first schedules exist and really run: once, also when several look at once or the time was slept through', async () => {
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
  await run() // learns when they are due
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

test('others are made, paused and deleted', async () => {
  const wrong = await h.cast.ben.post('/reports/schedules', {
    name: 'Titles',
    report_type: 'title_aging',
    frequency: 'weekly',
  })
  expect([wrong.status, wrong.body.errors?.[0]?.field]).toEqual([422, 'weekday'])
  const made = await h.cast.ben.post('/reports/schedules', {
    name: 'Titles',
    report_type: 'title_aging',
    frequency: 'weekly',
    weekday: 7,
    hour: 5,
    format: 'csv',
    skip_empty: true,
  })
  expect([made.status, made.body.data]).toMatchObject([
    201,
    { next_run_at: '2026-03-15T12:00:00.000Z', period: 'last month', is_active: true },
  ])
  const { id } = made.body.data as { id: number }
  at('2026-03-15T12:00:00Z')
  await run()
  at('2026-03-14T20:00:00Z')
  await h.cast.ben.put(`/reports/schedules/${id}`, { is_active: false })
  at('2026-03-14T20:00:00Z')
  expect(await runs(id)).toMatchObject([{ row_count: 0, file_name: null, error: null }])
  at('2026-03-22T12:00:00Z')
  expect(await run()).toBeGreaterThanOrEqual(0)
  at('2026-03-14T20:00:00Z')
  expect((await runs(id)).length).toBe(1)
  expect((await h.cast.ben.delete(`/reports/schedules/${id}`)).status).toBe(200)
  expect((await h.cast.ben.get(`/reports/schedules/${id}/runs`)).status).toBe(404)
})

test('the page shows the schedules and makes others', async () => {
  const page = await h.cast.ben.open('/reports')
  expect(page.find('.panel-table h2')).toEqual(['Scheduled Reports', 'Latest runs'])
  expect(page.text).toContain('Weekly, Monday at 6:00')
  expect(page.text).toContain('Monthly, 1st at 6:00')
  const fields = {
    name: 'Storage',
    report_type: 'osl_storage_fees',
    frequency: 'monthly',
    day_of_month: '2',
    hour: '7',
    period: 'last month',
    format: 'csv',
    is_active: 'true',
  }
  expect((await h.cast.ben.submit('/reports/schedules/new', { ...fields, name: '' })).find('.field-error')).toEqual([
    'Name is required',
  ])
  expect((await h.cast.ben.submit('/reports/schedules/new', fields)).toast).toBe('Report scheduled successfully!')
  expect(
    (await h.cast.ben.submit('/reports/schedules/3/edit', { ...fields, is_active: 'false', version: 1 })).toast,
  ).toBe('Schedule updated successfully!')
  expect((await h.cast.ben.open('/reports')).find('tbody .badge')).toEqual(['Active', 'Active', 'Inactive'])
  expect((await h.cast.ben.submit('/reports/schedules/3/delete', {})).toast).toBe('Schedule Storage deleted')
})

test('the files of a schedule wait for its owner on the dashboard', async () => {
  await h.cast.ben.post('/transports', {
    unit_number: '100200',
    location_out_id: 1,
    location_in_id: 2,
    move_date: '2026-03-10',
    transport_company_id: 1,
  })
  await h.cast.ben.post('/reports/schedules', {
    name: 'Mine',
    report_type: 'transport_summary',
    frequency: 'weekly',
    weekday: 7,
    hour: 6,
    period: 'last 30 days',
  })
  await run()
  at('2026-03-15T13:00:00Z')
  await run()
  h.clock.set(NOON)
  const mine = await h.cast.ben.open('/dashboard')
  expect(mine.find('table:has(a[download]) tbody td').filter((_, at) => at % 4 !== 1)).toEqual([
    'Mine',
    '1',
    'transport_summary_2026-02-13_to_2026-03-15.xlsx',
  ])
  expect((await h.cast.ada.open('/dashboard')).text).not.toContain('Your scheduled reports')
})

test('one that fails is told of and waits for its next time, and the others run', async () => {
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

test('one that is saved in the moment that it is due still runs', async () => {
  const [due] = (await h.cast.ada.get('/reports/schedules')).body.data as {
    id: number
    version: number
    name: string
  }[]
  await run()
  at('2026-03-16T13:00:00Z')
  await updateSchedule(
    h.ctx.db,
    { username: 'ada', source: 'screen', address: null, now: h.clock.now() },
    h.clock,
    due!.id,
    undefined,
    { name: 'Renamed' },
  )
  await run()
  expect((await runs(due!.id)).length).toBe(1)
})
