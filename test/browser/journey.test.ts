import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createFirstAdmin } from '../../src/platform/auth/accounts'
import { commandWrite } from '../../src/platform/records/transactions'
import { type BrowserKind, launchBrowser } from '../support/browser'
import { type Served, serveApp } from '../support/served'

setDefaultTimeout(600_000)

/** The oldest supported browser and a current one. */
const BROWSERS: { kind: BrowserKind; version: RegExp }[] = [
  { kind: 'current', version: /^1[3-9]\d\./ },
  { kind: 'oldest', version: /^109\./ },
]

let testContext: Served
let url: string

beforeAll(async () => {
  testContext = await serveApp((db) => createFirstAdmin(commandWrite(db), 'Saguaro42'))
  url = testContext.url
})

afterAll(() => testContext?.close())

/** Opens a page. `complaints` collects errors, warnings and requests to other hosts. */
async function newPage(
  browser: Browser,
  javaScriptEnabled: boolean,
): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
  const context = await browser.newContext({
    javaScriptEnabled,
    viewport: { width: 1280, height: 800 },
    acceptDownloads: true,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on(
    'request',
    (request) =>
      !request.url().startsWith(url) &&
      !request.url().startsWith('data:') &&
      complaints.push(`asked elsewhere: ${request.url()}`),
  )
  return { page, context, complaints }
}

const CSV = (unit: string, name: string) => ({
  name: 'moves.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    `Unit Number,Location Out,Location In,Move Date,Transport Company,Status,Final Cost\r\n` +
      `${unit},${name},${name},2026-03-01,${name} Haul,In Transit,"$1,250.50"\r\n`,
  ),
})

for (const { kind, version } of BROWSERS) {
  describe(`the ${kind} browser`, () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await launchBrowser(kind)
    })
    afterAll(() => browser?.close())

    test('has the expected version', () => {
      expect(browser.version()).toMatch(version)
    })

    for (const withScript of [true, false]) {
      test(`supports a clerk's workday with JavaScript ${withScript ? 'on' : 'off'}`, async () => {
        const { page, context, complaints } = await newPage(browser, withScript)
        const unit = `${kind === 'current' ? 3 : 4}${withScript ? 1 : 2}0001`
        const name = `Yard ${unit}`

        // Without a session, a page leads to the login screen, and sign-in leads back.
        await page.goto(`${url}/admin/locations`)
        expect(page.url()).toContain('/login?next=')
        await page.fill('#username', 'admin')
        await page.fill('#password', 'Saguaro42')
        await page.click('button:has-text("Login")')
        await page.waitForURL('**/admin/locations')

        // An administrator adds a location, in a dialog or on a page, and a transport company.
        if (withScript) await page.waitForSelector('yard-island[name=modal][data-ready]', { state: 'attached' })
        await page.click('text=Add location')
        const form = withScript ? page.locator('dialog form.form') : page.locator('form.form')
        await form.locator('#location_code').fill(unit)
        await form.locator('button[type=submit]').click()
        await page.waitForSelector('.field-error:has-text("Location name is required")')
        expect(await form.locator('#location_code').inputValue()).toBe(unit)
        await form.locator('#location_name').fill(name)
        await form.locator('button[type=submit]').click()
        await page.waitForSelector('.toast:has-text("Location created successfully")')
        await page.goto(`${url}/admin/transport-companies/new`)
        await page.fill('#company_name', `${name} Haul`)
        await page.click('button:has-text("Create transport company")')
        await page.waitForSelector('.toast:has-text("Transport company created successfully")')

        // Imports a spreadsheet.
        await page.goto(`${url}/files/upload`)
        if (withScript) await page.waitForSelector('yard-island[name=dropzone][data-ready]', { state: 'attached' })
        await page.selectOption('#data_type', 'transports')
        await page.setInputFiles('input[type=file]', CSV(unit, name))
        if (!withScript) await page.click('button:has-text("Upload")')
        await page.waitForSelector('text=File processed successfully! 1 record imported')
        expect(await page.locator('.result-count').textContent()).toBe('Records Imported1')

        // Finds the imported row, and changes its status in the list.
        await page.goto(`${url}/transports/active`)
        if (withScript) {
          await page.fill('input[name=q]', unit)
          await page.waitForURL(`**q=${unit}**`)
        } else await page.goto(`${url}/transports/active?q=${unit}`)
        const row = page.locator(`tr:has-text("${unit}")`)
        expect(await row.count()).toBe(1)
        // The row is hydrated on focus or hover, which removes the button of its form.
        if (withScript) await row.locator('select[name=status]').hover()
        if (withScript) await row.locator('button:has-text("Set")').waitFor({ state: 'detached' })
        await row.locator('select[name=status]').selectOption('Delivered')
        if (!withScript) await row.locator('button:has-text("Set")').click()
        await page.waitForSelector(`.toast:has-text("Unit ${unit} is")`)

        // Opens the report and downloads it.
        await page.goto(`${url}/transports/completed?start_date=2026-03-01&end_date=2026-03-31&q=${unit}`)
        expect(await page.locator(`tr:has-text("${unit}")`).textContent()).toContain('$1,250.50')
        const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Export CSV')])
        expect(download.suggestedFilename()).toBe('transports_2026-03-01_to_2026-03-31.csv')
        expect(await Bun.file(await download.path()).text()).toContain(
          `${unit},,${name},${name},2026-03-01,1250.50,Fleet`,
        )

        if (withScript) {
          // A double click creates one record, and the input survives the end of the session.
          await page.goto(`${url}/titles`)
          await page.click('text=Add title')
          const title = page.locator('dialog form.form')
          await title.locator('#unit_number').fill(unit)
          await title.locator('#location_id').selectOption({ label: `${name} (${unit})` })
          await title.locator('button[type=submit]').dblclick()
          await page.waitForSelector('.toast:has-text("Title tracking entry created successfully!")')
          await page.goto(`${url}/titles?q=${unit}`)
          expect(await page.locator('tbody tr').count()).toBe(1)
          await page.click('text=Add title')
          await title.locator('#dealer_name').fill('Valley Truck Sales')
          await context.clearCookies({ name: 'yardmaster_session' })
          await title.locator('button[type=submit]').click()
          await page.waitForURL('**/login?next=**')
          await page.fill('#username', 'admin')
          await page.fill('#password', 'Saguaro42')
          await page.click('button:has-text("Login")')
          await page.waitForSelector('.toast:has-text("Your input was restored")')
          expect(await title.locator('#dealer_name').inputValue()).toBe('Valley Truck Sales')
          await page.keyboard.press('Escape')
          await page.click('.modal-question button:has-text("Discard")')
        }

        // After logout, a page leads to the login screen again.
        await page.click('summary:has-text("admin")')
        await page.click('button:has-text("Logout")')
        await page.waitForURL('**/login')
        await page.goto(`${url}/transports/active`)
        expect(page.url()).toContain('/login')
        // Chromium itself logs the responses to a rejected form (422) and an ended session (401).
        expect(complaints.filter((text) => !/status of (422|401)/.test(text))).toEqual([])
        await context.close()
      })
    }
  })
}
