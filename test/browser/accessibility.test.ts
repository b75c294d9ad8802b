import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { seedDemo } from '../../db/seed'
import { createFirstAdmin } from '../../src/platform/auth/accounts'
import { commandWrite } from '../../src/platform/records/transactions'
import { launchBrowser } from '../support/browser'
import { type Served, serveApp } from '../support/served'

setDefaultTimeout(600_000)

const AXE = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')
/** WCAG 2.2, levels A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const YEAR = 'start_date=2026-01-01&end_date=2026-12-31'
const PAGES = [
  '/dashboard',
  '/profile',
  '/profile/access',
  '/admin/locations',
  '/admin/locations/1/edit',
  '/admin/transport-companies',
  '/admin/vendors',
  '/admin/users',
  '/admin/users/new',
  '/admin/users/1/reset-password',
  '/admin/audit',
  '/admin/settings',
  '/transports/active',
  '/transports/active?q=nothing+like+it',
  '/transports/new',
  '/transports/1/order',
  '/admin/locations/2/merge',
  '/transports/completed',
  '/transports/1/edit',
  '/transports/1/delete',
  '/osl/active',
  '/osl/new',
  '/osl/completed',
  '/osl/1',
  '/vehicles/lookup',
  '/vehicles/registrations',
  '/vehicles/registrations/new',
  '/titles',
  '/due',
  '/due?snoozed=true',
  '/due/transport_late/1/snooze',
  '/due/transport_late/1/assign',
  '/scan',
  '/lists/transports-active/columns',
  '/files/paste?data_type=osl',
  '/files/grid?data_type=osl',
  '/lists/transports-active/filter?location_id=1&start_date=2026-11-01',
  '/views',
  '/views/new?list=titles&query=',
  '/vehicles/many',
  '/vendors/1',
  '/vendors/1/statement?start_date=2026-01-01&end_date=2026-03-31',
  '/vendors/1/invoices/new',
  '/transport-companies/1',
  '/locations/1',
  '/locations/1/budget',
  '/budgets',
  '/transport-companies/1/invoices/new',
  '/search?find=10',
  '/titles/1',
  '/files/upload',
  '/files/imports',
  '/files/remembered',
  '/reports',
  `/reports?generate=1&type=monthly_costs&${YEAR}`,
  `/reports/records?type=transport_summary&${YEAR}`,
  '/reports/definitions',
  '/reports/schedules/new',
  '/nowhere',
]

let testContext: Served
let browser: Browser

beforeAll(async () => {
  testContext = await serveApp(async (db) => {
    await createFirstAdmin(commandWrite(db), 'Saguaro42')
    await seedDemo(db, '2026-03-14')
  })
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await testContext?.close()
})

/** Returns the accessibility violations that axe finds on the page. */
async function hurdles(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  const { violations } = (await page.evaluate(
    (rules) =>
      (globalThis as unknown as { axe: { run(what: unknown, how: unknown): Promise<unknown> } }).axe.run(document, {
        runOnly: rules,
      }),
    RULES,
  )) as AxeResults
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${page.url()} ${id}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}

/** Each page is checked in both appearances, without loading it again. */
const APPEARANCES = [
  { width: 1280, colorScheme: 'light' },
  { width: 800, colorScheme: 'dark' },
] as const

async function hurdlesInAll(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const { width, colorScheme } of APPEARANCES) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    found.push(...(await hurdles(page)).map((text) => `${width} ${colorScheme} ${text}`))
  }
  return found
}

test('every page meets WCAG 2.2 AA at 1280 and 800 pixels wide, in light and dark mode', async () => {
  // Reduced motion, because a message that is still fading in does not have its final colours.
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(`${testContext.url}/login`)
  const found = await hurdlesInAll(page)
  await page.fill('#username', 'admin')
  await page.fill('#password', 'Saguaro42')
  await page.click('button[type=submit]')
  await page.waitForURL(/dashboard/)
  for (const path of PAGES) {
    await page.goto(testContext.url + path)
    found.push(...(await hurdlesInAll(page)))
  }
  await page.goto(`${testContext.url}/admin/vendors`)
  await page.waitForSelector('yard-island[name=modal][data-ready]', { state: 'attached' })
  await page.locator('main a.button-primary').click()
  await page.locator('dialog[open] form.form').waitFor()
  found.push(...(await hurdlesInAll(page)))
  await page.locator('dialog[open] button[type=submit]').first().click()
  await page.locator('dialog[open] .error-summary').waitFor()
  found.push(...(await hurdlesInAll(page)))
  expect(found).toEqual([])
  await context.close()
})
