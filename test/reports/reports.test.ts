import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import ExcelJS from 'exceljs'
import * as XLSX from 'xlsx'
import { seedDemo } from '../../db/seed'
import { meaningOf } from '../../src/features/reports/meanings'
import { REPORT_TYPES } from '../../src/features/reports/types'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>

type Report = {
  columns: { key: string; kind: string; sum?: boolean }[]
  rows: Record<string, string | number | null>[]
  behind: Record<string, string>[]
  totals: Record<string, number>
  chart: unknown
}
type Behind = {
  data: Record<string, string | number | null>[]
  totals: Record<string, number>
  meta: { total: number; page: number; pages: number }
}

beforeAll(async () => {
  h = await testContext()
  await h.ctx.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql`truncate locations, transport_companies restart identity cascade`)
  })
  await seedDemo(h.ctx.db, '2026-03-14')
})

const PERIOD = 'start_date=2025-09-01&end_date=2026-03-14'
const run = async (type: string, query = PERIOD) =>
  (await h.cast.ben.get(`/reports/${type}?${query}`)).body.data as unknown as Report

/** Sums amounts exactly, in cents. */
const cents = (values: (number | string | null)[]) =>
  values.reduce((sum: number, value) => sum + Math.round(Number(value ?? 0) * 100), 0) / 100

describe('the reports', () => {
  test('are listed', async () => {
    const { body } = await h.cast.ben.get('/reports')
    expect((body.data as { type: string }[]).map(({ type }) => type)).toEqual([...REPORT_TYPES])
  })

  for (const type of REPORT_TYPES) {
    test(`${type} has rows, and totals equal to the sums of its columns`, async () => {
      const { columns, rows, totals } = await run(type)
      expect(rows.length).toBeGreaterThan(0)
      for (const { key, sum } of columns)
        if (sum) expect([key, totals[key]]).toEqual([key, cents(rows.map((row) => row[key] ?? 0))])
      const one = await run(type, `${PERIOD}&location_id=1`)
      expect(one.rows.length).toBeLessThanOrEqual(rows.length)
      expect((await run(type, 'start_date=1999-01-01&end_date=1999-01-31')).rows.length).toBe(
        ['vehicle_status', 'title_aging'].includes(type) ? rows.length : 0,
      )
    })
  }

  test('agree with the lists and with each other to the cent', async () => {
    const totals = (await h.cast.ben.get(`/transports/totals?${PERIOD}`)).body.data as unknown as {
      count: number
      total_cost: number
    }[]
    const costs = await run('transport_costs')
    expect([costs.totals.final_cost, costs.totals.count]).toEqual([
      cents(totals.map((row) => row.total_cost)),
      totals.reduce((sum, row) => sum + row.count, 0),
    ])
    expect((await run('transport_summary')).totals.count).toBe(
      (await h.cast.ben.get(`/transports?${PERIOD}&per_page=1`)).body.meta?.total as number,
    )
    expect((await run('vehicle_status')).totals.count).toBe(
      (await h.cast.ben.get('/vehicles?per_page=1')).body.meta?.total as number,
    )
    const monthly = await run('monthly_costs')
    expect((await run('location_costs')).totals).toEqual(monthly.totals)
    expect(monthly.totals.transport_cost).toBe(costs.totals.final_cost as number)
    expect((await run('osl_storage_fees')).totals.storage_fees).toBe(
      (await run('osl_summary')).totals.storage_fees as number,
    )
  })

  for (const type of REPORT_TYPES) {
    test(`${type}: the records behind each figure add up to it`, async () => {
      const { columns, rows, behind, totals } = await run(type)
      const figures = columns.filter(({ kind }) => kind !== 'text' && kind !== 'date')
      const recordsOf = async (keys: Record<string, string>, figure: string, page = 1): Promise<Behind> => {
        const query = new URLSearchParams({
          ...Object.fromEntries(new URLSearchParams(PERIOD)),
          ...keys,
          figure,
          per_page: '500',
          page: String(page),
        })
        const { status, body } = await h.cast.ben.get(`/reports/${type}/records?${query}`)
        expect([String(query), status, body.message]).toEqual([String(query), 200, undefined])
        const found = body as unknown as Behind
        return page < found.meta.pages
          ? { ...found, data: [...found.data, ...(await recordsOf(keys, figure, page + 1)).data] }
          : found
      }
      // Checks all rows of short reports, and some rows of long ones.
      const steps = Math.ceil(rows.length / 12)
      for (const [at, row] of rows.entries()) {
        if (at % steps) continue
        for (const { key, sum } of figures) {
          const found = await recordsOf(behind[at] as Record<string, string>, key)
          const added = found.data.map((record) => record[key] as number)
          expect([key, found.meta.total]).toEqual([key, added.length])
          if (sum) expect([key, cents(added), found.totals[key]]).toEqual([key, row[key] as number, row[key] as number])
          else if (row[key] === null) expect([key, added]).toEqual([key, []])
          // A rate of sums is not the average of the records' rates.
          else if (key !== 'variance_rate')
            expect(Math.abs(added.reduce((a, b) => a + b, 0) / added.length - Number(row[key]))).toBeLessThan(0.51)
        }
      }
      for (const { key, sum } of figures)
        if (sum) expect([key, (await recordsOf({}, key)).totals[key]]).toEqual([key, totals[key]])
    })
  }

  test('list each record behind them once on small pages', async () => {
    const path = `/reports/transport_by_location/records?${PERIOD}&per_page=7`
    const pageOf = async (page: number) => (await h.cast.ben.get(`${path}&page=${page}`)).body as unknown as Behind
    const { pages, total } = (await pageOf(1)).meta
    const found = new Set<string>()
    for (let page = 1; page <= pages; page++)
      for (const { id: _, ...row } of (await pageOf(page)).data) found.add(JSON.stringify(row))
    expect(found.size).toBe(total)
  })

  test('show the records behind a figure on a page, with links and paging', async () => {
    const report = await h.cast.ben.open(`/reports?generate=1&type=transport_costs&${PERIOD}`)
    const [, href = ''] = /<a class="behind" href="([^"]*figure=final_cost)"/.exec(report.html) ?? []
    const page = await h.cast.ben.open(href.replaceAll('&amp;', '&'))
    expect(page.find('h1')).toEqual(['Records behind Transport Costs'])
    expect(page.find('#lead')[0]).toMatch(
      /^09\/01\/2025 to 03\/14\/2026\. 2025-\d\d, \w+, Final cost: \d+ records?, \$[\d,]+\.\d\d in total$/,
    )
    expect(page.html).toMatch(/<a href="\/transports\/\d+\/edit">Transport<\/a>/)
    const two = (await h.cast.ben.get(`/reports/monthly_costs/records?${PERIOD}&per_page=2&page=2`))
      .body as unknown as Behind
    expect([two.data.length, two.meta.page]).toEqual([2, 2])
    for (const [query, status] of [
      ['&figure=horoscope', 422],
      ['&month=%00', 422],
      ['&month=2025-13', 200],
    ])
      expect([query, (await h.cast.ben.get(`/reports/monthly_costs/records?${PERIOD}${query}`)).status]).toEqual([
        query,
        status,
      ])
    expect((await h.cast.ben.open('/reports/records')).status).toBe(422)
  })

  test('are compared with the previous period, in whole months or days', async () => {
    const shown = (await run('monthly_costs', 'start_date=2026-01-01&end_date=2026-02-28')) as Report & {
      previous: { start_date: string; end_date: string; totals: object }
    }
    expect([shown.previous.start_date, shown.previous.end_date]).toEqual(['2025-11-01', '2025-12-31'])
    expect(shown.previous.totals).toEqual(
      (await run('monthly_costs', 'start_date=2025-11-01&end_date=2025-12-31')).totals,
    )
    const days = (await run('transport_summary', 'start_date=2026-03-08&end_date=2026-03-14')) as typeof shown
    expect([days.previous.start_date, days.previous.end_date]).toEqual(['2026-03-01', '2026-03-07'])
    expect(((await run('vehicle_status')) as unknown as { previous: null }).previous).toBe(null)
  })

  test('define each of their figures', async () => {
    for (const type of REPORT_TYPES) {
      const { columns } = await run(type)
      for (const { key, kind } of columns)
        if (!['text', 'date'].includes(kind))
          expect([type, key, meaningOf(type, key) !== undefined]).toEqual([type, key, true])
    }
    const page = await h.cast.ben.open('/reports/definitions')
    expect(page.find('section h2').length).toBe(REPORT_TYPES.length + 1)
    expect(page.text).toContain(
      'On-time arrivals as a percentage of the transports that have both an actual and an estimated arrival date.',
    )
  })

  test('export CSV with the same rows, and a workbook with real numbers and dates', async () => {
    const report = await run('osl_storage_fees')
    const csv = (await h.cast.ben.get(`/reports/osl_storage_fees?${PERIOD}&format=csv`)) as unknown as {
      body: { text: string }
      headers: Headers
    }
    expect(csv.headers.get('content-disposition')).toContain('osl_storage_fees_2025-09-01_to_2026-03-14.csv')
    const csvLines = csv.body.text.trim().split('\r\n')
    expect(csvLines.length).toBe(report.rows.length + 2)
    expect(csvLines.at(-1)).toStartWith('Total,')
    expect(csvLines.at(-1)).toContain(report.totals.storage_fees?.toFixed(2) as string)
    const response = await h.cast.ben.request(`/api/reports/osl_storage_fees?${PERIOD}&format=xlsx`, {
      headers: { authorization: `Bearer ${await h.cast.ben.token()}` },
    })
    const sheet = XLSX.read(await response.arrayBuffer(), { type: 'array', cellNF: true }).Sheets
      .Yardmaster as XLSX.WorkSheet
    expect([sheet.C2.t, XLSX.SSF.is_date(sheet.C2.z), sheet.G2.t, sheet.G2.v]).toEqual([
      'n',
      true,
      'n',
      report.rows[0]?.storage_fees as number,
    ])
  })

  test('require both dates in order and an existing type', async () => {
    for (const [query, message] of [
      ['', 'Please select date range'],
      ['start_date=2026-01-01', 'Please select date range'],
      ['start_date=2026-02-01&end_date=2026-01-01', 'The end date is before the start date'],
    ]) {
      const { status, body } = await h.cast.ben.get(`/reports/title_aging?${query}`)
      expect([status, body.message]).toEqual([422, message as string])
    }
    expect((await h.cast.ben.get(`/reports/horoscope?${PERIOD}`)).status).toBe(404)
  })
})

test('the page generates a report at a shareable address and reports missing input', async () => {
  const first = await h.cast.ben.open('/reports')
  expect([first.find('[role=alert]'), first.find('.toast')]).toEqual([[], []])
  expect(first.find('select[name=type] option').length).toBe(REPORT_TYPES.length + 1)
  expect(first.html).toContain('data-busy="Generating Report..."')
  expect((await h.cast.ben.open('/reports?generate=1')).find('[role=alert]')).toEqual(['Please select a report type'])
  expect((await h.cast.ben.open('/reports?generate=1&type=title_aging')).find('[role=alert]')).toEqual([
    'Please select date range',
  ])
  const page = await h.cast.ben.open(`/reports?generate=1&type=monthly_costs&${PERIOD}`)
  expect(page.find('.toast')).toEqual(['Report generated successfully!'])
  expect(page.find('#report h2')).toEqual(['Monthly Costs'])
  expect(page.find('#report tfoot td')[0]).toBe('Total')
  const months = page.find('#report tbody tr').length
  expect([page.find('.chart').length, page.find('.chart svg').length]).toEqual([1, months])
  expect(
    (await h.cast.ben.open('/reports?generate=1&type=monthly_costs&start_date=1999-01-01&end_date=1999-01-02')).text,
  ).toContain('Nothing to show for these dates')
})

test('quick exports contain every row of their list and import again as duplicates', async () => {
  for (const [name, list, dataType] of [
    ['transports-active', '/transports/active', 'transports'],
    ['osl-active', '/osl/active', 'osl'],
    ['registrations-pending', '/registrations/pending', 'registrations'],
    ['titles-pending', '/titles/pending', 'titles'],
  ]) {
    const total = (await h.cast.ben.get(`${list}?per_page=1`)).body.meta?.total as number
    const { body } = await h.cast.ben.get(`/exports/${name}?format=csv`)
    expect([name, String(body.text).trim().split('\r\n').length]).toEqual([name, total + 1])
    const again = await h.cast.ben.upload(dataType as string, `${name}.csv`, String(body.text))
    expect([name, again.body.imported, again.body.failed, again.body.duplicates]).toEqual([name, 0, 0, total])
  }
  expect((await h.cast.ben.get('/exports/passwords')).status).toBe(404)
})

test('lists export as filtered and sorted, and the titles page links to its file', async () => {
  const lines = async (query: string) =>
    String((await h.cast.ben.get(`/exports/${query}`)).body.text)
      .trim()
      .split('\r\n')
  for (const [name, list, filters] of [
    ['transports-all', '/transports', 'move_type=TA&sort=unit_number&order=asc'],
    ['transports-completed', '/transports/completed', `${PERIOD}&q=1`],
    ['osl-completed', '/osl/completed', PERIOD],
    ['registrations-completed', '/registrations/completed', 'sort=plate_number'],
    ['registrations-expiring', '/registrations/expiring', 'days=90'],
    ['registrations-overdue', '/registrations/overdue', 'sort=unit_number'],
    ['titles-transferred', '/titles/transferred', 'sort=dealer_name&order=desc'],
    ['titles-overdue', '/titles/overdue', 'days=20&sort=days_pending'],
  ]) {
    const shown = await h.cast.ben.get(`${list}?${filters}&per_page=500`)
    const rows = shown.body.data as { unit_number: string }[]
    expect(rows.length).toBeGreaterThan(0)
    const units = (await lines(`${name}?${filters}&format=csv`)).slice(1).map((line) => line.split(',')[0])
    expect([name, units.length, units.slice(0, rows.length)]).toEqual([
      name,
      shown.body.meta?.total as number,
      rows.map((row) => row.unit_number),
    ])
  }
  expect((await lines('titles-transferred?format=csv'))[0]).toBe(
    'unit_number,location,dealer_name,dealer_contact,days_pending,stage,notes,submitted_date,external_id,received_on,' +
      'transferred_date',
  )
  expect((await lines('osl-completed?start_date=2026-03-01&end_date=2026-03-01&format=csv'))[0]).toBe(
    [
      'unit_number,osl_date,location,problem,ra_number,osl_mileage,key_location,contact_phone,fuel_level',
      'storage_fee_daily_rate,notes,external_id,status,po_number,storage_grace_days,expected_return,next_action',
      'vendor,ta_log_number,contact_email,generator_hours,propane_level',
      'exchange_location,non_rev_number,fleet_registration_mailed,model_year,days_out_of_service,storage_fees_total',
      'waiting_on,owner,next_action_on,completed_on',
    ].join(','),
  )
  expect((await h.cast.ben.get('/exports/osl-completed?format=csv')).body.message).toBe(
    'Please select both start and end dates',
  )
  const page = await h.cast.ben.open('/titles?tab=transferred&sort=dealer_name')
  expect(page.html).toMatch(/href="\/api\/exports\/titles-transferred\?[^"]*sort=dealer_name[^"]*format=xlsx"/)
})

test('an exported workbook has a frozen header row with filters', async () => {
  const response = await h.cast.ben.request('/api/exports/transports-active?format=xlsx', {
    headers: { authorization: `Bearer ${await h.cast.ben.token()}` },
  })
  const parts = XLSX.CFB.read(new Uint8Array(await response.arrayBuffer()), { type: 'array' as never })
  const sheet = new TextDecoder().decode(new Uint8Array(XLSX.CFB.find(parts, 'sheet1.xml')?.content as Uint8Array))
  expect(sheet).toContain('state="frozen"')
  expect(sheet).toMatch(/<autoFilter ref="A1:Q\d+"\/>/)
})

test('another library reads an exported workbook with the same cells and unchanged text', async () => {
  const odd = ['=1+1', '+1 602 555 0100', '-', '@home', "'quoted", 'a < b & "c"', 'Zoë 🚚']
  for (const [n, dealer_name] of odd.entries()) {
    const made = await h.cast.ben.post('/titles', {
      unit_number: String(700_000 + n),
      submitted_date: '2026-03-02',
      location_id: 1,
      dealer_name,
    })
    expect(made.status).toBe(201)
  }
  const response = await h.cast.ben.request('/api/exports/titles-pending?format=xlsx&sort=unit_number&order=desc', {
    headers: { authorization: `Bearer ${await h.cast.ben.token()}` },
  })
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(await response.arrayBuffer())
  const sheet = book.worksheets[0] as ExcelJS.Worksheet
  const headings = (sheet.getRow(1).values as string[]).slice(1)
  const stored = (await h.cast.ben.get('/titles/pending?sort=unit_number&order=desc&per_page=500')).body
    .data as unknown as Record<string, string | null>[]
  expect(stored.length).toBeGreaterThan(odd.length)
  expect(sheet.actualRowCount).toBe(stored.length + 1)
  const cell = (n: number, heading: string) => sheet.getRow(n + 2).getCell(headings.indexOf(heading) + 1).value
  for (const [n, { unit_number, dealer_name, submitted_date }] of stored.entries()) {
    expect([cell(n, 'unit_number'), cell(n, 'dealer_name'), cell(n, 'submitted_date')]).toEqual([
      unit_number as string,
      dealer_name ?? null,
      new Date(`${submitted_date}T00:00:00Z`),
    ])
  }
})
