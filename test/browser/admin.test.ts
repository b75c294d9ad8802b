import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { seedDemo } from '../../db/seed'
import { createFirstAdmin } from '../../src/platform/auth/accounts'
import { commandWrite } from '../../src/platform/records/transactions'
import { launchBrowser } from '../support/browser'
import { type Served, serveApp } from '../support/served'

/**
 * Tasks of an administrator in the browser.
 * Examples: several entries in one dialog, and passwords that are shown once.
 */

setDefaultTimeout(600_000)

let served: Served
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  served = await serveApp(async (db) => {
    await createFirstAdmin(commandWrite(db), 'Saguaro42')
    await seedDemo(db, new Date().toISOString().slice(0, 10))
  })
  browser = await launchBrowser()
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
  await signIn(page, 'admin', 'Saguaro42')
  await page.waitForURL('**/dashboard')
})

afterAll(async () => {
  await browser?.close()
  await served?.close()
})

async function signIn(page: Page, username: string, password: string) {
  await page.goto(`${served.url}/login`)
  await page.fill('#username', username)
  await page.fill('#password', password)
  await page.click('button[type=submit]')
}

const open = async (path: string, link: string) => {
  await page.goto(served.url + path)
  await page.waitForSelector('yard-island[name=modal][data-ready]', { state: 'attached' })
  await page.click(link)
  await page.waitForSelector('dialog[open]')
}

test('the dialog creates several locations one after another, and the list then shows them', async () => {
  await open('/admin/locations', 'a:has-text("Add location")')
  await page.selectOption('dialog select[name=location_type]', 'Tow')
  for (const code of ['TOW1', 'TOW2']) {
    await page.waitForSelector('dialog input[name=location_code]:focus')
    await page.keyboard.type(code)
    await page.fill('dialog input[name=location_name]', `Yard ${code}`)
    await page.click('dialog input[value="Create and enter another"]')
    await page.waitForSelector('dialog .toast:has-text("Location created successfully")')
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('#location_code')?.value === '')
    expect(await page.inputValue('dialog select[name=location_type]')).toBe('Tow')
  }
  // A rejected entry stays in the dialog with its input.
  await page.fill('dialog input[name=location_code]', 'TOW1')
  await page.fill('dialog input[name=location_name]', 'Once more')
  await page.click('dialog input[value="Create and enter another"]')
  await page.waitForSelector('dialog .field-error:has-text("already exists")')
  expect(await page.inputValue('dialog input[name=location_name]')).toBe('Once more')
  expect(await page.locator('dialog .toast').count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.click('dialog .modal-question button:has-text("Discard")')
  await page.waitForSelector('tr:has-text("Yard TOW2")')
  expect(await page.locator('tr:has-text("Yard TOW")').count()).toBe(2)
  expect(await page.evaluate(() => history.state?.dialog ?? null)).toBeNull()
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('Add location'))
})

test('creating the last record closes the dialog', async () => {
  await open('/admin/transport-companies', 'a:has-text("Add transport company")')
  await page.fill('dialog input[name=company_name]', 'Verde One')
  await page.click('dialog input[value="Create and enter another"]')
  await page.waitForSelector('dialog .toast:has-text("created successfully")')
  await page.fill('dialog input[name=company_name]', 'Verde Two')
  await page.keyboard.press('Enter')
  await page.waitForSelector('tr:has-text("Verde Two")')
  expect(await page.locator('dialog[open]').count()).toBe(0)
  expect(await page.locator('tr:has-text("Verde One")').count()).toBe(1)
})

test('a new user signs in with a temporary password that is shown once', async () => {
  await open('/admin/users', 'a:has-text("Add user")')
  await page.fill('dialog input[name=username]', 'dora')
  await page.click('dialog button:has-text("Create user")')
  const password = (await page.textContent('dialog .secret')) ?? ''
  expect(password).toMatch(/^Ym7-/)
  await page.click('dialog a:has-text("Done")')
  await page.waitForSelector('#list tr:has-text("dora")')
  expect(await page.content()).not.toContain(password)
  const theirs = await browser.newContext()
  const other = await theirs.newPage()
  await signIn(other, 'dora', password)
  await other.waitForURL('**/profile/password')
  await page.reload()
  await page.waitForSelector('yard-island[name=modal][data-ready]', { state: 'attached' })
  await page.click('a[aria-label="1 open, sessions of dora"]')
  await page.waitForSelector('dialog tbody tr')
  await page.click('dialog tbody button:has-text("End")')
  await page.waitForSelector('.toast:has-text("Session ended")')
  expect(await page.locator('a[aria-label$="sessions of dora"]').count()).toBe(0)
  await other.goto(`${served.url}/transports/active`)
  expect(new URL(other.url()).pathname).toBe('/login')
  await theirs.close()
})

test('the signing secret of a webhook is shown after it was created and replaced', async () => {
  await page.goto(`${served.url}/admin/webhooks/new`)
  await page.fill('[name=url]', 'https://example.com/hook')
  await page.click('.form-buttons button[type=submit]')
  await page.waitForSelector('.form-done .secret')
  const created = await page.textContent('.form-done .secret')
  expect(created).toStartWith('whsec_')
  await page.click('.form-done a:has-text("Done")')
  await page.waitForSelector('tbody tr')
  await page.click('tbody tr a:has-text("New secret")')
  await page.click('dialog button:has-text("Replace")')
  await page.waitForSelector('dialog .form-done .secret')
  expect(await page.textContent('dialog .form-done .secret')).not.toBe(created)
  const reloaded = page.waitForEvent('load')
  await page.click('dialog .form-done a:has-text("Done")')
  await reloaded
})

test('a dialog with a pending request stays open until its one-time password is shown', async () => {
  await open('/admin/users', 'a:has-text("Add user")')
  await page.fill('dialog input[name=username]', 'enid')
  const [sent, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/admin/users/new', async (route) => {
    if (route.request().method() === 'POST') {
      sent.resolve()
      await released.promise
    }
    await route.continue()
  })
  await page.click('dialog button:has-text("Create user")')
  await sent.promise
  await page.keyboard.press('Escape')
  await page.goBack({ waitUntil: 'commit', timeout: 1000 }).catch(() => {})
  released.resolve()
  await page.waitForSelector('dialog .secret')
  expect(await page.textContent('dialog .secret')).toMatch(/^Ym7-/)
  await page.unroute('**/admin/users/new')
  // The password is not shown again, so Escape asks before it closes the dialog.
  await page.keyboard.press('Escape')
  await page.waitForSelector('dialog .modal-question:has-text("Copy it before you close")')
  await page.click('dialog .modal-question button:has-text("Keep open")')
  await page.click('dialog a:has-text("Done")')
  await page.waitForSelector('#list tr:has-text("enid")')
})

test('the saved record appears in the list if the next form fails to load', async () => {
  await open('/admin/vendors', 'a:has-text("Add vendor")')
  await page.fill('dialog input[name=vendor_name]', 'Pima Towing')
  await page.route('**/admin/vendors/new*', (route) =>
    route.request().method() === 'GET' ? route.abort() : route.continue(),
  )
  await page.click('dialog input[value="Create and enter another"]')
  await page.waitForSelector('#list tr:has-text("Pima Towing")')
  expect(await page.locator('dialog[open]').count()).toBe(0)
  await page.unroute('**/admin/vendors/new*')
})

test('on a phone, a button shows the checkboxes for a bulk edit', async () => {
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const page = await phone.newPage()
  await signIn(page, 'admin', 'Saguaro42')
  await page.waitForURL('**/dashboard')
  await page.goto(`${served.url}/transports/active`)
  await page.waitForFunction(() => document.documentElement.classList.contains('scripted'))
  await page.waitForLoadState('networkidle')
  const box = (n: number) => page.locator('#list tbody input[name=ids]').nth(n)
  expect(await box(0).isVisible()).toBe(false)
  await page.tap('[data-select-rows]')
  for (const n of [0, 1]) {
    const { x, y, height } = (await page.locator('#list tbody tr').nth(n).boundingBox())!
    // At the very edge of the card, where a thumb lands.
    await page.touchscreen.tap(x + 8, y + height - 12)
    expect(await box(n).isChecked()).toBe(true)
  }
  await page.fill('.selection-bar input[name=note]', 'Left by phone')
  await page.tap('.selection-bar button:has-text("Change")')
  await page.waitForSelector('.toast:has-text("2")')
  await page.tap('[data-select-rows]')
  await page.tap('[data-select-rows]')
  expect(await box(0).isVisible()).toBe(false)
  await phone.close()
})

test('spreadsheet rows can be fixed in place and survive Back and Forward', async () => {
  await page.goto(`${served.url}/admin/vendors`)
  await page.click('a:has-text("Import")')
  await page.fill('#rows', 'Vendor name\tActive\nAjo Yard\tYes\nGlobe Yard\tperhaps')
  await page.click('button:has-text("Preview rows")')
  await page.waitForSelector('td:has-text("Is active: Must be Yes or No")')
  await page.click('button:has-text("Import 1 vendor")')
  await page.waitForSelector('.banner:has-text("1 vendor imported, 1 not imported")')
  expect(await page.inputValue('#rows')).toBe('Vendor name\tActive\nGlobe Yard\tperhaps')
  await page.fill('#rows', 'Vendor name\tActive\nGlobe Yard\tNo')
  await page.goBack()
  await page.waitForURL('**/admin/vendors')
  await page.goForward()
  await page.waitForFunction(() =>
    document.querySelector<HTMLTextAreaElement>('#rows')?.value.includes('Globe Yard\tNo'),
  )
  await page.click('button:has-text("Preview rows")')
  await page.click('button:has-text("Import 1 vendor")')
  await page.waitForSelector('#list tr:has-text("Globe Yard")')
})

test('the audit trail filters fit on one line', async () => {
  await page.goto(`${served.url}/admin/audit`)
  await page.waitForLoadState('networkidle')
  const tops = await page.$$eval('.toolbar .filter', (all) => all.map((one) => one.getBoundingClientRect()))
  const middles = tops.map(({ top, height }) => Math.round(top + height / 2))
  expect([middles.length, Math.max(...middles) - Math.min(...middles) <= 2]).toEqual([5, true])
})
