import { expect } from 'bun:test'
import {
  context,
  holdBack,
  inBrowser,
  open,
  openDesk,
  otherStatus,
  page,
  served,
  signInAgain,
  status,
} from '../support/desk'

openDesk()

inBrowser('a change made after the session ended is reported as not saved', async () => {
  const returnToList = async () => {
    await signInAgain()
    await page.waitForSelector('#list')
  }
  await page.goto(`${served.url}/transports/active`)
  const before = await status(1).inputValue()
  await context.clearCookies()
  await status(1).selectOption(await otherStatus(1))
  await returnToList()
  await page.waitForSelector('.toast:has-text("Your last change was not saved")')
  expect(await status(1).inputValue()).toBe(before)
  await page.reload()
  expect(await page.locator('.toast').count()).toBe(0)
  await page.goto(`${served.url}/vehicles/registrations`)
  await context.clearCookies()
  await page.locator('.yes-no').first().click()
  await returnToList()
  await page.waitForSelector('.toast:has-text("Your last change was not saved")')
  expect(await page.locator('.yes-no').first().textContent()).toBe('N')
})

inBrowser('a change is reported as not saved even if the page is left while its response is read', async () => {
  await page.addInitScript(() => {
    const { json } = Response.prototype
    Response.prototype.json = function () {
      return this.status === 401 ? new Promise(() => {}) : json.call(this)
    }
  })
  await page.goto(`${served.url}/transports/active`)
  const answered = page.waitForResponse(/\/status$/)
  await context.clearCookies()
  await status(1).selectOption(await otherStatus(1))
  expect((await answered).status()).toBe(401)
  await page.click('.sidebar a:has-text("Dashboard")')
  await signInAgain()
  await page.waitForSelector('.toast:has-text("Your last change was not saved")')
})

inBrowser('a change is reported as not saved even if its response comes after the sign-in page', async () => {
  const answerCounts = await holdBack(/\/api\/due\/counts/)
  await holdBack(/\/status$/)
  for (const leave of [answerCounts, () => page.click('.sidebar a:has-text("Dashboard")')]) {
    await page.goto(`${served.url}/transports/active`)
    const sent = page.waitForRequest(/\/status$/)
    await context.clearCookies()
    await status(1).selectOption(await otherStatus(1))
    await sent
    await leave()
    await signInAgain()
    await page.waitForSelector('.toast:has-text("Your last change was not saved")')
  }
  await page.goto(`${served.url}/transports/active`)
  const sent = page.waitForRequest(/\/status$/)
  await status(1).selectOption(await otherStatus(1))
  await sent
  await page.click('.sidebar a:has-text("Dashboard")')
  await page.waitForURL('**/dashboard')
  await page.waitForLoadState('networkidle')
  expect(await page.locator('.toast').count()).toBe(0)
})

inBrowser('a scan made after the session ended is sent after the next sign-in', async () => {
  await open('/scan?as=received')
  await context.clearCookies()
  await page.keyboard.type('000777')
  await page.keyboard.press('Enter')
  await signInAgain()
  await page.waitForURL('**/scan?as=received')
  await page.waitForSelector('.scan-log .is-refused:has-text("No vehicle found for 000777")')
})
