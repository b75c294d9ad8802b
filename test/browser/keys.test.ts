import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createFirstAdmin } from '../../src/platform/auth/accounts'
import { commandWrite } from '../../src/platform/records/transactions'
import { launchBrowser } from '../support/browser'
import { type Served, serveApp } from '../support/served'

/** Enters and changes records without a mouse, and counts the keys that it presses. */

setDefaultTimeout(600_000)

let served: Served
let browser: Browser
let context: BrowserContext
let page: Page
let keys = 0

const press = async (key: string) => {
  keys++
  await page.keyboard.press(key)
}
const type = async (text: string) => {
  for (const key of text) await press(key)
}

const call = (method: string, path: string, body?: unknown) =>
  page.evaluate(
    async ([method, path, body]) => {
      const answer = await fetch(`/api${path}`, {
        method: String(method),
        headers: { 'content-type': 'application/json' },
        ...(body ? { body: String(body) } : {}),
      })
      return (await answer.json()) as { data: never; meta?: { total: number } }
    },
    [method, path, body ? JSON.stringify(body) : null] as const,
  )

const UNITS = Array.from({ length: 25 }, (_, n) => String(700_001 + n))

beforeAll(async () => {
  served = await serveApp((db) => createFirstAdmin(commandWrite(db), 'Saguaro42'))
  browser = await launchBrowser()
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
  await page.goto(`${served.url}/login`)
  await page.fill('#username', 'admin')
  await page.fill('#password', 'Saguaro42')
  await page.click('button[type=submit]')
  await page.waitForURL('**/dashboard')
  for (const [location_code, location_name] of [
    ['PHX', 'Phoenix'],
    ['MES', 'Mesa'],
    ['TMP', 'Tempe'],
  ])
    await call('POST', '/locations', { location_code, location_name, location_type: 'Hub' })
  for (const company_name of ['Copper State Transport', 'Desert Auto Haul'])
    await call('POST', '/transport-companies', { company_name })
  for (const unit_number of UNITS) await call('POST', '/vehicles', { unit_number, model_year: 2021 })
})

afterAll(async () => {
  await browser?.close()
  await served?.close()
})

test('ten transports take at most twenty keys each, and the last five are listed', async () => {
  await page.goto(`${served.url}/transports/new`)
  await page.waitForLoadState('networkidle')
  keys = 0
  for (const [n, unit] of UNITS.slice(0, 10).entries()) {
    await type(unit)
    if (n === 0) {
      await page.waitForSelector('#unit_number-known:has-text("2021")')
      await press('Tab')
      await type('phx')
      await press('Tab')
      await type('mes')
      await press('Tab')
      await type('des')
      await press('Tab')
      await press('t')
      // Moves back to a field in which Enter saves the form.
      await press('Shift+Tab')
      await press('Shift+Tab')
      await press('Shift+Tab')
      await press('Shift+Tab')
    }
    await press('Enter')
    await page.waitForSelector(`.recent tbody tr:first-child:has-text("${unit}")`)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('unit_number')
    await page.waitForLoadState('networkidle')
  }
  expect(keys / 10).toBeLessThanOrEqual(20)
  expect(await page.locator('.recent tbody tr').count()).toBe(5)
  const { data } = await call('GET', '/transports/active?per_page=50')
  const entered = data as { location_out_name: string; location_in_name: string; transport_company_name: string }[]
  expect(
    new Set(entered.map((row) => [row.location_out_name, row.location_in_name, row.transport_company_name].join())),
  ).toEqual(new Set(['Phoenix,Mesa,Desert Auto Haul']))
  expect(entered.length).toBe(10)
  // Edits a transport in a dialog. Its fields have the same names as those of the page below it.
  await page.locator('.recent tbody tr').first().locator('a[data-modal]').click()
  const dialog = page.locator('dialog[open]')
  await dialog.getByText('Issue a PO').click()
  const ticked = () =>
    page
      .locator('input[type=checkbox][name=issue_po]')
      .evaluateAll((all) => all.map((box) => [box.closest('dialog') !== null, (box as HTMLInputElement).checked]))
  expect(await ticked()).toEqual([
    [false, false],
    [true, true],
  ])
  await dialog.locator('[name=mileage]').fill('abc')
  await dialog.locator('button[type=submit]').first().click()
  await dialog.locator('.error-summary a').click()
  expect(
    await page.evaluate(() => {
      const { activeElement: field } = document
      return [field?.getAttribute('name'), field?.closest('dialog') !== null]
    }),
  ).toEqual(['mileage', true])
  page.once('dialog', (question) => void question.accept())
  await page.goto(`${served.url}/transports/new`)
  await page.locator('.recent tbody tr').first().locator('button').press('Enter')
  await page.waitForSelector('.toast:has-text("deleted")')
  expect((await call('GET', '/transports/active')).meta?.total).toBe(9)
})

test('fifteen deliveries take at most three keys each', async () => {
  const ids: Record<string, number> = {}
  for (const name of ['locations', 'transport-companies'])
    ids[name] = ((await call('GET', `/${name}/active`)).data as { id: number }[])[0]?.id as number
  for (const unit_number of UNITS.slice(10)) {
    const places = (await call('GET', '/locations/active')).data as { id: number }[]
    await call('POST', '/transports', {
      unit_number,
      location_out_id: places[0]?.id,
      location_in_id: places[1]?.id,
      transport_company_id: ids['transport-companies'],
      move_date: '2026-03-01',
      status: 'In Transit',
    })
  }
  await page.goto(`${served.url}/transports/active?status=In+Transit`)
  await page.waitForLoadState('networkidle')
  keys = 0
  for (const _ of UNITS.slice(10)) {
    await press('j')
    await press('x')
  }
  expect(await page.locator('[data-selected]').textContent()).toBe('15 selected')
  await press('b')
  await press('D')
  await press('Enter')
  await page.waitForSelector('.toast:has-text("15")')
  expect(keys / 15).toBeLessThanOrEqual(3)
  expect((await call('GET', '/transports/active?status=In+Transit')).meta?.total).toBe(0)
})

/** Opens the edit dialog of the row with the focus, and closes it. */
async function openAndCloseEdit() {
  await press('e')
  await page.waitForSelector('dialog[open] #unit_number')
  await press('Escape')
  await page.waitForSelector('dialog[open]', { state: 'detached' })
}

test('keys move through and edit rows without losing focus, and ? lists them', async () => {
  await page.goto(`${served.url}/transports/active`)
  await page.waitForLoadState('networkidle')
  const row = () => page.evaluate(() => document.activeElement?.closest('tr')?.id)
  const ids = await page.locator('#list tbody tr').evaluateAll((rows) => rows.map(({ id }) => id))
  await press('j')
  expect(await row()).toBe(ids[0] as string)
  await press('j')
  await press('j')
  await press('k')
  expect(await row()).toBe(ids[1] as string)
  await press('x')
  expect(await page.locator(`#${ids[1]} .pick input`).isChecked()).toBe(true)
  await press('?')
  await page.waitForSelector('dialog.keys')
  await press('Escape')
  await page.waitForSelector('dialog.keys', { state: 'detached' })
  expect(await row()).toBe(ids[1] as string)
  await openAndCloseEdit()
  await press('k')
  await press('s')
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT')
  // Arrow keys change the status and Enter saves it. Escape restores it, and then returns to the row.
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'PATCH' && sent.push(String(request.postData())))
  const before = await page.evaluate(() => (document.activeElement as HTMLSelectElement).selectedIndex)
  await press('ArrowDown')
  await page.waitForSelector('.status-hint:has-text("Press Enter to save")')
  await page.waitForTimeout(1200)
  await press('Escape')
  expect([sent, await page.evaluate(() => (document.activeElement as HTMLSelectElement).selectedIndex)]).toEqual([
    [],
    before,
  ] as never)
  await press('ArrowDown')
  await press('ArrowDown')
  await press('Enter')
  await page.waitForSelector('.toast:has-text("is now")')
  expect([before, sent.length, JSON.parse(sent[0] ?? '{}').status]).toEqual([0, 1, 'Vehicle Not Ready'])
  // A menu that is closed with Escape changes nothing, even after a delay.
  await page.keyboard.press('Alt+ArrowDown')
  await page.waitForTimeout(300)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await page.waitForTimeout(1200)
  expect([sent.length, await page.evaluate(() => (document.activeElement as HTMLSelectElement).value)]).toEqual([
    1,
    'Vehicle Not Ready',
  ])
  await press('Escape')
  expect(await row()).toBe(ids[0] as string)
})

test('a dialog whose history entry is removed late does not take the focus from a status', async () => {
  await page.goto(`${served.url}/transports/active`)
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => {
    const back = history.back.bind(history)
    history.back = () => void setTimeout(back, 600)
  })
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'PATCH' && sent.push(String(request.postData())))
  await press('j')
  await openAndCloseEdit()
  await press('s')
  await press('ArrowDown')
  await page.waitForFunction(() => history.state?.dialog === undefined)
  await page.waitForTimeout(500)
  expect([sent, await page.evaluate(() => document.activeElement?.matches('#list select[data-step]'))]).toEqual([
    [],
    true,
  ])
  await press('Escape')
})

test('sorting and paging by keyboard keep focus on the same link', async () => {
  const { data: places } = await call('GET', '/locations')
  const { data: companies } = await call('GET', '/transport-companies')
  const [from, to] = places as { id: number }[]
  const [company] = companies as { id: number }[]
  for (const n of Array(9).keys())
    await call('POST', '/transports', {
      unit_number: `70080${n}`,
      location_out_id: from?.id,
      location_in_id: to?.id,
      transport_company_id: company?.id,
      move_date: '2026-03-10',
    })
  await page.goto(`${served.url}/transports/active?q=7008&per_page=2`)
  await page.waitForLoadState('networkidle')
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  await page.locator('#list thead a:has-text("Unit")').focus()
  await press('Enter')
  await page.waitForURL('**sort=unit_number**')
  await page.waitForFunction(() => document.activeElement?.matches('#list thead a'))
  expect(await focused()).toContain('Unit')
  await page.locator('.pager-top a:has-text("Next")').focus()
  for (const number of [2, 3]) {
    await press('Enter')
    await page.waitForURL(`**page=${number}**`)
    await page.waitForFunction(() => document.activeElement?.matches('.pager-top a'))
    expect(await focused()).toBe('Next')
  }
  // The last page has no link Next. The focus moves to the range of rows, where Enter does nothing.
  await press('Enter')
  await page.waitForURL('**page=4**')
  await page.waitForFunction(() => document.activeElement?.matches('.pager-top a'))
  await press('Enter')
  await page.waitForURL('**page=5**')
  await page.waitForFunction(() => document.activeElement?.id === 'range-top')
  // A click does not restore the focus to a link of the list.
  await page.locator('#list thead a:has-text("Unit")').click()
  await page.waitForURL('**order=desc**')
  await page.waitForLoadState('networkidle')
  expect(await page.evaluate(() => document.activeElement?.matches('#list a'))).toBe(false)
})

test('date shortcuts fill a date in a few keys', async () => {
  await page.goto(`${served.url}/transports/new?move_date=`)
  await page.waitForLoadState('networkidle')
  const today = await page.evaluate(() => document.querySelector<HTMLElement>('[data-today]')?.dataset.today ?? '')
  const after = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)
  const field = page.locator('#estimated_arrival_date')
  await field.focus()
  await type('+3')
  expect(await field.inputValue()).toBe(after(3))
  await type('+12')
  expect(await field.inputValue()).toBe(after(12))
  await type('-1')
  expect(await field.inputValue()).toBe(after(-1))
  await press('t')
  expect(await field.inputValue()).toBe(today)
  await field.fill('')
  await page.locator('#unit_number').focus()
  await field.focus()
  await type('11/23')
  await page.locator('#unit_number').focus()
  expect(await field.inputValue()).toMatch(/^20\d\d-11-23$/)
  await field.focus()
  await type('03142027')
  expect(await field.inputValue()).toBe('2027-03-14')
})

test('one Tab leaves a date field that a shortcut completed', async () => {
  await page.goto(`${served.url}/transports/new?move_date=`)
  await page.waitForLoadState('networkidle')
  const focused = () => page.evaluate(() => document.activeElement?.id)
  for (const [text, leaves] of [
    ['t', true],
    ['+3', true],
    ['11/23', true],
    // After digits alone, Tab moves between the parts of the browser's date field.
    ['11', false],
  ] as const) {
    await page.locator('#unit_number').focus()
    await page.locator('#move_date').fill('')
    await page.locator('#move_date').focus()
    await type(text)
    await press('Tab')
    expect([text, (await focused()) !== 'move_date']).toEqual([text, leaves])
  }
  await page.locator('#move_date').focus()
  await press('t')
  await press('Tab')
  const [next, moves] = [await focused(), await page.inputValue('#move_date')]
  await type('+3')
  expect([next === 'move_date', await page.inputValue('#move_date')]).toEqual([false, moves])
})

test('pasting several units into the unit field starts an import with the form values', async () => {
  await page.goto(`${served.url}/transports/new`)
  await page.waitForLoadState('networkidle')
  await page.selectOption('#location_out_id', { label: 'Phoenix (PHX)' })
  await page.selectOption('#location_in_id', { label: 'Mesa (MES)' })
  await page.selectOption('#transport_company_id', { label: 'Desert Auto Haul' })
  await page.locator('#unit_number').evaluate((field, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', text)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, '700101\r\n700102\r\n')
  await page.waitForURL(/\/files\/imports\/\d+/)
  await page.waitForSelector('tbody tr:has-text("700102"):visible')
  await page.click('button:has-text("Import 2")')
  await page.waitForSelector('text=Records Imported')
  const { data } = await call('GET', '/transports/vehicle/700102')
  expect(data).toMatchObject([{ location_out_name: 'Phoenix', location_in_name: 'Mesa', status: 'Awaiting Pickup' }])
})

test('a field that the browser focuses late keeps the focus after a change', async () => {
  // On a slow computer, the scripts run before the browser has focused the field.
  await page.addInitScript(() => {
    if (!location.search.includes('late')) return
    const { get } = Object.getOwnPropertyDescriptor(Document.prototype, 'activeElement') as PropertyDescriptor
    Object.defineProperty(document, 'activeElement', { configurable: true, get: () => document.body })
    setTimeout(() => Object.defineProperty(document, 'activeElement', { get }), 3000)
  })
  const created = await page.request.post(`${served.url}/vehicles/new`, {
    form: { unit_number: '700900' },
    headers: { origin: served.url },
    maxRedirects: 0,
  })
  expect(created.status()).toBe(303)
  await page.goto(`${served.url}/transports/new?late=1`)
  expect(await page.locator('[data-toast]').count()).toBe(1)
  await page.waitForTimeout(4000)
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('unit_number')
})
