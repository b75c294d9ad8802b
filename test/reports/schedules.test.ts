import { beforeEach, expect, test } from 'bun:test'
import { nextRun, periodOf } from '../../src/features/reports/calendar'
import { runDueSchedules } from '../../src/features/reports/runs'
import { NOON, testContext } from '../support/context'
import type { PageResponse } from '../support/visitor'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const PHOENIX = 'America/Phoenix'
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

test('a user can create 50 schedules', async () => {
  const { ben, ada } = h.cast
  const create = (who: typeof ben) =>
    who.post('/reports/schedules', { name: 'Titles', report_type: 'title_aging', frequency: 'weekly', weekday: 1 })
  for (let count = 0; count < 50; count++) expect((await create(ben)).status).toBe(201)
  const refused = await create(ben)
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'You already have 50 scheduled reports. Delete one before you add another.',
  ])
  expect((await create(ada)).status).toBe(201)
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

test('the schedule form has labels and defaults to weekly, Monday at 6:00, active', async () => {
  const chosen = (page: PageResponse) =>
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
