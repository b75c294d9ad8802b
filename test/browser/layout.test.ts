import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { seedDemo } from '../../db/seed'
import { createFirstAdmin } from '../../src/platform/auth/accounts'
import { commandWrite } from '../../src/platform/records/transactions'
import { launchBrowser } from '../support/browser'
import { type Served, serveApp } from '../support/served'

setDefaultTimeout(600_000)

const PASSWORD = 'Saguaro42'
const ALL = 'start_date=2020-01-01&end_date=2027-12-31'
const LISTS = [
  '/transports/active',
  `/transports/completed?${ALL}`,
  '/osl/active',
  `/osl/completed?${ALL}`,
  '/vehicles/registrations',
  '/vehicles/registrations?tab=completed',
  '/titles',
  '/due',
  '/admin/locations',
  '/admin/transport-companies',
  '/admin/vendors',
  '/admin/users',
  '/admin/audit',
  '/budgets',
  '/views',
  '/files/imports',
]
const OTHERS = [
  '/dashboard',
  '/transports/new',
  '/osl/new',
  '/vehicles/registrations/new',
  '/titles/new',
  '/osl/1',
  '/vehicles/lookup',
  '/files/upload',
  '/reports',
  '/scan',
]
const WIDTHS = [640, 920, 1024, 1120, 1200, 1280, 1366, 1440, 1920]
/** Limit of the cumulative layout shift. */
const SHIFT_LIMIT = 0.02

let served: Served
let browser: Browser
let context: BrowserContext
let page: Page

/** Creates records whose texts, codes and amounts are as long as the fields allow. */
async function addLongest(): Promise<void> {
  const post = async (path: string, data: object): Promise<{ id: number }> => {
    const response = await context.request.post(`${served.url}/api${path}`, {
      data,
      headers: { origin: served.url },
    })
    const body = (await response.json()) as { data: { id: number }; message?: string }
    if (response.status() !== 201) throw new Error(`${path}: ${body.message}`)
    return body.data
  }
  const words = (text: string, length: number) => text.repeat(100).slice(0, length)
  const from = await post('/locations', {
    location_name: words('Regional Yard ', 99),
    location_code: 'NE-MARICOPA-YARD-001',
    location_type: 'Hub',
  })
  const to = await post('/locations', {
    location_name: words('W', 100),
    location_code: words('W', 20),
    location_type: 'Vendor',
  })
  const company = await post('/transport-companies', { company_name: words('Transcontinental Haulage ', 99) })
  const vendor = await post('/vendors', { vendor_name: words('Diesel Rebuilders ', 89), vendor_type: 'Repair' })
  for (const [at, unit_number] of ['990001', '990002'].entries()) {
    await post('/transports', {
      unit_number,
      move_date: `2026-03-0${at + 1}`,
      location_out_id: from.id,
      location_in_id: to.id,
      transport_company_id: company.id,
      status: ['Searching For Driver', 'Delivered'][at],
      estimated_arrival_date: '2026-03-04',
      ra_number: 'WWWWWWWW',
      po_number: words('PO-2026-', 50),
      mileage: 1_999_999,
      estimated_cost: 9_999_999.99,
      final_cost: 9_999_999.99,
      notes: words('Call the gate. ', 200),
    })
    const entry = await post('/osl', {
      unit_number,
      osl_date: `2022-01-0${at + 1}`,
      location_id: to.id,
      vendor_id: vendor.id,
      problem: words('Engine out of order ', 200),
      storage_fees_applicable: true,
      storage_fee_daily_rate: 9999.99,
    })
    if (at === 1)
      await context.request.patch(`${served.url}/api/osl/${entry.id}/status`, {
        data: { status: 'Completed' },
        headers: { origin: served.url },
      })
    await post('/registrations', {
      unit_number,
      location_id: to.id,
      plate_number: words('W', 20),
      state_province: 'AZ',
      date_issued: '2025-03-01',
      date_expires: '2026-03-20',
      registration_type: 'Transfer Plate',
      cost: 9_999_999.99,
      vlt: 9_999_999.99,
      received: at === 1,
    })
    await post('/titles', {
      unit_number,
      location_id: to.id,
      dealer_name: words('Truck and Trailer Sales ', 99),
      dealer_contact: words('W', 100),
      submitted_date: '2022-01-01',
      notes: words('Waiting for the bank. ', 200),
    })
  }
}

beforeAll(async () => {
  served = await serveApp(async (db) => {
    await createFirstAdmin(commandWrite(db), PASSWORD)
    await seedDemo(db, '2026-03-14')
  })
  browser = await launchBrowser()
  context = await browser.newContext({ reducedMotion: 'reduce' })
  page = await context.newPage()
  await page.goto(`${served.url}/login`)
  await page.fill('#username', 'admin')
  await page.fill('#password', PASSWORD)
  await page.click('button[type=submit]')
  await page.waitForURL(/dashboard/)
  await addLongest()
})

afterAll(async () => {
  await browser?.close()
  await served?.close()
})

/** Faults in the layout of the page's tables. */
const layoutFaults = () =>
  page.evaluate(() => {
    const faults: string[] = []
    const isOver = (element: Element) => element.scrollWidth > element.clientWidth + 1
    const textOf = (element: Element) => (element.textContent ?? '').trim().slice(0, 40)
    if (isOver(document.documentElement)) faults.push('the page scrolls sideways')
    for (const heading of document.querySelectorAll('main thead th:not(.actions, .pick)')) {
      // Hidden columns have no width. The heading is the shortest useful content of a column.
      if (heading.clientWidth > 0 && isOver(heading)) faults.push(`the column ${textOf(heading)} is too narrow`)
    }
    for (const cell of document.querySelectorAll('main tbody td')) {
      // Skipped, because the size of a closed disclosure includes its hidden content.
      if (cell.clientWidth === 0 || !textOf(cell) || cell.querySelector('details:not([open])')) continue
      const cut = [cell, ...cell.querySelectorAll('*')].filter(
        (part) =>
          part.clientWidth > 0 && isOver(part) && !part.matches('.visually-hidden, .actions, .actions *, option'),
      )
      for (const part of cut) {
        const isFigure = cell.matches('.figure') || part.matches('.code, abbr, time')
        const hasTitle = part.closest('[title]') !== null || part.querySelector('[title]') !== null
        if (isFigure || !hasTitle)
          faults.push(`${isFigure ? 'a figure is cut' : 'a cut text has no title'}: ${textOf(part)}`)
      }
    }
    return [...new Set(faults)]
  })

describe('lists', () => {
  for (const path of LISTS)
    test(`show all columns of ${path} at every desktop width`, async () => {
      const faults: string[] = []
      await page.goto(served.url + path)
      for (const order of path.includes('transports') || path.includes('titles') ? ['', 'q=9900'] : ['']) {
        if (order) await page.goto(`${served.url + path}${path.includes('?') ? '&' : '?'}${order}`)
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 })
          faults.push(...(await layoutFaults()).map((fault) => `${width}: ${fault}`))
        }
      }
      expect(faults).toEqual([])
    })
})

test('added columns are shown at every width, and as lines of the card on phones', async () => {
  const layout = (method: string) =>
    page.request.fetch(`${served.url}/api/lists/transports-active/layout`, {
      method,
      headers: { origin: served.url },
      ...(method === 'PUT' && { data: { hidden: [], added: ['Mileage', 'PO #', 'Notes', 'Entered by'] } }),
    })
  expect((await layout('PUT')).status()).toBe(200)
  const shown = () =>
    page.evaluate(() => ({
      isWide: document.documentElement.scrollWidth > innerWidth,
      narrow: [...document.querySelectorAll('#list thead th')].filter((heading) => heading.clientWidth < 30).length,
      lines: [...document.querySelectorAll('#list tbody tr:first-child .line')].filter(
        (cell) => getComputedStyle(cell).display === 'block',
      ).length,
    }))
  for (const width of [800, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${served.url}/transports/active`)
    expect([width, await shown()]).toEqual([width, { isWide: false, narrow: 0, lines: 0 }])
  }
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await shown()).toMatchObject({ isWide: false, lines: 4 })
  expect((await layout('DELETE')).status()).toBe(200)
})

test.each([320, 390])('no page scrolls sideways and every form has one column at %i pixels', async (width) => {
  await page.setViewportSize({ width, height: 844 })
  const wide: string[] = []
  for (const path of [...LISTS, ...OTHERS]) {
    await page.goto(served.url + path)
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (excess > 0) wide.push(`${path} by ${excess} pixels`)
    const columns = await page.evaluate(() =>
      Math.max(
        1,
        ...[...document.querySelectorAll('main form .fields')].map(
          (fields) => getComputedStyle(fields).gridTemplateColumns.split(' ').length,
        ),
      ),
    )
    if (columns > 1) wide.push(`${path} has ${columns} columns`)
  }
  expect(wide).toEqual([])
})

describe('pages do not move while they load', () => {
  /**
   * True if the page has loaded no script or fragment for half a second.
   * The page counts its requests itself, because the browser driver can miss the end of a request on a busy machine and
   * then wait forever.
   */
  const isSettled = () => {
    const state = globalThis as unknown as { count?: number; since?: number }
    const count = performance.getEntriesByType('resource').length
    if (state.count !== count) Object.assign(state, { count, since: performance.now() })
    return document.readyState === 'complete' && performance.now() - (state.since ?? 0) > 500
  }

  /** Loads the page on a processor four times slower, and returns its layout shifts. */
  async function shiftsOf(path: string): Promise<{ total: number; moved: string[] }> {
    await page.goto(served.url + path)
    await page.waitForFunction(isSettled)
    return page.evaluate(() => (globalThis as unknown as { shifts: { total: number; moved: string[] } }).shifts)
  }

  test.each([1280, 390])('at %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 900 })
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.addInitScript(() => {
      const shifts = { total: 0, moved: [] as string[] }
      Object.assign(globalThis, { shifts })
      type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Element | null }[] }
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as Shift[]) {
          if (entry.hadRecentInput) continue
          shifts.total += entry.value
          shifts.moved.push(...entry.sources.map(({ node }) => `${node?.nodeName}.${node?.className ?? ''}`))
        }
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const faults: string[] = []
    for (const path of [...LISTS, ...OTHERS]) {
      const { total, moved } = await shiftsOf(path)
      if (total >= SHIFT_LIMIT) faults.push(`${path} moves by ${total.toFixed(3)}: ${moved.join(', ')}`)
    }
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    expect(faults).toEqual([])
  })
})
