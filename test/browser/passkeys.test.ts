import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { createFirstAdmin } from '../../src/platform/auth/accounts'
import { commandWrite } from '../../src/platform/records/transactions'
import { launchBrowser } from '../support/browser'
import { type Served, serveApp } from '../support/served'

setDefaultTimeout(600_000)

const PASSWORD = 'Saguaro42'
let served: Served
let browser: Browser

beforeAll(async () => {
  served = await serveApp(async (db) => {
    await createFirstAdmin(commandWrite(db), PASSWORD)
  })
  // Browsers allow passkeys for the name localhost, but for no IP address.
  served.url = served.url.replace('127.0.0.1', 'localhost')
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await served?.close()
})

/** Adds a virtual security key to a page. */
async function addSecurityKey(page: Page) {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'usb', hasResidentKey: false, hasUserVerification: false },
  })
}

async function enterPassword(page: Page) {
  await page.goto(`${served.url}/login`)
  await page.fill('#username', 'admin')
  await page.fill('#password', PASSWORD)
  await page.click('button[type=submit]')
}

/**
 * Deletes the session cookie.
 * Leaves the page first, because its requests could otherwise lead to the sign-in page later.
 */
async function dropSession(page: Page) {
  await page.goto('about:blank')
  await page.context().clearCookies()
}

async function turnOnTwoFactor(page: Page) {
  await page.goto(`${served.url}/profile/two-factor`)
  await page.fill('[name=current_password]', PASSWORD)
  await page.click('button[type=submit]:has-text("Set up")')
  const secret = ((await page.locator('code.secret').textContent()) ?? '').replaceAll(' ', '')
  await page.fill('[name=code]', new TOTP({ secret: Secret.fromBase32(secret) }).generate())
  await page.click('button[type=submit]:has-text("Turn on")')
  await page.locator('.recovery-codes').waitFor()
}

async function addPasskey(page: Page, name: string) {
  await page.goto(`${served.url}/profile/two-factor`)
  await page.fill('form[data-passkey] [name=name]', name)
  await page.click('form[data-passkey] button[type=submit]')
}

test('a passkey replaces the code at sign-in, only once for each challenge, and can be removed', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await addSecurityKey(page)
  await enterPassword(page)
  await page.waitForURL(/dashboard/)
  await turnOnTwoFactor(page)
  await addPasskey(page, 'Blue key')
  await page.locator('button[aria-label="Remove Blue key"]').waitFor()
  await page.evaluate(readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8'))
  const { violations } = (await page.evaluate("axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag22aa'] })")) as {
    violations: { id: string }[]
  }
  expect(violations.map(({ id }) => id)).toEqual([])
  // The same device cannot be added twice.
  await addPasskey(page, 'Blue key again')
  await page.locator('[data-passkey-message]', { hasText: 'was not added' }).waitFor()

  await dropSession(page)
  await enterPassword(page)
  let sent = ''
  page.on('request', (request) => {
    if (request.method() === 'POST') sent = request.postData() ?? ''
  })
  await page.click('button[data-passkey]')
  await page.waitForURL(/dashboard/)
  expect(new URLSearchParams(sent).get('passkey')).toContain('clientDataJSON')
  await page.goto(`${served.url}/profile/two-factor`)
  expect(await page.locator('tr', { hasText: 'Blue key' }).textContent()).not.toContain('—')

  const post = (body: string) =>
    fetch(`${served.url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: served.url },
      body,
      redirect: 'manual',
    })
  expect((await post(sent)).status).toBe(401)
  const other = new URLSearchParams(sent)
  for (const damaged of ['{}', '[]', 'x', '{"id":1}', '{"id":{},"response":[]}']) {
    other.set('passkey', damaged)
    expect([damaged, (await post(other.toString())).status]).toEqual([damaged, 401])
  }

  await page.click('button[aria-label="Remove Blue key"]')
  await page.locator('.toast', { hasText: 'Passkey removed' }).waitFor()
  expect(await page.locator('button[aria-label="Remove Blue key"]').count()).toBe(0)
  await dropSession(page)
  await enterPassword(page)
  await page.locator('#code').waitFor()
  expect(await page.locator('button[data-passkey]').count()).toBe(0)
  await context.close()
})
