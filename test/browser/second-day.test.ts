import { expect } from 'bun:test'
import { callApi, inBrowser, open, openDesk, page, served, toast, today } from '../support/desk'

/** Regression tests of faults that a second working day in a browser revealed. */

openDesk()

/** The element that has the focus: its id, or the text of a link. */
const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent)

inBrowser('a draft is kept for its own unit and does not appear for another', async () => {
  const leaving = (path: string) => {
    page.once('dialog', (dialog) => void dialog.accept())
    return open(path)
  }
  await open('/osl/new?unit_number=100249')
  await page.fill('#problem', 'Rattles on the left')
  await leaving('/osl/new?unit_number=102489')
  expect([await page.inputValue('#unit_number'), await page.inputValue('#problem')]).toEqual(['102489', ''])
  await open('/osl/new')
  await page.fill('#unit_number', '100571')
  await page.fill('#problem', 'No key')
  await leaving('/osl/new?unit_number=102489')
  expect([await page.inputValue('#unit_number'), await page.inputValue('#problem')]).toEqual(['102489', ''])
  await open('/osl/new')
  expect([await page.inputValue('#unit_number'), await page.inputValue('#problem')]).toEqual(['100571', 'No key'])
  await leaving('/osl/new?unit_number=100249')
  expect(await page.inputValue('#problem')).toBe('Rattles on the left')
  page.once('dialog', (dialog) => void dialog.accept())
})

inBrowser('changing the vendor replaces its terms but keeps typed values', async () => {
  const vendors = await callApi<{ id: number; vendor_name: string }[]>('GET', '/vendors/active')
  const [one, two, three] = vendors as [(typeof vendors)[0], (typeof vendors)[0], (typeof vendors)[0]]
  await callApi('PUT', `/vendors/${one.id}`, { storage_daily_rate: 40, storage_grace_days: 2 })
  await callApi('PUT', `/vendors/${two.id}`, { storage_daily_rate: 25, storage_grace_days: 5 })
  await callApi('PUT', `/vendors/${three.id}`, { storage_daily_rate: null, storage_grace_days: 0 })
  await open('/osl/new')
  const terms = async () => [
    await page.inputValue('#storage_fee_daily_rate'),
    await page.inputValue('#storage_grace_days'),
    await page.isChecked('#storage_fees_applicable'),
  ]
  const choose = async (vendor: { id: number }) => {
    await page.selectOption('#vendor_id', String(vendor.id))
    return terms()
  }
  expect(await choose(one)).toEqual(['40', '2', true])
  await page.uncheck('#storage_fees_applicable')
  expect(await terms()).toEqual(['', '', false])
  expect(await choose(two)).toEqual(['25', '5', true])
  expect(await choose(three)).toEqual(['', '', false])
  expect(await choose(one)).toEqual(['40', '2', true])
  await page.fill('#storage_grace_days', '9')
  expect(await choose(two)).toEqual(['25', '9', true])
  await page.fill('#storage_fee_daily_rate', '33')
  expect(await choose(one)).toEqual(['33', '9', true])
  page.once('dialog', (dialog) => void dialog.accept())
})

inBrowser('messages cover no rows, filters or buttons, also in narrow windows', async () => {
  for (const width of [1280, 1100, 800, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${served.url}/vehicles/registrations`)
    await page.locator('tbody tr').first().locator('.yes-no').click()
    await toast().waitFor()
    const covered = await page.evaluate(() => {
      const message = (document.querySelector('.toast') as Element).getBoundingClientRect()
      return [...document.querySelectorAll('main :is(tr, input, select, a, button):not(.page-head *)')].filter(
        (one) => {
          const { top, bottom, left, right, width } = one.getBoundingClientRect()
          return (
            width > 0 && top < message.bottom && bottom > message.top && left < message.right && right > message.left
          )
        },
      ).length
    })
    expect([width, covered]).toEqual([width, 0])
  }
  await page.setViewportSize({ width: 1280, height: 900 })
})

inBrowser('Ctrl Z undoes the latest change even after its message has closed', async () => {
  await open('/transports/active')
  const rows = page.locator('#list tbody tr')
  const ids = [0, 1]
  const before = await Promise.all(ids.map((n) => rows.nth(n).locator('select').inputValue()))
  for (const n of ids) await rows.nth(n).locator('input[name=ids]').check()
  await page.fill('.selection-bar [name=note]', 'Looked at')
  await page.selectOption('.selection-bar select[name=status]', 'Searching For Driver')
  await page.click('.selection-bar button:has-text("Change")')
  await page.waitForSelector('.toast:has-text("set to Searching For Driver")')
  await page.waitForSelector('.toast', { state: 'detached', timeout: 120_000 })
  await page.keyboard.press('Control+z')
  await page.waitForSelector('.toast:has-text("were undone")')
  expect(await Promise.all(ids.map((n) => rows.nth(n).locator('select').inputValue()))).toEqual(before)
  // There is nothing more to undo.
  await page.keyboard.press('Control+z')
  await Bun.sleep(500)
  expect(await page.locator('.toast').count()).toBe(1)
})

inBrowser('Ctrl Z undoes several status changes, newest first', async () => {
  await open('/transports/active')
  const select = (at: number) => page.locator('#list tbody tr').nth(at).locator('select')
  const before = [await select(0).inputValue(), await select(1).inputValue()]
  for (const at of [0, 1]) {
    const other = before[at] === 'In Transit' ? 'Awaiting Pickup' : 'In Transit'
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await select(at).selectOption(other)
    await saved
    await page.waitForSelector('.toast button')
  }
  for (const at of [1, 0]) {
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.keyboard.press('Control+z')
    await saved
    await page.waitForFunction(
      ([at, value]) => document.querySelectorAll<HTMLSelectElement>('#list tbody select')[Number(at)]?.value === value,
      [at, before[at]] as const,
    )
  }
})

inBrowser('Ctrl Z undoes several changes of one record, and does not repeat an undone change', async () => {
  const changed = () => page.waitForResponse((response) => response.request().method() !== 'GET')
  await open('/transports/active')
  const select = page.locator('#list tbody tr').nth(2).locator('select')
  const before = await select.inputValue()
  const others = ['In Transit', 'Vehicle Not Ready', 'Awaiting Pickup'].filter((status) => status !== before)
  for (const status of others.slice(0, 2)) {
    const saved = changed()
    await select.selectOption(status)
    await saved
    await page.waitForSelector(`.toast:has-text("is now ${status}")`)
  }
  for (const status of [others[0], before]) {
    const saved = changed()
    await page.keyboard.press('Control+z')
    await saved
    await page.waitForSelector(`.toast:has-text("is ${status} again")`)
  }
  expect(await select.inputValue()).toBe(before)
  await open('/vehicles/registrations')
  const received = (at: number) => page.locator('tbody tr').nth(at).locator('.yes-no')
  for (const at of [0, 1]) {
    await received(at).click()
    await page.waitForSelector(`tbody tr:nth-child(${at + 1}) .yes-no.is-yes`)
    await page.waitForSelector('.toast button')
  }
  for (const at of [1, 0]) {
    const saved = changed()
    await page.keyboard.press('Control+z')
    await saved
    await page.waitForSelector(`tbody tr:nth-child(${at + 1}) .yes-no:not(.is-yes)`)
  }
})

inBrowser('a second click on Snooze does not snooze the next item', async () => {
  await open('/due')
  const total = async () => Number(/\d+/.exec((await page.locator('#tabs').textContent()) ?? '')?.[0])
  const before = await total()
  const box = await page.locator('tbody button:has-text("Snooze 1 week")').first().boundingBox()
  const [x, y] = [(box?.x ?? 0) + 5, (box?.y ?? 0) + 5]
  await page.mouse.click(x, y)
  await page.waitForSelector('.toast:has-text("snoozed until")')
  await page.mouse.click(x, y)
  await page.waitForFunction((all) => document.getElementById('tabs')?.textContent?.includes(`(${all})`), before - 1)
  // The row stays, and is grayed out until the snooze is undone.
  expect(await page.locator('tbody tr').first().getAttribute('class')).toContain('is-gone')
  await page.reload()
  expect(await total()).toBe(before - 1)
})

inBrowser('a snoozed item is grayed out until the snooze is undone', async () => {
  await open('/due')
  const row = page.locator('tbody tr').first()
  await row.locator('button:has-text("Snooze 1 week")').click()
  await page.waitForSelector('tbody tr.is-gone')
  await page.keyboard.press('Control+z')
  await page.waitForSelector('.toast:has-text("is due again")')
  expect(await page.locator('tbody tr.is-gone').count()).toBe(0)
})

inBrowser('a search made offline runs once the network is back', async () => {
  await open('/transports/active')
  const all = await page.locator('#list tbody tr').count()
  await page.context().setOffline(true)
  await page.fill('[data-hotkey="/"]', 'mesa')
  await page.waitForSelector('.toast-danger')
  await page.context().setOffline(false)
  await page.waitForURL('**q=mesa**')
  expect(await page.locator('#list tbody tr').count()).toBeLessThan(all)
})

inBrowser('the count for selecting the whole list follows changes', async () => {
  await open('/transports/active')
  const total = Number(await page.locator('#list').getAttribute('data-total'))
  await page.locator('#list tbody tr').nth(2).locator('select').selectOption('Delivered')
  await page.waitForSelector('.toast:has-text("Delivered")')
  await page.waitForSelector(`#selection-total:text("All ${total - 1} in this list")`, { state: 'attached' })
  await page.locator('#list tbody tr').nth(0).locator('input[name=ids]').check()
  await page.check('.selection-bar [name=all]')
  await page.fill('.selection-bar [name=note]', 'Counted')
  await page.click('.selection-bar button:has-text("Change")')
  await page.waitForSelector(`.toast:has-text("${total - 1} ")`)
})

inBrowser('a full field shows a message, and Ctrl Enter saves and refocuses a note', async () => {
  await open('/transports/new')
  await page.click('#ra_number')
  await page.keyboard.type('RA12345678')
  expect(await page.locator('.field:has(#ra_number) .field-error').textContent()).toBe(
    'At most 8 characters. The rest was cut off',
  )
  await page.keyboard.press('Backspace')
  await page.keyboard.press('9')
  expect(await page.locator('.field:has(#ra_number) .field-error').count()).toBe(0)
  page.once('dialog', (dialog) => void dialog.accept())
  const [entry] = await callApi<{ id: number }[]>('GET', '/osl/active')
  await open(`/osl/${entry?.id}`)
  await page.fill('#note_text', 'Glass is ordered')
  await page.keyboard.press('Control+Enter')
  await page.waitForSelector('.track li:has-text("Glass is ordered")')
  await page.waitForFunction(() => document.activeElement?.id === 'note_text')
  // A completion date in the form sets the status to Completed.
  await page.fill('input[name=completed_on]', today())
  expect(await page.inputValue('.record-strip select')).toBe('Completed')
})

inBrowser('Back focuses the last row, and a rejected bulk edit focuses the selection bar', async () => {
  await open('/transports/active')
  const link = page.locator('#list tbody tr').nth(7).locator('.unit a')
  const unit = await link.textContent()
  await link.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/vehicles/**')
  await page.goBack()
  await page.waitForFunction((unit) => document.activeElement?.textContent === unit, unit)
  await page.keyboard.press('x')
  await page.click('.selection-bar button:has-text("Change")')
  await page.waitForSelector('.toast-danger')
  await page.waitForFunction(() => document.activeElement?.closest('.selection-bar') !== null)
  expect(await page.locator('[data-selected]').textContent()).toBe('1 selected')
  expect(await focused()).not.toBe(unit)
})

inBrowser('the rows per page setting changes the number of rows', async () => {
  await open('/vehicles/registrations?tab=completed')
  await page.selectOption('.pager-jump select', '25')
  await page.waitForURL('**per_page=25**')
  expect(await page.locator('#list tbody tr').count()).toBe(25)
})

inBrowser('after a decision, the focus is in the next line without one', async () => {
  const lines = ['999991', '999992', '999993'].map((unit_number) => ({ unit_number, amount: 10 }))
  const period = { start_date: '2026-02-01', end_date: '2026-02-28' }
  const invoice = { number: 'FOCUS-1', ...period, lines }
  const { id: made } = await callApi<{ id: number }>('POST', '/vendors/1/invoices', invoice)
  await open(`/invoices/${made}`)
  const row = page.locator('tbody tr').nth(1)
  await row.locator('button[value=accepted]').focus()
  await page.keyboard.press('Enter')
  await page.waitForSelector('.toast:has-text("accepted")')
  const next = await page.locator('tbody tr').nth(2).getAttribute('id')
  expect(await page.evaluate(() => document.activeElement?.closest('tr')?.id)).toBe(String(next))
})
