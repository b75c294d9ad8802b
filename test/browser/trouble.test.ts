import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { seedDemo } from '../../db/seed'
import { createFirstAdmin } from '../../src/platform/auth/accounts'
import { commandWrite } from '../../src/platform/records/transactions'
import { launchBrowser } from '../support/browser'
import { type Served, serveApp } from '../support/served'
import { until } from '../support/until'

/**
 * What goes wrong where people work: slow scripts, double clicks, a lost network, a key pressed too early. Nothing
 * is lost by it.
 */

setDefaultTimeout(600_000)

let served: Served
let browser: Browser
let context: BrowserContext
let page: Page

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

async function signIn() {
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
  await page.goto(`${served.url}/login`)
  await page.fill('#username', 'admin')
  await page.fill('#password', 'Saguaro42')
  await page.click('button[type=submit]')
  await page.waitForURL('**/dashboard')
}

/** Runs one test in a browser of its own, signed in. */
const inBrowser = (name: string, work: () => Promise<void>) =>
  test(name, async () => {
    await signIn()
    await work()
    await context.close()
  })

const status = (n = 0) => page.locator('tbody select[name=status]').nth(n)
/** A status that the row does not have. */
const another = async (n: number) =>
  (await status(n).inputValue()) === 'In Transit' ? 'Vehicle Not Ready' : 'In Transit'
const toast = () => page.locator('.toast').last()
const apiCalls = () => {
  const calls: string[] = []
  page.on(
    'request',
    (request) => request.method() !== 'GET' && calls.push(`${request.method()} ${new URL(request.url()).pathname}`),
  )
  return calls
}

/** Holds requests back until the returned function is called. */
async function holdBack(address: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await context.route(address, async (route) => {
    await promise
    await route.continue().catch(() => {})
  })
  return resolve
}

inBrowser('a status chosen before its island has loaded is sent', async () => {
  // The boot script comes at once, the islands' own code much later.
  const release = await holdBack(/\/assets\/island-/)
  const calls = apiCalls()
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

inBrowser('changes by others appear in an open list, but not in a row in use', async () => {
  // A page that listens is at rest all the same, for whoever waits for that.
  await page.goto(`${served.url}/transports/active?status=Awaiting+Pickup`, { waitUntil: 'networkidle' })
  const listens = page.waitForRequest('**/api/events*')
  await listens
  const rows = page.locator('tbody tr')
  const ids = await rows.evaluateAll((all) => all.slice(0, 2).map(({ id }) => Number(id.replace('row-', ''))))
  const other = await context.newPage()
  await other.goto(`${served.url}/profile`)
  const change = (id: number | undefined, final_cost: number, status: string) =>
    other.evaluate(
      async ([at, body]) =>
        (await fetch(String(at), { method: 'PUT', headers: { 'content-type': 'application/json' }, body })).status,
      [`/api/transports/${id}`, JSON.stringify({ estimated_cost: final_cost, status })] as const,
    )
  await page.bringToFront()
  await page.locator('[data-hotkey="/"]').focus()
  await rows.nth(0).locator('input[name=ids]').check()
  await rows.nth(1).locator('select[name=status]').focus()
  expect([await change(ids[0], 4321, 'Awaiting Pickup'), await change(ids[1], 8765, 'Awaiting Pickup')]).toEqual([
    200, 200,
  ])
  await page.waitForSelector(`#row-${ids[0]}.is-changed:has-text("$4,321.00")`)
  expect(await page.locator(`#row-${ids[0]} input[name=ids]`).isChecked()).toBe(true)
  const focused = () => page.evaluate(() => document.activeElement?.closest('tr')?.id)
  await Bun.sleep(1000)
  expect([await focused(), await page.locator(`#row-${ids[1]}`).textContent()]).toEqual([
    `row-${ids[1]}`,
    expect.not.stringContaining('8,765'),
  ])
  await page.locator('[data-hotkey="/"]').focus()
  await page.waitForSelector(`#row-${ids[1]}:has-text("$8,765.00")`)
  // One that leaves the list stays where it is, and says so.
  await change(ids[0], 4321, 'In Transit')
  await page.waitForSelector(`#row-${ids[0]}.is-gone[title^="In Transit by admin"] .due:has-text("In Transit")`)
  expect(await page.locator(`#row-${ids[0]} .status-in-transit`).count()).toBe(1)
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-hotkey'))).toBe('/')
})

inBrowser('an open list counts new records and shows them on request', async () => {
  await page.goto(`${served.url}/transports/active`)
  await page.waitForRequest((request) => new URL(request.url()).pathname === '/api/events')
  const units = () => page.locator('#list tbody tr .unit a').allTextContents()
  const before = await units()
  const first = page.locator('#list tbody tr').first()
  await first.locator('input[name=ids]').check()
  const { location_out_id, location_in_id, transport_company_id } = (await stored(
    `/api/transports/${(await first.getAttribute('id'))?.replace('row-', '')}`,
  )) as Record<string, number>
  const other = await context.newPage()
  await other.goto(`${served.url}/profile`)
  const send = (method: string, path: string, body: object) =>
    other.evaluate(
      async ([method, path, body]) => {
        const headers = { 'content-type': 'application/json' }
        const answer = await (await fetch(path, { method, headers, body })).json()
        if (!answer.success) throw new Error(JSON.stringify(answer))
        return answer.data.id as number
      },
      [method, `/api/transports${path}`, JSON.stringify(body)] as const,
    )
  const come = (unit_number: string, status: string) =>
    send('POST', '', {
      ...{ unit_number, status, location_out_id, location_in_id, transport_company_id },
      // Late enough to stand first.
      ...{ move_date: '2024-01-01', estimated_arrival_date: '2024-01-02' },
    })
  await page.bringToFront()
  await come('777001', 'In Transit')
  await page.waitForSelector('#news a:has-text("1 new · show")')
  const id = await come('777002', 'In Transit')
  await come('777003', 'Delivered')
  await page.waitForSelector('#news a:has-text("2 new · show")')
  // A change of one's own is nothing new, and takes nothing of it away.
  const mine = page.locator('#list tbody select[name=status]').nth(1)
  await mine.selectOption('Delivered')
  await page.waitForSelector('.toast:has-text("is now Delivered"), .toast:has-text("is now Delivered")')
  await Bun.sleep(1500)
  expect(await page.locator('#news').textContent()).toBe('2 new · show')
  expect(await units()).toEqual(before)
  await send('PATCH', `/${id}/status`, { status: 'Delivered' })
  await page.waitForSelector('#news a:has-text("1 new · show")')
  await page.locator('#news a').focus()
  await page.keyboard.press('Enter')
  await page.waitForSelector('#list tbody tr.is-changed:has-text("777001")')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('777001')
  expect(await page.locator('#news').textContent()).toBe('')
  expect(await page.locator('#list tbody input[name=ids]:checked').count()).toBe(1)
  await come('777004', 'In Transit')
  await page.waitForSelector('#news a:has-text("1 new · show")')
  // A search is a list of its own.
  await page.fill('[data-hotkey="/"]', '777004')
  await page.waitForSelector('#list tbody tr:only-child:has-text("777004")')
  expect(await page.locator('#news').textContent()).toBe('')
})

inBrowser('an open list shows a lost connection until updates resume', async () => {
  const sign = page.locator('#connection')
  let heard = page.waitForResponse(/api\/events/)
  await page.goto(`${served.url}/transports/active`)
  await heard
  await page.context().setOffline(true)
  await page.waitForSelector('#connection:has-text("No connection")')
  await page.context().setOffline(false)
  await sign.waitFor({ state: 'detached' })
  await page.route('**/api/events?**', (route) => route.fulfill({ status: 503 }))
  heard = page.waitForResponse(/api\/events/)
  await page.reload()
  await heard
  await page.waitForSelector('#connection:has-text("Not up to date")')
  await page.unroute('**/api/events?**')
  await sign.waitFor({ state: 'detached', timeout: 120_000 })
})

inBrowser('a status can be changed and undone without its island code', async () => {
  await context.route(/\/assets\/island-/, (route) => route.abort())
  await page.goto(`${served.url}/transports/active`)
  const row = page.locator('tbody tr').first()
  const [unit, before] = [await row.locator('a').first().textContent(), await status().inputValue()]
  const at = `/api/transports/${(await row.getAttribute('id'))?.replace('row-', '')}`
  const chosen = await another(0)
  await status().selectOption(chosen)
  await page.waitForSelector(`.toast:has-text("Unit ${unit} is now ${chosen}")`)
  await page.click('.toast button:has-text("Undo")')
  await page.waitForSelector(`.toast:has-text("Unit ${unit} is now ${before}")`)
  expect([(await stored(at)).status, await status().inputValue()]).toEqual([before, before])
  // A choice that the server does not hear of is none, and says so; the next one is heard.
  const next = await another(1)
  await context.setOffline(true)
  await status(1).selectOption(next)
  await page.waitForSelector('.toast-danger:has-text("the server cannot be reached")')
  await context.setOffline(false)
  expect(await status(1).inputValue()).not.toBe(next)
  await status(1).selectOption(next)
  await page.waitForSelector(`.toast-success:has-text("is now ${next}")`)
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
    const chosen = await another(3)
    await status(3).selectOption(chosen)
    await leave()
    await until(async () => (await stored(`/api/transports/${id}`)).status === chosen)
  })

inBrowser('a double click changes only one record, and Undo reverts it', async () => {
  await page.goto(`${served.url}/vehicles/registrations`)
  const calls = apiCalls()
  const [first, second] = [page.locator('tbody tr').first(), page.locator('tbody tr').nth(1)]
  const [id, next] = [await first.getAttribute('id'), await second.getAttribute('id')]
  const pending = Number(/\((\d+)\)/.exec((await page.locator('#tabs').textContent()) ?? '')?.[1])
  await first.locator('.yes-no').dblclick()
  await page.waitForSelector('.toast:has-text("papers received")')
  await page.waitForSelector(`#tabs:has-text("Pending Log (${pending - 1})")`)
  expect(await Promise.all([first.getAttribute('id'), second.getAttribute('id')])).toEqual([id, next])
  expect(await Promise.all([first.locator('.yes-no').textContent(), second.locator('.yes-no').textContent()])).toEqual([
    'Y',
    'N',
  ])
  expect(await page.evaluate(() => document.activeElement?.id)).toBe(`received-${id?.replace('row-', '')}`)
  expect(calls.length).toBeLessThan(3)
  await toast().locator('button').click()
  await page.waitForSelector(`#tabs:has-text("Pending Log (${pending})")`)
  expect(await first.locator('.yes-no').textContent()).toBe('N')
})

inBrowser('two clicks within 600 ms toggle once, and a later click toggles again', async () => {
  await page.goto(`${served.url}/vehicles/registrations`)
  const first = page.locator('tbody tr').first().locator('.yes-no')
  /** Clicks at a time in milliseconds. @returns true if the click sends the form */
  const clickAt = (ms: number) =>
    first.evaluate((button, at) => {
      // The events get this time, because a busy machine would make the real time between two clicks longer.
      Object.defineProperty(Event.prototype, 'timeStamp', { configurable: true, get: () => at })
      ;(button as HTMLButtonElement).click()
      return button.closest('form')?.ariaBusy === 'true'
    }, ms)
  expect(await clickAt(10_000)).toBe(true)
  await page.waitForSelector('.yes-no.is-yes')
  expect(await clickAt(10_599)).toBe(false)
  expect(await first.textContent()).toBe('Y')
  expect(await clickAt(10_600)).toBe(true)
  await page.waitForSelector('.toast:has-text("not received")')
  expect(await first.textContent()).toBe('N')
})

inBrowser('seven quick changes show one message that covers no filters or buttons', async () => {
  await page.goto(`${served.url}/titles`)
  for (let n = 0; n < 7; n++) {
    await page.locator('tbody tr').nth(n).locator('button:has-text("Mark Transferred")').click()
    await page.locator('tbody tr').nth(n).locator('button:has-text("Reopen")').waitFor()
  }
  expect(await page.locator('.toast').count()).toBe(1)
  const [message, ...others] = await Promise.all(
    ['.toast', '.header', 'main a.button-primary', '.toolbar'].map((at) => page.locator(at).first().boundingBox()),
  )
  for (const other of others) expect((other?.y ?? 0) + (other?.height ?? 0)).toBeLessThanOrEqual(message?.y ?? 0)
})

inBrowser('choosing Delivered uses today and allows another date in one field', async () => {
  await page.goto(`${served.url}/transports/active`)
  const row = page.locator('tbody tr').nth(2)
  const id = (await row.getAttribute('id'))?.replace('row-', '')
  const moved = (await row.locator('td').nth(5).textContent())?.replace(/(\d+)\/(\d+)\/(\d+)/, '$3-$1-$2') as string
  const place = await page.locator('tbody tr').nth(3).boundingBox()
  await row.locator('select[name=status]').selectOption('Delivered')
  const day = row.locator('input[name=actual_arrival_date]')
  await day.waitFor()
  expect(await day.inputValue()).toBe(today())
  // Nothing below it has moved.
  expect((await page.locator('tbody tr').nth(3).boundingBox())?.y).toBe(place?.y)
  const arrived = [moved, today()].sort()[0] as string
  await day.fill(arrived)
  await day.press('Enter')
  await page.waitForSelector('.toast:has-text("is now Delivered"), .toast:has-text("is now Delivered")')
  const stored = await page.evaluate(async (at) => (await (await fetch(at)).json()).data, `/api/transports/${id}`)
  expect(stored).toMatchObject({ status: 'Delivered', actual_arrival_date: arrived })
  // The field covers the route, so it is visible only while the row is in use.
  const visibility = () => day.evaluate((input) => getComputedStyle(input.closest('label') as Element).opacity)
  expect(await visibility()).toBe('1')
  await page.locator('h1').click()
  await until(async () => (await visibility()) === '0')
})

inBrowser('saving an edit returns to the same row, page and filter', async () => {
  await page.goto(`${served.url}/transports/completed?start_date=2020-01-01&end_date=2199-12-31&page=3&per_page=20`)
  const row = page.locator('tbody tr').nth(11)
  const id = await row.getAttribute('id')
  await row.locator('a:has-text("Edit")').click()
  await page.fill('dialog[open] #notes', 'Looked at')
  await page.locator('dialog[open] button[type=submit]').first().click()
  await page.waitForSelector('.toast:has-text("Transport updated successfully!")')
  expect(new URL(page.url()).search).toBe('?start_date=2020-01-01&end_date=2199-12-31&page=3&per_page=20')
  expect(await page.locator('tr.is-fresh').getAttribute('id')).toBe(id)
  expect(
    await page
      .locator(`#${id}`)
      .evaluate((found) => found === document.activeElement && found.getBoundingClientRect().top < innerHeight),
  ).toBe(true)
})

inBrowser('focus moves to the next row when a change removes a row', async () => {
  const at = () => page.evaluate(() => document.activeElement?.closest('tr')?.id ?? null)
  const top = (id: string | null) =>
    page.evaluate((id) => document.getElementById(String(id))?.getBoundingClientRect().top, id)
  const near = (a?: number, b?: number) => Math.abs((a ?? 0) - (b ?? 999)) < 40
  await page.goto(`${served.url}/transports/active`)
  await page.waitForLoadState('networkidle')
  for (let n = 0; n < 28; n++) await page.keyboard.press('j')
  const ids = await page.locator('#list tbody tr').evaluateAll((rows) => rows.map(({ id }) => id))
  const [first, place] = [ids[27] as string, await top(ids[27] as string)]
  expect(await at()).toBe(first)
  await page.locator(`#${first} a:has-text("Delete")`).press('Enter')
  await page.waitForSelector('dialog[open] button[type=submit]')
  await page.locator('dialog[open] button[type=submit]').press('Enter')
  await page.waitForSelector('.toast:has-text("deleted")')
  await page.waitForFunction((id) => document.activeElement?.closest('tr')?.id === id, ids[28])
  expect(near(place, await top(ids[28] as string))).toBe(true)
  // Of several that went, at the one below the last that was ticked.
  await page.keyboard.press('x')
  await page.keyboard.press('b')
  await page.keyboard.press('D')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.toast:has-text("1 transport delivered")')
  await page.waitForFunction((id) => document.activeElement?.closest('tr')?.id === id, ids[29])
})

inBrowser('a change made after the session ended is reported as not saved', async () => {
  const signInAgain = async () => {
    await page.waitForURL('**/login?next=**')
    await page.fill('#username', 'admin')
    await page.fill('#password', 'Saguaro42')
    await page.click('button[type=submit]')
    await page.waitForSelector('#list')
  }
  await page.goto(`${served.url}/transports/active`)
  const before = await status(1).inputValue()
  await context.clearCookies()
  await status(1).selectOption(await another(1))
  await signInAgain()
  await page.waitForSelector('.toast:has-text("Your last change was not saved")')
  expect(await status(1).inputValue()).toBe(before)
  await page.reload()
  expect(await page.locator('.toast').count()).toBe(0)
  await page.goto(`${served.url}/vehicles/registrations`)
  await context.clearCookies()
  await page.locator('.yes-no').first().click()
  await signInAgain()
  await page.waitForSelector('.toast:has-text("Your last change was not saved")')
  expect(await page.locator('.yes-no').first().textContent()).toBe('N')
})

inBrowser('a rejected file can be chosen again', async () => {
  await page.goto(`${served.url}/files/upload`)
  await page.waitForSelector('yard-island[name=dropzone][data-ready]', { state: 'attached' })
  await page.selectOption('#data_type', 'titles')
  await page.setInputFiles('input[type=file]', { name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from('') })
  await page.waitForSelector('.banner-danger:has-text("empty")')
  expect(await page.inputValue('input[type=file]')).toBe('')
})

inBrowser('undoing an arrival date restores the previous date and shows a message', async () => {
  await page.goto(`${served.url}/transports/active`)
  const row = page.locator('tbody tr').nth(4)
  await row.locator('select[name=status]').selectOption('Delivered')
  await page.waitForSelector('.toast:has-text("is now Delivered")')
  const day = row.locator('input[name=actual_arrival_date]')
  const moved = (await row.locator('time').first().getAttribute('datetime')) as string
  await day.fill(moved)
  await day.press('Enter')
  await page.waitForSelector('.toast:has-text("arrived")')
  await page.click('.toast:has-text("arrived") button:has-text("Undo")')
  await page.waitForSelector('.toast:has-text("again")')
  expect(await day.inputValue()).toBe(today())
})

inBrowser('a dialog with unsaved input asks before closing, and restores it unless it was discarded', async () => {
  await page.goto(`${served.url}/titles`)
  await page.click('text=Add title')
  await page.fill('dialog[open] #dealer_name', 'Valley Truck Sales')
  await page.keyboard.press('Escape')
  await page.waitForSelector('dialog[open] >> text=Close without saving?')
  await page.keyboard.press('Escape')
  expect(await page.inputValue('dialog[open] #dealer_name')).toBe('Valley Truck Sales')
  await page.keyboard.press('Escape')
  await page.click('.modal-question button:has-text("Close")')
  expect(await page.locator('dialog[open]').count()).toBe(0)
  await page.click('text=Add title')
  await page.waitForSelector('.toast:has-text("Your input was restored")')
  expect(await page.inputValue('dialog[open] #dealer_name')).toBe('Valley Truck Sales')
  await page.keyboard.press('Escape')
  await page.click('.modal-question button:has-text("Discard")')
  expect(await page.locator('dialog[open]').count()).toBe(0)
  await page.click('text=Add title')
  await page.waitForSelector('dialog[open] #dealer_name')
  expect(await page.inputValue('dialog[open] #dealer_name')).toBe('')
  // An untouched one closes at once.
  await page.keyboard.press('Escape')
  expect(await page.locator('dialog[open]').count()).toBe(0)
})

inBrowser('Back closes a dialog after asking about unsaved input, and Forward reopens it', async () => {
  await page.goto(`${served.url}/dashboard`)
  await page.goto(`${served.url}/titles`)
  const add = page.locator('text=Add title')
  await add.click()
  await page.waitForSelector('dialog[open] #dealer_name')
  await page.goBack()
  await page.waitForSelector('dialog[open]', { state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/titles')
  await page.goForward()
  await page.fill('dialog[open] #dealer_name', 'Valley Truck Sales')
  await page.goBack()
  await page.waitForSelector('dialog[open] >> text=Close without saving?')
  await page.click('.modal-question button:has-text("Keep editing")')
  expect(await page.evaluate(() => document.activeElement?.id)).toContain('dealer_name')
  expect(await page.inputValue('dialog[open] #dealer_name')).toBe('Valley Truck Sales')
  // A reload is as if nobody had left.
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.waitForSelector('dialog[open] #dealer_name')
  expect(await page.inputValue('dialog[open] #dealer_name')).toBe('Valley Truck Sales')
  await page.click('.toast button:has-text("Start over")')
  await page.keyboard.press('Escape')
  await page.waitForSelector('dialog[open]', { state: 'detached' })
  // Closed by a key, it is no step any more, once the browser has gone back over it.
  await page.waitForFunction(() => !(history.state as { dialog?: string } | null)?.dialog)
  await page.goBack()
  await page.waitForURL('**/dashboard')
})

inBrowser('a dialog over a searched list keeps the list, even after an error', async () => {
  await page.goto(`${served.url}/dashboard`)
  await page.goto(`${served.url}/transports/active`)
  await page.fill('input[type=search][name=q]', '10')
  await page.waitForURL('**q=10**')
  await page.waitForLoadState('networkidle')
  await page.locator('tbody input[name=ids]').nth(1).click()
  await page.evaluate(() => document.body.setAttribute('data-same', ''))
  const isSame = async () => [
    await page.locator('body[data-same]').count(),
    await page.locator('tbody input[name=ids]:checked').count(),
  ]
  const edit = page.locator('tbody tr').nth(2).locator('a:has-text("Edit")')
  await edit.focus()
  await edit.press('Enter')
  await page.waitForSelector('dialog[open] #estimated_cost, dialog[open] [name=estimated_cost]')
  await page.keyboard.press('Escape')
  await page.waitForSelector('dialog[open]', { state: 'detached' })
  await page.waitForTimeout(400)
  expect([await isSame(), await edit.evaluate((link) => link === document.activeElement)]).toEqual([[1, 1], true])
  await edit.press('Enter')
  await page.waitForSelector('dialog[open] [name=estimated_cost]')
  await page.goBack()
  await page.waitForSelector('dialog[open]', { state: 'detached' })
  await page.goForward()
  await page.fill('dialog[open] [name=estimated_cost]', 'abc')
  await page.locator('dialog[open] form.form button[type=submit]').first().click()
  await page.waitForSelector('dialog[open] .error-summary')
  // Its lines lead to their fields, and nowhere else.
  await page.locator('dialog[open] .error-summary a').first().click()
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('estimated_cost')
  expect(await page.locator('.modal-question').count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.click('.modal-question button:has-text("Discard")')
  await page.waitForSelector('dialog[open]', { state: 'detached' })
  await page.waitForTimeout(400)
  expect(await isSame()).toEqual([1, 1])
  await page.goBack()
  await page.waitForURL((url) => !url.search.includes('q=10'))
})

inBrowser('a saved dialog leaves no step in the browser history', async () => {
  await page.goto(`${served.url}/dashboard`)
  await page.goto(`${served.url}/transports/active`)
  await page.locator('tbody tr').nth(2).locator('a:has-text("Edit")').click()
  await page.fill('dialog[open] #notes', 'Keys are with the guard')
  await page.locator('dialog[open] form.form button[type=submit]').first().click()
  await page.waitForSelector('.toast:has-text("Transport updated successfully!")')
  expect(await page.locator('dialog[open]').count()).toBe(0)
  await page.goBack()
  await page.waitForURL('**/dashboard')
})

inBrowser('a changed form asks before leaving and restores its input on return', async () => {
  await page.goto(`${served.url}/osl/new`)
  await page.fill('#problem', 'Windshield cracked on the left')
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await page.click('nav.sidebar >> text=Active OSL')
  await page.waitForURL('**/osl/active')
  expect(asked).toEqual(['beforeunload'])
  await page.goBack()
  await page.waitForURL('**/osl/new')
  expect(await page.inputValue('#problem')).toBe('Windshield cracked on the left')
  await page.click('summary:has-text("Storage fees")')
  await page.fill('#storage_fee_daily_rate', '35')
  expect(await page.locator('input[type=checkbox]#storage_fees_applicable').isChecked()).toBe(true)
})

inBrowser('a warning keeps the input, and its button stores the record', async () => {
  await page.goto(`${served.url}/titles/new`)
  await page.fill('#unit_number', '999901')
  await page.selectOption('#location_id', { index: 1 })
  await page.locator('form.form button[type=submit]').first().click()
  await page.waitForSelector('text=Unit 999901 is not in the vehicle list')
  expect(await page.inputValue('#unit_number')).toBe('999901')
  await page.click('[data-error-summary] button:has-text("anyway")')
  await page.waitForSelector('.toast:has-text("Title tracking entry created successfully!")')
})

inBrowser('a failed save shows its error in the dialog and keeps the input', async () => {
  await page.goto(`${served.url}/titles`)
  await page.click('text=Add title')
  await page.fill('dialog[open] #dealer_name', 'Valley Truck Sales')
  const save = page.locator('dialog[open] form.form button[type=submit]').first()
  // A proxy that cannot reach the server.
  await page.route('**/titles/new', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' })
      : route.continue(),
  )
  await save.click()
  await page.waitForSelector('dialog[open] [data-failure]:has-text("the server cannot be reached (502)")')
  await page.unroute('**/titles/new')
  await context.setOffline(true)
  await save.click()
  await page.waitForSelector('dialog[open] [data-failure]:has-text("It is unknown whether the change was saved")')
  expect([await page.inputValue('dialog[open] #dealer_name'), await page.locator('[data-failure]').count()]).toEqual([
    'Valley Truck Sales',
    1,
  ])
  await context.setOffline(false)
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
    await page.waitForSelector(`.toast-danger:has-text("${failed}: the server cannot be reached. It is unknown")`)
    expect(new URL(page.url()).pathname).toBe(path)
    await context.setOffline(false)
  }
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
  await page.waitForSelector('.toast:has-text("The change was saved, and the row has left this list")')
  await page.goto(`${served.url}/admin/vendors`)
  await losingAnswers('**/deactivate')
  await page.locator('tbody tr').first().locator('button:has-text("Deactivate")').click()
  await page.waitForSelector('.toast-success:has-text("The change was saved")')
  await page.waitForSelector('tbody tr:first-child button:has-text("Activate")')
  await page.goto(`${served.url}/transports/active`)
  await losingAnswers('**/api/transports/*/status')
  await status().selectOption('Vehicle Not Ready')
  await page.waitForSelector('.toast:has-text("is now Vehicle Not Ready")')
  await page.unroute('**/api/transports/*/status')
  await page.route('**/api/transports/*/status', (route) => route.abort())
  await status().selectOption('In Transit')
  await page.waitForSelector(
    '.toast-danger:has-text("Failed to update status: the server cannot be reached. Nothing was")',
  )
  expect(await status().inputValue()).toBe('Vehicle Not Ready')
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

inBrowser('pasting trims whitespace before the length limit applies', async () => {
  await page.goto(`${served.url}/osl/new`)
  await page.focus('#unit_number')
  await page.evaluate(() => {
    const pasted = new DataTransfer()
    pasted.setData('text/plain', '\t 100200 \n')
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true, cancelable: true }),
    )
  })
  expect(await page.inputValue('#unit_number')).toBe('100200')
})

inBrowser('a completion date updates its row and is saved when the page is left', async () => {
  await page.goto(`${served.url}/osl/active`)
  const row = page.locator('tbody tr:has([data-money])').first()
  const id = (await row.getAttribute('id'))?.replace('row-', '')
  const stored = () => page.evaluate(async (at) => (await (await fetch(at)).json()).data, `/api/osl/${id}`)
  const { osl_date } = await stored()
  await row.locator('select[name=status]').selectOption('Completed')
  const day = row.locator('input[name=completed_on]')
  await day.fill(osl_date)
  await day.press('Enter')
  await page.waitForSelector('.toast >> text=/completed \\d/')
  expect([await row.locator('[data-figure]').textContent(), await row.locator('[data-money]').textContent()]).toEqual([
    '0',
    '$0.00',
  ])
  await page.click('.toast button:has-text("Undo")')
  await until(async () => (await stored()).completed_on === today())
  await row.locator('input[name=completed_on]').fill(osl_date)
  await page.goto(`${served.url}/titles`)
  await until(async () => (await stored()).completed_on === osl_date)
  expect((await stored()).status).toBe('Completed')
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
const put = (path: string, body: object) =>
  page.evaluate(
    async ([at, sent]) =>
      (
        await fetch(at as string, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: sent as string,
        })
      ).status,
    [path, JSON.stringify(body)],
  )

inBrowser('saving a stale draft reports a conflict and keeps changes by others', async () => {
  await page.goto(`${served.url}/transports/active`)
  const id = (await page.locator('tbody tr').nth(6).getAttribute('id'))?.replace('row-', '')
  await page.goto(`${served.url}/transports/${id}/edit`)
  await page.fill('#notes', 'Mine')
  page.once('dialog', (dialog) => void dialog.accept())
  await page.goto(`${served.url}/titles`)
  expect(await put(`/api/transports/${id}`, { notes: 'Theirs', final_cost: 123.45 })).toBe(200)
  await page.goto(`${served.url}/transports/${id}/edit`)
  await page.waitForSelector('.toast:has-text("Your input was restored")')
  expect(await page.inputValue('#notes')).toBe('Mine')
  await page.locator('form.form button[type=submit]').first().click()
  await page.waitForSelector('.error-summary:has-text("Someone else changed this record")')
  expect(await stored(`/api/transports/${id}`)).toMatchObject({ notes: 'Theirs', final_cost: 123.45 })
  await page.locator('form.form button[type=submit]').first().click()
  await page.waitForURL('**/transports/active*')
  expect(await stored(`/api/transports/${id}`)).toMatchObject({ notes: 'Mine', final_cost: 123.45 })
})

inBrowser('an edit resumed after the session ended keeps changes by others and clears its draft', async () => {
  await page.goto(`${served.url}/titles`)
  const id = (await page.locator('tbody tr').nth(8).getAttribute('id'))?.replace('row-', '')
  const other = await browser.newContext()
  const theirs = await other.newPage()
  await theirs.goto(`${served.url}/login`)
  await theirs.fill('#username', 'admin')
  await theirs.fill('#password', 'Saguaro42')
  await theirs.click('button[type=submit]')
  await theirs.waitForURL('**/dashboard')
  await page.goto(`${served.url}/titles/${id}/edit`)
  await page.fill('#dealer_contact', 'Mine')
  await context.clearCookies()
  await theirs.evaluate(
    async (at) =>
      void (await fetch(at, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: '{"dealer_name":"Theirs"}',
      })),
    `/api/titles/${id}`,
  )
  await other.close()
  await page.locator('form.form button[type=submit]').first().click()
  await page.waitForURL('**/login*')
  await page.fill('#username', 'admin')
  await page.fill('#password', 'Saguaro42')
  await page.click('button[type=submit]')
  await page.waitForURL(`**/titles/${id}/edit*`)
  await page.waitForSelector('.toast:has-text("Your session had expired")')
  await page.locator('form.form button[type=submit]').first().click()
  await page.waitForSelector('.error-summary:has-text("Someone else changed this record")')
  expect(await page.inputValue('#dealer_name')).toBe('Theirs')
  await page.locator('form.form button[type=submit]').first().click()
  await page.waitForURL((url) => url.pathname === '/titles')
  expect(await stored(`/api/titles/${id}`)).toMatchObject({ dealer_name: 'Theirs', dealer_contact: 'Mine' })
  expect(
    await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('yardmaster-draft'))),
  ).toEqual([])
})

inBrowser('a draft is not offered again after the user stays and saves', async () => {
  await page.goto(`${served.url}/titles/new`)
  await page.fill('#unit_number', '999903')
  await page.selectOption('#location_id', { index: 1 })
  page.once('dialog', (dialog) => void dialog.dismiss())
  await page.click('nav.sidebar >> text=Active OSL')
  await page.waitForTimeout(300)
  await page.locator('form.form button[type=submit]').first().click()
  await page.click('[data-error-summary] button:has-text("anyway")')
  await page.waitForSelector('.toast:has-text("Title tracking entry created successfully!")')
  await page.goto(`${served.url}/titles/new`)
  await page.waitForTimeout(300)
  expect([await page.inputValue('#unit_number'), await page.locator('.toast').count()]).toEqual(['', 0])
})

inBrowser('a second status chosen during a pending request is sent too', async () => {
  await page.goto(`${served.url}/transports/active`)
  const id = (await page.locator('tbody tr').nth(4).getAttribute('id'))?.replace('row-', '')
  await page.route('**/api/transports/*/status', async (route) => {
    await Bun.sleep(600)
    await route.continue()
  })
  const before = await status(4).inputValue()
  const [first, second] = ['Vehicle Not Ready', 'Searching For Driver', 'In Transit'].filter(
    (word) => word !== before,
  ) as [string, string]
  await status(4).selectOption(first)
  await page.waitForTimeout(100)
  await status(4).selectOption(second)
  await page.waitForSelector(`.toast:has-text("is now ${second}")`)
  expect([await status(4).inputValue(), (await stored(`/api/transports/${id}`)).status]).toEqual([second, second])
})

inBrowser('a rejected date reverts to the stored date', async () => {
  await page.goto(`${served.url}/transports/active?sort=move_date&order=asc`)
  const calls = apiCalls()
  const row = page.locator('tbody tr').first()
  await row.locator('select[name=status]').selectOption('Delivered')
  const day = row.locator('input[name=actual_arrival_date]')
  await day.waitFor()
  await day.fill('2001-01-01')
  await day.press('Enter')
  await page.waitForSelector('.toast:has-text("Arrival is before the move date")')
  expect(await day.inputValue()).toBe(today())
  await page.click('h1')
  await page.waitForTimeout(200)
  expect(calls.length).toBe(2)
})

inBrowser('selecting rows opens a bar without moving them, and Shift selects a range', async () => {
  await page.goto(`${served.url}/titles`)
  const boxes = page.locator('tbody input[name=ids]')
  const place = await boxes.nth(3).boundingBox()
  await boxes.nth(1).click()
  expect(await boxes.nth(3).boundingBox()).toEqual(place)
  await boxes.nth(3).click({ modifiers: ['Shift'] })
  expect(await page.locator('[data-selected]').textContent()).toBe('3 selected')
  await page.fill('.selection-bar input[name=note]', 'Asked the bank')
  await page.click('.selection-bar button[type=submit]')
  await page.waitForSelector('.toast:has-text("3 titles changed")')
  expect(await page.locator('tbody input[name=ids]:checked').count()).toBe(0)
  // The keys go on in the list.
  await page.waitForFunction(() => document.activeElement?.closest('#list tbody tr') != null)
})

inBrowser('skipped rows stay selected after a bulk edit, and a rejected edit keeps its input', async () => {
  await page.goto(`${served.url}/transports/active`)
  const boxes = page.locator('tbody input[name=ids]')
  const ticked = () => page.locator('tbody input[name=ids]:checked').count()
  for (const at of [0, 1, 2]) await boxes.nth(at).click()
  // Nothing is to be set: refused as a whole.
  await page.click('.selection-bar button[type=submit]')
  await page.waitForSelector('.toast-danger:has-text("Choose a field to change")')
  await page.waitForSelector('.selection-bar.is-open')
  expect(await ticked()).toBe(3)
  await page.fill('.selection-bar input[name=actual_arrival_date]', '2020-01-01')
  await page.click('.selection-bar button[type=submit]')
  await page.waitForSelector('.toast-danger:has-text("3 skipped")')
  await page.waitForSelector('.selection-bar.is-open')
  expect(await ticked()).toBe(3)
  expect(await page.inputValue('.selection-bar input[name=actual_arrival_date]')).toBe('2020-01-01')
  // That all of the list was meant is asked for again, and no box takes the number of a record that is not here.
  const total = Number(/All (\d+)/.exec((await page.textContent('.selection-all')) ?? '')?.[1])
  await page.goto(`${served.url}/transports/active?per_page=${total - 1}&page=2`)
  const value = await boxes.first().inputValue()
  await boxes.first().click()
  await page.check('.selection-bar input[name=all]')
  await page.fill('.selection-bar input[name=actual_arrival_date]', '2020-01-01')
  await page.click('.selection-bar button[type=submit]')
  await page.waitForSelector('.toast-danger:has-text("skipped")')
  await page.waitForLoadState('networkidle')
  expect([await boxes.count(), await boxes.first().inputValue()]).toEqual([1, value])
  expect(await page.isChecked('.selection-bar input[name=all]')).toBe(false)
})

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

inBrowser('a rejected form replaces only itself on a page with several forms', async () => {
  await page.goto(`${served.url}/osl/active`)
  await page.locator('tbody tr').first().locator('a[href^="/osl/"]').first().click()
  await page.waitForSelector('#notes')
  const forms = () => page.locator('form.form').count()
  const before = await forms()
  for (let again = 0; again < 2; again++) {
    await page.locator('#notes form.form button[type=submit]').first().click()
    await page.waitForSelector('#notes .error-summary')
  }
  expect(await forms()).toBe(before)
})

const signInAgain = async () => {
  await page.waitForURL('**/login*')
  await page.fill('#username', 'admin')
  await page.fill('#password', 'Saguaro42')
  await page.click('button[type=submit]')
}

inBrowser('a row table submitted after the session ended is restored, then cleared on submit', async () => {
  await page.goto(`${served.url}/files/grid?data_type=transports`)
  const cells = page.locator('tbody tr').first().locator('input[data-cell]')
  await cells.first().focus()
  await page.evaluate(() => {
    // More than the address of the sign-in can hold, and more rows than the table begins with.
    const text = Array.from({ length: 40 }, (_, at) => `${4800 + at}\t${crypto.randomUUID().repeat(20)}`).join('\n')
    const data = new DataTransfer()
    data.setData('text/plain', text)
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  })
  await page.waitForSelector('[name="cell.40.unit_number"]')
  const typed = await page
    .locator('input[data-cell]')
    .evaluateAll((all) => all.map((cell) => (cell as HTMLInputElement).value))
  await context.clearCookies()
  await page.locator('form.form button[type=submit]').first().click()
  await signInAgain()
  await page.waitForURL('**/files/grid*')
  await page.waitForSelector('.toast:has-text("Your session had expired")')
  expect(
    await page.locator('input[data-cell]').evaluateAll((all) => all.map((cell) => (cell as HTMLInputElement).value)),
  ).toEqual(typed)
  await page.locator('form.form button[type=submit]').first().click()
  await page.waitForURL(/\/files\/imports\/\d+/)
  expect(
    await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('yardmaster-draft'))),
  ).toEqual([])
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
  expect(lines[2]).toContain('no transport under way')
  await page.locator('.scan-log button:has-text("Undo")').first().click()
  await page.waitForSelector('.scan-log li:has-text("undone")')
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
  await page.waitForSelector('.scan-log .is-refused:has-text("no papers outstanding")')
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

inBrowser('a scan made after the session ended is sent after the next sign-in', async () => {
  await scanPage('received')
  await context.clearCookies()
  await page.keyboard.type('000777')
  await page.keyboard.press('Enter')
  await signInAgain()
  await page.waitForURL('**/scan?as=received')
  await page.waitForSelector('.scan-log .is-refused:has-text("no papers outstanding")')
})

inBrowser('a delivery date can be typed while its status is still being saved', async () => {
  await context.route('**/api/transports/*/status', async (route) => {
    await Bun.sleep(700)
    await route.continue()
  })
  await page.goto(`${served.url}/transports/active?status=In%20Transit`)
  await page.waitForLoadState('networkidle')
  const id = (await page.locator('tbody tr').first().getAttribute('id'))?.replace('row-', '')
  const { move_date } = (await stored(`/api/transports/${id}`)) as { move_date: string }
  const [year, month, day] = move_date.split('-')
  await status().focus()
  await page.keyboard.type('Del', { delay: 10 })
  await page.keyboard.press('Tab')
  await page.keyboard.type(`${month}/${day}/${year}`, { delay: 10 })
  await page.keyboard.press('Enter')
  await page.waitForSelector('.toast:has-text("arrived")')
  expect(await stored(`/api/transports/${id}`)).toMatchObject({ status: 'Delivered', actual_arrival_date: move_date })
  expect(new URL(page.url()).searchParams.get('q')).toBeNull()
})

inBrowser('a page keeps the layout for scripts longer than the limit for loading them', async () => {
  await page.goto(`${served.url}/transports/active`)
  const row = page.locator('tbody tr').first()
  const before = await row.boundingBox()
  await page.waitForTimeout(5500)
  expect(await row.boundingBox()).toEqual(before)
  expect(await page.evaluate(() => document.documentElement.classList.contains('scripted'))).toBe(true)
})

inBrowser('errors disappear when their field changes', async () => {
  await page.goto(`${served.url}/titles/new`)
  await page.fill('#unit_number', '12')
  await page.locator('form.form button[type=submit]').first().click()
  await page.waitForSelector('#unit_number-error')
  const entries = await page.locator('[data-error-summary] li').count()
  await page.fill('#unit_number', '999905')
  expect(await page.locator('#unit_number-error').count()).toBe(0)
  expect(await page.locator('[data-error-summary] li').count()).toBe(entries - 1)
  await page.selectOption('#location_id', { index: 1 })
  expect(await page.locator('[data-error-summary]').count()).toBe(0)
})

inBrowser('a date that a status filled in disappears with the status', async () => {
  await page.goto(`${served.url}/transports/new`)
  await page.selectOption('#status', 'Delivered')
  expect(await page.inputValue('#actual_arrival_date')).toBe(today())
  await page.selectOption('#status', 'In Transit')
  expect(await page.inputValue('#actual_arrival_date')).toBe('')
})

inBrowser('a prefilled location does not change what the user types', async () => {
  await page.goto(`${served.url}/transports/active`)
  const unit = (await page.locator('tbody .unit').first().textContent())?.trim() ?? ''
  await page.goto(`${served.url}/transports/new`)
  const place = page.locator('.combobox:has(#location_out_id) input')
  await page.fill('#unit_number', unit)
  await place.focus()
  await place.pressSequentially('Tem')
  await page.waitForSelector('.known')
  await page.waitForTimeout(400)
  await place.pressSequentially('pe')
  expect(await place.inputValue()).toBe('Tempe')
})

inBrowser('Completed and Delivered fill in today wherever a status is chosen', async () => {
  await page.goto(`${served.url}/osl/active`)
  const id = (await page.locator('tbody tr').first().getAttribute('id'))?.replace('row-', '')
  await page.locator('tbody input[name=ids]').first().click()
  await page.selectOption('.selection-bar select[name=status]', 'Completed')
  expect(await page.inputValue('.selection-bar input[name=completed_on]')).toBe(today())
  await page.selectOption('.selection-bar select[name=status]', 'Ready')
  expect(await page.inputValue('.selection-bar input[name=completed_on]')).toBe('')
  await page.goto(`${served.url}/osl/${id}`)
  await page.selectOption('.line-form select[name=status]', 'Completed')
  expect(await page.inputValue('.line-form input[name=completed_on]')).toBe(today())
})
