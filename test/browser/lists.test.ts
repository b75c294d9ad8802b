import { expect } from 'bun:test'
import { changingRequests, context, inBrowser, openDesk, page, served, status, toast, today } from '../support/desk'
import { until } from '../support/until'

openDesk()

inBrowser('changes by others appear in an open list, but not in a row in use', async () => {
  // The open event stream must not prevent the state `networkidle`.
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
  // A row that no longer matches the list stays in place, and shows its new status.
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
      // So late that it is first in the list.
      ...{ move_date: '2024-01-01', estimated_arrival_date: '2024-01-02' },
    })
  await page.bringToFront()
  await come('777001', 'In Transit')
  await page.waitForSelector('#news a:has-text("1 new · show")')
  const id = await come('777002', 'In Transit')
  await come('777003', 'Delivered')
  await page.waitForSelector('#news a:has-text("2 new · show")')
  // A user's own change is not counted as new, and does not reset the count.
  const mine = page.locator('#list tbody select[name=status]').nth(1)
  await mine.selectOption('Delivered')
  await page.waitForSelector('.toast:has-text("is now Delivered")')
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
  // A search opens another list, which has no new records yet.
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

inBrowser('a double click changes only one record, and Undo reverts it', async () => {
  await page.goto(`${served.url}/vehicles/registrations`)
  const calls = changingRequests()
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
  expect(await page.evaluate(() => document.activeElement?.id)).toBe(`received-${id?.replace('row-', '')}`)
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

inBrowser('seven quick changes show one message that covers no controls', async () => {
  await page.goto(`${served.url}/titles`)
  for (let n = 0; n < 7; n++) {
    await page.locator('tbody tr').nth(n).locator('button:has-text("Mark Transferred")').click()
    await page.locator('tbody tr').nth(n).locator('button:has-text("Reopen")').waitFor()
  }
  expect(await page.locator('.toast').count()).toBe(1)
  const covered = await page.evaluate(() => {
    const message = document.querySelector('.toast')?.getBoundingClientRect() as DOMRect
    const controls = [...document.querySelectorAll('.header, main :is(a, button, input, select)')]
    return controls
      .filter((control) => {
        const { width, left, right, top, bottom } = control.getBoundingClientRect()
        const isBeside = right <= message.left || left >= message.right
        const isAboveOrBelow = bottom <= message.top || top >= message.bottom
        return width > 0 && !control.closest('.toast') && !isBeside && !isAboveOrBelow
      })
      .map((control) => control.outerHTML)
  })
  expect(covered).toEqual([])
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
  // The rows below have not moved.
  expect((await page.locator('tbody tr').nth(3).boundingBox())?.y).toBe(place?.y)
  const arrived = [moved, today()].sort()[0] as string
  await day.fill(arrived)
  await day.press('Enter')
  await page.waitForSelector('.toast:has-text("is now Delivered")')
  const stored = await page.evaluate(async (at) => (await (await fetch(at)).json()).data, `/api/transports/${id}`)
  expect(stored).toMatchObject({ status: 'Delivered', actual_arrival_date: arrived })
  // The field covers no other column, so it stays visible after the user leaves the row.
  await page.locator('h1').click()
  expect(await day.isVisible()).toBe(true)
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
  // After a bulk edit removes rows, the focus is on the row below the last selected one.
  await page.keyboard.press('x')
  await page.keyboard.press('b')
  await page.keyboard.press('D')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.toast:has-text("1 transport delivered")')
  await page.waitForFunction((id) => document.activeElement?.closest('tr')?.id === id, ids[29])
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

const stored = (path: string) => page.evaluate(async (at) => (await (await fetch(at)).json()).data, path)

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
  const calls = changingRequests()
  const row = page.locator('tbody tr').first()
  await row.locator('select[name=status]').selectOption('Delivered')
  const day = row.locator('input[name=actual_arrival_date]')
  await day.waitFor()
  await day.fill('2001-01-01')
  await day.press('Enter')
  await page.waitForSelector('.toast:has-text("The arrival date is before the move date")')
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
  // The focus returns to the list, so that its keys work.
  await page.waitForFunction(() => document.activeElement?.closest('#list tbody tr') != null)
})

inBrowser('skipped rows stay selected after a bulk edit, and a rejected edit keeps its input', async () => {
  await page.goto(`${served.url}/transports/active`)
  const boxes = page.locator('tbody input[name=ids]')
  const ticked = () => page.locator('tbody input[name=ids]:checked').count()
  for (const at of [0, 1, 2]) await boxes.nth(at).click()
  // A bulk edit without a field is rejected.
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
  // After an error, the box for the whole list is cleared, and the row keeps its own id.
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

inBrowser('a date that a status filled in disappears with the status', async () => {
  await page.goto(`${served.url}/transports/new`)
  await page.selectOption('#status', 'Delivered')
  expect(await page.inputValue('#actual_arrival_date')).toBe(today())
  await page.selectOption('#status', 'In Transit')
  expect(await page.inputValue('#actual_arrival_date')).toBe('')
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
