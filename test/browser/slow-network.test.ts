import { expect } from 'bun:test'
import {
  changingRequests,
  context,
  holdBack,
  inBrowser,
  openDesk,
  otherStatus,
  page,
  served,
  status,
} from '../support/desk'
import { until } from '../support/until'

openDesk()

inBrowser('a status chosen before its island has loaded is sent', async () => {
  // Delays the code of the islands, but not the boot script.
  const release = await holdBack(/\/assets\/island-/)
  const calls = changingRequests()
  await page.goto(`${served.url}/transports/active`)
  const id = await page.locator('tbody tr').first().getAttribute('id')
  await status().selectOption('Delivered')
  expect(calls).toEqual([])
  release()
  await page.waitForSelector('.toast:has-text("is now Delivered")')
  expect(calls).toEqual([`PATCH /api/transports/${id?.replace('row-', '')}/status`])
  expect(await status().inputValue()).toBe('Delivered')
})

inBrowser('a dialog link clicked before its code has loaded opens the dialog afterwards', async () => {
  const release = await holdBack(/\/assets\/island-/)
  await page.goto(`${served.url}/titles`)
  expect(await page.locator('yard-island[name=modal][data-ready]').count()).toBe(0)
  await page.click('text=Add title')
  release()
  await page.waitForSelector('dialog[open] #dealer_name')
  expect(new URL(page.url()).pathname).toBe('/titles')
})

inBrowser('an import kind or search entered before the scripts load takes effect', async () => {
  await context.route(/\/assets\/.*\.js/, async (route) => {
    await Bun.sleep(1500)
    await route.continue()
  })
  await page.goto(`${served.url}/files/upload`, { waitUntil: 'commit' })
  await page.locator('#data_type').selectOption('titles')
  await page.waitForSelector('yard-island[name=dropzone][data-ready]', { state: 'attached' })
  await page.waitForSelector('.guidelines h2:has-text("Title Tracking: columns")')
  expect([await page.inputValue('#data_type'), await page.locator('.guidelines h2').count()]).toEqual(['titles', 1])
  await page.goto(`${served.url}/transports/active`, { waitUntil: 'commit' })
  await page.fill('input[name=q]', 'no such thing')
  await page.waitForURL('**q=no+such+thing**')
})

const errorIn = (row: number) => page.locator('tbody tr').nth(row).locator('.field-error').allTextContents()

inBrowser('a status can be changed and undone without its island code', async () => {
  await context.route(/\/assets\/island-/, (route) => route.abort())
  await page.goto(`${served.url}/transports/active`)
  const row = page.locator('tbody tr').first()
  const [unit, before] = [await row.locator('a').first().textContent(), await status().inputValue()]
  const at = `/api/transports/${(await row.getAttribute('id'))?.replace('row-', '')}`
  const chosen = await otherStatus(0)
  await status().selectOption(chosen)
  await page.waitForSelector(`.toast:has-text("Unit ${unit} is now ${chosen}")`)
  await page.click('.toast button:has-text("Undo")')
  await page.waitForSelector(`.toast:has-text("Unit ${unit} is now ${before}")`)
  expect([(await stored(at)).status, await status().inputValue()]).toEqual([before, before])
  const next = await otherStatus(1)
  await context.setOffline(true)
  await status(1).selectOption(next)
  await page.waitForSelector('.toast-danger:has-text("the server cannot be reached")')
  await context.setOffline(false)
  expect(await status(1).inputValue()).not.toBe(next)
  expect(await errorIn(1)).toEqual([`Unknown whether saved: ${next}`])
  await status(1).selectOption(next)
  await page.waitForSelector(`.toast-success:has-text("is now ${next}")`)
  expect(await errorIn(1)).toEqual([])
})

for (const [leaving, leave] of [
  ['the page', () => page.click('.sidebar a:has-text("Dashboard")')],
  ['a sorted list', () => page.click('thead a:has-text("Unit #")')],
] as const)
  inBrowser(`a status chosen while its island loads is sent when ${leaving} replaces the list`, async () => {
    await context.route(/\/assets\/island-/, async (route) => {
      await Bun.sleep(2500)
      await route.continue().catch(() => {})
    })
    await page.goto(`${served.url}/transports/active`)
    const id = (await page.locator('tbody tr').nth(3).getAttribute('id'))?.replace('row-', '')
    const chosen = await otherStatus(3)
    await status(3).selectOption(chosen)
    await leave()
    await until(async () => (await stored(`/api/transports/${id}`)).status === chosen)
  })

inBrowser('a row button that fails offline shows an error and stays on the page', async () => {
  for (const [path, button, failed] of [
    ['/vehicles/registrations', '.yes-no', 'Failed to update registration'],
    ['/titles', 'button:has-text("Mark Transferred")', 'Failed to update title status'],
    ['/admin/locations', 'button:has-text("Deactivate")', 'Failed to update location'],
    ['/admin/vendors', 'button:has-text("Deactivate")', 'Failed to update vendor'],
  ] as const) {
    await page.goto(served.url + path)
    await context.setOffline(true)
    await page.locator('tbody tr').locator(button).first().click()
    await page.waitForSelector(`.toast-danger:has-text("${failed}: the server cannot be reached. The change may")`)
    expect(new URL(page.url()).pathname).toBe(path)
    expect(await errorIn(0)).toEqual(['Unknown whether saved'])
    await context.setOffline(false)
  }
})

inBrowser('a row whose change may be saved is looked up and marked when the live updates are back', async () => {
  const connected = page.waitForResponse((response) => response.url().includes('/api/events'))
  await page.goto(`${served.url}/transports/active`)
  await connected
  const before = await status().inputValue()
  const next = await otherStatus(0)
  await context.setOffline(true)
  await status().selectOption(next)
  await page.waitForSelector('.field-error:has-text("Unknown whether saved")')
  await context.setOffline(false)
  await page.waitForSelector(`.field-error:text-is("Not saved: ${next}")`)
  const row = page.locator('tbody tr').first()
  expect([await status().inputValue(), (await row.getAttribute('class'))?.includes('is-changed') ?? false]).toEqual([
    before,
    false,
  ])
  await status().selectOption(next)
  await page.waitForSelector(`.toast-success:has-text("is now ${next}")`)
  expect(await errorIn(0)).toEqual([])
})

inBrowser('a form that the browser sends by itself stays on the page offline', async () => {
  const other = await page.context().browser()?.newContext()
  await other?.request.post(`${served.url}/login`, {
    form: { username: 'admin', password: 'Saguaro42' },
    headers: { origin: served.url },
  })
  await other?.close()
  await page.goto(`${served.url}/profile/access`)
  await context.setOffline(true)
  await page.locator('main button:has-text("End all others")').click()
  await page.waitForSelector('.toast-danger:has-text("the server cannot be reached. Nothing was changed.")')
  expect(new URL(page.url()).pathname).toBe('/profile/access')
  await context.setOffline(false)
  await page.locator('main button:has-text("End all others")').click()
  await page.waitForSelector('.toast-success')
})

inBrowser('a row without a version is never reported as unchanged', async () => {
  await page.goto(`${served.url}/due`)
  await page.route('**/snooze', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.locator('main button:has-text("Snooze 1 week")').first().click()
  await page.waitForSelector('.toast-danger:has-text("Failed to snooze: the server cannot be reached. The change may")')
  await page.unroute('**/snooze')
})

inBrowser('a change whose answer was lost is looked up, and the stored value is shown', async () => {
  const losingAnswers = (url: string) =>
    page.route(url, async (route) => {
      await route.fetch()
      await route.abort()
    })
  await page.goto(`${served.url}/vehicles/registrations`)
  await losingAnswers('**/toggle-received')
  await page.locator('tbody tr').first().locator('.yes-no').click()
  await page.waitForSelector('.toast:has-text("The change was saved. The row is no longer in this list")')
  await page.goto(`${served.url}/admin/vendors`)
  await losingAnswers('**/deactivate')
  await page.locator('tbody tr').first().locator('button:has-text("Deactivate")').click()
  await page.waitForSelector('.toast-success:has-text("The change was saved")')
  await page.waitForSelector('tbody tr:first-child button:has-text("Activate")')
  await page.goto(`${served.url}/transports/active`)
  await losingAnswers('**/api/transports/*/status')
  const saved = await otherStatus(0)
  await status().selectOption(saved)
  await page.waitForSelector(`.toast:has-text("is now ${saved}")`)
  await page.unroute('**/api/transports/*/status')
  await page.route('**/api/transports/*/status', (route) => route.abort())
  const unsaved = await otherStatus(0)
  await status().selectOption(unsaved)
  await page.waitForSelector(
    '.toast-danger:has-text("Failed to update status: the server cannot be reached. Nothing was")',
  )
  expect([await status().inputValue(), await errorIn(0)]).toEqual([saved, [`Not saved: ${unsaved}`]])
  await page.unroute('**/api/transports/*/status')
  await status().selectOption(unsaved)
  await page.waitForSelector(`.toast:has-text("is now ${unsaved}")`)
  expect(await errorIn(0)).toEqual([])
})

inBrowser('the sign-in form makes no request without both fields, and reports an unreachable server', async () => {
  // Leave the dashboard first. Its requests without the cookie would lead to the sign-in page at any moment.
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto(`${served.url}/login`)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.fill('#username', 'admin')
  await page.press('#username', 'Enter')
  await page.waitForSelector('.banner:has-text("Please enter username and password")')
  expect(requests).toEqual([])
  await context.setOffline(true)
  await page.waitForTimeout(1100)
  const failedCheck = page.waitForEvent('requestfailed')
  await page.fill('#password', 'Saguaro42')
  expect(await page.locator('.banner').count()).toBe(0)
  await failedCheck
  await page.press('#password', 'Enter')
  await page.waitForSelector('.banner:has-text("An error occurred. Please try again.")')
  await context.setOffline(false)
  await page.press('#password', 'Enter')
  await page.waitForURL('**/dashboard')
})

inBrowser('signing out offline leaves the browser signed out', async () => {
  await page.goto(`${served.url}/titles`)
  await context.setOffline(true)
  await page.click('summary:has-text("admin")')
  await page.click('button:has-text("Logout")')
  await page.waitForSelector('text=You are signed out on this computer')
  await context.setOffline(false)
  await page.goto(`${served.url}/titles`)
  expect(page.url()).toContain('/login')
  expect((await context.cookies()).map(({ name }) => name).filter((name) => /session|leaving/.test(name))).toEqual([])
})

inBrowser('a form that failed to send can be sent again at once', async () => {
  await page.goto(`${served.url}/titles/new`)
  await page.fill('#unit_number', '999902')
  await page.selectOption('#location_id', { index: 1 })
  const save = page.locator('form.form button[type=submit]').first()
  for (let n = 0; n < 4; n++) {
    await context.setOffline(true)
    await save.click()
    await page.waitForSelector('[data-failure]')
    await page.waitForSelector('form.form button[type=submit]:not([disabled])')
    await context.setOffline(false)
  }
})

const stored = (path: string) => page.evaluate(async (at) => (await (await fetch(at)).json()).data, path)

inBrowser('header search finds a unit typed before its script loads, and Enter opens it', async () => {
  await context.route(/\/assets\/island-/, async (route) => {
    await Bun.sleep(1000)
    await route.continue()
  })
  await page.goto(`${served.url}/reports`)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('1005')
  await page.waitForSelector('.header-hits a')
  const [first, second] = await page.locator('.header-hits a').allTextContents()
  expect(first).toMatch(/^Unit 1005/)
  await page.keyboard.press('ArrowDown')
  expect(await page.locator('.header-hits a[aria-selected=true]').textContent()).toBe(second as string)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/vehicles/1005*')
})

inBrowser('a rejected scan allows the next one, and background failures do not move the cursor', async () => {
  await page.goto(`${served.url}/scan`)
  await page.waitForLoadState('networkidle')
  const unit = page.locator('#unit')
  await unit.fill('999999')
  await unit.press('Enter')
  await page.waitForSelector('.scan-log .is-refused:has-text("999999")')
  await page.keyboard.type('123')
  expect(await unit.inputValue()).toBe('123')
  page.once('dialog', (dialog) => void dialog.accept())
  await page.goto(`${served.url}/transports/new`)
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await page.locator('#unit_number').fill('100200')
  await page.waitForTimeout(600)
  await page.locator('#estimated_cost').focus()
  await page.keyboard.type('12')
  await page.waitForTimeout(600)
  await page.keyboard.type('5')
  expect([await page.inputValue('#estimated_cost'), await page.inputValue('#unit_number')]).toEqual(['125', '100200'])
  expect(await page.locator('[data-failure]').count()).toBe(0)
  await context.setOffline(false)
})

const scanPage = async (as: string) => {
  await page.goto(`${served.url}/scan?as=${as}`)
  await page.waitForLoadState('networkidle')
}
const scanned = () => page.locator('.scan-log li').allTextContents()

inBrowser('fast scans are all processed, and each shows its result', async () => {
  await page.goto(`${served.url}/transports/active?status=In%20Transit&sort=unit_number&order=asc`)
  const units = [...new Set(await page.locator('tbody .unit').allTextContents())].slice(0, 4)
  await context.route('**/api/scan', async (route) => {
    await Bun.sleep(300)
    await route.continue()
  })
  await scanPage('delivered')
  for (const unit of [units[0], units[1], '999999', units[2], units[3]]) {
    await page.keyboard.type(String(unit), { delay: 4 })
    await page.keyboard.press('Enter')
  }
  await page.waitForFunction(() => document.querySelectorAll('.scan-log li button').length === 5)
  const lines = await scanned()
  expect(lines.map((line) => line.slice(0, 6))).toEqual([units[3], units[2], '999999', units[1], units[0]] as string[])
  expect(lines.filter((line) => line.includes('Delivered: '))).toHaveLength(4)
  expect(lines[2]).toContain('No vehicle found')
  await page.locator('.scan-log button:has-text("Undo")').first().click()
  await page.waitForSelector('.scan-log li:has-text("undone")')
  // The next scan goes to the field again.
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('unit')
  page.once('dialog', (dialog) => void dialog.accept())
  await page.goto(`${served.url}/transports/active?q=${units[3]}`)
  expect(await page.locator('tbody .unit').count()).toBeGreaterThan(0)
})

inBrowser('a scan made offline stays in the log and can be sent again', async () => {
  await scanPage('received')
  await context.setOffline(true)
  await page.keyboard.type('000777')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.scan-log .is-refused:has-text("Check the unit before you send it again")')
  await context.setOffline(false)
  await page.locator('.scan-log button').click()
  await page.waitForSelector('.scan-log .is-refused:has-text("No vehicle found for 000777")')
})

inBrowser('a partly typed unit stays in its own scan tab', async () => {
  await scanPage('received')
  await page.keyboard.type('0007')
  page.on('dialog', (dialog) => void dialog.accept())
  await scanPage('delivered')
  expect(await page.inputValue('#unit')).toBe('')
  await scanPage('received')
  expect(await page.inputValue('#unit')).toBe('0007')
})

inBrowser('a page keeps the layout for scripts longer than the limit for loading them', async () => {
  await page.goto(`${served.url}/transports/active`)
  const row = page.locator('tbody tr').first()
  const before = await row.boundingBox()
  await page.waitForTimeout(5500)
  expect(await row.boundingBox()).toEqual(before)
  expect(await page.evaluate(() => document.documentElement.classList.contains('scripted'))).toBe(true)
})
