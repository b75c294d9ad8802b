import { expect } from 'bun:test'
import { context, inBrowser, openDesk, page, served, signInAgain } from '../support/desk'

openDesk()

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

inBrowser('a rejected file can be chosen again', async () => {
  await page.goto(`${served.url}/files/upload`)
  await page.waitForSelector('yard-island[name=dropzone][data-ready]', { state: 'attached' })
  await page.selectOption('#data_type', 'titles')
  await page.setInputFiles('input[type=file]', { name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from('') })
  await page.waitForSelector('.banner-danger:has-text("empty")')
  expect(await page.inputValue('input[type=file]')).toBe('')
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
  // A dialog without input closes at once.
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
  // A reload opens the dialog again with its input.
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.waitForSelector('dialog[open] #dealer_name')
  expect(await page.inputValue('dialog[open] #dealer_name')).toBe('Valley Truck Sales')
  await page.click('.toast button:has-text("Start over")')
  await page.keyboard.press('Escape')
  await page.waitForSelector('dialog[open]', { state: 'detached' })
  // Waits until the browser has removed the history entry of the closed dialog.
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
  // A line of the summary moves the focus to its field, and does not leave the dialog.
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
  const dialogTypes: string[] = []
  page.on('dialog', (dialog) => {
    dialogTypes.push(dialog.type())
    void dialog.accept()
  })
  await page.click('nav.sidebar >> text=Active OSL')
  await page.waitForURL('**/osl/active')
  expect(dialogTypes).toEqual(['beforeunload'])
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
  // Simulates a proxy that cannot reach the server.
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
  await page.waitForSelector('dialog[open] [data-failure]:has-text("The change may have been saved")')
  expect([await page.inputValue('dialog[open] #dealer_name'), await page.locator('[data-failure]').count()]).toEqual([
    'Valley Truck Sales',
    1,
  ])
  await context.setOffline(false)
})

inBrowser('pasting trims whitespace before the length limit applies', async () => {
  await page.goto(`${served.url}/osl/new`)
  await page.waitForLoadState('networkidle')
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
  await page.waitForSelector('.error-summary:has-text("This record has changed")')
  expect(await stored(`/api/transports/${id}`)).toMatchObject({ notes: 'Theirs', final_cost: 123.45 })
  await page.locator('form.form button[type=submit]').first().click()
  await page.waitForURL('**/transports/active*')
  expect(await stored(`/api/transports/${id}`)).toMatchObject({ notes: 'Mine', final_cost: 123.45 })
})

inBrowser('an edit resumed after the session ended keeps changes by others and clears its draft', async () => {
  await page.goto(`${served.url}/titles`)
  const id = (await page.locator('tbody tr').nth(8).getAttribute('id'))?.replace('row-', '')
  const other = await context.browser()!.newContext()
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
  await page.waitForSelector('.error-summary:has-text("This record has changed")')
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

inBrowser('a row table submitted after the session ended is restored, then cleared on submit', async () => {
  await page.goto(`${served.url}/files/grid?data_type=transports`)
  const cells = page.locator('tbody tr').first().locator('input[data-cell]')
  await cells.first().focus()
  await page.evaluate(() => {
    // Longer than the URL of the sign-in page allows, and more rows than the table has at first.
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

inBrowser('errors disappear when their field changes, and nothing else moves', async () => {
  await page.goto(`${served.url}/titles/new`)
  await page.fill('#unit_number', '12')
  await page.locator('form.form button[type=submit]').first().click()
  await page.waitForSelector('#unit_number-error')
  const entries = page.locator('[data-error-summary] li')
  expect(await entries.count()).toBe(2)
  const button = page.locator('form.form button[type=submit]').first()
  const place = await button.boundingBox()
  await page.fill('#unit_number', '999905')
  expect(await page.locator('#unit_number-error').textContent()).toBe('')
  expect([await entries.nth(0).isVisible(), await entries.nth(1).isVisible()]).toEqual([false, true])
  await page.selectOption('#location_id', { index: 1 })
  // The messages keep their space, so that the button does not move while the user presses it.
  expect(await page.locator('[data-error-summary]').isVisible()).toBe(false)
  expect(await button.boundingBox()).toEqual(place)
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

inBrowser('an error on the reports page disappears when its field is corrected', async () => {
  await page.goto(`${served.url}/reports?type=transport_summary&start_date=2026-05-02&end_date=2026-05-01&generate=1`)
  const messages = page.locator('.report-form .field-error, .report-form .banner-danger')
  expect(await messages.count()).toBeGreaterThan(1)
  await page.waitForFunction(() => document.documentElement.classList.contains('scripted'))
  await page.fill('#end_date', '2026-05-31')
  await page.waitForFunction(
    () => !document.querySelector('.report-form .field-error:not(:empty), .report-form .banner-danger'),
  )
})
