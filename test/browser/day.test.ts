import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { seedDemo } from '../../db/seed'
import { createFirstAdmin } from '../../src/platform/auth/accounts'
import { commandWrite } from '../../src/platform/records/transactions'
import { launchBrowser } from '../support/browser'
import { type Served, serveApp } from '../support/served'

/** Regression tests of faults that a working day in a browser revealed. */

setDefaultTimeout(600_000)

let served: Served
let browser: Browser

const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Phoenix' }).format(new Date())

beforeAll(async () => {
  served = await serveApp(async (db) => {
    await createFirstAdmin(commandWrite(db), 'Saguaro42')
    await seedDemo(db, today())
  })
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await served?.close()
})

async function signedIn(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })).newPage()
  await page.goto(`${served.url}/login`)
  await page.fill('#username', 'admin')
  await page.fill('#password', 'Saguaro42')
  await page.click('button[type=submit]')
  await page.waitForURL('**/dashboard')
  return page
}

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

test('the action of a due item works with a mouse and by touch', async () => {
  const desk = await signedIn()
  await desk.goto(`${served.url}/due?kind=transport_late`)
  await desk.locator('#list tbody tr').first().locator('a', { hasText: 'Update' }).click()
  await desk.waitForSelector('dialog[open] #estimated_arrival_date')
  const phone = await signedIn(PHONE)
  await phone.goto(`${served.url}/due?kind=transport_late`)
  await phone.locator('#list tbody tr').first().locator('a', { hasText: 'Update' }).tap()
  await phone.waitForSelector('dialog[open] #estimated_arrival_date')
  await Promise.all([desk.context().close(), phone.context().close()])
})

test('on a phone, cards show record actions and no page is wider than the screen', async () => {
  const page = await signedIn(PHONE)
  for (const [path, action] of [
    ['/admin/locations', 'Edit'],
    ['/admin/users', 'Edit'],
    ['/vehicles/registrations', 'Renew'],
    ['/titles', 'Follow up'],
    ['/transports/active', null],
    ['/transports/new', null],
    ['/osl/active', null],
    ['/dashboard', null],
    ['/due', null],
    ['/scan', null],
  ]) {
    await page.goto(served.url + path)
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect([path, over]).toEqual([path, 0])
    if (action)
      expect([
        path,
        await page.locator('#list tbody tr').first().locator('.row-actions a', { hasText: action }).isVisible(),
      ]).toEqual([path, true])
  }
  await page.context().close()
})

test('a nonexistent date is rejected instead of saved as empty', async () => {
  const page = await signedIn()
  await page.goto(`${served.url}/transports/new`)
  await page.waitForLoadState('networkidle')
  await page.fill('#unit_number', '100431')
  const field = page.locator('#estimated_arrival_date')
  await field.focus()
  await page.keyboard.type('0230')
  expect(await field.evaluate((input: HTMLInputElement) => input.validity.badInput)).toBe(true)
  const posted: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posted.push(request.url()))
  await page.keyboard.press('Enter')
  await page.waitForSelector('.toast:has-text("Enter a complete date")')
  expect(posted).toEqual([])
  await page.context().close()
})

test('a search keeps existing filters and shows a link to clear them', async () => {
  const page = await signedIn()
  await page.goto(`${served.url}/osl/active?vendor_id=1&per_page=25`)
  await page.waitForLoadState('networkidle')
  await page.fill('[data-hotkey="/"]', '1')
  await page.waitForURL(/q=1/)
  expect(new URL(page.url()).searchParams.get('vendor_id')).toBe('1')
  expect(new URL(page.url()).searchParams.get('per_page')).toBe('25')
  await page.click('.narrowed')
  await page.waitForURL((url) => !url.searchParams.has('vendor_id'))
  await page.context().close()
})

test('vendor terms are filled in visibly, and cleared terms are not charged', async () => {
  const page = await signedIn()
  const made = await page.evaluate(async () => {
    const answer = await fetch('/api/vendors', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ vendor_name: 'Terms Yard', storage_daily_rate: 45.5, storage_grace_days: 3 }),
    })
    return ((await answer.json()) as { data: { id: number } }).data.id
  })
  await page.goto(`${served.url}/osl/new`)
  await page.waitForLoadState('networkidle')
  await page.selectOption('#vendor_id', String(made))
  expect([
    await page.inputValue('#storage_fee_daily_rate'),
    await page.inputValue('#storage_grace_days'),
    await page.isChecked('#storage_fees_applicable'),
  ]).toEqual(['45.5', '3', true])
  await page.fill('#unit_number', '100431')
  await page.fill('#osl_date', '2024-01-05')
  await page.selectOption('#location_id', { index: 1 })
  await page.fill('#problem', 'Windshield cracked on the left')
  await page.fill('#storage_fee_daily_rate', '')
  await page.fill('#storage_grace_days', '')
  await page.uncheck('#storage_fees_applicable')
  // The date is in the past, so the form shows a warning once before it saves.
  await page.click('form.form button[type=submit]')
  await page.waitForSelector('.error-summary.is-warning:focus')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/osl/active*')
  const entry = await page.evaluate(async () => {
    const answer = await fetch('/api/osl?unit_number=100431&sort=created_at&order=desc')
    return ((await answer.json()) as { data: { storage_fees_applicable: boolean; vendor_name: string }[] }).data[0]
  })
  expect(entry).toMatchObject({ vendor_name: 'Terms Yard', storage_fees_applicable: false })
  await page.context().close()
})

test('Enter in the header search opens the full input, not an earlier suggestion', async () => {
  const page = await signedIn()
  const unit = await page.evaluate(async () => {
    const answer = await fetch('/api/vehicles?per_page=1&sort=unit_number&order=desc')
    return ((await answer.json()) as { data: { unit_number: string }[] }).data[0]?.unit_number ?? ''
  })
  await page.waitForLoadState('networkidle')
  await page.focus('#header-search')
  await page.keyboard.type(unit.slice(0, 3))
  await page.waitForSelector('.header-hits a')
  await page.keyboard.type(unit.slice(3), { delay: 0 })
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/vehicles/${unit}`)
  await page.context().close()
})

test('staying on a page hides the loading bar, and deleting recent records keeps input', async () => {
  const page = await signedIn()
  await page.goto(`${served.url}/transports/new`)
  await page.waitForLoadState('networkidle')
  await page.fill('#unit_number', '100431')
  page.once('dialog', (dialog) => void dialog.dismiss())
  await page.click('.side-link:has-text("Reports")')
  await Bun.sleep(600)
  expect([page.url(), await page.locator('#loading').isVisible()]).toEqual([`${served.url}/transports/new`, false])
  // A transport in the list of recent entries is deleted without a question.
  const made = await page.evaluate(async () => {
    const [places, companies] = await Promise.all(
      ['locations', 'transport-companies'].map(
        async (name) => ((await (await fetch(`/api/${name}/active`)).json()) as { data: { id: number }[] }).data,
      ),
    )
    const answer = await fetch('/api/transports', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        unit_number: '100777',
        location_out_id: places?.[0]?.id,
        location_in_id: places?.[1]?.id,
        transport_company_id: companies?.[0]?.id,
        move_date: '2026-03-10',
      }),
    })
    return answer.status
  })
  expect(made).toBe(201)
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.waitForLoadState('networkidle')
  await page.fill('#unit_number', '100555')
  const dialogTypes: string[] = []
  page.on('dialog', (dialog) => {
    dialogTypes.push(dialog.type())
    void dialog.accept()
  })
  await page.locator('.recent tbody tr', { hasText: '100777' }).locator('button').click()
  await page.waitForSelector('.toast:has-text("deleted")')
  await page.waitForFunction(() => (document.getElementById('unit_number') as HTMLInputElement)?.value === '100555')
  expect(dialogTypes).toEqual([])
  await page.context().close()
})

test('opening a dialog offline shows an error and keeps the list', async () => {
  const page = await signedIn()
  await page.goto(`${served.url}/transports/active?status=In+Transit`)
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await page.locator('#list tbody tr').first().locator('a', { hasText: 'Edit' }).click()
  await page.waitForSelector('.toast:has-text("cannot be reached")')
  expect(await page.locator('#list tbody tr').count()).toBeGreaterThan(0)
  await page.context().close()
})

test('Clear and Escape close the selection bar, and tall toolbars cover no headings', async () => {
  const page = await signedIn()
  await page.goto(`${served.url}/transports/active`)
  await page.waitForLoadState('networkidle')
  const bar = page.locator('.selection-bar.is-open')
  const tick = () => page.locator('#list tbody .pick input').first().check()
  await tick()
  expect(await bar.count()).toBe(1)
  await page.click('[data-clear-selection]')
  await page.waitForSelector('.selection-bar.is-open', { state: 'detached' })
  await tick()
  await page.keyboard.press('Escape')
  await page.waitForSelector('.selection-bar.is-open', { state: 'detached' })
  expect(await page.locator('#list .pick input:checked').count()).toBe(0)
  // A toolbar of one line stays visible. A toolbar of two lines would cover the headings, so it scrolls away.
  for (const [width, position] of [
    [1280, 'sticky'],
    [1000, 'static'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${served.url}/admin/audit`)
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => scrollTo(0, 600))
    expect([width, await page.locator('.toolbar').evaluate((tools) => getComputedStyle(tools).position)]).toEqual([
      width,
      position,
    ])
  }
  await page.context().close()
})

test('on a phone, the delivery date field stays on the screen', async () => {
  const page = await signedIn(PHONE)
  await page.goto(`${served.url}/transports/active`)
  await page.locator('#list tbody select[name=status]').first().selectOption('Delivered')
  const day = page.locator('.status-day').first()
  await day.waitFor()
  const box = await day.boundingBox()
  expect([(box?.x ?? -1) >= 0, (box?.x ?? 0) + (box?.width ?? 999) <= 390]).toEqual([true, true])
  // The field does not cover the next row.
  const next = await page.locator('#list tbody tr').nth(1).boundingBox()
  expect((box?.y ?? 999) + (box?.height ?? 999)).toBeLessThanOrEqual(next?.y ?? 0)
  // The row has this class once the server has stored the status.
  await page.waitForSelector('#list tbody tr:first-child.is-done')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  await page.context().close()
})

test('the delivery and completion dates fit beside the status at 1280 pixels', async () => {
  const page = await signedIn()
  for (const [path, status] of [
    ['/transports/active', 'Delivered'],
    ['/osl/active', 'Completed'],
  ] as const) {
    await page.goto(served.url + path)
    const cell = page.locator('#list tbody tr').nth(1).locator('td:has(.status-form)')
    await cell.locator('select').selectOption(status)
    await page.waitForSelector('#list tbody tr:nth-child(2).is-done')
    const [outer, day] = [await cell.boundingBox(), await cell.locator('.status-day input').boundingBox()]
    expect((day?.x ?? 9999) + (day?.width ?? 0)).toBeLessThanOrEqual((outer?.x ?? 0) + (outer?.width ?? 0))
    expect(
      await cell.locator('.status-day input').evaluate((input) => input.scrollWidth - input.clientWidth),
    ).toBeLessThanOrEqual(0)
  }
  await page.context().close()
})

test('a message is not repeated after Back', async () => {
  const page = await signedIn()
  await page.goto(`${served.url}/reports?type=transport_summary&period=usual&generate=1`)
  await page.waitForSelector('.toast:has-text("Report generated successfully!")')
  await page.goto(`${served.url}/dashboard`)
  await page.goBack()
  await page.waitForSelector('#report')
  await page.waitForLoadState('networkidle')
  expect(await page.locator('.toast').count()).toBe(0)
  await page.context().close()
})

test('the row table supports Enter, Ctrl D, pasted blocks and undo by keyboard', async () => {
  const page = await signedIn()
  await page.goto(`${served.url}/files/grid?data_type=titles`)
  await page.waitForLoadState('networkidle')
  const cell = (row: number, field: string) => page.locator(`[name="cell.${row + 1}.${field}"]`)
  await cell(1, 'location').focus()
  await page.keyboard.type('PHX')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+d')
  expect(await cell(2, 'location').evaluate((field) => field === document.activeElement)).toBe(true)
  // One undo reverts all cells that one action has filled.
  const location = () => cell(2, 'location').inputValue()
  await page.keyboard.press('Control+z')
  expect(await location()).toBe('')
  await page.keyboard.press('Control+d')
  const pasteUnits = () =>
    page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', '910001\r\n910002\r\n')
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
    })
  const units = async () => [
    await cell(1, 'unit_number').inputValue(),
    await cell(2, 'unit_number').inputValue(),
    await location(),
  ]
  await cell(1, 'unit_number').focus()
  await page.keyboard.type('7')
  await pasteUnits()
  await page.keyboard.press('Control+z')
  expect(await units()).toEqual(['7', '', 'PHX'])
  await pasteUnits()
  const row = async (at: number) => [
    await cell(at, 'unit_number').inputValue(),
    await cell(at, 'location').inputValue(),
  ]
  expect([await row(1), await row(2), await row(3)]).toEqual([
    ['910001', 'PHX'],
    ['910002', 'PHX'],
    ['', ''],
  ])
  // Enter in the last row adds a row. A reload restores the row and its input.
  await cell(15, 'location').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('TUS')
  expect(await cell(16, 'location').getAttribute('aria-label')).toBe('Location, row 17')
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  expect(await row(16)).toEqual(['', 'TUS'])
  page.once('dialog', (dialog) => void dialog.accept())
  await page.goto(`${served.url}/dashboard`)
  await page.goto(`${served.url}/files/grid?data_type=titles`)
  await page.waitForURL('**rows=16**')
  await cell(16, 'location').waitFor()
  expect([await row(1), await row(16)]).toEqual([
    ['910001', 'PHX'],
    ['', 'TUS'],
  ])
  await cell(16, 'location').fill('')
  // The message about rows that a paste had no room for stays until the next paste.
  const paste = (text: string) =>
    cell(90, 'dealer_name').evaluate((field, text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', text)
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, text)
  await cell(16, 'unit_number').evaluate((field) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', '\r\n'.repeat(75))
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await paste('x\r\n'.repeat(13))
  expect(await page.locator('[data-left-over]').textContent()).toBe(
    '2 rows did not fit in the table. To paste more rows, use File Upload',
  )
  await paste('\r\n'.repeat(11))
  expect(await page.locator('[data-left-over]').count()).toBe(0)
  await page.click('button:has-text("Check the rows")')
  await page.waitForSelector('button:has-text("Import")')
  await page.context().close()
})
