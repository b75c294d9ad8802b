import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { databaseError } from '../../db/client'
import { reportRuns } from '../../db/schema'
import { nextRun, periodOf } from '../../src/features/reports/calendar'
import { runDueSchedules } from '../../src/features/reports/runs'
import { updateSchedule } from '../../src/features/reports/schedules'
import { scheduleWrite } from '../../src/platform/records/transactions'
import { NOON, testContext } from '../support/context'
import type { Seen } from '../support/visitor'

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

test('a schedule runs at its hour in the business time zone, across clock changes', () => {
  const weekly = { frequency: 'weekly', weekday: 1, day_of_month: null, hour: 6 } as const
  const monthly = { frequency: 'monthly', weekday: null, day_of_month: 28, hour: 0 } as const
  expect(nextRun(weekly, new Date('2026-03-14T19:00:00Z'), PHOENIX).toISOString()).toBe('2026-03-16T13:00:00.000Z')
  expect(nextRun(weekly, new Date('2026-03-16T13:00:00Z'), PHOENIX).toISOString()).toBe('2026-03-23T13:00:00.000Z')
  expect(nextRun(monthly, new Date('2026-02-28T08:00:00Z'), PHOENIX).toISOString()).toBe('2026-03-28T07:00:00.000Z')
  expect(nextRun({ ...weekly, hour: 2 }, new Date('2026-03-28T12:00:00Z'), 'Europe/Berlin').toISOString()).toBe(
    '2026-03-30T00:00:00.000Z',
  )
})

test('a schedule without a day runs on the first day of the week or month', () => {
  const none = { weekday: null, day_of_month: null, hour: 6 } as const
  const now = new Date('2026-03-14T19:00:00Z')
  expect(nextRun({ frequency: 'weekly', ...none }, now, PHOENIX).toISOString()).toBe('2026-03-16T13:00:00.000Z')
  expect(nextRun({ frequency: 'monthly', ...none }, now, PHOENIX).toISOString()).toBe('2026-04-01T13:00:00.000Z')
})

test('a relative period is computed from the day of the run', () => {
  expect(periodOf('last week', '2026-03-16')).toEqual({ start_date: '2026-03-09', end_date: '2026-03-15' })
  expect(periodOf('last month', '2026-03-01')).toEqual({ start_date: '2026-02-01', end_date: '2026-02-28' })
  expect(periodOf('last week', '2026-03-15')).toEqual({ start_date: '2026-03-02', end_date: '2026-03-08' })
  expect(periodOf('last 30 days', '2026-03-14')).toEqual({ start_date: '2026-02-12', end_date: '2026-03-14' })
  expect(periodOf('this month', '2026-03-14')).toEqual({ start_date: '2026-03-01', end_date: '2026-03-14' })
})

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

test('schedules can be created, paused and deleted', async () => {
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

test('the page shows, creates, edits and deletes schedules', async () => {
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

test('the files of a schedule appear on the dashboard of its owner', async () => {
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
  /** Whoever reads OSL entries meanwhile is told this. */
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

test('schedule fields are validated at their limits, and omitted fields get defaults', async () => {
  const send = async (more: object) => {
    const { status, body } = await h.cast.ben.post('/reports/schedules', {
      name: 'Titles',
      report_type: 'title_aging',
      frequency: 'weekly',
      weekday: 7,
      ...more,
    })
    return body.errors?.[0] ? `${body.errors[0].field}: ${body.errors[0].message}` : status
  }
  const many = (count: number) => Array.from({ length: count }, (_, n) => `a${n}@example.com`).join(', ')
  const long = (count: number) => `${'a'.repeat(64)}@${'b'.repeat(count - 69)}.com`
  const lengthy = (count: number) => [...Array.from({ length: 4 }, () => long(100)), long(count - 408)].join(',')
  for (const [more, answer] of [
    [{ name: 'x'.repeat(100) }, 201],
    [{ name: 'x'.repeat(101) }, 'name: At most 100 characters'],
    [{ weekday: 8 }, 'weekday: Is too large'],
    [{ weekday: 0 }, 'weekday: Choose a day of the week, from 1 (Monday) to 7 (Sunday)'],
    [{ weekday: null, day_of_month: 1 }, 'weekday: Choose a day of the week, from 1 (Monday) to 7 (Sunday)'],
    [{ frequency: 'monthly', weekday: null, day_of_month: 28 }, 201],
    [{ frequency: 'monthly', weekday: null, day_of_month: 29 }, 'day_of_month: Is too large'],
    [{ frequency: 'monthly', weekday: 1 }, 'day_of_month: Choose a day of the month, 1 to 28'],
    [{ hour: 0 }, 201],
    [{ hour: '' }, 201],
    [{ hour: null }, 201],
    [{ hour: 23 }, 201],
    [{ hour: -1 }, 'hour: Must be from 0 to 23'],
    [{ hour: 24 }, 'hour: Must be from 0 to 23'],
    [{ mail_to: many(10) }, 201],
    [{ mail_to: many(11) }, 'mail_to: At most 10 addresses'],
    [{ mail_to: long(100) }, 201],
    [{ mail_to: long(101) }, 'mail_to: Must be e-mail addresses, separated by commas'],
    [{ mail_to: `${long(100)}, nobody` }, 'mail_to: Must be e-mail addresses, separated by commas'],
    [{ mail_to: lengthy(500) }, 201],
    [{ mail_to: lengthy(501) }, 'mail_to: At most 500 characters'],
    [{ mail_to: 7 }, 'mail_to: Must be e-mail addresses, separated by commas'],
  ] as const)
    expect([more, await send(more)]).toEqual([more, answer])
  const list = (await h.cast.ben.get('/reports/schedules')).body.data as unknown as Record<string, unknown>[]
  expect(list.map(({ id }) => id)).toEqual(Array.from({ length: list.length }, (_, at) => at + 1))
  expect(list.slice(2).map(({ hour }) => hour)).toEqual([6, 6, 0, 6, 6, 23, 6, 6, 6])
  expect(list.at(-1)).toMatchObject({ period: 'last month', format: 'xlsx', skip_empty: false, is_active: true })
})

test('changing the time reschedules the next run, and renaming does not', async () => {
  const due = async (change: object) =>
    ((await h.cast.ben.put('/reports/schedules/1', change)).body.data as { next_run_at: string | null }).next_run_at
  await run()
  expect(await due({ name: 'Renamed' })).toBe('2026-03-16T13:00:00.000Z')
  expect(await due({ hour: 7 })).toBe('2026-03-16T14:00:00.000Z')
  expect(await due({ weekday: 3 })).toBe('2026-03-18T14:00:00.000Z')
  at('2026-03-18T14:00:00Z')
  await run()
  h.clock.set(NOON)
  expect(await due({ frequency: 'monthly', day_of_month: 14 })).toBe('2026-04-14T14:00:00.000Z')
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
  const files = ({ html }: Seen) => [...new Set(html.match(/\w+\.csv/g))]

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

test('the schedule form has labels and defaults to weekly, Monday at 6:00, active', async () => {
  const chosen = (page: Seen) =>
    ['frequency', 'weekday', 'hour', 'period', 'format'].map(
      (name) => page.find(`select[name=${name}] option[selected]`)[0],
    )
  const made = await h.cast.ben.open('/reports/schedules/new')
  expect(made.find('h1')).toEqual(['Schedule New Report'])
  expect(chosen(made)).toEqual(['Weekly', 'Monday', '6:00 AM', 'Last week', 'Excel'])
  expect(made.find('input[name=is_active][checked]').length).toBe(1)
  expect(made.text).toContain('Mail is not set up on this server')
  const edited = await h.cast.ben.open('/reports/schedules/1/edit')
  expect([edited.find('h1'), edited.find('form button[type=submit]').includes('Save changes')]).toEqual([
    ['Edit schedule'],
    true,
  ])
  expect((await h.cast.ben.open('/reports')).html).toContain(
    '&quot;ofToday&quot;:[&quot;vehicle_status&quot;,&quot;title_aging&quot;]',
  )
  expect((await h.cast.ben.open('/reports?type=title_aging&period=usual')).status).toBe(200)
  expect((await h.cast.ben.open('/reports?type=title_aging&period=usual')).find('#report h2')).toEqual(['Title Aging'])
})
